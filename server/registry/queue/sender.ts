/**
 * The queue to the authority: in the order of the chain, attempts written before anything leaves, answers and their
 * consequences in one transaction. A record is sent as it was sealed, for ever; only what is known of it changes.
 */
import { recordAudit } from '../../audit/index.ts'
import { emitEvent } from '../../events/index.ts'
import type { EventType } from '../../events/index.ts'
import type { Ctx } from '../../ctx.ts'
import { prepare } from '../../store/query.ts'
import type { SubmissionStatus } from '../../store/schema.ts'
import type { Store } from '../../store/store.ts'
import { recordIdOf } from '../append.ts'
import type { Authority } from './authority.ts'
import { packXml, unpackXml } from '../record/compact.ts'
import { readReply } from '../wire/reply.ts'
import type { Reply, ReplyLine } from '../wire/reply.ts'
import { countSettled, hexOf, openRecords } from '../rows.ts'
import type { OpenRecord } from '../rows.ts'
import { readSealedRecord } from '../record/sealed.ts'
import { buildSubmission, MAX_RECORDS_PER_SUBMISSION } from '../wire/messages.ts'

type Settled = Extract<SubmissionStatus, 'accepted' | 'accepted_with_errors' | 'rejected'>

export interface SenderOptions {
  authority: Authority
  issuer: { name: string; nif: string }
  /** Keeps the invoice's own copy of the state; in the transaction that settles the record. */
  onStatus: (ctx: Ctx, invoiceRowId: number, status: SubmissionStatus) => Promise<void>
}

const FIRST_BACKOFF_MS = 60_000
const LAST_BACKOFF_MS = 3_600_000

function backoffMs(attempts: number): number {
  return Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(attempts, 6))
}

interface Attempt {
  recordId: number
  attempt: number
  batchId: number
}

const markSending = prepare((db, p: Attempt) =>
  db
    .updateTable('registry_submissions')
    .set({ status: 'sending', attempts: p.attempt, batch_id: p.batchId })
    .where('record_id', '=', p.recordId),
)

const insertAttempt = prepare((db, p: Attempt) =>
  db
    .insertInto('registry_attempts')
    .values({ record_id: p.recordId, attempt: p.attempt, batch_id: p.batchId }),
)

async function beginBatch(ctx: Ctx, records: readonly OpenRecord[]): Promise<number> {
  return ctx.transaction(async (tx) => {
    const batch = await tx.db
      .insertInto('registry_batches')
      .values({ book_id: tx.book.id, started_at: tx.now().getTime(), outcome: 'running' })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const record of records) {
      const attempt = { recordId: record.id, attempt: record.attempts + 1, batchId: batch.id }
      await markSending.run(tx.db, attempt)
      await insertAttempt.run(tx.db, attempt)
    }
    return batch.id
  })
}

const STATES: Record<ReplyLine['state'], Settled> = {
  Correcto: 'accepted',
  AceptadoConErrores: 'accepted_with_errors',
  Incorrecto: 'rejected',
}

interface Settlement {
  record: OpenRecord
  status: Settled | 'unknown'
  csv: string | null
  authorityCode: string | null
  message: string | null
}

/**
 * 3000 says that the key is taken. If what is held is our own record, an earlier answer was lost on the way and the
 * record is registered; if it is not, somebody else used the number.
 */
async function isOurOwn(authority: Authority, record: OpenRecord): Promise<boolean> {
  const { link } = readSealedRecord(unpackXml(record.xml))
  const held = await authority.holds(link)
  return held !== null && held.hash === hexOf(record.hash)
}

async function settlementsOf(
  options: SenderOptions,
  records: readonly OpenRecord[],
  reply: Extract<Reply, { kind: 'answer' }>,
): Promise<Settlement[]> {
  const lines = new Map(reply.lines.map((line) => [line.recordRef, line]))
  const settlements: Settlement[] = []
  for (const record of records) {
    const line = lines.get(recordIdOf(record.sequence))
    if (!line) {
      settlements.push({ record, status: 'unknown', csv: null, authorityCode: null, message: null })
      continue
    }
    let status: Settled = STATES[line.state]
    let code = line.code ?? null
    let message = line.message ?? null
    let csv = status === 'rejected' ? null : (reply.csv ?? null)
    if (
      code === '3000' &&
      line.duplicate &&
      line.duplicate.state !== 'Anulada' &&
      (await isOurOwn(options.authority, record))
    ) {
      status = line.duplicate.state === 'Correcta' ? 'accepted' : 'accepted_with_errors'
      code = line.duplicate.code ?? null
      message = line.duplicate.message ?? null
      csv = null
    }
    settlements.push({ record, status, csv, authorityCode: code, message })
  }
  return settlements
}

const EVENTS: Record<Settled, EventType> = {
  accepted: 'registry.accepted',
  accepted_with_errors: 'registry.accepted_with_errors',
  rejected: 'registry.rejected',
}

interface SettledValues {
  recordId: number
  status: SubmissionStatus
  csv: string | null
  authorityCode: string | null
  message: string | null
  answeredAt: number | null
  nextAttemptAt: number
}

const settleSubmission = prepare((db, p: SettledValues) =>
  db
    .updateTable('registry_submissions')
    .set({
      status: p.status,
      csv: p.csv,
      authority_code: p.authorityCode,
      message: p.message,
      answered_at: p.answeredAt,
      next_attempt_at: p.nextAttemptAt,
    })
    .where('record_id', '=', p.recordId),
)

