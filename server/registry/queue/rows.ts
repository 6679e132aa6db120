/** SQL of the queue: the state of each record with the authority, the exchanges, the counts and the book's pace. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import type { SubmissionStatus } from '../../db/schema.ts'

// These conditions repeat the partial indexes literally: SQLite uses a partial index only where its own condition
// appears.
const OPEN = sql<SqlBool>`registry_submissions.status in ('pending', 'sending', 'unknown')`
const TROUBLE = sql<SqlBool>`registry_submissions.closed = 0 and registry_submissions.status in ('accepted_with_errors', 'rejected')`

/** Returns true for the states without a settled outcome. */
export function isUnsettled(status: string): boolean {
  return status === 'pending' || status === 'sending' || status === 'unknown'
}

/** Condition for submissions in one state, written so that an index finds the few that wait among many. */
export function inStatus(status: SubmissionStatus) {
  const exactly = sql<SqlBool>`registry_submissions.status = ${status}`
  return isUnsettled(status) ? sql<SqlBool>`${OPEN} and ${exactly}` : exactly
}

/** Condition for submissions that need a person: rejected or accepted with errors, and not marked as handled. */
export function needsAction() {
  return TROUBLE
}

/** Returns the number of records with an unknown outcome. */
export async function countUnknown(ctx: Ctx): Promise<number> {
  const row = await ctx.db
    .selectFrom('registry_submissions')
    .select((eb) => eb.fn.countAll<number>().as('records'))
    .where('book_id', '=', ctx.book.id)
    .where(inStatus('unknown'))
    .executeTakeFirstOrThrow()
  return row.records
}

/** Returns the unsettled records in the order of the chain. */
export function openRecords(ctx: Ctx, limit: number) {
  return ctx.db
    .selectFrom('registry_submissions')
    .innerJoin('registry_records', 'registry_records.id', 'registry_submissions.record_id')
    .innerJoin('invoices', 'invoices.id', 'registry_records.invoice_id')
    .select([
      'registry_records.id',
      'registry_records.sequence',
      'registry_records.kind',
      'registry_records.turn',
      'registry_records.invoice_id',
      'registry_records.hash',
      'registry_records.link',
      'registry_records.generated_at',
      'registry_records.xml',
      'registry_submissions.status',
      'registry_submissions.attempts',
      'invoices.public_id',
      'invoices.number',
      'invoices.issue_date',
      'invoices.operation_date',
    ])
    .where('registry_submissions.book_id', '=', ctx.book.id)
    .where(OPEN)
    .orderBy('registry_submissions.record_id')
    .limit(limit)
    .execute()
}

export type OpenRecord = Awaited<ReturnType<typeof openRecords>>[number]

/**
 * Returns the records that an earlier message may have brought: one that was begun, and that certainly left nothing is
 * not among them. `before`: only messages before this one.
 */
export async function mayHaveArrived(
  ctx: Ctx,
  recordIds: readonly number[],
  before: number | null = null,
): Promise<ReadonlySet<number>> {
  if (recordIds.length === 0) return new Set()
  let query = ctx.db
    .selectFrom('registry_attempts')
    .innerJoin('registry_batches', 'registry_batches.id', 'registry_attempts.batch_id')
    .select('registry_attempts.record_id')
    .distinct()
    .where('registry_attempts.record_id', 'in', recordIds)
    .where('registry_batches.kind', '=', 'submission')
    // A fault is the refusal of a whole message, of which nothing is taken.
    .where('registry_batches.outcome', 'not in', ['not_sent', 'fault'])
  if (before !== null) query = query.where('registry_batches.id', '<', before)
  return new Set((await query.execute()).map((row) => row.record_id))
}

/** Returns how many records wait and the age of the oldest. */
export async function queueCounts(ctx: Ctx): Promise<{ pending: number; oldestAt: number | null }> {
  // Counts from the index of open submissions alone; only the oldest record itself is read, and it comes first.
  const { pending } = await ctx.db
    .selectFrom('registry_submissions')
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .where('registry_submissions.book_id', '=', ctx.book.id)
    .where(OPEN)
    .executeTakeFirstOrThrow()
  const oldest = await ctx.db
    .selectFrom('registry_submissions')
    .innerJoin('registry_records', 'registry_records.id', 'registry_submissions.record_id')
    .select('registry_records.generated_at')
    .where('registry_submissions.book_id', '=', ctx.book.id)
    .where(OPEN)
    .orderBy('registry_submissions.record_id')
    .limit(1)
    .executeTakeFirst()
  return { pending, oldestAt: oldest?.generated_at ?? null }
}

const addCount = prepare((db, p: { bookId: number; status: SubmissionStatus; records: number }) =>
  db
    .insertInto('registry_counts')
    .values({ book_id: p.bookId, status: p.status, records: p.records })
    .onConflict((conflict) =>
      conflict.columns(['book_id', 'status']).doUpdateSet((eb) => ({
        records: eb('registry_counts.records', '+', eb.ref('excluded.records')),
      })),
    ),
)

/** Adds to the count of settled records; `records` is negative when a record leaves a state. */
export async function countSettled(ctx: Ctx, status: SubmissionStatus, records: number): Promise<void> {
  await addCount.run(ctx.db, { bookId: ctx.book.id, status, records })
}

/** Returns the number of the book's records in each settled state. */
export async function settledCounts(ctx: Ctx): Promise<Map<SubmissionStatus, number>> {
  const rows = await ctx.db
    .selectFrom('registry_counts')
    .select(['status', 'records'])
    .where('book_id', '=', ctx.book.id)
    .execute()
  return new Map(rows.map((row) => [row.status, row.records]))
}

const flow = prepare((db, p: { bookId: number }) =>
  db.selectFrom('registry_flows').selectAll().where('book_id', '=', p.bookId),
)

export type FlowRow = NonNullable<Awaited<ReturnType<typeof flow.first>>>

/** Returns the pace of the book's queue. Every book has one from the start. */
export async function findFlow(ctx: Ctx): Promise<FlowRow> {
  const row = await flow.first(ctx.db, { bookId: ctx.book.id })
  if (!row) throw new Error(`Book ${ctx.book.publicId} has no flow.`)
  return row
}

/** Changes the book's pace; runs in a transaction. */
export async function changeFlow(ctx: Ctx, changes: Partial<Omit<FlowRow, 'book_id'>>): Promise<void> {
  await ctx.db.updateTable('registry_flows').set(changes).where('book_id', '=', ctx.book.id).execute()
}
