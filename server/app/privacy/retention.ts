/**
 * Legal retention of documents, from their dates alone. When several laws apply to a document, the longest period
 * wins.
 *
 * - Código de Comercio art. 30.1: books, correspondence and vouchers, six years from the last entry in the books.
 * Entries of a year end on 31 December, so the period starts there.
 * - LGT arts. 29.2.e, 66 and 70.3: four years from the day after the filing period of the return. The last return of
 * a year is filed in July of the next, so this ends before the six years do; RD 1619/2012 arts. 19 to 21 and RD
 * 1007/2023 art. 8 require invoices and registry records for that same time. Interruptions (LGT art. 68) and bases or
 * quotas still to be offset (art. 66 bis, ten years) are known to the company alone: a date given here is the
 * earliest.
 * - LIVA arts. 107, 108 and 165.Uno: documents that prove the purchase of capital goods, for their regularisation
 * (the four years after theirs, nine for land and buildings) and the five years after it.
 * - Directive 2006/112/CE arts. 369 and 369 duodecies: operations declared in the one-stop shop, ten years from the
 * end of theirs.
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
  /** Last day of retention; null when it cannot be determined. */
  until: BusinessDate | null
  laws: readonly Law[]
}

const COMMERCE_YEARS = 6
const ONE_STOP_SHOP_YEARS = 10
const AFTER_REGULARISATION_YEARS = 5
const REGULARISATION_YEARS = { movable: 4, property: 9 } as const

/** Returns 31 December, a number of years after the year of a day. */
export function endOfYear(date: BusinessDate, yearsLater: number): BusinessDate {
  return `${String(Number(date.slice(0, 4)) + yearsLater).padStart(4, '0')}-12-31`
}

/**
 * Returns the retention of a year's books and their vouchers: payments, bank movements, entries, documents that led
 * to an invoice.
 */
export function retentionOfEntry(date: BusinessDate): RetentionPeriod {
  return { until: endOfYear(date, COMMERCE_YEARS), laws: ['commerce', 'tax'] }
}

/** Returns the retention of an issued invoice, its documents and its registry records. */
export function retentionOfIssued(issueDate: BusinessDate, oneStopShop: boolean): RetentionPeriod {
  const laws: Law[] = ['commerce', 'tax', 'invoicing', 'registry']
  if (oneStopShop)
    return { until: endOfYear(issueDate, ONE_STOP_SHOP_YEARS), laws: [...laws, 'one_stop_shop'] }
  return { until: endOfYear(issueDate, COMMERCE_YEARS), laws }
}

type CapitalGoods = keyof typeof REGULARISATION_YEARS | null

/**
 * Returns the retention of a received invoice and its file, by the last day on which it counts in the books: its
 * reception, or a later deduction.
 */
export function retentionOfReceived(date: BusinessDate, goods: CapitalGoods): RetentionPeriod {
  const laws: Law[] = ['commerce', 'tax', 'invoicing']
  if (goods === null) return { until: endOfYear(date, COMMERCE_YEARS), laws }
  const years = REGULARISATION_YEARS[goods] + AFTER_REGULARISATION_YEARS
  return { until: endOfYear(date, years), laws: [...laws, 'capital_goods'] }
}

/**
 * Returns the retention of a used mandate: the bank may request it for 13 months after a debit (RDL 19/2018 art. 43),
 * and it is the voucher of an entry for longer.
 */
export function retentionOfMandate(lastUsedOn: BusinessDate): RetentionPeriod {
  return { until: endOfYear(lastUsedOn, COMMERCE_YEARS), laws: ['debits', 'commerce'] }
}

/** Retention of proof for an open claim (RGPD art. 17.3.e), as long as it is open. */
export const RETAINED_FOR_CLAIMS: RetentionPeriod = { until: null, laws: ['claims'] }

/** Returns true when no retention applies any more. */
export function isExpired({ until }: RetentionPeriod, today: BusinessDate): boolean {
  return until !== null && until < today
}

/** Returns the later of two days; an unknown one is ignored. */
export function later(one: BusinessDate | null, other: BusinessDate | null): BusinessDate | null {
  if (one === null || other === null) return one ?? other
  return one > other ? one : other
}
