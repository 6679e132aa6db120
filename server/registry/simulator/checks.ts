/**
 * The simulated authority's checks of one registration, on the XML as it came. They are written apart from rules.ts on
 * purpose: only the dated tables of rates, countries and VAT number forms are common to both.
 */
import { addYears, businessDateOf, isBusinessDate, registryDate } from '../../core/dates.ts'
import { checkNif } from '../../core/nif.ts'
import { vatRates } from '../../core/vat-rates.ts'
import { registrationHash, trimValue } from '../record/chain.ts'
import { isEuVatNumber } from '../record/parties.ts'
import type { BusinessDate } from '../../core/dates.ts'
import type { XmlElement } from '../wire/reader.ts'
import type { RecordCode } from './texts.ts'

export interface Surroundings {
  now: Date
  headerNif: string
  /** The header says that a failure delayed the records. */
  incident: boolean
  /** Whether the census of tax numbers knows one. */
  inCensus: (nif: string) => boolean
  /** How far the record's time may be from the authority's; late records of an incident are exempt. */
  clockWindowSeconds: number
  /** This issuer's installation has records already. */
  hasEarlierRecords: boolean
}

/** Kinds of invoice and record flags known so far; the rest is refused, never guessed. */
const KINDS = ['F1', 'F2']
const TOLERANCE_CENTS = 1_000

/** The descendant at a path of local names, or undefined. The schema has been checked: names are not repeated. */
export function at(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let found = element
  for (const name of path) found = found?.children.find((child) => child.name === name)
  return found
}

/** Trimmed text at a path; empty when absent. */
export function valueAt(element: XmlElement | undefined, ...path: string[]): string {
  const found = at(element, ...path)
  return found ? trimValue(found.text) : ''
}

function has(element: XmlElement, name: string): boolean {
  return at(element, name) !== undefined
}

/** `DD-MM-YYYY` to a day, or null. */
function dayOf(text: string): BusinessDate | null {
  const day = `${text.slice(6)}-${text.slice(3, 5)}-${text.slice(0, 2)}`
  return isBusinessDate(day) ? day : null
}

/** An amount the schema has admitted, in cents. */
function centsOf(text: string): number {
  const [whole = '0', fraction = ''] = text.replace(/^[+-]/, '').split('.')
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return text.startsWith('-') ? -cents : cents
}

/** The first reason to reject a registration, or null. */
export function rejectionOf(record: XmlElement, around: Surroundings): RecordCode | null {
  for (const check of REJECTIONS) {
    const code = check(record, around)
    if (code !== null) return code
  }
  return null
}

/** The first reason to accept a registration with errors, or null. */
export function warningOf(record: XmlElement, around: Surroundings): RecordCode | null {
  for (const check of WARNINGS) {
    const code = check(record, around)
    if (code !== null) return code
  }
  return null
}

type Check = (record: XmlElement, around: Surroundings) => RecordCode | null

