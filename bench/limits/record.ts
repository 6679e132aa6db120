/** The limits' own text of a record: one template for the one shape of invoice that is issued. */
import { hash } from 'node:crypto'

const NS =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/SuministroInformacion.xsd'

const escaped = (text: string): string =>
  /[&<]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text
const euros = (cents: number): string => (cents / 100).toFixed(2)
const registryDay = (date: string): string => `${date.slice(8, 10)}-${date.slice(5, 7)}-${date.slice(0, 4)}`

export interface ChainHead {
  records: number
  head_hash: Uint8Array | null
  head_issuer_nif: string
  head_number: string
  head_issue_date: string
}

interface RecordFacts {
  issuer: { nif: string; name: string }
  systemXml: string
  /** Before the record. */
  chain: ChainHead
  number: string
  issueDate: string
  generatedAt: string
  invoice: { base_cents: number; tax_cents: number; client_name: string; client_nif: string }
  taxes: readonly {
    tax_treatment: string
    regime_key: string
    vat_rate_bp: number
    base_cents: number
    tax_cents: number
  }[]
  /** Of the lines. */
  descriptions: readonly string[]
}

/** Returns the part of a record that names the program. */
export function systemXmlOf({
  version,
  installation,
  severalIssuers,
}: {
  version: string
  installation: string
  severalIssuers: 'S' | 'N'
}): string {
  return `<sf:SistemaInformatico><sf:NombreRazon>PRODUCTOR DE PRUEBA</sf:NombreRazon><sf:NIF>89890001K</sf:NIF><sf:NombreSistemaInformatico>Sello</sf:NombreSistemaInformatico><sf:IdSistemaInformatico>S1</sf:IdSistemaInformatico><sf:Version>${version}</sf:Version><sf:NumeroInstalacion>${installation}</sf:NumeroInstalacion><sf:TipoUsoPosibleSoloVerifactu>S</sf:TipoUsoPosibleSoloVerifactu><sf:TipoUsoPosibleMultiOT>S</sf:TipoUsoPosibleMultiOT><sf:IndicadorMultiplesOT>${severalIssuers}</sf:IndicadorMultiplesOT></sf:SistemaInformatico>`
}

/** Returns a record's text and its hash. */
export function sealedRecord(facts: RecordFacts): { hex: string; xml: string } {
  const {
    issuer,
    systemXml,
    chain,
    number,
    issueDate,
    generatedAt,
    invoice: row,
    taxes,
    descriptions,
  } = facts
  const previous = chain.head_hash ? Buffer.from(chain.head_hash).toString('hex').toUpperCase() : ''
  const day = registryDay(issueDate)
  const taxTotal = euros(row.tax_cents)
  const total = euros(row.base_cents + row.tax_cents)
  const text = `IDEmisorFactura=${issuer.nif}&NumSerieFactura=${number}&FechaExpedicionFactura=${day}&TipoFactura=F1&CuotaTotal=${taxTotal}&ImporteTotal=${total}&Huella=${previous}&FechaHoraHusoGenRegistro=${generatedAt}`
  const hex = hash('sha256', text, 'hex').toUpperCase()
  let breakdown = ''
  for (const tax of taxes)
    breakdown += `<sf:DetalleDesglose><sf:Impuesto>01</sf:Impuesto><sf:ClaveRegimen>${tax.regime_key}</sf:ClaveRegimen><sf:CalificacionOperacion>${tax.tax_treatment}</sf:CalificacionOperacion><sf:TipoImpositivo>${tax.vat_rate_bp / 100}</sf:TipoImpositivo><sf:BaseImponibleOimporteNoSujeto>${euros(tax.base_cents)}</sf:BaseImponibleOimporteNoSujeto><sf:CuotaRepercutida>${euros(tax.tax_cents)}</sf:CuotaRepercutida></sf:DetalleDesglose>`
  const link = chain.head_hash
    ? `<sf:RegistroAnterior><sf:IDEmisorFactura>${chain.head_issuer_nif}</sf:IDEmisorFactura><sf:NumSerieFactura>${chain.head_number}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${registryDay(chain.head_issue_date)}</sf:FechaExpedicionFactura><sf:Huella>${previous}</sf:Huella></sf:RegistroAnterior>`
    : '<sf:PrimerRegistro>S</sf:PrimerRegistro>'
  const xml = `<sf:RegistroAlta xmlns:sf="${NS}"><sf:IDVersion>1.0</sf:IDVersion><sf:IDFactura><sf:IDEmisorFactura>${issuer.nif}</sf:IDEmisorFactura><sf:NumSerieFactura>${number}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${day}</sf:FechaExpedicionFactura></sf:IDFactura><sf:RefExterna>rec-${chain.records + 1}</sf:RefExterna><sf:NombreRazonEmisor>${escaped(issuer.name)}</sf:NombreRazonEmisor><sf:TipoFactura>F1</sf:TipoFactura><sf:DescripcionOperacion>${escaped(descriptions.join('; '))}</sf:DescripcionOperacion><sf:Destinatarios><sf:IDDestinatario><sf:NombreRazon>${escaped(row.client_name)}</sf:NombreRazon><sf:NIF>${row.client_nif}</sf:NIF></sf:IDDestinatario></sf:Destinatarios><sf:Desglose>${breakdown}</sf:Desglose><sf:CuotaTotal>${taxTotal}</sf:CuotaTotal><sf:ImporteTotal>${total}</sf:ImporteTotal><sf:Encadenamiento>${link}</sf:Encadenamiento>${systemXml}<sf:FechaHoraHusoGenRegistro>${generatedAt}</sf:FechaHoraHusoGenRegistro><sf:TipoHuella>01</sf:TipoHuella><sf:Huella>${hex}</sf:Huella></sf:RegistroAlta>`
  return { hex, xml }
}
