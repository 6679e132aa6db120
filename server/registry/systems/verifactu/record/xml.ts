/** The only serializer of registry records: its output is hashed, stored and sent, and never written a second time. */
import { basisPointsToText, centsToText } from '../../../../domain/money.ts'
import type { Cents } from '../../../../domain/money.ts'
import { registryDate } from '../../../../domain/dates.ts'
import { NS_RECORD } from '../wire/namespaces.ts'
import { cancellationHash, registrationHash } from './chain.ts'
import { trimValue } from './hashed.ts'
import { isSpanishParty } from './fields.ts'
import type {
  BreakdownLine,
  CancellationTurn,
  ChainLink,
  InvoiceKey,
  MadeBy,
  Recipient,
  Rectification,
  RegistrationTurn,
  RegistryCancellation,
  RegistryInvoice,
  SystemInfo,
} from './fields.ts'

/** Records of at least 100 million euros are flagged (Macrodato). */
const MACRO_CENTS: Cents = 10_000_000_000
const GENERATED_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/
// Control characters, which XML cannot carry; the carriage return, which every reader converts to a line feed; halves
// of surrogate pairs (valid in pairs only); and the characters to escape.
const SPECIAL = /[&<>\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]/
const UNFIT = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/

/**
 * Returns text as the content of an element: without leading and trailing blanks, `&` and `<` escaped, `>` only where
 * XML requires it. Throws a RangeError on characters that XML cannot carry.
 */
export function escapeText(text: string): string {
  const value = trimValue(text)
  return SPECIAL.test(value) ? escaped(value) : value
}

function escaped(value: string): string {
  if (UNFIT.test(value)) throw new RangeError('The text holds a character that XML cannot carry.')
  if (!value.isWellFormed()) throw new RangeError('The text holds half of a Unicode character.')
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;')
}

/** The element of a record with its namespace declared, and the record's hash. */
export interface BuiltRecord {
  xml: string
  hash: string
}

const REGISTRATION_OPEN = `<sf:RegistroAlta xmlns:sf="${NS_RECORD}"><sf:IDVersion>1.0</sf:IDVersion>`
const CANCELLATION_OPEN = `<sf:RegistroAnulacion xmlns:sf="${NS_RECORD}"><sf:IDVersion>1.0</sf:IDVersion>`

/**
 * Writes the registration of an invoice (RegistroAlta) and seals it with its hash. `previous` is null only for the
 * first record of an installation; `generatedAt` is `YYYY-MM-DDThh:mm:ss±hh:mm` (madridInstant of domain/dates.ts).
 * Checks no tax rules: rules/ does that before. Throws a RangeError when a text or the time cannot be written.
 */
