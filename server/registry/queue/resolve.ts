/**
 * Resolves the outcome of a record whose answer was lost: queries the authority by the invoice's key and compares
 * digests.
 */
import type { Ctx } from '../../context.ts'
import { unpackXml } from '../systems/verifactu/record/compact.ts'
import type { InvoiceKey } from '../systems/verifactu/record/fields.ts'
import { readSealedRecord } from '../systems/verifactu/record/sealed.ts'
import { findChain, headOf, hexOf, recordsOfInvoice } from '../chain/rows.ts'
import { buildQuery } from '../systems/verifactu/wire/messages.ts'
import type { Taxpayer } from '../systems/verifactu/wire/messages.ts'
import { readQueryReply, foreignElementIn } from '../systems/verifactu/wire/query-reply.ts'
import type { HeldRecord, QueryAnswer } from '../systems/verifactu/wire/query-reply.ts'
import type { Authority, Exchange } from './authority.ts'
import { recordIdOf } from '../chain/append.ts'
import type { OpenRecord } from './rows.ts'
import { beginBatch, endBatch } from './settle.ts'
import type { BatchEnd, Settlement } from './settle.ts'

export interface QueryContext {
  authority: Authority
  issuer: Taxpayer
  /** Called with the clock of every answer. */
  onAnswer: (exchange: Exchange, presentedAt: string | null) => void
}

/** Result of a query about a key; `failed` when the query was not possible. */
export type Finding =
  | { kind: 'held'; held: HeldRecord }
  | { kind: 'nothing' }
  | { kind: 'failed'; faultCode: string | null; detail: string; faulted: boolean }

/**
 * Returns the months that the authority may have filed an invoice under: that of its operation, else that of its
 * issue.
 */
function monthsOf(record: OpenRecord, operationDate: string | null): string[] {
  const days = [operationDate, record.operation_date, record.issue_date]
  return [...new Set(days.filter((day) => day !== null).map((day) => day.slice(0, 7)))]
}

function failed(exchange: Exclude<Exchange, { kind: 'answered' }>): { end: BatchEnd; finding: Finding } {
  const detail = exchange.kind === 'not_sent' ? `${exchange.reason}: ${exchange.detail}` : exchange.detail
  const outcome = exchange.kind === 'not_sent' ? 'not_sent' : 'no_answer'
  return {
    end: { outcome, detail },
    finding: { kind: 'failed', faultCode: null, detail, faulted: false },
  }
}

function heldUnder(key: InvoiceKey, { items }: QueryAnswer): HeldRecord | undefined {
  return items.find(
    (item) =>
      item.key.issuerNif === key.issuerNif &&
      item.key.number === key.number &&
      item.key.issueDate === key.issueDate,
  )
}

/**
 * Returns why an answer does not belong to the query about a key, or null when it does. An answer about other
 * invoices belongs to another query: read as "nothing held", it would cause a second submission of a record that the
 * authority has.
 */
function strayFromKey(answer: QueryAnswer, key: InvoiceKey, month: string): string | null {
  const [first] = answer.items
  // The same number with another date is a valid answer: the queried invoice is not held.
  if (first && answer.items.every((item) => item.key.number !== key.number))
    return `asked ${key.number}, told ${first.key.number}`
  return foreignElementIn(answer, key.issuerNif, month)
}

function findingOf(exchange: Exchange, key: InvoiceKey, month: string): { end: BatchEnd; finding: Finding } {
  if (exchange.kind !== 'answered') return failed(exchange)
  const { status: httpStatus, body } = exchange
  const reply = readQueryReply(body)
  if (reply.kind === 'answer') {
    const stray = strayFromKey(reply, key, month)
    if (stray !== null)
      return {
        end: { outcome: 'unreadable', detail: stray, httpStatus, body },
        finding: { kind: 'failed', faultCode: null, detail: stray, faulted: false },
      }
    const held = heldUnder(key, reply)
    const finding: Finding = held ? { kind: 'held', held } : { kind: 'nothing' }
    return { end: { outcome: 'answered' as const, httpStatus, body, detail: finding.kind }, finding }
  }
  const faultCode = reply.kind === 'fault' ? (reply.code ?? null) : null
  const detail = reply.kind === 'fault' ? reply.message : reply.why
  const finding: Finding = { kind: 'failed', faultCode, detail, faulted: reply.kind === 'fault' }
  return {
    end: {
      outcome: reply.kind === 'fault' ? ('fault' as const) : ('unreadable' as const),
      detail: faultCode ?? detail,
      httpStatus,
      body,
    },
    finding,
  }
}

