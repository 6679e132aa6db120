/** Messages for missing documents in the archive's own list: the same as in the window. */
import type { ExportFault } from './contract.ts'

export const WHY_MISSING: Record<ExportFault, string> = {
  recipient_not_identified: 'La factura no identifica a quien compra y este formato lo exige.',
  recipient_number_missing: 'Falta el NIF o número fiscal del cliente.',
  recipient_address_missing: 'Falta la dirección completa del cliente.',
  recipient_postal_code_unfit: 'El código postal del cliente no cabe en Facturae.',
  recipient_country_without_code: 'El país del cliente no tiene código en Facturae.',
  issuer_address_missing: 'Falta la dirección completa de tu empresa.',
  issuer_postal_code_unfit: 'El código postal de tu empresa no cabe en Facturae.',
  third_party_address_missing: 'Falta la dirección completa de quien la expide en tu nombre.',
  number_too_long: 'El número o la serie pasan de 20 caracteres.',
  only_disbursements: 'Solo tiene suplidos, y este formato no tiene líneas para ellos.',
  simplified: 'Es un tique o lo rectifica: entre empresas se exige una factura completa.',
  customer_outside_spain:
    'El cliente no está en España, y este formato es para facturas entre empresas españolas.',
  customer_number_missing: 'Falta el NIF español del cliente, o no es correcto.',
  public_body: 'El cliente es una administración: su factura va por FACe, en Facturae.',
  customer_address_incomplete:
    'La dirección del cliente está incompleta: calle, población, provincia y código postal de cinco cifras.',
  issuer_address_incomplete:
    'La dirección de tu empresa está incompleta: calle, población, provincia y código postal de cinco cifras.',
  foral: 'Tu empresa está en el País Vasco o Navarra, y sus convenios aún no se han publicado.',
  third_party_issue: 'La expidió un tercero, y los campos para sus datos aún no se han publicado.',
  too_large: 'Pasa de los 5.120 kB que admite la plataforma.',
  electronic_address_missing:
    'Tu empresa o el cliente no tienen un NIF-IVA que sirva de dirección en Peppol.',
  customer_reference_missing: 'Falta el número de pedido del cliente, que Peppol exige.',
  self_billed: 'La expidió el cliente, y Peppol tiene otro perfil para esas facturas.',
  history: 'La hizo un programa anterior, y su documento no está adjunto.',
  not_issued: 'Es un borrador: todavía no se ha emitido.',
  archive_full: 'No cabía: un archivo ZIP llega hasta 4 GB. Expórtala en otro.',
  not_made: 'No se ha podido preparar. Vuelve a exportarla más tarde.',
}
