/** VAT rates of the other member states, for sales to their consumers declared through the one-stop shop (OSS). */
import type { BusinessDate } from '../../domain/dates.ts'
import type { BasisPoints } from '../../domain/money.ts'
import { inForce } from '../../domain/tax/dated.ts'
import type { Dated } from '../../domain/tax/dated.ts'

interface MemberStateRates extends Dated {
  /** ISO 3166-1 alpha-2. */
  country: string
  standardBp: BasisPoints
  /** Lowest first; the law of that state says to what each applies. */
  reducedBp: readonly BasisPoints[]
}

const TEDB = 'Comisión Europea, Taxes in Europe Database (TEDB)'
/** First day of the one-stop shop in its present form (Directive 2017/2455). */
const OSS_BEGAN = '2021-07-01'

function row(
  country: string,
  standardBp: number,
  reducedBp: number[],
  from = OSS_BEGAN,
  to: string | null = null,
  certain?: false,
): MemberStateRates {
  return { country, standardBp, reducedBp, from, to, source: TEDB, ...(certain === false ? { certain } : {}) }
}

export const memberStateRates: readonly MemberStateRates[] = [
  row('AT', 2000, [1000, 1300]),
  row('BE', 2100, [600, 1200]),
  row('BG', 2000, [900]),
  row('CY', 1900, [300, 500, 900]),
  row('CZ', 2100, [1000, 1500], OSS_BEGAN, '2023-12-31'),
  row('CZ', 2100, [1200], '2024-01-01'),
  row('DE', 1900, [700]),
  row('DK', 2500, []),
  row('EE', 2000, [900], OSS_BEGAN, '2023-12-31'),
  row('EE', 2200, [900, 1300], '2024-01-01', '2025-06-30'),
  row('EE', 2400, [900, 1300], '2025-07-01'),
  row('ES', 2100, [400, 1000]),
  row('FI', 2400, [1000, 1400], OSS_BEGAN, '2024-08-31'),
  row('FI', 2550, [1000, 1400], '2024-09-01', '2025-12-31'),
  row('FI', 2550, [1000, 1350], '2026-01-01', null, false),
  row('FR', 2000, [210, 550, 1000]),
  row('GR', 2400, [600, 1300]),
  row('HR', 2500, [500, 1300]),
  row('HU', 2700, [500, 1800]),
  row('IE', 2300, [480, 900, 1350]),
  row('IT', 2200, [400, 500, 1000]),
  row('LT', 2100, [500, 900], OSS_BEGAN, '2025-12-31'),
  row('LT', 2100, [500, 1200], '2026-01-01', null, false),
  row('LU', 1700, [300, 800, 1400], OSS_BEGAN, '2022-12-31'),
  row('LU', 1600, [300, 700, 1300], '2023-01-01', '2023-12-31'),
  row('LU', 1700, [300, 800, 1400], '2024-01-01'),
  row('LV', 2100, [500, 1200]),
  row('MT', 1800, [500, 700, 1200]),
  row('NL', 2100, [900]),
  row('PL', 2300, [500, 800]),
  row('PT', 2300, [600, 1300]),
  row('RO', 1900, [500, 900], OSS_BEGAN, '2025-07-31'),
  row('RO', 2100, [1100], '2025-08-01'),
  row('SE', 2500, [600, 1200]),
  row('SI', 2200, [500, 950]),
  row('SK', 2000, [500, 1000], OSS_BEGAN, '2024-12-31'),
  row('SK', 2300, [500, 1900], '2025-01-01'),
]

/** Returns the rates of a member state on a day; null for other countries, and before the one-stop shop. */
export function memberStateRatesAt(country: string, date: BusinessDate): MemberStateRates | null {
  return inForce(memberStateRates, date).find((each) => each.country === country) ?? null
}
