/** Port of the returns to an external accounting system, which may have purchases that are missing here. */
import type { Ctx } from '../../context.ts'
import type { BusinessDate, Instant, Period } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'

/** Purchases of a period that exist only in the other system. */
export interface PurchasesElsewhere {
  /** Counted: approved, not deleted, in euros, and not recorded here. */
  invoices: number
  byRate: { vatBp: number; baseCents: Cents; taxCents: Cents }[]
  /** Withheld from suppliers, for amounts in euros. */
  withholdingCents: Cents
  /** Also recorded here, by number and year of the same supplier or as copied from there, so counted from the books. */
  here: number
  /** Left out: no exchange rate for their currency, or inconsistent sums. */
  withoutRate: number
  uncertain: number
  /** Issued invoices of the period without a draft or invoice here: the summary does not contain them. */
  issuedElsewhere: number
  lastSyncAt: Instant | null
  /** First day of the range that was read completely; null before the first reading. */
  readFrom: BusinessDate | null
  readUntil: BusinessDate | null
  isConnected: boolean
}

/** Returns null when no accounting system was ever read. */
export type ReadPurchasesElsewhere = (ctx: Ctx, period: Period) => Promise<PurchasesElsewhere | null>