/** Queries what is held under a record's key. Stores each question before it leaves, like a submission. */
export async function queryInvoice(ctx: Ctx, asking: QueryContext, record: OpenRecord): Promise<Finding> {
  const { link, operationDate } = readSealedRecord(unpackXml(record.xml))
  for (const month of monthsOf(record, operationDate)) {
    const batchId = await ctx.transaction((tx) => beginBatch(tx, 'query', [record]))
    const exchange = await asking.authority.query(
      buildQuery({ issuer: asking.issuer, month, number: link.number, issued: { on: link.issueDate } }),
    )
    asking.onAnswer(exchange, null)
    const { end, finding } = findingOf(exchange, link, month)
    await ctx.transaction((tx) => endBatch(tx, batchId, end))
    if (finding.kind !== 'nothing') return finding
  }
  return { kind: 'nothing' }
}

/** Queries the last record of the chain, only to read the clock of the answer. */
export async function queryClock(ctx: Ctx, asking: QueryContext): Promise<void> {
  const head = headOf(await findChain(ctx))
  if (!head) return
  const batchId = await ctx.transaction((tx) => beginBatch(tx, 'query', []))
  const month = head.issueDate.slice(0, 7)
  const exchange = await asking.authority.query(
    buildQuery({ issuer: asking.issuer, month, number: head.number }),
  )
  asking.onAnswer(exchange, null)
  await ctx.transaction((tx) => endBatch(tx, batchId, findingOf(exchange, head, month).end))
}

/**
 * Returns true if the held record is this very record. Without a digest, our reference and the creation time must
 * match.
 */
function isOurs(record: OpenRecord, held: HeldRecord): boolean {
  if (held.hash !== null) return held.hash === hexOf(record.hash)
  const { generatedAt } = readSealedRecord(unpackXml(record.xml)).text
  return held.recordRef === recordIdOf(record.sequence) && held.generatedAt === generatedAt
}

/** Returns the digest of the last accepted registration of this invoice before a record, or null. */
async function acceptedBefore(ctx: Ctx, record: OpenRecord): Promise<string | null> {
  const earlier = (await recordsOfInvoice(ctx, record.invoice_id)).filter(
    (one) =>
      one.sequence < record.sequence &&
      one.kind === 'registration' &&
      (one.status === 'accepted' || one.status === 'accepted_with_errors'),
  )
  const last = earlier.at(-1)
  return last ? hexOf(last.hash) : null
}

/**
 * Derives the outcome of a record of unknown outcome: registered, not processed (`pending`: it may be sent again
 * unchanged), or a conflict, when the key is held with content that is neither this record nor the previous one.
 */
export async function resolveOutcome(
  ctx: Ctx,
  record: OpenRecord,
  finding: Extract<Finding, { kind: 'held' | 'nothing' }>,
): Promise<Settlement> {
  if (finding.kind === 'nothing') return { record, status: 'pending' }
  const { held } = finding
  if (record.kind === 'cancellation')
    return held.state === 'Anulado'
      ? { record, status: 'accepted', csvLost: true }
      : { record, status: 'pending' }
  if (isOurs(record, held))
    return {
      record,
      status: held.state === 'AceptadoConErrores' ? 'accepted_with_errors' : 'accepted',
      csvLost: true,
      authorityCode: held.code,
      message: held.message,
    }
  if (record.turn !== 'first' && held.hash !== null && held.hash === (await acceptedBefore(ctx, record)))
    return { record, status: 'pending' }
  return {
    record,
    status: 'rejected',
    authorityCode: '3000',
    message: null,
    heldState: held.state === 'Anulado' ? 'cancelled' : 'active',
    conflict: true,
  }
}
