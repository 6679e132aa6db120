/**
 * Regularisation of the VAT of investment goods. Source: Ley 37/1992 arts. 107 to 110; checked with the examples of the tax
 * agency's VAT manual (2023 and 2024, chapter 5). Pure.
 */
import { divideRounded, percentOf } from '../../domain/money.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import { isIntangible, isRealEstate } from './kinds.ts'
import type { AssetKind } from './kinds.ts'

/** Below this price a good is no investment good (art. 108.Dos.5.º). */
const INVESTMENT_FLOOR_CENTS = 300_506
/** A difference of at most this many points is left alone (art. 107.Uno). */
const TOLERANCE_BP = 1_000
const FULL_BP = 10_000

/** How the sale was taxed; `deductible`: exempt, but with the right to deduct, such as an export. */
export const SALE_VATS = ['taxed', 'exempt', 'deductible'] as const
export type SaleVat = (typeof SALE_VATS)[number]

export interface VatGood {
  kind: AssetKind
  baseCents: Cents
  /** Charged with the good. */
  vatCents: Cents
  acquiredYear: number
  inUseYear: number
  sale: {
    year: number
    vat: SaleVat
    /** Charged with the sale; of an export, what would have been charged. */
    vatCents: Cents
  } | null
}

/** Final percentages of deduction that a person stated, by year. */
export type Proratas = ReadonlyMap<number, BasisPoints>

interface VatAdjustment {
  /** `year`: arts. 107 and 109. `sale`: art. 110, once for the years that are left. */
  reason: 'year' | 'sale'
  firstBp: BasisPoints
  nowBp: BasisPoints
  firstCents: Cents
  nowCents: Cents
  /** 5, or 10 for land and buildings. */
  divisor: number
  /** Years for which it counts: 1, or those that are left. */
  years: number
  /** Adds to what is deducted; negative: less is deducted. */
  cents: Cents
  /** True if the tax of the sale limits it. */
  limited: boolean
}

/** Returns true for goods whose VAT is regularised. */
export function isVatGood({
  kind,
  baseCents,
  vatCents,
}: Pick<VatGood, 'kind' | 'baseCents' | 'vatCents'>): boolean {
  return !isIntangible(kind) && baseCents >= INVESTMENT_FLOOR_CENTS && vatCents > 0
}

/** Returns the years after that of the purchase in which a good is regularised. */
export function regularisedYears(good: Pick<VatGood, 'kind' | 'acquiredYear' | 'inUseYear'>): {
  from: number
  to: number
} {
  const length = isRealEstate(good.kind) ? 10 : 5
  // If it is used later, the year of its first use and the four (nine) after that.
  return good.inUseYear > good.acquiredYear
    ? { from: good.inUseYear, to: good.inUseYear + length - 1 }
    : { from: good.acquiredYear + 1, to: good.acquiredYear + length - 1 }
}

/** A year whose percentage is needed and was not stated, while others were. */
interface MissingProrata {
  missingYear: number
}

/**
 * Returns the regularisation of a good in a year; null if there is none. Years that nobody stated count in full, as long as
 * neither the year nor that of the purchase was stated.
 */
export function regularise(
  good: VatGood,
  year: number,
  proratas: Proratas,
): VatAdjustment | MissingProrata | null {
  if (!isVatGood(good)) return null
  const divisor = isRealEstate(good.kind) ? 10 : 5
  const first = proratas.get(good.acquiredYear)
  const { sale } = good
  if (sale !== null && sale.year === year) return ofSale(good, sale, divisor, first ?? FULL_BP)
  if (sale !== null && year > sale.year) return null
  const { from, to } = regularisedYears(good)
  if (year < from || year > to) return null
  const now = proratas.get(year)
  if (first === undefined && now === undefined) return null
  if (first === undefined) return { missingYear: good.acquiredYear }
  if (now === undefined) return { missingYear: year }
  if (Math.abs(now - first) <= TOLERANCE_BP) return null
  const firstCents = percentOf(good.vatCents, first)
  const nowCents = percentOf(good.vatCents, now)
  return {
    reason: 'year',
    firstBp: first,
    nowBp: now,
    firstCents,
    nowCents,
    divisor,
    years: 1,
    cents: share(nowCents - firstCents, 1, divisor),
    limited: false,
  }
}

function share(cents: Cents, years: number, divisor: number): Cents {
  return Number(divideRounded(BigInt(cents) * BigInt(years), BigInt(divisor)))
}

function ofSale(
  good: VatGood,
  sale: NonNullable<VatGood['sale']>,
  divisor: number,
  firstBp: BasisPoints,
): VatAdjustment | null {
  const { from, to } = regularisedYears(good)
  // A good that is sold in the year of its purchase was used for nothing else in that year either.
  const years = sale.year < from ? divisor : to - sale.year + 1
  if (years <= 0) return null
  const nowBp = sale.vat === 'exempt' ? 0 : FULL_BP
  if (nowBp === firstBp) return null
  const firstCents = percentOf(good.vatCents, firstBp)
  const nowCents = percentOf(good.vatCents, nowBp)
  const whole = share(nowCents - firstCents, years, divisor)
  // The sale's own tax is the most that it lets deduct (art. 110.Uno.1.ª).
  const cents = Math.min(whole, sale.vat === 'exempt' ? whole : Math.max(0, sale.vatCents))
  return {
    reason: 'sale',
    firstBp,
    nowBp,
    firstCents,
    nowCents,
    divisor,
    years,
    cents,
    limited: cents !== whole,
  }
}
