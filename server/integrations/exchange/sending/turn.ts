/**
 * One turn of a book at the platform: what happened in the books, what is unknown, what is to be sent, and what the other
 * side did, in this order. Nothing new leaves while an earlier outcome is unknown.
 */
import { LeaseTable } from '../../../platform/jobs/index.ts'
import type { DueTime } from '../../../platform/jobs/index.ts'
import { track } from '../../../domain/concurrency/in-flight.ts'
import type { Ctx } from '../../../context.ts'
import { downloadArrived } from '../fetching/download.ts'
import { pollPlatform } from '../fetching/poll.ts'
import type { ExchangePort } from '../port.ts'
import { addFact } from '../state/rows.ts'
import { changeFlow, findFlow, findSettings } from '../state/settings.ts'
import { followBooks } from '../state/follow.ts'
import { sendInvoices } from './invoices.ts'
import { CLOSED_MS, isDue, LOOK_MS } from './pace.ts'
import { resolveReports, sendReports, unknownReports } from './reports.ts'
import { resolveInvoices, unknownInvoices } from './resolve.ts'

/** The platform of a book, or the code of what keeps it closed. */
export type OpenedPort = { port: ExchangePort; why: null } | { port: null; why: string }

/** Books with an exchange in flight: each has one sender. In an office the lease of the company holds the others off. */
const leases = new LeaseTable<number>()

/** Does what is due in a book. Returns when more is due, in milliseconds since 1970; null when nothing waits. */
export function exchangeTurn(
  ctx: Ctx,
  open: (ctx: Ctx) => Promise<OpenedPort>,
  signal?: AbortSignal,
): Promise<DueTime> {
  const { store } = ctx.env
  return leases.hold(store, ctx.book.id, () => track(store, () => turn(ctx, open, signal)), null)
}

/** More messages than any turn needs; the next one goes on. */
const MOST_MESSAGES = 1_000

async function turn(
  ctx: Ctx,
  open: (ctx: Ctx) => Promise<OpenedPort>,
  signal?: AbortSignal,
): Promise<DueTime> {
  const settings = await findSettings(ctx)
  if (settings === null) return null
  await followBooks(ctx)
  if (settings.sending_since === null) return null
  const { port, why } = await open(ctx)
  if (port === null) {
    await noteClosed(ctx, why)
    return ctx.now().getTime() + CLOSED_MS
  }
  await settleInterrupted(ctx)
  for (let messages = 0; messages < MOST_MESSAGES && !signal?.aborted; messages += 1)
    if (!(await nextMessage(ctx, port))) break
  await lookAround(ctx, port, signal)
  return nextDue(ctx)
}

async function noteClosed(ctx: Ctx, why: string): Promise<void> {
  if ((await findFlow(ctx)).fault_code === why) return
  await ctx.transaction((tx) => changeFlow(tx, { fault_code: why, fault_detail: null }))
}

/** Messages of a process that ended: nobody sends in this book now, so that whatever is on its way has no one who waits for it. */
async function settleInterrupted(ctx: Ctx): Promise<void> {
  const open = await ctx.db
    .selectFrom('exchange_messages')
    .select('id')
    .where('book_id', '=', ctx.book.id)
    .where('outcome', '=', 'sent')
    .execute()
  if (open.length === 0) return
  await ctx.transaction(async (tx) => {
    for (const { id } of open) {
      const items = await tx.db
        .selectFrom('exchange_items')
        .select(['document_id', 'report_id'])
        .where('message_id', '=', id)
        .execute()
      await tx.db
        .updateTable('exchange_messages')
        .set({ outcome: 'unknown', detail: 'interrupted', ended_at: tx.now().getTime() })
        .where('id', '=', id)
        .where('outcome', '=', 'sent')
        .execute()
      for (const item of items)
        await addFact(tx, {
          documentId: item.document_id,
          fact: item.report_id === null ? 'answer_lost' : 'report_unknown',
          reportId: item.report_id,
          messageId: id,
          code: 'interrupted',
        })
    }
  })
}

/** Does the next thing: a query about what is unknown, else a message. Returns false when nothing is due, or nothing can be done. */
async function nextMessage(ctx: Ctx, port: ExchangePort): Promise<boolean> {
  const now = ctx.now().getTime()
  const flow = await findFlow(ctx)
  if (!isDue(flow.next_send_at, now)) return false
  const invoices = await unknownInvoices(ctx)
  const reports = await unknownReports(ctx)
  const dueInvoices = invoices.filter(({ next_at }) => isDue(next_at, now))
  const dueReports = reports.filter(({ next_at }) => isDue(next_at, now))
  if (dueInvoices.length > 0) return resolveInvoices(ctx, port, dueInvoices)
  if (dueReports.length > 0) return resolveReports(ctx, port, dueReports)
  // What waits for its query keeps its place before everything later.
  if (invoices.length > 0) return false
  return (await sendInvoices(ctx, port)) || (reports.length === 0 && (await sendReports(ctx, port)))
}

/** Asks what the other side did, and fetches what arrived. */
async function lookAround(ctx: Ctx, port: ExchangePort, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return
  const flow = await findFlow(ctx)
  if (isDue(flow.next_poll_at, ctx.now().getTime())) await pollPlatform(ctx, port)
  if (!signal?.aborted) await downloadArrived(ctx, port)
}

/** Returns when the book is due next. */
async function nextDue(ctx: Ctx): Promise<DueTime> {
  const flow = await findFlow(ctx)
  const first = async (table: 'exchange_documents' | 'exchange_reports'): Promise<number | null> => {
    const row = await ctx.db
      .selectFrom(table)
      .select((eb) => eb.fn.min<number | null>('next_at').as('at'))
      .where('book_id', '=', ctx.book.id)
      .where('next_at', 'is not', null)
      .executeTakeFirst()
    return row?.at ?? null
  }
  const waiting = [await first('exchange_documents'), await first('exchange_reports')].filter(
    (at) => at !== null,
  )
  const sending = waiting.length === 0 ? [] : [Math.max(Math.min(...waiting), flow.next_send_at)]
  return Math.min(flow.next_poll_at, ctx.now().getTime() + LOOK_MS, ...sending)
}
