/** Rows of the places that documents come from: the SQL of this folder. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import type { Db } from '../../../db/query.ts'
import type { IncomingSourcesTable } from '../../../db/schema.ts'
import type { FolderSettings, Left, MailboxSettings } from './contract.ts'

export type SourceRow = Selectable<IncomingSourcesTable>
type Kind = SourceRow['kind']

/** Where the reading of a source goes on; `left` are the newest things in it that could not be taken. */
export interface Position {
  /** Of the mailbox as it was read; as text, because it may be larger than a safe number. */
  uidValidity?: string
  lastUid?: number
  /** Mails that arrived before are passed over: the mailbox has new numbers, and only new mails are wanted. */
  notBefore?: number
  /** A mail at which this program failed, and how often. */
  failedAt?: { uid: number; times: number }
  left?: Left[]
}

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('incoming_sources')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('public_id', '=', p.publicId),
)

const byRow = prepare((db, p: { bookId: number; id: number }) =>
  db.selectFrom('incoming_sources').selectAll().where('book_id', '=', p.bookId).where('id', '=', p.id),
)

const ofBook = prepare((db, p: { bookId: number }) =>
  db.selectFrom('incoming_sources').selectAll().where('book_id', '=', p.bookId).orderBy('id'),
)

const documentsOf = prepare((db, p: { sourceId: number }) =>
  db
    .selectFrom('incoming_documents')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('source_id', '=', p.sourceId),
)

export const folderOf = (row: SourceRow): FolderSettings => JSON.parse(row.settings) as FolderSettings
export const mailboxOf = (row: SourceRow): MailboxSettings => JSON.parse(row.settings) as MailboxSettings
export const positionOf = (row: SourceRow): Position =>
  row.position === null ? {} : (JSON.parse(row.position) as Position)

export async function findSource(ctx: Ctx, publicId: string): Promise<SourceRow | null> {
  return (await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })) ?? null
}

export async function sourceByRow(ctx: Ctx, id: number): Promise<SourceRow | null> {
  return (await byRow.first(ctx.db, { bookId: ctx.book.id, id })) ?? null
}

export function sourcesOfBook(ctx: Ctx): Promise<SourceRow[]> {
  return ofBook.all(ctx.db, { bookId: ctx.book.id })
}

/** Counts the documents that came from a source. */
export async function countDocuments(ctx: Ctx, sourceId: number): Promise<number> {
  return Number((await documentsOf.first(ctx.db, { sourceId }))?.count ?? 0)
}

export async function insertSource(
  ctx: Ctx,
  values: Pick<Insertable<IncomingSourcesTable>, 'kind' | 'name' | 'settings'> & {
    public_id: string
    sealed_secret: string | null
  },
): Promise<SourceRow> {
  const now = ctx.now().getTime()
  return ctx.db
    .insertInto('incoming_sources')
    .values({
      ...values,
      book_id: ctx.book.id,
      state: 'active',
      next_at: now,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Writes what a person changed: the version grows, and work that began with the earlier one ends. */
export async function changeSourceRow(
  ctx: Ctx,
  row: SourceRow,
  changes: Updateable<IncomingSourcesTable>,
): Promise<SourceRow> {
  return writeSource(ctx, row.id, { ...changes, version: row.version + 1 })
}

/** Writes what the work in the background found. */
export async function writeSource(
  ctx: Ctx,
  id: number,
  changes: Updateable<IncomingSourcesTable>,
): Promise<SourceRow> {
  return ctx.db
    .updateTable('incoming_sources')
    .set({ ...changes, updated_at: ctx.now().getTime() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a source and what it remembers. Its documents stay and name none. */
export async function deleteSource(ctx: Ctx, { id }: SourceRow): Promise<void> {
  await ctx.db.deleteFrom('incoming_seen').where('source_id', '=', id).execute()
  await ctx.db
    .updateTable('incoming_documents')
    .set({ source_id: null })
    .where('source_id', '=', id)
    .execute()
  await ctx.db.deleteFrom('incoming_sources').where('id', '=', id).execute()
}

/** Returns true if the source has handed this over. */
export async function isSeen(ctx: Ctx, sourceId: number, digest: Uint8Array): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('incoming_seen')
    .select('seen_at')
    .where('source_id', '=', sourceId)
    .where('digest', '=', Buffer.from(digest))
    .executeTakeFirst()
  return row !== undefined
}

/** Returns all that a source has handed over, in hexadecimal. */
export async function allSeen(ctx: Ctx, sourceId: number): Promise<Set<string>> {
  const rows = await ctx.db
    .selectFrom('incoming_seen')
    .select('digest')
    .where('source_id', '=', sourceId)
    .execute()
  return new Set(rows.map(({ digest }) => Buffer.from(digest).toString('hex')))
}

/** Remembers what a source handed over. Call it in the transaction that takes it in. */
export async function markSeen(ctx: Ctx, sourceId: number, digests: readonly Uint8Array[]): Promise<void> {
  const now = ctx.now().getTime()
  for (const digest of digests)
    await ctx.db
      .insertInto('incoming_seen')
      .values({ source_id: sourceId, digest: Buffer.from(digest), seen_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Returns the sources of a kind in these books that are not paused. */
export function openSources(db: Db, kind: Kind, bookIds: readonly number[]): Promise<SourceRow[]> {
  return db
    .selectFrom('incoming_sources')
    .selectAll()
    .where('book_id', 'in', bookIds)
    .where('kind', '=', kind)
    .where('state', '<>', 'paused')
    .orderBy('id')
    .execute()
}
