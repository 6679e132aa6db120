/** Sends invoices: marks them as sent before the first byte leaves, and writes what the platform answered. */
import { failpoint } from '../../../db/failpoints.ts'
import type { Ctx } from '../../../context.ts'
import { invoiceXml } from '../formats.ts'
import type { ExchangePort } from '../port.ts'
import { contentRow, keepBytes, readBytes } from '../state/contents.ts'
import type { StoredContent } from '../state/contents.ts'
import { answerItem, beginMessage, codeKey, codeOf, documentRow, endMessage } from '../state/rows.ts'
import type { DocumentRow, MessageRow } from '../state/rows.ts'
import { changeFlow, findFlow } from '../state/settings.ts'
import { recordExchange, recordFact } from '../state/write.ts'
import type { AnswerItem, PlatformAnswer } from '../types.ts'
import { keepAnswer } from './answers.ts'
import { noteFailure, noteSuccess, outcomeOf } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { dueNow, FIRST_QUERY_MS, MOST_BYTES, MOST_IN_BATCH } from './pace.ts'
import { settleAdmitted, settleRefused } from './settle.ts'

/** Returns the invoices that are due, in the order in which they were issued. */
function dueInvoices(ctx: Ctx, limit: number): Promise<DocumentRow[]> {
  return ctx.db
    .selectFrom('exchange_documents')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('next_at', 'is not', null)
    .where(dueNow(ctx))
    .where('state', '=', 'to_send')
    .orderBy('id')
    .limit(limit)
    .execute()
}

interface Written {
  row: DocumentRow
  xml: string
  kept: StoredContent
}

/** Writes the invoices as documents; one that cannot be written waits for a person and stops no other. */
async function written(ctx: Ctx, rows: readonly DocumentRow[]): Promise<Written[]> {
  const ready: Written[] = []
  for (const row of rows) {
    const made = await documentOf(ctx, row)
    if ('xml' in made) {
      const bytes = Buffer.from(made.xml, 'utf8')
      ready.push({ row, xml: made.xml, kept: await keepBytes(ctx, bytes) })
      continue
    }
    await ctx.transaction(async (tx) => {
      const now = await documentRow(tx, row.id)
      if (now.state !== 'to_send') return
      await recordFact(tx, row, { fact: 'blocked', code: made.fault }, { why: made.fault, next_at: null })
      await recordExchange(tx, 'exchange.blocked', row, { outcome: 'refused' })
    })
  }
  return ready
}

/** Returns the document of an invoice: the one that was sent before, else a new one; or why it cannot have one. */
async function documentOf(ctx: Ctx, row: DocumentRow): Promise<{ xml: string } | { fault: string }> {
  if (row.content_id !== null)
    return { xml: Buffer.from(await readBytes(ctx, row.content_id)).toString('utf8') }
  const made = await invoiceXml(ctx, row.invoice_id ?? 0, { copy: row.is_copy === 1 })
  if ('xml' in made && Buffer.byteLength(made.xml) > MOST_BYTES) return { fault: 'too_large' }
  return made
}

/** Sends what is due in one message. Returns false if nothing was due or nothing could leave. */
export async function sendInvoices(ctx: Ctx, port: ExchangePort): Promise<boolean> {
  const { batch_limit: limit } = await findFlow(ctx)
  const rows = await dueInvoices(ctx, Math.min(limit, MOST_IN_BATCH))
  if (rows.length === 0) return false
  const ready = await written(ctx, rows)
  if (ready.length === 0) return true
  const claimed = await claim(ctx, ready)
  if (claimed === null) return true
  failpoint('exchange.send_written')
  const { message, items } = claimed
  const outcome = await outcomeOf(ctx, () => port.send(items.map(({ xml }) => ({ xml }))))
  failpoint('exchange.answer_read')
  await settleSending(ctx, message, items, outcome)
  failpoint('exchange.outcome_committed')
  return outcome.kind === 'answered'
}

