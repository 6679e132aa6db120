/**
 * Depreciation of an asset by days, in whole cents. The sum over the life is exactly what may be depreciated, whatever the
 * periods in which it is booked, because each amount is a difference of sums since the first day. Pure.
 */
import { addDays, daysBetween } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { divideRounded } from '../../domain/money.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'

/** `free`: all of it on the first day. `none`: not depreciated, like land. */
export const METHODS = ['percent', 'years', 'free', 'none'] as const
export type Method = (typeof METHODS)[number]

/** What the amounts of an asset follow from. */
export interface Terms {
  costCents: Cents
  residualCents: Cents
  method: Method
  /** Of `percent`. */
  rateBp: BasisPoints | null
  /** Of `years`. */
  years: number | null
  inUseOn: BusinessDate
  /** Depreciated before these books, until that day; the day before the first use if nothing was. */
  priorUntil: BusinessDate
  priorCents: Cents
  /** Part of it that belongs to the year of `priorUntil`. */
  priorOfYearCents: Cents
  /** The terms count from the day after: the last one whose amount was booked when they were changed. */
  countedUntil: BusinessDate
  countedCents: Cents
  /** First day that does not count any more. */
  outOn: BusinessDate | null
}

/** An amount that is booked, of days of one year. */
export interface Booked {
  from: BusinessDate
  to: BusinessDate
  cents: Cents
}

const COMMON_YEAR = 365
const LEAP_YEAR = 366
/** Parts into which a year is divided, so that a day of any year is a whole number of them. */
const YEAR_PARTS = BigInt(COMMON_YEAR * LEAP_YEAR)

export const yearOf = (day: BusinessDate): number => Number(day.slice(0, 4))
const firstOf = (year: number): BusinessDate => `${year}-01-01`
export const lastOf = (year: number): BusinessDate => `${year}-12-31`
const daysIn = (year: number): number => daysBetween(firstOf(year), lastOf(year)) + 1
const earlier = (a: BusinessDate, b: BusinessDate): BusinessDate => (a < b ? a : b)
const later = (a: BusinessDate, b: BusinessDate): BusinessDate => (a > b ? a : b)

/** Returns the time from a day to another, both included, in parts of a year: each day counts by the length of its year. */
function partsBetween(from: BusinessDate, to: BusinessDate): bigint {
  let parts = 0
  for (let year = yearOf(from); year <= yearOf(to); year++) {
    const days = daysBetween(later(from, firstOf(year)), earlier(to, lastOf(year))) + 1
    parts += Math.max(0, days) * (daysIn(year) === LEAP_YEAR ? COMMON_YEAR : LEAP_YEAR)
  }
  return BigInt(parts)
}

/** Returns what may be depreciated over the life. */
export function depreciableOf({ costCents, residualCents, method }: Terms): Cents {
  return method === 'none' ? 0 : Math.max(0, costCents - residualCents)
}

/** Returns the last day that counts, of those up to a day. */
function lastDay({ outOn }: Terms, day: BusinessDate): BusinessDate {
  return outOn === null ? day : earlier(day, addDays(outOn, -1))
}

/** Returns what the terms alone depreciate up to the end of a day. */
function byTerms(terms: Terms, until: BusinessDate): Cents {
  const limit = Math.max(depreciableOf(terms), terms.countedCents)
  const day = lastDay(terms, until)
  const first = later(terms.inUseOn, addDays(terms.countedUntil, 1))
  if (day < first || terms.method === 'none') return terms.countedCents
  if (terms.method === 'free') return limit
  const parts = partsBetween(first, day)
  const base = BigInt(depreciableOf(terms))
  const cents =
    terms.method === 'years'
      ? divideRounded(base * parts, BigInt(terms.years ?? 1) * YEAR_PARTS)
      : divideRounded(base * BigInt(terms.rateBp ?? 0) * parts, 10_000n * YEAR_PARTS)
  const sum = BigInt(terms.countedCents) + cents
  return sum > BigInt(limit) ? limit : Number(sum)
}

/** Returns the part of a booked amount that belongs to the days up to a day. */
function bookedUntil({ from, to, cents }: Booked, day: BusinessDate): Cents {
  if (to <= day) return cents
  if (from > day) return 0
  const days = BigInt(daysBetween(from, day) + 1)
  return Number(divideRounded(BigInt(cents) * days, BigInt(daysBetween(from, to) + 1)))
}

/**
 * Returns what is depreciated at the end of a day: what was before these books, what is booked, and by the terms what is not.
 * `booked` is ordered by day.
 */
