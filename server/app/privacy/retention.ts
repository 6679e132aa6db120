/**
 * Until when the law has papers kept, from their dates alone. Where several laws ask for the same paper, the longest wins.
 *
 * - Código de Comercio art. 30.1: books, correspondence and vouchers, six years from the last entry in the books. Entries of a
 *   year end on 31 December, so that is where the count starts.
 * - LGT arts. 29.2.e, 66 and 70.3: four years from the day after the term for the return. The last return of a year is filed in
 *   July of the next, so this ends before the six years do; RD 1619/2012 arts. 19 to 21 and RD 1007/2023 art. 8 ask for invoices
 *   and registry records for that same time. Interruptions (LGT art. 68) and bases or quotas still to be offset (art. 66 bis, ten
 *   years) are known to the company alone: a date given here is the earliest.
 * - LIVA arts. 107, 108 and 165.Uno: what proves the purchase of capital goods, for their regularisation (the four years after
 *   theirs, nine for land and buildings) and the five years after it.
 * - Directive 2006/112/CE arts. 369 and 369 duodecies: operations declared in the one-stop shop, ten years from the end of theirs.
 */
import type { BusinessDate } from '../../domain/dates.ts'

export const LAWS = [
  'commerce',
  'tax',
  'invoicing',
  'registry',
  'capital_goods',
  'one_stop_shop',
  'debits',
  'claims',
  'accountability',
  'exactly_once',
] as const
export type Law = (typeof LAWS)[number]

export interface RetentionPeriod {
  /** The last day it must be kept; null while no day can be told. */
  until: BusinessDate | null
  laws: readonly Law[]
}

const COMMERCE_YEARS = 6
const ONE_STOP_SHOP_YEARS = 10
const AFTER_REGULARISATION_YEARS = 5
const REGULARISATION_YEARS = { movable: 4, property: 9 } as const

/** 31 December, so many years after the year of a day. */
export function endOfYear(date: BusinessDate, yearsLater: number): BusinessDate {
  return `${String(Number(date.slice(0, 4)) + yearsLater).padStart(4, '0')}-12-31`
}

/** The books of a year and what proves them: payments, bank movements, entries, documents that led to an invoice. */
export function retentionOfEntry(date: BusinessDate): RetentionPeriod {
  return { until: endOfYear(date, COMMERCE_YEARS), laws: ['commerce', 'tax'] }
}

/** An issued invoice, its documents and its registry records. */
export function retentionOfIssued(issueDate: BusinessDate, oneStopShop: boolean): RetentionPeriod {
  const laws: Law[] = ['commerce', 'tax', 'invoicing', 'registry']
  if (oneStopShop)
    return { until: endOfYear(issueDate, ONE_STOP_SHOP_YEARS), laws: [...laws, 'one_stop_shop'] }
  return { until: endOfYear(issueDate, COMMERCE_YEARS), laws }
}

export type CapitalGoods = keyof typeof REGULARISATION_YEARS | null

/** A received invoice and its file, by the last day on which it counts in the books: its reception, or a later deduction. */
export function retentionOfReceived(date: BusinessDate, goods: CapitalGoods): RetentionPeriod {
  const laws: Law[] = ['commerce', 'tax', 'invoicing']
  if (goods === null) return { until: endOfYear(date, COMMERCE_YEARS), laws }
  const years = REGULARISATION_YEARS[goods] + AFTER_REGULARISATION_YEARS
  return { until: endOfYear(date, years), laws: [...laws, 'capital_goods'] }
}

/**
 * A mandate that was used: the bank may ask for it for 13 months after a debit (RDL 19/2018 art. 43), and it is the voucher of
 * an entry for longer.
 */
export function retentionOfMandate(lastUsedOn: BusinessDate): RetentionPeriod {
  return { until: endOfYear(lastUsedOn, COMMERCE_YEARS), laws: ['debits', 'commerce'] }
}

/** What proves a claim that is still open (RGPD art. 17.3.e): for as long as it is. */
export const RETAINED_FOR_CLAIMS: RetentionPeriod = { until: null, laws: ['claims'] }

/** True once nothing asks for it any more. */
export function isOver({ until }: RetentionPeriod, today: BusinessDate): boolean {
  return until !== null && until < today
}

/** The later of two days; one that cannot be told counts as none. */
export function later(one: BusinessDate | null, other: BusinessDate | null): BusinessDate | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}