/** Marks invoices as sent, those that still are to be. */
async function claim(
  ctx: Ctx,
  ready: readonly Written[],
): Promise<{ message: MessageRow; items: Written[] } | null> {
  return ctx.transaction(async (tx) => {
    const now = tx.now().getTime()
    const items: Written[] = []
    for (const one of ready) {
      const row = await documentRow(tx, one.row.id)
      if (row.state === 'to_send') items.push({ ...one, row })
    }
    if (items.length === 0) return null
    const message = await beginMessage(
      tx,
      { kind: 'send' },
      items.map(({ row }) => ({ documentId: row.id })),
    )
    for (const { row, kept } of items)
      await recordFact(
        tx,
        row,
        { fact: 'sent', messageId: message.id },
        {
          state: 'sent_unknown',
          why: null,
          content_id: await contentRow(tx, kept),
          sent_at: now,
          attempts: row.attempts + 1,
          queries: 0,
          next_at: now + FIRST_QUERY_MS,
        },
      )
    return { message, items }
  })
}

async function settleSending(
  ctx: Ctx,
  message: MessageRow,
  items: readonly Written[],
  outcome: Outcome<PlatformAnswer>,
): Promise<void> {
  if (outcome.kind === 'answered') return takeAnswer(ctx, message, items, outcome.answer)
  await ctx.transaction(async (tx) => {
    const now = tx.now().getTime()
    const isNothing = outcome.kind === 'nothing_done'
    const detail = isNothing ? `${outcome.error.code}: ${outcome.error.message}` : outcome.detail
    await endMessage(tx, message.id, { outcome: outcome.kind, detail })
    for (const { row } of items) {
      if ((await documentRow(tx, row.id)).state !== 'sent_unknown') continue
      // Only a message of one invoice says which one the platform will not take.
      if (isNothing && outcome.error.code === 'refused' && items.length === 1)
        await settleRefused(tx, row, { code: 'message_refused', text: outcome.error.message }, message.id)
      else
        await recordFact(
          tx,
          row,
          {
            fact: isNothing ? 'nothing_done' : 'answer_lost',
            messageId: message.id,
            note: detail.slice(0, 500),
          },
          isNothing ? { state: 'to_send', next_at: now } : { next_at: now + FIRST_QUERY_MS },
        )
    }
    const isTooMany = isNothing && outcome.error.code === 'refused'
    if (isTooMany && items.length > 1) await changeFlow(tx, { batch_limit: 1 })
    if (!(isTooMany && items.length === 1)) await noteFailure(tx, outcome)
  })
}

/** Writes an answer. What was refused, and what it does not name, is looked for before anything is believed. */
async function takeAnswer(
  ctx: Ctx,
  message: MessageRow,
  items: readonly Written[],
  answer: PlatformAnswer,
): Promise<void> {
  const answered = new Map<string, AnswerItem>()
  for (const item of answer.items) if (item.invoice) answered.set(codeKey(item.invoice), item)
  const kept = await keepAnswer(ctx, answer)
  await ctx.transaction(async (tx) => {
    const now = tx.now().getTime()
    await endMessage(tx, message.id, {
      outcome: 'answered',
      csv: answer.csv,
      batch: answer.batch,
      answer_id: await contentRow(tx, kept),
    })
    for (const [position, { row }] of items.entries()) {
      const item = answered.get(codeKey(codeOf(row)))
      if (item)
        await answerItem(tx, message.id, position, {
          code: item.code,
          detail: item.text.slice(0, 500),
          locator: item.locator,
        })
      if ((await documentRow(tx, row.id)).state !== 'sent_unknown') continue
      if (item?.code === '200')
        await settleAdmitted(tx, row, { locator: item.locator, csv: answer.csv }, message.id)
      // A duplicate is refused too, so that a refusal says nothing before a query does.
      else
        await recordFact(
          tx,
          row,
          {
            fact: 'answer_lost',
            messageId: message.id,
            code: item?.code ?? 'not_named',
            note: item?.text ?? null,
          },
          { why: item?.code ?? null, next_at: now },
        )
    }
    await noteSuccess(tx)
    const { batch_limit: limit } = await findFlow(tx)
    if (limit < MOST_IN_BATCH) await changeFlow(tx, { batch_limit: Math.min(MOST_IN_BATCH, limit * 2) })
    failpoint('exchange.outcome_written')
  })
}