export function buildRegistration(
  invoice: RegistryInvoice,
  previous: ChainLink | null,
  system: SystemInfo,
  generatedAt: string,
): BuiltRecord {
  const key = { issuerNif: invoice.issuer.nif, number: invoice.number, issueDate: invoice.issueDate }
  const taxTotal = centsToText(invoice.taxTotalCents)
  const total = centsToText(invoice.totalCents)
  const hash = registrationHash({
    ...key,
    issueDate: registryDate(key.issueDate),
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
  const xml = `${REGISTRATION_OPEN}<sf:IDFactura>${keyXml(key)}</sf:IDFactura>${referenceXml(invoice.recordId)}<sf:NombreRazonEmisor>${escapeText(invoice.issuer.name)}</sf:NombreRazonEmisor>${registrationTurnXml(invoice.turn)}<sf:TipoFactura>${invoice.kind}</sf:TipoFactura>${originalsXml(invoice)}${operationDate}<sf:DescripcionOperacion>${escapeText(invoice.description)}</sf:DescripcionOperacion>${flagsXml(invoice)}${makerXml(invoice.madeBy)}${recipientsXml(invoice.recipients)}${invoice.coupon ? '<sf:Cupon>S</sf:Cupon>' : ''}<sf:Desglose>${breakdown}</sf:Desglose><sf:CuotaTotal>${taxTotal}</sf:CuotaTotal><sf:ImporteTotal>${total}</sf:ImporteTotal>${chainXml(previous)}${systemXml(system)}${generatedXml(generatedAt)}${invoice.agreementNumber === null ? '' : `<sf:NumRegistroAcuerdoFacturacion>${escapeText(invoice.agreementNumber)}</sf:NumRegistroAcuerdoFacturacion>`}${hashXml(hash)}</sf:RegistroAlta>`
  return { xml, hash }
}

/** Writes a cancellation (RegistroAnulacion) and seals it; parameters and errors as in `buildRegistration`. */
export function buildCancellation(
  cancellation: RegistryCancellation,
  previous: ChainLink | null,
  system: SystemInfo,
  generatedAt: string,
): BuiltRecord {
  const { key, madeBy } = cancellation
  const hash = cancellationHash({
    ...key,
    issueDate: registryDate(key.issueDate),
    previousHash: previous === null ? '' : previous.hash,
    generatedAt,
  })
  const maker =
    madeBy === null
      ? ''
      : `<sf:GeneradoPor>${madeBy.by === 'recipient' ? 'D' : 'T'}</sf:GeneradoPor><sf:Generador>${partyXml(madeBy.party)}</sf:Generador>`
  const xml = `${CANCELLATION_OPEN}<sf:IDFactura>${cancelledKeyXml(key)}</sf:IDFactura>${referenceXml(cancellation.recordId)}${cancellationTurnXml(cancellation.turn)}${maker}${chainXml(previous)}${systemXml(system)}${generatedXml(generatedAt)}${hashXml(hash)}</sf:RegistroAnulacion>`
  return { xml, hash }
}

/** Writes the three elements of an invoice's key; those of a cancellation have different names. */
export function keyXml({ issuerNif, number, issueDate }: InvoiceKey): string {
  return `<sf:IDEmisorFactura>${escapeText(issuerNif)}</sf:IDEmisorFactura><sf:NumSerieFactura>${escapeText(number)}</sf:NumSerieFactura><sf:FechaExpedicionFactura>${registryDate(issueDate)}</sf:FechaExpedicionFactura>`
}

function cancelledKeyXml({ issuerNif, number, issueDate }: InvoiceKey): string {
  return `<sf:IDEmisorFacturaAnulada>${escapeText(issuerNif)}</sf:IDEmisorFacturaAnulada><sf:NumSerieFacturaAnulada>${escapeText(number)}</sf:NumSerieFacturaAnulada><sf:FechaExpedicionFacturaAnulada>${registryDate(issueDate)}</sf:FechaExpedicionFacturaAnulada>`
}

function referenceXml(recordId: string): string {
  return `<sf:RefExterna>${escapeText(recordId)}</sf:RefExterna>`
}

const REGISTRATION_TURNS: Record<RegistrationTurn, string> = {
  first: '',
  correction: '<sf:Subsanacion>S</sf:Subsanacion>',
  correction_after_rejection: '<sf:Subsanacion>S</sf:Subsanacion><sf:RechazoPrevio>S</sf:RechazoPrevio>',
  unregistered: '<sf:Subsanacion>S</sf:Subsanacion><sf:RechazoPrevio>X</sf:RechazoPrevio>',
}

function registrationTurnXml(turn: RegistrationTurn): string {
  return REGISTRATION_TURNS[turn]
}

const CANCELLATION_TURNS: Record<CancellationTurn, string> = {
  first: '',
  after_rejection: '<sf:RechazoPrevio>S</sf:RechazoPrevio>',
  unregistered: '<sf:SinRegistroPrevio>S</sf:SinRegistroPrevio>',
  unregistered_after_rejection:
    '<sf:SinRegistroPrevio>S</sf:SinRegistroPrevio><sf:RechazoPrevio>S</sf:RechazoPrevio>',
}

function cancellationTurnXml(turn: CancellationTurn): string {
  return CANCELLATION_TURNS[turn]
}

function originalsXml({ rectification, rectified, substituted }: RegistryInvoice): string {
  const method =
    rectification === null ? '' : `<sf:TipoRectificativa>${rectification.method}</sf:TipoRectificativa>`
  return (
    method +
    keysXml(rectified, 'FacturasRectificadas', 'IDFacturaRectificada') +
    keysXml(substituted, 'FacturasSustituidas', 'IDFacturaSustituida') +
    rectifiedAmountsXml(rectification)
  )
}

function keysXml(keys: readonly InvoiceKey[], list: string, item: string): string {
  if (keys.length === 0) return ''
  return `<sf:${list}>${keys.map((key) => `<sf:${item}>${keyXml(key)}</sf:${item}>`).join('')}</sf:${list}>`
}

function rectifiedAmountsXml(rectification: Rectification | null): string {
  if (rectification?.method !== 'S') return ''
  const { baseCents, taxCents, surchargeCents } = rectification
  const surcharge =
    surchargeCents === null
      ? ''
      : `<sf:CuotaRecargoRectificado>${centsToText(surchargeCents)}</sf:CuotaRecargoRectificado>`
  return `<sf:ImporteRectificacion><sf:BaseRectificada>${centsToText(baseCents)}</sf:BaseRectificada><sf:CuotaRectificada>${centsToText(taxCents)}</sf:CuotaRectificada>${surcharge}</sf:ImporteRectificacion>`
}

function flagsXml(invoice: RegistryInvoice): string {
  return (
    (invoice.simplifiedArt7273 ? '<sf:FacturaSimplificadaArt7273>S</sf:FacturaSimplificadaArt7273>' : '') +
    (invoice.withoutRecipientArt61d
      ? '<sf:FacturaSinIdentifDestinatarioArt61d>S</sf:FacturaSinIdentifDestinatarioArt61d>'
      : '') +
    (Math.abs(invoice.totalCents) >= MACRO_CENTS ? '<sf:Macrodato>S</sf:Macrodato>' : '')
  )
}

function makerXml(madeBy: MadeBy | null): string {
  if (madeBy === null) return ''
  if (madeBy.by === 'recipient')
    return '<sf:EmitidaPorTerceroODestinatario>D</sf:EmitidaPorTerceroODestinatario>'
  return `<sf:EmitidaPorTerceroODestinatario>T</sf:EmitidaPorTerceroODestinatario><sf:Tercero>${partyXml(madeBy.party)}</sf:Tercero>`
}

function recipientsXml(recipients: readonly Recipient[]): string {
  let xml = ''
  for (const one of recipients) xml += `<sf:IDDestinatario>${partyXml(one)}</sf:IDDestinatario>`
  return xml && `<sf:Destinatarios>${xml}</sf:Destinatarios>`
}

/** Writes name and identification of a party as the content of an element. */
export function partyXml(party: Recipient): string {
  return `<sf:NombreRazon>${escapeText(party.name)}</sf:NombreRazon>${partyIdXml(party)}`
}

function partyIdXml(party: Recipient): string {
  if (isSpanishParty(party)) return `<sf:NIF>${escapeText(party.nif)}</sf:NIF>`
  // An EU VAT number names its country itself; Greece (EL) and Northern Ireland (XI) have no such code in the list.
  const country = party.idType === '02' ? '' : `<sf:CodigoPais>${escapeText(party.country)}</sf:CodigoPais>`
  return `<sf:IDOtro>${country}<sf:IDType>${party.idType}</sf:IDType><sf:ID>${escapeText(party.id)}</sf:ID></sf:IDOtro>`
}

function breakdownXml(line: BreakdownLine): string {
  const regime =
    line.regimeKey === null ? '' : `<sf:ClaveRegimen>${escapeText(line.regimeKey)}</sf:ClaveRegimen>`
  const treatment = line.taxTreatment.startsWith('E')
    ? `<sf:OperacionExenta>${line.taxTreatment}</sf:OperacionExenta>`
    : `<sf:CalificacionOperacion>${line.taxTreatment}</sf:CalificacionOperacion>`
  const rate =
    line.vatRateBp === null
      ? ''
      : `<sf:TipoImpositivo>${basisPointsToText(line.vatRateBp)}</sf:TipoImpositivo>`
  const atCost =
    line.costBaseCents === null
      ? ''
      : `<sf:BaseImponibleACoste>${centsToText(line.costBaseCents)}</sf:BaseImponibleACoste>`
  const tax =
    line.vatRateBp === null ? '' : `<sf:CuotaRepercutida>${centsToText(line.taxCents)}</sf:CuotaRepercutida>`
  const surcharge =
    line.surchargeRateBp === null
      ? ''
      : `<sf:TipoRecargoEquivalencia>${basisPointsToText(line.surchargeRateBp)}</sf:TipoRecargoEquivalencia><sf:CuotaRecargoEquivalencia>${centsToText(line.surchargeCents)}</sf:CuotaRecargoEquivalencia>`
  return `<sf:DetalleDesglose><sf:Impuesto>${line.tax}</sf:Impuesto>${regime}${treatment}${rate}<sf:BaseImponibleOimporteNoSujeto>${centsToText(line.baseCents)}</sf:BaseImponibleOimporteNoSujeto>${atCost}${tax}${surcharge}</sf:DetalleDesglose>`
}

function chainXml(previous: ChainLink | null): string {
  if (previous === null)
    return '<sf:Encadenamiento><sf:PrimerRegistro>S</sf:PrimerRegistro></sf:Encadenamiento>'
  return `<sf:Encadenamiento><sf:RegistroAnterior>${keyXml(previous)}<sf:Huella>${previous.hash}</sf:Huella></sf:RegistroAnterior></sf:Encadenamiento>`
}

// The program is the same for thousands of records: the last element is reused until one of its facts changes.
let lastSystem: { facts: SystemInfo; xml: string } | null = null

function systemXml(system: SystemInfo): string {
  if (lastSystem === null || !isSameSystem(lastSystem.facts, system))
    lastSystem = { facts: { ...system, producer: { ...system.producer } }, xml: newSystemXml(system) }
  return lastSystem.xml
}

function isSameSystem(a: SystemInfo, b: SystemInfo): boolean {
  return (
    a.installationNumber === b.installationNumber &&
    a.severalIssuers === b.severalIssuers &&
    a.version === b.version &&
    a.id === b.id &&
    a.name === b.name &&
    a.producer.nif === b.producer.nif &&
    a.producer.name === b.producer.name &&
    a.onlyVerifactu === b.onlyVerifactu &&
    a.multiIssuer === b.multiIssuer
  )
}

function newSystemXml(system: SystemInfo): string {
  return `<sf:SistemaInformatico><sf:NombreRazon>${escapeText(system.producer.name)}</sf:NombreRazon><sf:NIF>${escapeText(system.producer.nif)}</sf:NIF><sf:NombreSistemaInformatico>${escapeText(system.name)}</sf:NombreSistemaInformatico><sf:IdSistemaInformatico>${escapeText(system.id)}</sf:IdSistemaInformatico><sf:Version>${escapeText(system.version)}</sf:Version><sf:NumeroInstalacion>${escapeText(system.installationNumber)}</sf:NumeroInstalacion><sf:TipoUsoPosibleSoloVerifactu>${yesNo(system.onlyVerifactu)}</sf:TipoUsoPosibleSoloVerifactu><sf:TipoUsoPosibleMultiOT>${yesNo(system.multiIssuer)}</sf:TipoUsoPosibleMultiOT><sf:IndicadorMultiplesOT>${yesNo(system.severalIssuers)}</sf:IndicadorMultiplesOT></sf:SistemaInformatico>`
}

function generatedXml(generatedAt: string): string {
  if (!GENERATED_AT.test(generatedAt))
    throw new RangeError('The time of a record needs the form YYYY-MM-DDThh:mm:ss±hh:mm.')
  return `<sf:FechaHoraHusoGenRegistro>${generatedAt}</sf:FechaHoraHusoGenRegistro>`
}

function hashXml(hash: string): string {
  return `<sf:TipoHuella>01</sf:TipoHuella><sf:Huella>${hash}</sf:Huella>`
}

function yesNo(value: boolean): 'S' | 'N' {
  return value ? 'S' : 'N'
}
