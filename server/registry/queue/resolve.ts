/**
 * Resolves the outcome of a record whose answer was lost: queries the authority by the invoice's key and compares
 * digests.
 */
import type { Ctx } from '../../context.ts'
import type { HeldRecord, KeyAnswer, Question, RegistryWire, Taxpayer } from '../system.ts'
import { systemOf } from '../systems/index.ts'
import { unpackXml } from '../systems/packing.ts'
import { findChain, headOf, hexOf, recordsOfInvoice } from '../chain/rows.ts'
import type { Authority, Exchange } from './authority.ts'
import { recordIdOf } from '../chain/append.ts'
import type { OpenRecord } from './rows.ts'
import { beginBatch, endBatch } from './settle.ts'
import type { BatchEnd, Settlement } from './settle.ts'

export interface QueryContext {
  authority: Authority<unknown>
  issuer: Taxpayer
  /** Called with the clock of every answer. */
  onAnswer: (exchange: Exchange, presentedAt: string | null) => void
}

/** Result of a query about a key; `failed` when the query was not possible. */
export type Finding =
  | { kind: 'held'; held: HeldRecord }
  | { kind: 'nothing' }
  | {
      kind: 'failed'
      faultCode: string | null
      detail: string
      faulted: boolean
      /** The authority suspended us. */
      stops: boolean
    }

function failed(exchange: Exclude<Exchange, { kind: 'answered' }>): { end: BatchEnd; finding: Finding } {
  const detail = exchange.kind === 'not_sent' ? `${exchange.reason}: ${exchange.detail}` : exchange.detail
  const outcome = exchange.kind === 'not_sent' ? 'not_sent' : 'no_answer'
  return {
    end: { outcome, detail },
    finding: { kind: 'failed', faultCode: null, detail, faulted: false, stops: false },
  }
}

function findingOf(
  kept: RegistryWire['kept'],
  exchange: Exchange,
  question: Question<unknown, KeyAnswer>,
): { end: BatchEnd; finding: Finding } {
  if (exchange.kind !== 'answered') return failed(exchange)
  const { status: httpStatus } = exchange
  const body = kept(exchange)
  const answer = question.read(body)
  if (answer.kind === 'held' || answer.kind === 'nothing')
    return { end: { outcome: 'answered', httpStatus, body, detail: answer.kind }, finding: answer }
  if (answer.kind === 'fault') {
    const { code: faultCode, message: detail, stops } = answer
    return {
      end: { outcome: 'fault', detail: faultCode ?? detail, httpStatus, body },
      finding: { kind: 'failed', faultCode, detail, faulted: true, stops },
    }
  }
  const { detail } = answer
  return {
    end: { outcome: 'unreadable', detail, httpStatus, body },
    finding: { kind: 'failed', faultCode: null, detail, faulted: false, stops: false },
  }
}

/** Queries what is held under a record's key. Stores each question before it leaves, like a submission. */
export async function queryInvoice(ctx: Ctx, asking: QueryContext, record: OpenRecord): Promise<Finding> {
  const system = systemOf(ctx.book)
  const { link, operationDate } = system.read(unpackXml(record.xml))
  const { issuerNif, number, issueDate } = link
  const days = [operationDate, record.operation_date, record.issue_date]
  for (const question of system.wire.questions(asking.issuer, { issuerNif, number, issueDate, days })) {
    const batchId = await ctx.transaction((tx) => beginBatch(tx, 'query', [record]))
    const exchange = await asking.authority.query(question.message)
    asking.onAnswer(exchange, null)
    const { end, finding } = findingOf(system.wire.kept, exchange, question)
    await ctx.transaction((tx) => endBatch(tx, batchId, end))
    if (finding.kind !== 'nothing') return finding
  }
  return { kind: 'nothing' }
}

/** Queries the last record of the chain, only to read the clock of the answer. */
export async function queryClock(ctx: Ctx, asking: QueryContext): Promise<void> {
  const { wire } = systemOf(ctx.book)
  const head = headOf(await findChain(ctx))
  const question = head && wire.clockQuestion(asking.issuer, head)
  if (!question) return
  const batchId = await ctx.transaction((tx) => beginBatch(tx, 'query', []))
  const exchange = await asking.authority.query(question.message)
  asking.onAnswer(exchange, null)
  await ctx.transaction((tx) => endBatch(tx, batchId, findingOf(wire.kept, exchange, question).end))
}

/**
 * Returns true if the held record is this very record. Without a digest, our reference and the creation time must
 * match.
 */
function isOurs(ctx: Ctx, record: OpenRecord, held: HeldRecord): boolean {
  if (held.link !== undefined) return held.link === record.link
  if (held.hash !== null) return held.hash === hexOf(record.hash)
  const { generatedAt } = systemOf(ctx.book).read(unpackXml(record.xml))
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
  if (isOurs(ctx, record, held))
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
    authorityCode: systemOf(ctx.book).wire.takenCode,
    message: null,
    heldState: held.state === 'Anulado' ? 'cancelled' : 'active',
    conflict: true,
  }
}