function keyRejection(record: XmlElement, { headerNif, now }: Surroundings): RecordCode | null {
  if (valueAt(record, 'IDFactura', 'IDEmisorFactura') !== headerNif) return '1108'
  const number = valueAt(record, 'IDFactura', 'NumSerieFactura')
  if (/[^\x20-\x7e]/.test(number)) return '1130'
  if (/["'<>=]/.test(number)) return '1287'
  const issueDate = dayOf(valueAt(record, 'IDFactura', 'FechaExpedicionFactura'))
  if (issueDate === null) return '1105'
  if (issueDate > businessDateOf(now)) return '1112'
  if (issueDate < '2024-10-28') return '1152'
  if (valueAt(record, 'NombreRazonEmisor') === '' || valueAt(record, 'DescripcionOperacion') === '')
    return '1100'
  return null
}

function scopeRejection(record: XmlElement): RecordCode | null {
  if (!KINDS.includes(valueAt(record, 'TipoFactura'))) return '1106'
  if (valueAt(record, 'Subsanacion') === 'S' || !['', 'N'].includes(valueAt(record, 'RechazoPrevio')))
    return '1171'
  if (has(record, 'TipoRectificativa')) return '1115'
  if (has(record, 'FacturasRectificadas')) return '1117'
  if (has(record, 'FacturasSustituidas')) return '1116'
  if (has(record, 'ImporteRectificacion')) return '1119'
  if (has(record, 'EmitidaPorTerceroODestinatario')) return '1158'
  if (has(record, 'Tercero')) return '1155'
  if (valueAt(record, 'Cupon') === 'S') return '1157'
  return null
}

function flagRejection(record: XmlElement): RecordCode | null {
  const kind = valueAt(record, 'TipoFactura')
  if (valueAt(record, 'FacturaSimplificadaArt7273') === 'S' && kind !== 'F1') return '1183'
  if (valueAt(record, 'FacturaSinIdentifDestinatarioArt61d') === 'S' && kind !== 'F2') return '1185'
  const macro = Math.abs(centsOf(valueAt(record, 'ImporteTotal'))) >= 10_000_000_000
  const marked = valueAt(record, 'Macrodato') === 'S'
  if (marked !== macro) return marked ? '1138' : '1139'
  return null
}

function operationDateRejection(record: XmlElement, { now }: Surroundings): RecordCode | null {
  const written = valueAt(record, 'FechaOperacion')
  if (written === '') return null
  const operationDate = dayOf(written)
  if (operationDate === null) return '1145'
  const today = businessDateOf(now)
  if (operationDate < addYears(today, -20)) return '1134'
  if (operationDate > addYears(today, 1)) return '1125'
  const pending = linesOf(record).some((line) => ['14', '15'].includes(valueAt(line, 'ClaveRegimen')))
  if (pending) return null
  if (operationDate > today) return '1173'
  const issueDate = dayOf(valueAt(record, 'IDFactura', 'FechaExpedicionFactura'))
  return issueDate !== null && operationDate > issueDate ? '1146' : null
}

function recipientsRejection(record: XmlElement, around: Surroundings): RecordCode | null {
  const recipients = recipientsOf(record)
  const kind = valueAt(record, 'TipoFactura')
  if (kind === 'F1' && recipients.length === 0) return '1189'
  if (kind === 'F2' && recipients.length > 0) return '1190'
  for (const recipient of recipients) {
    const code = recipientRejection(recipient, around)
    if (code !== null) return code
  }
  return null
}

function recipientRejection(recipient: XmlElement, { inCensus }: Surroundings): RecordCode | null {
  if (valueAt(recipient, 'NombreRazon') === '') return '1100'
  const nif = valueAt(recipient, 'NIF')
  if (nif !== '') {
    if (!acceptableNif(nif)) return '1123'
    return inCensus(nif) ? null : '1110'
  }
  const country = valueAt(recipient, 'IDOtro', 'CodigoPais')
  const idType = valueAt(recipient, 'IDOtro', 'IDType')
  const id = valueAt(recipient, 'IDOtro', 'ID')
  if (id === '') return '1103'
  if (idType === '02') {
    if (id.startsWith('GB')) return '1255'
    if (!isEuVatNumber(id)) return '1103'
    const prefix = { EL: 'GR', XI: 'GB' }[id.slice(0, 2)] ?? id.slice(0, 2)
    return country === '' || country === prefix ? null : '1122'
  }
  if (country === '') return '1111'
  if (country === 'ES' && idType !== '03' && idType !== '07') return '1126'
  if (idType === '07') {
    if (country !== 'ES') return '1126'
    const check = checkNif(id)
    if (!check.ok || check.kind === 'entity') return '1131'
  }
  return null
}

/** The control of an entity's number has no published rule: a mismatch there passes. */
export function acceptableNif(nif: string): boolean {
  const check = checkNif(nif)
  return check.nif === nif && (check.ok || (check.reason === 'control' && check.kind === 'entity'))
}

function breakdownRejection(record: XmlElement): RecordCode | null {
  const date =
    dayOf(valueAt(record, 'FechaOperacion')) ?? dayOf(valueAt(record, 'IDFactura', 'FechaExpedicionFactura'))
  for (const line of linesOf(record)) {
    const code =
      taxRejection(line) ?? treatmentRejection(line, record, date ?? '') ?? regimeRejection(line, record)
    if (code !== null) return code
  }
  return null
}

function taxRejection(line: XmlElement): RecordCode | null {
  if (!['', '01'].includes(valueAt(line, 'Impuesto'))) return '1218'
  const regime = valueAt(line, 'ClaveRegimen')
  if (regime === '') return '1245'
  if (regime === '21') return '1246'
  if (['E7', 'E8'].includes(valueAt(line, 'OperacionExenta'))) return '1182'
  if (has(line, 'BaseImponibleACoste') && regime !== '06') return '1257'
  return null
}

function treatmentRejection(line: XmlElement, record: XmlElement, date: BusinessDate): RecordCode | null {
  const treatment = valueAt(line, 'CalificacionOperacion')
  const hasRate = has(line, 'TipoImpositivo')
  const hasTax = has(line, 'CuotaRepercutida')
  const hasSurchargeRate = has(line, 'TipoRecargoEquivalencia')
  const hasSurcharge = has(line, 'CuotaRecargoEquivalencia')
  if (treatment === 'S1') {
    if (!hasRate || !hasTax) return '1208'
    return taxedRejection(line, date)
  }
  if (treatment === 'S2') {
    if (!hasRate || !hasTax) return '1198'
    if (centsOf(valueAt(line, 'TipoImpositivo')) !== 0 || centsOf(valueAt(line, 'CuotaRepercutida')) !== 0)
      return '1198'
    if (valueAt(record, 'TipoFactura') !== 'F1') return '1197'
    return hasSurchargeRate || hasSurcharge ? '1281' : null
  }
  if (hasRate || hasTax || hasSurchargeRate || hasSurcharge) return treatment === '' ? '1238' : '1237'
  return null
}

function taxedRejection(line: XmlElement, date: BusinessDate): RecordCode | null {
  // Rates have the form of amounts: hundredths of a percent are read as cents are.
  const rateBp = centsOf(valueAt(line, 'TipoImpositivo'))
  const baseCents = centsOf(valueAt(line, 'BaseImponibleOimporteNoSujeto'))
  const taxCents = centsOf(valueAt(line, 'CuotaRepercutida'))
  const known = vatRates.filter((rate) => rate.rateBp === rateBp)
  if (known.length === 0) return '1124'
  const inForce = known.find((rate) => rate.from <= date && (rate.to === null || rate.to >= date))
  if (!inForce) return rateBp === 500 ? '1194' : rateBp === 200 || rateBp === 750 ? '1235' : '1124'
  if (taxCents * baseCents < 0) return '1143'
  if (Math.abs(taxCents * 10_000 - baseCents * rateBp) > TOLERANCE_CENTS * 10_000) return '1142'
  const hasSurchargeRate = has(line, 'TipoRecargoEquivalencia')
  if (hasSurchargeRate !== has(line, 'CuotaRecargoEquivalencia')) return '1284'
  if (!hasSurchargeRate) return null
  const surchargeBp = centsOf(valueAt(line, 'TipoRecargoEquivalencia'))
  if (inForce.surchargesBp.includes(surchargeBp)) return null
  const codes: Record<number, RecordCode> = {
    2100: '1162',
    1000: '1163',
    750: '1169',
    500: '1160',
    400: '1164',
    200: '1166',
    0: date < '2024-10-01' ? '1165' : '1170',
  }
  return codes[rateBp] ?? '1127'
}

function regimeRejection(line: XmlElement, record: XmlElement): RecordCode | null {
  const treatment = valueAt(line, 'CalificacionOperacion')
  const exemption = valueAt(line, 'OperacionExenta')
  const exempt = exemption !== ''
  const kind = valueAt(record, 'TipoFactura')
  const recipients = recipientsOf(record)
  if (exemption === 'E5' && recipients.some((recipient) => has(recipient, 'NIF'))) return '1289'
  switch (valueAt(line, 'ClaveRegimen')) {
    case '01':
      return exemption === 'E2' || exemption === 'E3' ? '1199' : null
    case '02':
      return exempt ? null : '1286'
    case '03':
      return treatment === 'S1' || exempt ? null : '1200'
    case '04':
      return treatment === 'S2' || exempt ? null : '1201'
    case '06':
      return kind === 'F1' && has(line, 'BaseImponibleACoste') ? null : '1202'
    case '07':
      return treatment === 'S1' || exemption === 'E1' || exemption === 'E6' ? null : '1203'
    case '08':
      return treatment === 'N2' ? null : '1252'
    case '10':
      return treatment === 'N1' && kind === 'F1' && recipients.every((recipient) => has(recipient, 'NIF'))
        ? null
        : '1205'
    case '11':
      return treatment === 'S1' && centsOf(valueAt(line, 'TipoImpositivo')) !== 2100 ? '1206' : null
    case '14':
      return publicWorksRejection(record, recipients)
    default:
      return null
  }
}

function publicWorksRejection(record: XmlElement, recipients: XmlElement[]): RecordCode | null {
  const issueDate = dayOf(valueAt(record, 'IDFactura', 'FechaExpedicionFactura')) ?? ''
  const operationDate = dayOf(valueAt(record, 'FechaOperacion')) ?? ''
  if (operationDate <= issueDate) return '1147'
  if (valueAt(record, 'TipoFactura') !== 'F1') return '1148'
  return recipients.every((recipient) => /^[PQSV]/.test(valueAt(recipient, 'NIF'))) ? null : '1149'
}

function simplifiedLimitRejection(record: XmlElement): RecordCode | null {
  if (valueAt(record, 'TipoFactura') !== 'F2') return null
  if (valueAt(record, 'FacturaSinIdentifDestinatarioArt61d') === 'S') return null
  if (valueAt(record, 'NumRegistroAcuerdoFacturacion') !== '') return null
  let sumCents = 0
  for (const line of linesOf(record)) {
    sumCents +=
      centsOf(valueAt(line, 'BaseImponibleOimporteNoSujeto') || '0') +
      centsOf(valueAt(line, 'CuotaRepercutida') || '0')
  }
  return sumCents > 300_000 + TOLERANCE_CENTS ? '1150' : null
}

function chainRejection(record: XmlElement): RecordCode | null {
  const previous = at(record, 'Encadenamiento', 'RegistroAnterior')
  if (!previous) return null
  if (dayOf(valueAt(previous, 'FechaExpedicionFactura')) === null) return '1174'
  if (!/^[\x20-\x7e]+$/.test(valueAt(previous, 'NumSerieFactura'))) return '1175'
  return /^[A-Za-z0-9]*$/.test(valueAt(previous, 'Huella')) ? null : '1291'
}

function systemRejection(record: XmlElement): RecordCode | null {
  const system = at(record, 'SistemaInformatico')
  const nif = valueAt(system, 'NIF')
  if (nif !== '' && !acceptableNif(nif)) return '1176'
  if (!/^[A-Z0-9]{2}$/.test(valueAt(system, 'IdSistemaInformatico'))) return '1177'
  return null
}

function sealRejection(record: XmlElement): RecordCode | null {
  const generatedAt = valueAt(record, 'FechaHoraHusoGenRegistro')
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/
  if (!form.test(generatedAt) || Number.isNaN(Date.parse(generatedAt))) return '1244'
  const hash = valueAt(record, 'Huella')
  if (hash.length !== 64) return '1262'
  return /^[A-Za-z0-9]*$/.test(hash) ? null : '1292'
}

function hashWarning(record: XmlElement): RecordCode | null {
  const computed = registrationHash({
    issuerNif: valueAt(record, 'IDFactura', 'IDEmisorFactura'),
    number: valueAt(record, 'IDFactura', 'NumSerieFactura'),
    issueDate: valueAt(record, 'IDFactura', 'FechaExpedicionFactura'),
    invoiceKind: valueAt(record, 'TipoFactura'),
    taxTotal: valueAt(record, 'CuotaTotal'),
    total: valueAt(record, 'ImporteTotal'),
    previousHash: valueAt(record, 'Encadenamiento', 'RegistroAnterior', 'Huella'),
    generatedAt: valueAt(record, 'FechaHoraHusoGenRegistro'),
  })
  return computed === valueAt(record, 'Huella') ? null : '2000'
}

function censusWarning(record: XmlElement): RecordCode | null {
  return recipientsOf(record).some((recipient) => valueAt(recipient, 'IDOtro', 'IDType') === '07')
    ? '2001'
    : null
}

function chainWarning(record: XmlElement, { hasEarlierRecords }: Surroundings): RecordCode | null {
  const previous = at(record, 'Encadenamiento', 'RegistroAnterior')
  if (!previous) return hasEarlierRecords ? '2007' : null
  const hash = valueAt(previous, 'Huella')
  if (hash.length !== 64) return '2002'
  if (!/^[0-9A-F]{64}$/.test(hash)) return '2003'
  return hash === valueAt(record, 'Huella') ? '2008' : null
}

function clockWarning(
  record: XmlElement,
  { now, incident, clockWindowSeconds }: Surroundings,
): RecordCode | null {
  const aheadMs = Date.parse(valueAt(record, 'FechaHoraHusoGenRegistro')) - now.getTime()
  const windowMs = clockWindowSeconds * 1000
  if (aheadMs > windowMs) return '2004'
  return aheadMs < -windowMs && !incident ? '2004' : null
}

function totalsWarning(record: XmlElement): RecordCode | null {
  let taxCents = 0
  let totalCents = 0
  for (const line of linesOf(record)) {
    if (['03', '05', '06', '08', '09'].includes(valueAt(line, 'ClaveRegimen'))) return null
    const tax =
      centsOf(valueAt(line, 'CuotaRepercutida') || '0') +
      centsOf(valueAt(line, 'CuotaRecargoEquivalencia') || '0')
    taxCents += tax
    totalCents += tax + centsOf(valueAt(line, 'BaseImponibleOimporteNoSujeto'))
  }
  if (Math.abs(totalCents - centsOf(valueAt(record, 'ImporteTotal'))) > TOLERANCE_CENTS) return '2005'
  return Math.abs(taxCents - centsOf(valueAt(record, 'CuotaTotal'))) > TOLERANCE_CENTS ? '2006' : null
}

function linesOf(record: XmlElement): XmlElement[] {
  return at(record, 'Desglose')?.children ?? []
}

function recipientsOf(record: XmlElement): XmlElement[] {
  return at(record, 'Destinatarios')?.children ?? []
}

const REJECTIONS: readonly Check[] = [
  keyRejection,
  scopeRejection,
  sealRejection,
  chainRejection,
  systemRejection,
  operationDateRejection,
  recipientsRejection,
  flagRejection,
  breakdownRejection,
  simplifiedLimitRejection,
]

const WARNINGS: readonly Check[] = [hashWarning, censusWarning, chainWarning, clockWarning, totalsWarning]

/** The header's faults: see index.ts. A date of leaving VERI*FACTU must be the last day of this year or of the one before. */
export function isYearEnd(written: string, now: Date): boolean {
  const year = Number(businessDateOf(now).slice(0, 4))
  return [year, year - 1].some((allowed) => written === registryDate(`${allowed}-12-31`))
}
