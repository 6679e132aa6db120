/** The one serializer of registry records: the text made here is hashed, stored and sent, never written a second time. */
import { basisPointsToText, centsToText } from '../core/money.ts'
import { registryDate } from '../core/dates.ts'
import { registrationHash, trimValue } from './chain.ts'
import { isSpanishParty } from './fields.ts'
import { NS_RECORD, NS_SOAP, NS_SUBMISSION } from './namespaces.ts'
import type { BreakdownLine, ChainLink, Recipient, RegistryInvoice, SystemInfo } from './fields.ts'
import type { Cents } from '../core/money.ts'

/** The authority takes at most this many records in one message. */
export const MAX_RECORDS_PER_SUBMISSION = 1000
/** From 100 million euros on, a record is marked (Macrodato). */
const MACRO_CENTS: Cents = 10_000_000_000
const GENERATED_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/
// Control characters XML cannot carry, a carriage return, which every reader turns into a line feed, and what is escaped.
const SPECIAL = /[&<\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\]\]>/
const UNFIT = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/

/**
 * Text as the content of an element: without outer blanks, `&` and `<` escaped, `>` only where XML demands it.
 * Throws a RangeError on characters that XML cannot carry.
 */
export function escapeText(text: string): string {
  const value = trimValue(text)
  if (!SPECIAL.test(value)) return value
  if (UNFIT.test(value)) throw new RangeError('The text holds a character that XML cannot carry.')
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;')
}

const RECORD_OPEN = `<sf:RegistroAlta xmlns:sf="${NS_RECORD}"><sf:IDVersion>1.0</sf:IDVersion><sf:IDFactura><sf:IDEmisorFactura>`

/** The element of a registration (alta) with its namespace declared, and its hash. */
export interface BuiltRecord {
  xml: string
  hash: string
}

/**
 * Writes the registration of an invoice and seals it with its hash. `previous` is null only for the first record of an
 * installation; `generatedAt` is `YYYY-MM-DDThh:mm:ss±hh:mm` (core/dates.ts, madridInstant). Checks nothing of the tax
 * rules: rules.ts does, before. Throws a RangeError when a text or the time cannot be written.
 */
export function buildRegistration(
  invoice: RegistryInvoice,
  previous: ChainLink | null,
  system: SystemInfo,
  generatedAt: string,
): BuiltRecord {
  if (!GENERATED_AT.test(generatedAt))
    throw new RangeError('The time of a record needs the form YYYY-MM-DDThh:mm:ss±hh:mm.')
  const issueDate = registryDate(invoice.issueDate)
  const taxTotal = centsToText(invoice.taxTotalCents)
  const total = centsToText(invoice.totalCents)
  const hash = registrationHash({
    issuerNif: invoice.issuer.nif,
    number: invoice.number,
    issueDate,
    invoiceKind: invoice.kind,
    taxTotal,
    total,
    previousHash: previous === null ? '' : previous.hash,
    generatedAt,
  })
  let breakdown = ''
  for (const line of invoice.breakdown) breakdown += breakdownXml(line)
  const operationDate =
    invoice.operationDate === null || invoice.operationDate === invoice.issueDate
      ? ''
      : `<sf:FechaOperacion>${registryDate(invoice.operationDate)}</sf:FechaOperacion>`
  const flags =
    (invoice.simplifiedArt7273 ? '<sf:FacturaSimplificadaArt7273>S</sf:FacturaSimplificadaArt7273>' : '') +
    (invoice.withoutRecipientArt61d
      ? '<sf:FacturaSinIdentifDestinatarioArt61d>S</sf:FacturaSinIdentifDestinatarioArt61d>'
      : '') +
    (Math.abs(invoice.totalCents) >= MACRO_CENTS ? '<sf:Macrodato>S</sf:Macrodato>' : '')
  const xml = `${RECORD_OPEN}${escapeText(invoice.issuer.nif)}</sf:IDEmisorFactura><sf:NumSerieFactura>${escapeText(invoice.number)}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${issueDate}</sf:FechaExpedicionFactura></sf:IDFactura><sf:RefExterna>${escapeText(invoice.recordId)}</sf:RefExterna><sf:NombreRazonEmisor>${escapeText(invoice.issuer.name)}</sf:NombreRazonEmisor><sf:TipoFactura>${invoice.kind}</sf:TipoFactura>${operationDate}<sf:DescripcionOperacion>${escapeText(invoice.description)}</sf:DescripcionOperacion>${flags}${invoice.recipient === null ? '' : recipientXml(invoice.recipient)}<sf:Desglose>${breakdown}</sf:Desglose><sf:CuotaTotal>${taxTotal}</sf:CuotaTotal><sf:ImporteTotal>${total}</sf:ImporteTotal>${chainXml(previous)}${systemXml(system)}<sf:FechaHoraHusoGenRegistro>${generatedAt}</sf:FechaHoraHusoGenRegistro><sf:TipoHuella>01</sf:TipoHuella><sf:Huella>${hash}</sf:Huella></sf:RegistroAlta>`
  if (!xml.isWellFormed()) throw new RangeError('The record holds half of a Unicode character.')
  return { xml, hash }
}

