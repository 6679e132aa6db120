/** SQL of the returns that are sent to the agency, and of the yes of a person that allows it. */
import type { Insertable, Selectable } from 'kysely'
import { prepare } from '../../../db/query.ts'
import type { Db } from '../../../db/query.ts'
import type { FilingConfirmationsTable, FilingSendingsTable } from '../../../db/schema.ts'
import type { Ctx } from '../../../context.ts'

export type SendingRow = Selectable<FilingSendingsTable>
export type SendingState = SendingRow['state']
export type ConfirmationRow = Selectable<FilingConfirmationsTable>

/** A period of a model. */
export interface Place {
  model: string
  year: number
  period: string
}

const ofPeriod = prepare((db, p: Place & { bookId: number }) =>
  db
    .selectFrom('filing_sendings')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('model', '=', p.model)
    .where('year', '=', p.year)
    .where('period', '=', p.period)
    .orderBy('id', 'desc'),
)

/** Returns the sendings of a period, newest first. */
export function sendingsOf(ctx: Ctx, { model, year, period }: Place): Promise<SendingRow[]> {
  return ofPeriod.all(ctx.db, { bookId: ctx.book.id, model, year, period })
}

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('filing_sendings')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('public_id', '=', p.publicId),
)

/** Returns a sending by its public identifier, or null. */
export async function findSending(ctx: Ctx, publicId: string): Promise<SendingRow | null> {
  return (await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })) ?? null
}

const byConfirmation = prepare((db, p: { bookId: number; hash: Uint8Array }) =>
  db
    .selectFrom('filing_sendings')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('confirmation_hash', '=', p.hash),
)

/** Returns the sending that a token allowed, or null. */
export async function sendingByConfirmation(ctx: Ctx, hash: Uint8Array): Promise<SendingRow | null> {
  return (await byConfirmation.first(ctx.db, { bookId: ctx.book.id, hash })) ?? null
}

/** Adds a sending. */
export async function insertSending(ctx: Ctx, row: Insertable<FilingSendingsTable>): Promise<void> {
  await ctx.db.insertInto('filing_sendings').values(row).execute()
}

/** Changes a sending that is in one of these states. Returns false if it is in another: somebody else settled it. */
export async function changeSending(
  ctx: Ctx,
  id: number,
  from: readonly SendingState[],
  change: Partial<Insertable<FilingSendingsTable>>,
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('filing_sendings')
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** Returns the sendings of books in these states, oldest first. */
export async function sendingsIn(
  db: Db,
  bookIds: readonly number[],
  states: readonly SendingState[],
): Promise<SendingRow[]> {
  if (bookIds.length === 0) return []
  return db
    .selectFrom('filing_sendings')
    .selectAll()
    .where('book_id', 'in', bookIds)
    .where('state', 'in', states)
    .orderBy('id')
    .execute()
}

/** Returns the sendings of a book that wait for an answer or a receipt, the first due first. */
export async function waitingSendings(db: Db, bookId: number): Promise<SendingRow[]> {
  return db
    .selectFrom('filing_sendings')
    .selectAll()
    .where('book_id', '=', bookId)
    .where('next_query_at', 'is not', null)
    .orderBy('next_query_at')
    .orderBy('id')
    .execute()
}

const confirmation = prepare((db, p: { hash: Uint8Array }) =>
  db.selectFrom('filing_confirmations').selectAll().where('token_hash', '=', p.hash),
)

/** Returns what a token confirms, or null. */
export async function findFilingConfirmation(ctx: Ctx, hash: Uint8Array): Promise<ConfirmationRow | null> {
  return (await confirmation.first(ctx.db, { hash })) ?? null
}

/** Stores what a new token confirms; an earlier unused one of the same owner and period stops working. */
export async function insertConfirmation(ctx: Ctx, row: Insertable<FilingConfirmationsTable>): Promise<void> {
  await ctx.db
    .updateTable('filing_confirmations')
    .set({ superseded: 1 })
    .where('book_id', '=', ctx.book.id)
    .where('model', '=', row.model)
    .where('year', '=', row.year)
    .where('period', '=', row.period)
    .where('actor', '=', row.actor)
    .where('used_at', 'is', null)
    .execute()
  await ctx.db.insertInto('filing_confirmations').values(row).execute()
}

/** Marks a token as used. Returns false if it was used before. */
export async function useConfirmation(ctx: Ctx, hash: Uint8Array): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('filing_confirmations')
    .set({ used_at: ctx.now().getTime() })
    .where('token_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** Used tokens are stored so that a call repeated after a lost answer is recognized. */
const STORED_MS = 7 * 24 * 3_600_000

/** Deletes tokens that no repetition can need any more. */
export async function pruneFilingConfirmations(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('filing_confirmations')
    .where('created_at', '<', now.getTime() - STORED_MS)
    .execute()
}
