/**
 * Payment in instalments: the agreed days with a percentage or an amount each, the cents that they come to, and the terms
 * of a customer from which days follow. Pure: the page imports it.
 */
import { addDays, isBusinessDate } from '../dates.ts'
import type { BusinessDate } from '../dates.ts'
import { divideRounded, percentOf } from '../money.ts'
import type { BasisPoints, Cents } from '../money.ts'

/** One agreed instalment: a percentage or an amount of what is to be paid. The last one may have neither: the rest. */
export interface Instalment {
  dueDate: BusinessDate
  percentBp: BasisPoints | null
  /** In the currency of the document. */
  cents: Cents | null
}

/** What an instalment comes to. */
export interface InstalmentAmount {
  dueDate: BusinessDate
  cents: Cents
}

/** One instalment of a customer's usual terms: days after the issue, and a percentage; without percentages equal parts. */
export interface PaymentTerm {
  days: number
  percentBp: BasisPoints | null
}

export const INSTALMENTS = { min: 2, max: 12 } as const
export const MAX_TERM = 365
const WHOLE_BP = 10_000

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0)

/**
 * Returns the cents of each instalment. Percentages are rounded; the last instalment takes the rest if it has no amount, so
 * that the sum is what is to be paid. With a fixed last amount the sum may differ: `instalmentFaults` says so.
 */
export function instalmentCents(instalments: readonly Instalment[], payableCents: Cents): Cents[] {
  const values = instalments.map(({ percentBp, cents }) =>
    percentBp === null ? (cents ?? 0) : percentOf(payableCents, percentBp),
  )
  const last = instalments.at(-1)
  if (!last || last.cents !== null || !takesRest(instalments, values, payableCents)) return values
  return [...values.slice(0, -1), payableCents - sum(values.slice(0, -1))]
}

/** The last one is the rest by itself; a last percentage takes only what rounding leaves. */
function takesRest(
  instalments: readonly Instalment[],
  values: readonly Cents[],
  payableCents: Cents,
): boolean {
  if (instalments.at(-1)?.percentBp === null) return true
  if (instalments.every(({ percentBp }) => percentBp !== null))
    return sum(instalments.map(({ percentBp }) => percentBp ?? 0)) === WHOLE_BP
  return Math.abs(payableCents - sum(values)) <= instalments.length
}

/** Returns what each instalment comes to on its day. */
export function instalmentAmounts(
  instalments: readonly Instalment[],
  payableCents: Cents,
): InstalmentAmount[] {
  const cents = instalmentCents(instalments, payableCents)
  return instalments.map(({ dueDate }, index) => ({ dueDate, cents: cents[index] ?? 0 }))
}

/** Converts the amounts of a document to euros: each part in proportion, the last one the rest. */
export function instalmentsInEuros(
  amounts: readonly InstalmentAmount[],
  payableCents: Cents,
  euroCents: Cents,
): InstalmentAmount[] {
  let left = euroCents
  return amounts.map(({ dueDate, cents }, index) => {
    const share =
      index === amounts.length - 1 || payableCents === 0
        ? left
        : Number(divideRounded(BigInt(cents) * BigInt(euroCents), BigInt(payableCents)))
    left -= share
    return { dueDate, cents: share }
  })
}

/** A fault of instalments: where it is, and the figures of its text. */
export interface InstalmentFault {
  code:
    | 'instalments_nothing_due'
    | 'instalment_value'
    | 'instalments_sum'
    | 'instalment_not_positive'
    | 'instalments_order'
    | 'instalment_before_issue'
  /** Null: of all of them. */
  index: number | null
  sumCents?: Cents
  dueCents?: Cents
}

/** Returns what is wrong with instalments of an amount to be paid, on an invoice of a day. */
export function instalmentFaults(
  instalments: readonly Instalment[],
  payableCents: Cents,
  issueDate: BusinessDate,
): InstalmentFault[] {
  if (payableCents <= 0) return [{ code: 'instalments_nothing_due', index: null }]
  const faults: InstalmentFault[] = []
  const values = instalmentCents(instalments, payableCents)
  instalments.forEach(({ dueDate, percentBp, cents }, index) => {
    const before = instalments[index - 1]
    const isLast = index === instalments.length - 1
    if (!isBusinessDate(dueDate) || dueDate < issueDate)
      faults.push({ code: 'instalment_before_issue', index })
    else if (before && dueDate <= before.dueDate) faults.push({ code: 'instalments_order', index })
    const given = (percentBp === null ? 0 : 1) + (cents === null ? 0 : 1)
    if (given > 1 || (given === 0 && !isLast)) faults.push({ code: 'instalment_value', index })
  })
  if (faults.some(({ code }) => code === 'instalment_value')) return faults
  const total = sum(values)
  if (total !== payableCents)
    faults.push({ code: 'instalments_sum', index: null, sumCents: total, dueCents: payableCents })
  values.forEach((each, index) => {
    if (each <= 0) faults.push({ code: 'instalment_not_positive', index })
  })
  return faults
}

/** Returns the instalments that a customer's terms give for an invoice of a day. */
export function instalmentsOfTerms(terms: readonly PaymentTerm[], issueDate: BusinessDate): Instalment[] {
  const isEqual = terms.every(({ percentBp }) => percentBp === null)
  const part = Math.floor(WHOLE_BP / terms.length)
  return terms.map(({ days, percentBp }, index) => ({
    dueDate: addDays(issueDate, days),
    percentBp: isEqual && index < terms.length - 1 ? part : percentBp,
    cents: null,
  }))
}

/** Returns whether terms are whole: days ascending, and percentages of all, or of all but the last, or of none. */
export function areTerms(terms: readonly PaymentTerm[]): boolean {
  if (terms.length < INSTALMENTS.min || terms.length > INSTALMENTS.max) return false
  if (terms.some(({ days }, index) => index > 0 && days <= (terms[index - 1]?.days ?? 0))) return false
  const given = terms.flatMap(({ percentBp }) => (percentBp === null ? [] : [percentBp]))
  if (given.some((percentBp) => percentBp <= 0)) return false
  if (given.length === 0) return true
  if (given.length === terms.length) return sum(given) === WHOLE_BP
  return given.length === terms.length - 1 && terms.at(-1)?.percentBp === null && sum(given) < WHOLE_BP
}
