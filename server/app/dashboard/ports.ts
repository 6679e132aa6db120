/** Ports of the dashboard to the other slices. Pure: index.ts connects them. */
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

/** A return that this company must file. */
export interface Obligation {
  model: string
  period: string
  year: number
  quarter: number
  dueFrom: BusinessDate
  dueTo: BusinessDate
  /** Last day for payment by direct debit; null for returns without payment. */
  directDebitTo: BusinessDate | null
  sure: 'official' | 'computed'
  applies: true | null
  computed: boolean
  resultCents: Cents | null
}

/** Open amount of a side on one due date; null for items without one. */
export interface OpenDay {
  dueDate: BusinessDate | null
  cents: Cents
  invoices: number
}

export interface DashboardPorts {
  openByDay(ctx: Ctx, side: 'receivable' | 'payable'): Promise<OpenDay[]>
  oldestOwed(ctx: Ctx, limit: number): Promise<InvoiceSummary[]>
  latest(ctx: Ctx, limit: number): Promise<InvoiceSummary[]>
  /** Only months with amounts, as 202601, both ends included, each with how many documents of an earlier program it counts. */
  monthResults(
    ctx: Ctx,
    from: number,
    to: number,
  ): Promise<
    {
      month: number
      turnoverCents: Cents
      incomeCents: Cents
      expensesCents: Cents
      documents: number
    }[]
  >
  /** Returns the customers of a year with the largest tax base, and the total base. */
  topCustomers(
    ctx: Ctx,
    year: number,
    limit: number,
  ): Promise<{ baseCents: Cents; items: { name: string; nif: string | null; baseCents: Cents }[] }>
  countDrafts(ctx: Ctx): Promise<number>
  registryFigures(ctx: Ctx): Promise<RegistryCounts>
  vatToDate(ctx: Ctx): Promise<{
    /** `4T 2026`, or `11 2026` of a business that files by months. */
    label: string
    year: number
    quarter: number
    dueTo: BusinessDate
    figures: { outputCents: Cents; inputCents: Cents; resultCents: Cents } | null
  }>
  /**
   * Returns the returns to file, certainly or possibly, with a filing period that ends within so many days, or else
   * the next ones to end.
   */
  upcomingReturns(ctx: Ctx, days: number): Promise<Obligation[]>
  bankStanding(
    ctx: Ctx,
  ): Promise<{ accounts: number; cents: Cents; pending: number; last: BusinessDate | null }>
  /** Returns the expected amounts of recurring invoices by due date, up to a day. */
  recurringExpected(ctx: Ctx, to: BusinessDate): Promise<{ dueDate: BusinessDate; cents: Cents }[]>
  /** Returns the number of key requests that wait for approval. */
  waitingApprovals(ctx: Ctx): Promise<number>
  /** Returns the number of pending proposals. */
  waitingProposals(ctx: Ctx): Promise<number>
  recurringAttention(ctx: Ctx): Promise<{ waiting: number; troubled: number }>
  receivedWithoutFile(ctx: Ctx): Promise<number>
  troubledMails(ctx: Ctx): Promise<number>
  /** Returns the number of planned reminders that wait to be reviewed and sent. */
  countReadyReminders(ctx: Ctx): Promise<number>
  /** Returns the number of webhooks that Sello disabled because their receiver is gone or keeps failing. */
  silencedWebhooks(ctx: Ctx): Promise<number>
  /** Returns the most severe backup problem; null when there is none. */
  backupTrouble(ctx: Ctx): BackupProblem | null
  /** Returns the number of issued invoices with an unsigned PDF that could be signed. */
  countSignable(ctx: Ctx): Promise<number>
}
