/** Checks for which the authority registers a record with a warning code. */
import { cancellationHash, registrationHash } from '../../record/chain.ts'
import { at, centsOf, linesOf, recipientsOf, valueAt } from '../messages/values.ts'
import type { WarningCheck } from './check.ts'

const TOLERANCE_CENTS = 1_000
/** Regimes whose totals cannot be derived from the breakdown. */
const REGIMES_WITHOUT_SUMS = ['03', '05', '06', '08', '09']
/** Regime keys of the tax of Ceuta and Melilla. */
export const IPSI_REGIMES = ['01', '08', '11', '18', '19', '20']
/** From this day a missing or unknown key of that tax rejects the record. */
export const IPSI_REGIMES_DEMANDED_FROM = '2027-01-01'

export const registrationHashWarning: WarningCheck = (record) => {
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

export const cancellationHashWarning: WarningCheck = (record) => {
  const computed = cancellationHash({
    issuerNif: valueAt(record, 'IDFactura', 'IDEmisorFacturaAnulada'),
    number: valueAt(record, 'IDFactura', 'NumSerieFacturaAnulada'),
    issueDate: valueAt(record, 'IDFactura', 'FechaExpedicionFacturaAnulada'),
    previousHash: valueAt(record, 'Encadenamiento', 'RegistroAnterior', 'Huella'),
    generatedAt: valueAt(record, 'FechaHoraHusoGenRegistro'),
  })
  return computed === valueAt(record, 'Huella') ? null : '2000'
}

export const censusWarning: WarningCheck = (record) =>
  recipientsOf(record).some((recipient) => valueAt(recipient, 'IDOtro', 'IDType') === '07') ? '2001' : null

export const chainWarning: WarningCheck = (record, { hasEarlierRecords }) => {
  const previous = at(record, 'Encadenamiento', 'RegistroAnterior')
  if (!previous) return hasEarlierRecords ? '2007' : null
  const hash = valueAt(previous, 'Huella')
  if (hash.length !== 64) return '2002'
  return /^[0-9A-F]{64}$/.test(hash) ? null : '2003'
}

/** Runs before the check of the hash itself: a correct hash can never equal the hash that it is computed from. */
export const repeatedHashWarning: WarningCheck = (record) => {
  const previous = valueAt(record, 'Encadenamiento', 'RegistroAnterior', 'Huella')
  return previous !== '' && previous === valueAt(record, 'Huella') ? '2008' : null
}

export const clockWarning: WarningCheck = (record, { now, incident, clockWindowSeconds }) => {
  const aheadMs = Date.parse(valueAt(record, 'FechaHoraHusoGenRegistro')) - now.getTime()
  const windowMs = clockWindowSeconds * 1000
  if (aheadMs > windowMs) return '2004'
  return aheadMs < -windowMs && !incident ? '2004' : null
}

export const totalsWarning: WarningCheck = (record) => {
  let taxCents = 0
  let totalCents = 0
  for (const line of linesOf(record)) {
    if (REGIMES_WITHOUT_SUMS.includes(valueAt(line, 'ClaveRegimen'))) return null
    const tax =
      centsOf(valueAt(line, 'CuotaRepercutida')) + centsOf(valueAt(line, 'CuotaRecargoEquivalencia'))
    taxCents += tax
    totalCents += tax + centsOf(valueAt(line, 'BaseImponibleOimporteNoSujeto'))
  }
  if (Math.abs(totalCents - centsOf(valueAt(record, 'ImporteTotal'))) > TOLERANCE_CENTS) return '2005'
  return Math.abs(taxCents - centsOf(valueAt(record, 'CuotaTotal'))) > TOLERANCE_CENTS ? '2006' : null
}

export const ipsiWarning: WarningCheck = (record) =>
  linesOf(record).some(
    (line) => valueAt(line, 'Impuesto') === '02' && !IPSI_REGIMES.includes(valueAt(line, 'ClaveRegimen')),
  )
    ? '2009'
    : null
