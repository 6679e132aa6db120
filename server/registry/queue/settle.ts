/**
 * Applies an answer in one transaction: the record's state, the invoice's copy of it, the counts, the event and the
 * history.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { EventType } from '../../platform/events/index.ts'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import type { BatchOutcome, InvoiceRegistryStatus, SubmissionStatus } from '../../db/schema.ts'
import { recordIdOf } from '../chain/append.ts'
import { systemOf } from '../systems/index.ts'
import { packXml } from '../systems/packing.ts'
import { countSettled } from './rows.ts'
import type { OpenRecord } from './rows.ts'

/** Updates the invoice's own copy of the state; runs in the transaction that settles the record. */
export type OnStatus = (ctx: Ctx, invoiceRowId: number, status: InvoiceRegistryStatus) => Promise<void>

type Settled = Extract<SubmissionStatus, 'accepted' | 'accepted_with_errors' | 'rejected'>

/** Records settled before other work runs: some milliseconds. */
const RECORDS_PER_TURN = 50

/** The outcome of one record. */
export interface Settlement {
  record: OpenRecord
  status: SubmissionStatus
  csv?: string | null
  csvLost?: boolean
  authorityCode?: string | null
  message?: string | null
  heldState?: 'active' | 'cancelled' | null
  conflict?: boolean
}

const EVENTS: Record<Settled, EventType> = {
  accepted: 'registry.accepted',
  accepted_with_errors: 'registry.accepted_with_errors',
  rejected: 'registry.rejected',
}

interface Values {
  recordId: number
  status: SubmissionStatus
  csv: string | null
  csvLost: 0 | 1
  authorityCode: string | null
  message: string | null
  heldState: 'active' | 'cancelled' | null
  conflict: 0 | 1
  closed: 0 | 1
  answeredAt: number | null
}

const update = prepare((db, p: Values) =>
  db
    .updateTable('registry_submissions')
    .set({
      status: p.status,
      csv: p.csv,
      csv_lost: p.csvLost,
      authority_code: p.authorityCode,
      message: p.message,
      held_state: p.heldState,
      conflict: p.conflict,
      closed: p.closed,
      answered_at: p.answeredAt,
    })
    .where('record_id', '=', p.recordId),
)

function isSettled(status: SubmissionStatus): status is Settled {
  return status === 'accepted' || status === 'accepted_with_errors' || status === 'rejected'
}

/** Returns the registry status of an invoice whose last record has this status. */
function invoiceStatus(record: OpenRecord, status: SubmissionStatus): InvoiceRegistryStatus {
  const accepted = status === 'accepted' || status === 'accepted_with_errors'
  return record.kind === 'cancellation' && accepted ? 'cancelled' : status
}

/** Returns true for a remark of the authority that asks nothing of anyone. */
function needsNothing({ book }: Ctx, authorityCode: string): boolean {
  return systemOf(book).meaningOf(authorityCode).action === 'none'
}

/** Stores the outcome of a record. */
export async function settle(tx: Ctx, onStatus: OnStatus, settlement: Settlement): Promise<void> {
  const { record, status, conflict = false, authorityCode = null } = settlement
  const settled = isSettled(status)
  await update.run(tx.db, {
    recordId: record.id,
    status,
    csv: settlement.csv ?? null,
    csvLost: settlement.csvLost ? 1 : 0,
    authorityCode,
    message: settlement.message ?? null,
    heldState: settlement.heldState ?? null,
    conflict: conflict ? 1 : 0,
    // A remark of the authority that needs no action needs no attention.
    closed: authorityCode !== null && !conflict && needsNothing(tx, authorityCode) ? 1 : 0,
    answeredAt: settled ? tx.now().getTime() : null,
  })
  await onStatus(tx, record.invoice_id, invoiceStatus(record, status))
  if (!settled) return
  await countSettled(tx, status, 1)
  const facts = {
    invoiceId: record.public_id,
    number: record.number,
    recordId: recordIdOf(record.sequence),
    record: record.kind,
    authorityCode,
  }
  await emitEvent(tx, EVENTS[status], facts)
  if (conflict) await emitEvent(tx, 'registry.conflict', facts)
  if (status === 'accepted') return
  await recordAudit(tx, {
    action: conflict ? 'registry.conflict' : EVENTS[status],
    target: { type: 'invoice', id: record.public_id, ...(record.number ? { label: record.number } : {}) },
    ...(authorityCode ? { code: authorityCode } : {}),
    outcome: status === 'rejected' ? 'refused' : 'ok',
  })
}