function recipientXml(recipient: Recipient): string {
  return `<sf:Destinatarios><sf:IDDestinatario><sf:NombreRazon>${escapeText(recipient.name)}</sf:NombreRazon>${recipientIdXml(recipient)}</sf:IDDestinatario></sf:Destinatarios>`
}

function recipientIdXml(recipient: Recipient): string {
  if (isSpanishParty(recipient)) return `<sf:NIF>${escapeText(recipient.nif)}</sf:NIF>`
  // An EU VAT number says its country itself; Greece (EL) and Northern Ireland (XI) have no such code in the list.
  const country =
    recipient.idType === '02' ? '' : `<sf:CodigoPais>${escapeText(recipient.country)}</sf:CodigoPais>`
  return `<sf:IDOtro>${country}<sf:IDType>${recipient.idType}</sf:IDType><sf:ID>${escapeText(recipient.id)}</sf:ID></sf:IDOtro>`
}

function breakdownXml(line: BreakdownLine): string {
  const exempt = line.taxTreatment.startsWith('E')
  const treatment = exempt
    ? `<sf:OperacionExenta>${line.taxTreatment}</sf:OperacionExenta>`
    : `<sf:CalificacionOperacion>${line.taxTreatment}</sf:CalificacionOperacion>`
  const rate =
    line.vatRateBp === null
      ? ''
      : `<sf:TipoImpositivo>${basisPointsToText(line.vatRateBp)}</sf:TipoImpositivo>`
  const tax =
    line.vatRateBp === null ? '' : `<sf:CuotaRepercutida>${centsToText(line.taxCents)}</sf:CuotaRepercutida>`
  const surcharge =
    line.surchargeRateBp === null
      ? ''
      : `<sf:TipoRecargoEquivalencia>${basisPointsToText(line.surchargeRateBp)}</sf:TipoRecargoEquivalencia><sf:CuotaRecargoEquivalencia>${centsToText(line.surchargeCents)}</sf:CuotaRecargoEquivalencia>`
  return `<sf:DetalleDesglose><sf:Impuesto>01</sf:Impuesto><sf:ClaveRegimen>${escapeText(line.regimeKey)}</sf:ClaveRegimen>${treatment}${rate}<sf:BaseImponibleOimporteNoSujeto>${centsToText(line.baseCents)}</sf:BaseImponibleOimporteNoSujeto>${tax}${surcharge}</sf:DetalleDesglose>`
}

