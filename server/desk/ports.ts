/** What the front page asks of the other slices. Pure: index.ts says who answers. */
import type { BusinessDate, Period } from '../core/dates.ts'
import type { Cents } from '../core/money.ts'
import type { Ctx } from '../ctx.ts'
import type { InvoiceSummary } from '../invoices/contract.ts'

export interface Owed {
  amountCents: Cents
  invoices: number
}

export interface RegistryFigures {
  accepted: number
  acceptedWithErrors: number
  rejected: number
  pending: number
  chainRecords: number
  /** Milliseconds since 1970, null before the first answer. */
  lastAnswerAt: number | null
  rejectedInvoices: { invoiceId: string; number: string }[]
}

/** The next tax return the company has to file. */
export interface Obligation {
  form: string
  period: string
  dueFrom: BusinessDate
  dueTo: BusinessDate
}

export interface DashboardPorts {
  owedFigures(ctx: Ctx): Promise<Owed>
  overdueFigures(ctx: Ctx): Promise<Owed & { oldestDays: number | null }>
  oldestOwed(ctx: Ctx, limit: number): Promise<InvoiceSummary[]>
  /** Months with invoices only, `YYYY-MM`, both ends included. */
  monthFigures(ctx: Ctx, from: string, to: string): Promise<{ month: string; baseCents: Cents }[]>
  countDrafts(ctx: Ctx): Promise<number>
  registryFigures(ctx: Ctx): Promise<RegistryFigures>
  /** VAT and surcharge charged in a period of whole months. */
  outputVat(ctx: Ctx, period: Period): Promise<Cents>
  /** The next VAT return whose last day is not past. */
  nextObligation(today: BusinessDate): Obligation
  /** Proposals that wait for a person. */
  waitingProposals(ctx: Ctx): Promise<number>
}