/** Facts stored about an exchange when it ends. */
export interface BatchEnd {
  outcome: Exclude<BatchOutcome, 'running'>
  detail?: string | null
  httpStatus?: number | null
  /** The answer as it came. */
  body?: Uint8Array | null
}

const MAX_KEPT_BYTES = 1024 * 1024

/** Returns the answer as stored text; only its beginning when it is not an answer of the authority. */
function storedReply(
  { book }: Ctx,
  body: Uint8Array | null | undefined,
  outcome: BatchOutcome,
): Uint8Array | null {
  if (!body || body.length === 0) return null
  const kept = outcome === 'answered' ? body : body.subarray(0, MAX_KEPT_BYTES)
  const text = new TextDecoder().decode(kept).toWellFormed()
  return packXml(text, 'thoroughly', systemOf(book).dictionary)
}

/** Closes the entry of an exchange. */
export async function endBatch(tx: Ctx, batchId: number, end: BatchEnd): Promise<void> {
  await tx.db
    .updateTable('registry_batches')
    .set({
      finished_at: tx.now().getTime(),
      outcome: end.outcome,
      detail: end.detail ?? null,
      http_status: end.httpStatus ?? null,
      reply: storedReply(tx, end.body, end.outcome),
    })
    .where('id', '=', batchId)
    .execute()
}

interface AttemptValues {
  recordId: number
  attempt: number
  batchId: number
  status: SubmissionStatus
}

const markAttempt = prepare((db, p: AttemptValues) =>
  db
    .updateTable('registry_submissions')
    .set({ status: p.status, attempts: p.attempt, batch_id: p.batchId })
    .where('record_id', '=', p.recordId),
)

const insertAttempt = prepare((db, p: AttemptValues) =>
  db
    .insertInto('registry_attempts')
    .values({ record_id: p.recordId, attempt: p.attempt, batch_id: p.batchId }),
)

/** Settles many records in order and yields to other work in between: a thousand at once would freeze the window. */
export async function settleAll(
  tx: Ctx,
  onStatus: OnStatus,
  settlements: readonly Settlement[],
): Promise<void> {
  for (const [index, settlement] of settlements.entries()) {
    if (index % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await nextTurn()
    await settle(tx, onStatus, settlement)
  }
}

/** Creates the entry of an exchange about records before anything leaves. A query leaves them `unknown`. */
export async function beginBatch(
  tx: Ctx,
  kind: 'submission' | 'query',
  records: readonly OpenRecord[],
  incident = false,
): Promise<number> {
  const batch = await tx.db
    .insertInto('registry_batches')
    .values({
      book_id: tx.book.id,
      kind,
      records: records.length,
      incident: incident ? 1 : 0,
      started_at: tx.now().getTime(),
      outcome: 'running',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [index, record] of records.entries()) {
    if (index % RECORDS_PER_TURN === RECORDS_PER_TURN - 1) await nextTurn()
    const attempt = {
      recordId: record.id,
      attempt: record.attempts + 1,
      batchId: batch.id,
      status: kind === 'submission' ? ('sending' as const) : record.status,
    }
    await markAttempt.run(tx.db, attempt)
    await insertAttempt.run(tx.db, attempt)
  }
  // Only once they are durable: the store may run this again from its start.
  tx.afterCommit(() => {
    for (const record of records) record.attempts += 1
  })
  return batch.id
}
