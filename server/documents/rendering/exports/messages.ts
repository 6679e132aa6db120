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
  only_disbursements: 'Solo tiene suplidos, y Facturae no tiene líneas para ellos.',
  history: 'La hizo un programa anterior, y su documento no está adjunto.',
  not_issued: 'Es un borrador: todavía no se ha emitido.',
  archive_full: 'No cabía: un archivo ZIP llega hasta 4 GB. Expórtala en otro.',
  not_made: 'No se ha podido preparar. Vuelve a exportarla más tarde.',
}