export function accumulatedOn(terms: Terms, booked: readonly Booked[], day: BusinessDate): Cents {
  // Only the sum was stated: of days before, all that is known is what belongs to an earlier year.
  if (day < terms.priorUntil)
    return yearOf(day) < yearOf(terms.priorUntil)
      ? terms.priorCents - terms.priorOfYearCents
      : terms.priorCents
  const limit = Math.max(depreciableOf(terms), terms.priorCents)
  let sum = terms.priorCents
  let done = terms.priorUntil
  for (const each of booked) {
    if (each.from > day) break
    sum += byTerms(terms, addDays(each.from, -1)) - byTerms(terms, done)
    sum += bookedUntil(each, day)
    done = each.to
  }
  if (done < day) sum += byTerms(terms, day) - byTerms(terms, done)
  return Math.min(
    sum,
    Math.max(
      limit,
      booked.reduce((total, { cents }) => total + cents, terms.priorCents),
    ),
  )
}

/** Returns the depreciation of the days from 1 January of a year to a day of it. */
export function depreciationOfYear(terms: Terms, booked: readonly Booked[], day: BusinessDate): Cents {
  return accumulatedOn(terms, booked, day) - accumulatedOn(terms, booked, lastOf(yearOf(day) - 1))
}

/** Returns what is not booked of the days of a year up to one of them; null if nothing is left. */
export function unbooked(terms: Terms, booked: readonly Booked[], until: BusinessDate): Booked | null {
  const year = yearOf(until)
  const last = booked.filter(({ to }) => yearOf(to) === year).at(-1)
  const from = [
    firstOf(year),
    addDays(terms.priorUntil, 1),
    terms.inUseOn,
    last ? addDays(last.to, 1) : '',
  ].reduce(later)
  const to = lastDay(terms, until)
  if (to < from) return null
  const cents = accumulatedOn(terms, booked, to) - accumulatedOn(terms, booked, addDays(from, -1))
  return cents === 0 ? null : { from, to, cents }
}

export interface PlanYear {
  year: number
  from: BusinessDate
  to: BusinessDate
  days: number
  cents: Cents
  bookedCents: Cents
  accumulatedCents: Cents
  pendingCents: Cents
}

/** No table goes beyond a hundred years. */
const MOST_YEARS = 150

/** Returns the amounts of all years, from the first one in these books to the last one or the disposal. */
export function planOf(terms: Terms, booked: readonly Booked[]): PlanYear[] {
  const limit = depreciableOf(terms)
  const start = later(terms.inUseOn, addDays(terms.priorUntil, 1))
  const plan: PlanYear[] = []
  if (limit === 0) return plan
  for (let year = yearOf(start); plan.length < MOST_YEARS; year++) {
    const from = later(start, firstOf(year))
    const to = lastDay(terms, lastOf(year))
    if (to < from) break
    const before = accumulatedOn(terms, booked, addDays(from, -1))
    const accumulatedCents = accumulatedOn(terms, booked, to)
    const bookedCents = booked
      .filter((each) => yearOf(each.to) === year)
      .reduce((sum, { cents }) => sum + cents, 0)
    if (before >= limit && bookedCents === 0) break
    plan.push({
      year,
      from,
      to: accumulatedCents >= limit ? lastDayNeeded(terms, booked, from, to) : to,
      days: 0,
      cents: accumulatedCents - before,
      bookedCents,
      accumulatedCents,
      pendingCents: limit - accumulatedCents,
    })
  }
  return plan.map((each) => ({ ...each, days: daysBetween(each.from, each.to) + 1 }))
}

/** Returns the first day of a range at the end of which nothing is left. */
function lastDayNeeded(
  terms: Terms,
  booked: readonly Booked[],
  from: BusinessDate,
  to: BusinessDate,
): BusinessDate {
  const limit = accumulatedOn(terms, booked, to)
  let low = 0
  let high = daysBetween(from, to)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (accumulatedOn(terms, booked, addDays(from, middle)) >= limit) high = middle
    else low = middle + 1
  }
  return addDays(from, low)
}

/** Returns the part of an amount depreciated before these books that belongs to the year of its last day, by days. */
export function priorOfYear(
  terms: Pick<
    Terms,
    'inUseOn' | 'priorUntil' | 'priorCents' | 'method' | 'rateBp' | 'years' | 'costCents' | 'residualCents'
  >,
): Cents {
  const { inUseOn, priorUntil, priorCents } = terms
  const from = later(firstOf(yearOf(priorUntil)), inUseOn)
  if (priorCents === 0 || priorUntil < from) return 0
  const whole: Terms = {
    ...terms,
    priorOfYearCents: 0,
    priorCents: 0,
    countedUntil: addDays(from, -1),
    countedCents: 0,
    outOn: null,
  }
  return Math.min(priorCents, byTerms(whole, priorUntil))
}
