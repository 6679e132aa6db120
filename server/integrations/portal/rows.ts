/** SQL of the portal: its settings, submissions with their states, and cancellations. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Book, Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import type { Db } from '../../db/query.ts'
import type {
  PortalCancellationsTable,
  PortalSettingsTable,
  PortalStatesTable,
  PortalSubmissionsTable,
} from '../../db/schema.ts'
import { environmentOf } from './environment.ts'
import type { PortalEnvironment } from './environment.ts'

export type SubmissionRow = Selectable<PortalSubmissionsTable>
export type CancellationRow = Selectable<PortalCancellationsTable>
type StateRow = Selectable<PortalStatesTable>
type SettingsRow = Selectable<PortalSettingsTable>

const settings = prepare((db, p: { bookId: number }) =>
  db.selectFrom('portal_settings').selectAll().where('book_id', '=', p.bookId),
)

/** Returns the settings of a book; empty before the first change. */
export async function findSettings(ctx: Ctx): Promise<SettingsRow> {
  const row = await settings.first(ctx.db, { bookId: ctx.book.id })
  return row ?? { book_id: ctx.book.id, email: null, live_since: null, live_by: null }
}

/** Replaces the settings of a book. */
export async function writeSettings(tx: Ctx, row: Omit<SettingsRow, 'book_id'>): Promise<void> {
  await tx.db
    .insertInto('portal_settings')
    .values({ book_id: tx.book.id, ...row })
    .onConflict((conflict) => conflict.column('book_id').doUpdateSet(row))
    .execute()
}

const submissionById = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('portal_submissions')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('public_id', '=', p.publicId),
)

/** Returns a submission by its public identifier, or null. */
export async function findSubmission(ctx: Ctx, publicId: string): Promise<SubmissionRow | null> {
  return (await submissionById.first(ctx.db, { bookId: ctx.book.id, publicId })) ?? null
}

const submissionByRow = prepare((db, p: { id: number }) =>
  db.selectFrom('portal_submissions').selectAll().where('id', '=', p.id),
)

/** Returns a submission by its row. */
export async function submissionOf(ctx: Ctx, id: number): Promise<SubmissionRow> {
  const row = await submissionByRow.first(ctx.db, { id })
  if (!row) throw new Error(`Submission ${id} is missing.`)
  return row
}

const ofInvoice = prepare((db, p: { bookId: number; invoiceId: number }) =>
  db
    .selectFrom('portal_submissions')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('invoice_id', '=', p.invoiceId)
    .orderBy('id', 'desc'),
)

/** Returns the submissions of an invoice, newest first. */
export function submissionsOf(ctx: Ctx, invoiceId: number): Promise<SubmissionRow[]> {
  return ofInvoice.all(ctx.db, { bookId: ctx.book.id, invoiceId })
}

const byNumber = prepare(
  (db, p: { bookId: number; environment: PortalEnvironment; registryNumber: string }) =>
    db
      .selectFrom('portal_submissions')
      .selectAll()
      .where('book_id', '=', p.bookId)
      .where('environment', '=', p.environment)
      .where('registry_number', '=', p.registryNumber),
)

/** Returns the submission with a registry number of the book's portal, or null. */
export async function submissionWithNumber(ctx: Ctx, registryNumber: string): Promise<SubmissionRow | null> {
  const environment = environmentOf(ctx.book)
  return (await byNumber.first(ctx.db, { bookId: ctx.book.id, environment, registryNumber })) ?? null
}

/** Returns submissions with a row below `before`, newest first. */
export async function listedSubmissions(
  ctx: Ctx,
  filter: { state?: SubmissionRow['state'] | undefined; open?: boolean | undefined },
  { before, limit }: { before: number; limit: number },
): Promise<SubmissionRow[]> {
  let query = ctx.db
    .selectFrom('portal_submissions')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
  if (filter.state !== undefined) query = query.where('state', '=', filter.state)
  if (filter.open !== undefined) query = query.where('is_open', '=', filter.open ? 1 : 0)
  return query.execute()
}

/** Adds a submission. */
export async function insertSubmission(tx: Ctx, row: Insertable<PortalSubmissionsTable>): Promise<void> {
  await tx.db.insertInto('portal_submissions').values(row).execute()
}

