/** What the front page asks of the other slices. Pure: index.ts says who answers. */
import type { BackupProblem } from '../backups/contract.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import type { InvoiceSummary } from '../../sales/invoices/contract.ts'

export interface RegistryCounts {
  accepted: number
  acceptedWithErrors: number
  rejected: number
  pending: number
  chainRecords: number
  /** Milliseconds since 1970, null before the first answer. */
  lastAnswerAt: number | null
  rejectedInvoices: { invoiceId: string; number: string }[]
}

/** A return this company has to file. */
export interface Obligation {
  model: string
  period: string
  year: number
  quarter: number
  dueFrom: BusinessDate
  dueTo: BusinessDate
  applies: true | null
  computed: boolean
  resultCents: Cents | null
}

/** What is open of a side on one due date; null for what has none. */
export interface OpenDay {
  dueDate: BusinessDate | null
  cents: Cents
  invoices: number
}

export interface DashboardPorts {
  openByDay(ctx: Ctx, side: 'receivable' | 'payable'): Promise<OpenDay[]>
  oldestOwed(ctx: Ctx, limit: number): Promise<InvoiceSummary[]>
  latest(ctx: Ctx, limit: number): Promise<InvoiceSummary[]>
  /** Months with entries only, as 202601, both ends included. */
  monthResults(
    ctx: Ctx,
    from: number,
    to: number,
  ): Promise<{ month: number; turnoverCents: Cents; incomeCents: Cents; expensesCents: Cents }[]>
  /** The customers of a year with the largest base, and the base of them all. */
  topCustomers(
    ctx: Ctx,
    year: number,
    limit: number,
  ): Promise<{ baseCents: Cents; items: { name: string; nif: string | null; baseCents: Cents }[] }>
  countDrafts(ctx: Ctx): Promise<number>
  registryFigures(ctx: Ctx): Promise<RegistryCounts>
  vatToDate(ctx: Ctx): Promise<{
    year: number
    quarter: number
    dueTo: BusinessDate
    figures: { outputCents: Cents; inputCents: Cents; resultCents: Cents } | null
  }>
  /** Returns that are filed, or may have to be, with a term that ends within so many days, or the ones that end next. */
  upcomingReturns(ctx: Ctx, days: number): Promise<Obligation[]>
  bankStanding(
    ctx: Ctx,
  ): Promise<{ accounts: number; cents: Cents; pending: number; last: BusinessDate | null }>
  /** What recurring invoices will ask for, by the day it falls due, up to a day. */
  recurringExpected(ctx: Ctx, to: BusinessDate): Promise<{ dueDate: BusinessDate; cents: Cents }[]>
  /** Steps of keys that wait for a person's yes. */
  waitingApprovals(ctx: Ctx): Promise<number>
  /** Proposals that wait for a person. */
  waitingProposals(ctx: Ctx): Promise<number>
  recurringAttention(ctx: Ctx): Promise<{ waiting: number; troubled: number }>
  receivedWithoutFile(ctx: Ctx): Promise<number>
  troubledMails(ctx: Ctx): Promise<number>
  /** Planned reminders that wait to be read and sent. */
  countReadyReminders(ctx: Ctx): Promise<number>
  /** Webhooks that Sello switched off because their receiver is gone or keeps failing. */
  silencedWebhooks(ctx: Ctx): Promise<number>
  /** What is wrong with the backups, the worst first; null when all is well. */
  backupTrouble(ctx: Ctx): BackupProblem | null
  /** Issued invoices whose PDF could be signed and is not. */
  countSignable(ctx: Ctx): Promise<number>
}
