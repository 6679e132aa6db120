/** Checks of the breakdown, line by line: tax, treatment, rate, amount and surcharge. */
import { businessDateOf } from '../../../../../domain/dates.ts'
import { vatRates } from '../../../../../domain/tax/vat-rates.ts'
import type { XmlElement } from '../../wire/reader.ts'
import type { RejectionCode } from '../messages/record-messages.ts'
import { centsOf, has, linesOf, operationDayOf, valueAt } from '../messages/values.ts'
import type { Check } from './check.ts'
import { regimeRejection } from './regimes.ts'
import { IPSI_REGIMES, IPSI_REGIMES_DEMANDED_FROM } from './warnings.ts'

const TOLERANCE_CENTS = 1_000
/** Rates of VAT and surcharges from before September 2012, allowed only for operations up to that year. */
const RATES_OF_2012 = [700, 800, 1600, 1800]
const SURCHARGES_OF_2012 = [400]
/** Every surcharge since then, in hundredths of a percent. */
const SURCHARGES = [0, 26, 50, 62, 100, 140, 175, 520]

export const breakdown: Check = (record) => {
  const day = operationDayOf(record)
  for (const line of linesOf(record)) {
    const code =
      treatmentRejection(line, record) ??
      (isVat(line) ? vatRateRejection(line, day) : null) ??
      amountRejection(line, record) ??
      surchargeRejection(line, day) ??
      regimeRejection(line, record)
    if (code !== null) return code
  }
  return null
}

/** Checks the regime keys of the tax of Ceuta and Melilla: until the end of 2026 a wrong key only causes a warning. */
export const ipsiRegimes: Check = (record, { now }) => {
  if (businessDateOf(now) < IPSI_REGIMES_DEMANDED_FROM) return null
  for (const line of linesOf(record)) {
    if (valueAt(line, 'Impuesto') !== '02') continue
    const regime = valueAt(line, 'ClaveRegimen')
    if (!IPSI_REGIMES.includes(regime)) return regime === '' ? '1245' : '1246'
  }
  return null
}

function isVat(line: XmlElement): boolean {
  return ['', '01'].includes(valueAt(line, 'Impuesto'))
}

function isTaxed(line: XmlElement): boolean {
  return valueAt(line, 'CalificacionOperacion') === 'S1'
}

/** Returns the rejection for fields that a line's treatment requires or forbids, whatever the amounts are. */
function treatmentRejection(line: XmlElement, record: XmlElement): RejectionCode | null {
  const treatment = valueAt(line, 'CalificacionOperacion')
  const hasRate = has(line, 'TipoImpositivo')
  const hasTax = has(line, 'CuotaRepercutida')
  const hasSurcharge = has(line, 'TipoRecargoEquivalencia') || has(line, 'CuotaRecargoEquivalencia')
  if (treatment === 'S1') {
    if (hasRate && hasTax) return null
    if (valueAt(line, 'ClaveRegimen') === '06') return '1209'
    return has(line, 'BaseImponibleACoste') ? null : '1208'
  }
  const hasAny = hasRate || hasTax || hasSurcharge
  if (treatment === '') return hasAny ? '1238' : null
  if (treatment === 'S2') {
    const isZero = (name: string) => has(line, name) && centsOf(valueAt(line, name)) === 0
    if (!isZero('TipoImpositivo') || !isZero('CuotaRepercutida')) return '1198'
    if (['F2', 'R5'].includes(valueAt(record, 'TipoFactura'))) return '1197'
  } else {
    if (isVat(line) && hasAny) return '1237'
    if (centsOf(valueAt(line, 'CuotaRepercutida')) !== 0) return '1207'
  }
  return hasSurcharge ? '1281' : null
}

function vatRateRejection(line: XmlElement, day: string): RejectionCode | null {
  if (!isTaxed(line) || !has(line, 'TipoImpositivo')) return null
  const rateBp = centsOf(valueAt(line, 'TipoImpositivo'))
  if (RATES_OF_2012.includes(rateBp)) return day < '2013-01-01' ? null : '1132'
  const known = vatRates.filter((rate) => rate.rateBp === rateBp)
  if (known.some((rate) => rate.from <= day && (rate.to === null || rate.to >= day))) return null
  if (known.length === 0) return '1124'
  return { 500: '1194' as const, 200: '1235' as const, 750: '1236' as const }[rateBp] ?? '1124'
}

/**
 * Returns the rejection for amounts that do not match base and rate; not checked for differences (method I),
 * insolvency and bad debt (R2, R3).
 */
function amountRejection(line: XmlElement, record: XmlElement): RejectionCode | null {
  if (!isTaxed(line) || !has(line, 'TipoImpositivo') || !has(line, 'CuotaRepercutida')) return null
  if (valueAt(record, 'TipoRectificativa') === 'I') return null
  if (['R2', 'R3'].includes(valueAt(record, 'TipoFactura'))) return null
  const isAtCost = has(line, 'BaseImponibleACoste')
  const rateBp = centsOf(valueAt(line, 'TipoImpositivo'))
  const baseCents = centsOf(valueAt(line, isAtCost ? 'BaseImponibleACoste' : 'BaseImponibleOimporteNoSujeto'))
  const taxCents = centsOf(valueAt(line, 'CuotaRepercutida'))
  if (taxCents * baseCents < 0) return isAtCost ? '1140' : '1143'
  // BigInt, because the product of the largest amounts exceeds the safe integers.
  const difference = BigInt(taxCents) * 10_000n - BigInt(baseCents) * BigInt(rateBp)
  const limit = BigInt(TOLERANCE_CENTS) * 10_000n
  return difference > limit || difference < -limit ? (isAtCost ? '1144' : '1142') : null
}

function surchargeRejection(line: XmlElement, day: string): RejectionCode | null {
  const hasRate = has(line, 'TipoRecargoEquivalencia')
  if (hasRate !== has(line, 'CuotaRecargoEquivalencia')) return '1284'
  if (!hasRate || !isVat(line)) return null
  const surchargeBp = centsOf(valueAt(line, 'TipoRecargoEquivalencia'))
  if (SURCHARGES_OF_2012.includes(surchargeBp)) return day < '2013-01-01' ? null : '1135'
  if (!SURCHARGES.includes(surchargeBp)) return '1127'
  return pairRejection(centsOf(valueAt(line, 'TipoImpositivo')), surchargeBp, day)
}

/** Returns the rejection for a surcharge that does not match its rate on that day. */
function pairRejection(rateBp: number, surchargeBp: number, day: string): RejectionCode | null {
  const only = (code: RejectionCode, ...admitted: number[]) => (admitted.includes(surchargeBp) ? null : code)
  switch (rateBp) {
    case 2100:
      return only('1162', 520, 175)
    case 1000:
      return only('1163', 140)
    case 750:
      return only('1169', 100)
    case 500:
      if (surchargeBp === 50) return day <= '2022-12-31' ? null : '1167'
      if (surchargeBp === 62) return day >= '2023-01-01' ? null : '1168'
      return '1160'
    case 400:
      return only('1164', 50)
    case 200:
      return only('1166', 26)
    case 0:
      if (day < '2023-01-01') return only('1277', 0)
      return day <= '2024-09-30' ? only('1165', 0) : only('1170', 26)
    default:
      return null
  }
}
