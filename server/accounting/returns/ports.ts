/** What the returns ask of an accounting system elsewhere, whose purchases may be missing here. */
import type { Ctx } from '../../context.ts'
import type { BusinessDate, Instant, Period } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'

/** Purchases of a period that only the other system knows. */
export interface PurchasesElsewhere {
  /** Taken into account: approved, still there, in euros, and not entered here. */
  invoices: number
  byRate: { vatBp: number; baseCents: Cents; taxCents: Cents }[]
  /** Kept back from suppliers, as far as in euros. */
  withholdingCents: Cents
  /** Entered here too, by number and year of the same supplier or as copied from there, so counted from the books. */
  here: number
  /** Left out: without a rate for their currency, or with sums that do not agree. */
  withoutRate: number
  uncertain: number
  /** Issued ones of the period that no draft or invoice here was made of: nothing of them is in the summary. */
  issuedElsewhere: number
  lastSyncAt: Instant | null
  /** Days that were read completely; null before. */
  readFrom: BusinessDate | null
  readUntil: BusinessDate | null
  isConnected: boolean
}

/** Null where no accounting system was ever read. */
export type ReadPurchasesElsewhere = (ctx: Ctx, period: Period) => Promise<PurchasesElsewhere | null>