function chainXml(previous: ChainLink | null): string {
  if (previous === null)
    return '<sf:Encadenamiento><sf:PrimerRegistro>S</sf:PrimerRegistro></sf:Encadenamiento>'
  return `<sf:Encadenamiento><sf:RegistroAnterior><sf:IDEmisorFactura>${escapeText(previous.issuerNif)}</sf:IDEmisorFactura><sf:NumSerieFactura>${escapeText(previous.number)}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${registryDate(previous.issueDate)}</sf:FechaExpedicionFactura><sf:Huella>${previous.hash}</sf:Huella></sf:RegistroAnterior></sf:Encadenamiento>`
}

function systemXml(system: SystemInfo): string {
  return `<sf:SistemaInformatico><sf:NombreRazon>${escapeText(system.producer.name)}</sf:NombreRazon><sf:NIF>${escapeText(system.producer.nif)}</sf:NIF><sf:NombreSistemaInformatico>${escapeText(system.name)}</sf:NombreSistemaInformatico><sf:IdSistemaInformatico>${escapeText(system.id)}</sf:IdSistemaInformatico><sf:Version>${escapeText(system.version)}</sf:Version><sf:NumeroInstalacion>${escapeText(system.installationNumber)}</sf:NumeroInstalacion><sf:TipoUsoPosibleSoloVerifactu>${yesNo(system.onlyVerifactu)}</sf:TipoUsoPosibleSoloVerifactu><sf:TipoUsoPosibleMultiOT>${yesNo(system.multiIssuer)}</sf:TipoUsoPosibleMultiOT><sf:IndicadorMultiplesOT>${yesNo(system.severalIssuers)}</sf:IndicadorMultiplesOT></sf:SistemaInformatico>`
}

function yesNo(value: boolean): 'S' | 'N' {
  return value ? 'S' : 'N'
}

export interface SubmissionHeader {
  issuer: { name: string; nif: string }
  /** Only when a representative made the records. */
  representative?: { name: string; nif: string }
}

export interface SubmissionOptions {
  /** Some record was delayed by a failure of power, network or system (Incidencia). */
  incident?: boolean
}

const ENVELOPE_OPEN = `<?xml version="1.0" encoding="UTF-8"?>\n<soapenv:Envelope xmlns:soapenv="${NS_SOAP}" xmlns:sfLR="${NS_SUBMISSION}" xmlns:sf="${NS_RECORD}"><soapenv:Header/><soapenv:Body><sfLR:RegFactuSistemaFacturacion><sfLR:Cabecera>`
const ENVELOPE_CLOSE = '</sfLR:RegFactuSistemaFacturacion></soapenv:Body></soapenv:Envelope>'

/**
 * The SOAP message around records as they were stored, untouched and in the order of the chain.
 * Throws a RangeError unless there are 1 to 1000 of them.
 */
export function buildSubmission(
  header: SubmissionHeader,
  records: readonly string[],
  options: SubmissionOptions = {},
): string {
  if (records.length < 1 || records.length > MAX_RECORDS_PER_SUBMISSION) {
    throw new RangeError(`A submission takes 1 to ${MAX_RECORDS_PER_SUBMISSION} records.`)
  }
  const { representative } = header
  let xml = `${ENVELOPE_OPEN}<sf:ObligadoEmision>${partyXml(header.issuer)}</sf:ObligadoEmision>`
  if (representative) xml += `<sf:Representante>${partyXml(representative)}</sf:Representante>`
  if (options.incident)
    xml += '<sf:RemisionVoluntaria><sf:Incidencia>S</sf:Incidencia></sf:RemisionVoluntaria>'
  xml += '</sfLR:Cabecera>'
  for (const record of records) xml += `<sfLR:RegistroFactura>${record}</sfLR:RegistroFactura>`
  return xml + ENVELOPE_CLOSE
}

function partyXml(party: { name: string; nif: string }): string {
  return `<sf:NombreRazon>${escapeText(party.name)}</sf:NombreRazon><sf:NIF>${escapeText(party.nif)}</sf:NIF>`
}