async function settle(
  tx: Ctx,
  options: SenderOptions,
  settlement: Settlement,
  backoff: number,
): Promise<void> {
  const { record, status } = settlement
  const now = tx.now().getTime()
  await settleSubmission.run(tx.db, {
    recordId: record.id,
    status,
    csv: settlement.csv,
    authorityCode: settlement.authorityCode,
    message: settlement.message,
    answeredAt: status === 'unknown' ? null : now,
    nextAttemptAt: status === 'unknown' ? now + backoff : 0,
  })
  await options.onStatus(tx, record.invoice_id, status)
  if (status === 'unknown') return
  await countSettled(tx, status, 1)
  await emitEvent(tx, EVENTS[status], {
    invoiceId: record.public_id,
    number: record.number,
    authorityCode: settlement.authorityCode,
  })
  if (status !== 'accepted') {
    await recordAudit(tx, {
      action: EVENTS[status],
      target: { type: 'invoice', id: record.public_id, ...(record.number ? { label: record.number } : {}) },
      ...(settlement.authorityCode ? { code: settlement.authorityCode } : {}),
      outcome: status === 'rejected' ? 'refused' : 'ok',
    })
  }
}

async function finishBatch(
  tx: Ctx,
  batchId: number,
  outcome: 'answered' | 'fault' | 'unreadable' | 'not_delivered',
  reply: string | null,
): Promise<void> {
  await tx.db
    .updateTable('registry_batches')
    .set({
      finished_at: tx.now().getTime(),
      outcome,
      reply: reply === null ? null : packXml(reply.toWellFormed()),
    })
    .where('id', '=', batchId)
    .execute()
}

/** Back to the queue: nothing is known to have arrived, or what arrived is not known. */
async function putBack(
  ctx: Ctx,
  options: SenderOptions,
  records: readonly OpenRecord[],
  batchId: number,
  why: 'fault' | 'unreadable' | 'not_delivered',
  reply: string | null,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await finishBatch(tx, batchId, why, reply)
    const status = why === 'unreadable' ? 'unknown' : 'pending'
    for (const record of records) {
      await tx.db
        .updateTable('registry_submissions')
        .set({ status, next_attempt_at: tx.now().getTime() + backoffMs(record.attempts) })
        .where('record_id', '=', record.id)
        .execute()
      await options.onStatus(tx, record.invoice_id, status)
    }
  })
}

/** Books with a submission under way. One sender for each: two would send, and count, the same records twice. */
const underWay = new WeakMap<Store, Set<number>>()

/**
 * Sends what is due in one submission. Answers how many records were settled; 0 when nothing was due, nothing got
 * through, or another submission of the book is under way.
 */
export async function sendDueRecords(ctx: Ctx, options: SenderOptions): Promise<number> {
  const { store } = ctx.env
  const books = underWay.get(store) ?? new Set<number>()
  underWay.set(store, books)
  if (books.has(ctx.book.id)) return 0
  books.add(ctx.book.id)
  try {
    return await sendBatch(ctx, options)
  } finally {
    books.delete(ctx.book.id)
  }
}

async function sendBatch(ctx: Ctx, options: SenderOptions): Promise<number> {
  const records = await openRecords(ctx, MAX_RECORDS_PER_SUBMISSION, ctx.now().getTime())
  if (records.length === 0) return 0
  const batchId = await beginBatch(ctx, records)
  const envelope = buildSubmission(
    { issuer: options.issuer },
    records.map((record) => unpackXml(record.xml)),
  )
  let body: string
  try {
    body = await options.authority.submit(envelope)
  } catch {
    await putBack(ctx, options, records, batchId, 'not_delivered', null)
    return 0
  }
  const reply = readReply(body)
  if (reply.kind !== 'answer') {
    await putBack(ctx, options, records, batchId, reply.kind, body)
    return 0
  }
  const settlements = await settlementsOf(options, records, reply)
  await ctx.transaction(async (tx) => {
    await finishBatch(tx, batchId, 'answered', body)
    for (const settlement of settlements)
      await settle(tx, options, settlement, backoffMs(settlement.record.attempts))
  })
  return settlements.filter((settlement) => settlement.status !== 'unknown').length
}

/** After a start: what was on its way when the program stopped has an unknown outcome and is asked for again. */
export async function recoverInterrupted(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = tx.now().getTime()
    await tx.db
      .updateTable('registry_batches')
      .set({ outcome: 'interrupted', finished_at: now })
      .where('book_id', '=', tx.book.id)
      .where('outcome', '=', 'running')
      .execute()
    await tx.db
      .updateTable('registry_submissions')
      .set({ status: 'unknown', next_attempt_at: now })
      .where('book_id', '=', tx.book.id)
      .where('status', '=', 'sending')
      .execute()
  })
}

/** Make what waits due now. */
export async function hurryQueue(ctx: Ctx): Promise<void> {
  await ctx.transaction((tx) =>
    tx.db
      .updateTable('registry_submissions')
      .set({ next_attempt_at: 0 })
      .where('book_id', '=', tx.book.id)
      .where('status', 'in', ['pending', 'unknown'])
      .execute(),
  )
}