/** Changes a submission that is in one of these states. Returns false if it is in another: somebody else settled it. */
export async function changeSubmission(
  tx: Ctx,
  id: number,
  from: readonly SubmissionRow['state'][],
  change: Updateable<PortalSubmissionsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('portal_submissions')
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** What was submitted to another portal waits while the book is not with that one. */
interface Due {
  bookId: number
  environment: PortalEnvironment
}

const dueOf = (book: Book): Due => ({ bookId: book.id, environment: environmentOf(book) })

const dueSubmissions = prepare((db, p: Due & { now: number }) =>
  db
    .selectFrom('portal_submissions')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('environment', '=', p.environment)
    .where('next_attempt_at', '<=', p.now)
    .where('lease_until', 'is', null)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(1),
)

/** Returns the submission that is due first and that nobody works on, or null. */
export async function dueSubmission(tx: Ctx): Promise<SubmissionRow | null> {
  return (await dueSubmissions.first(tx.db, { ...dueOf(tx.book), now: tx.now().getTime() })) ?? null
}

const dueCancellations = prepare((db, p: Due & { now: number }) =>
  db
    .selectFrom('portal_cancellations')
    .innerJoin('portal_submissions', 'portal_submissions.id', 'portal_cancellations.submission_id')
    .selectAll('portal_cancellations')
    .where('portal_cancellations.book_id', '=', p.bookId)
    .where('portal_submissions.environment', '=', p.environment)
    .where('portal_cancellations.next_attempt_at', '<=', p.now)
    .where('portal_cancellations.lease_until', 'is', null)
    .orderBy('portal_cancellations.next_attempt_at')
    .orderBy('portal_cancellations.id')
    .limit(1),
)

/** Returns the cancellation that is due first and that nobody works on, or null. */
export async function dueCancellation(tx: Ctx): Promise<CancellationRow | null> {
  return (await dueCancellations.first(tx.db, { ...dueOf(tx.book), now: tx.now().getTime() })) ?? null
}

/** Returns the submissions whose states are to be asked for now, the first due first. */
export async function dueQueries(ctx: Ctx, limit: number): Promise<SubmissionRow[]> {
  return ctx.db
    .selectFrom('portal_submissions')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('environment', '=', environmentOf(ctx.book))
    .where('next_query_at', '<=', ctx.now().getTime())
    .orderBy('next_query_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

const nextAttempt = prepare((db, p: Due) =>
  db
    .selectFrom('portal_submissions')
    .select('next_attempt_at as at')
    .where('book_id', '=', p.bookId)
    .where('environment', '=', p.environment)
    .where('next_attempt_at', 'is not', null)
    .where('lease_until', 'is', null)
    .orderBy('next_attempt_at')
    .limit(1),
)
const nextCancellation = prepare((db, p: Due) =>
  db
    .selectFrom('portal_cancellations')
    .innerJoin('portal_submissions', 'portal_submissions.id', 'portal_cancellations.submission_id')
    .select('portal_cancellations.next_attempt_at as at')
    .where('portal_cancellations.book_id', '=', p.bookId)
    .where('portal_submissions.environment', '=', p.environment)
    .where('portal_cancellations.next_attempt_at', 'is not', null)
    .where('portal_cancellations.lease_until', 'is', null)
    .orderBy('portal_cancellations.next_attempt_at')
    .limit(1),
)
const nextQuery = prepare((db, p: Due) =>
  db
    .selectFrom('portal_submissions')
    .select('next_query_at as at')
    .where('book_id', '=', p.bookId)
    .where('environment', '=', p.environment)
    .where('next_query_at', 'is not', null)
    .orderBy('next_query_at')
    .limit(1),
)

/** Returns when something is due in a book next, in milliseconds since 1970; null when nothing waits. */
export async function nextDue(db: Db, book: Book): Promise<number | null> {
  const found = []
  for (const query of [nextAttempt, nextCancellation, nextQuery])
    found.push((await query.first(db, dueOf(book)))?.at ?? null)
  const known = found.filter((at) => at !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Returns what processes have claimed in books: all of it, or what has expired before `before`. */
export async function claimed(
  db: Db,
  bookIds: readonly number[],
  before: number,
): Promise<{ submissions: SubmissionRow[]; cancellations: CancellationRow[] }> {
  if (bookIds.length === 0) return { submissions: [], cancellations: [] }
  const submissions = await db
    .selectFrom('portal_submissions')
    .selectAll()
    .where('book_id', 'in', bookIds)
    .where('lease_until', '<', before)
    .orderBy('id')
    .execute()
  const cancellations = await db
    .selectFrom('portal_cancellations')
    .selectAll()
    .where('book_id', 'in', bookIds)
    .where('lease_until', '<', before)
    .orderBy('id')
    .execute()
  return { submissions, cancellations }
}

const statesOfSubmission = prepare((db, p: { submissionId: number }) =>
  db.selectFrom('portal_states').selectAll().where('submission_id', '=', p.submissionId).orderBy('id'),
)

/** Returns the states of a submission, oldest first. */
export function statesOf(ctx: Ctx, submissionId: number): Promise<StateRow[]> {
  return statesOfSubmission.all(ctx.db, { submissionId })
}

/** Adds a state. */
export async function insertState(tx: Ctx, row: Insertable<PortalStatesTable>): Promise<void> {
  await tx.db.insertInto('portal_states').values(row).execute()
}

const cancellationsOfSubmission = prepare((db, p: { submissionId: number }) =>
  db.selectFrom('portal_cancellations').selectAll().where('submission_id', '=', p.submissionId).orderBy('id'),
)

/** Returns the cancellations of a submission, oldest first. */
export function cancellationsOf(ctx: Ctx, submissionId: number): Promise<CancellationRow[]> {
  return cancellationsOfSubmission.all(ctx.db, { submissionId })
}

/** Adds a cancellation. */
export async function insertCancellation(tx: Ctx, row: Insertable<PortalCancellationsTable>): Promise<void> {
  await tx.db.insertInto('portal_cancellations').values(row).execute()
}

/** Changes a cancellation that is in one of these states. Returns false if it is in another. */
export async function changeCancellation(
  tx: Ctx,
  id: number,
  from: readonly CancellationRow['state'][],
  change: Updateable<PortalCancellationsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('portal_cancellations')
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}
