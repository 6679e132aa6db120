/** Rows of incoming documents: the SQL of this folder. */
import { sql } from 'kysely'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Ctx } from '../../context.ts'
import { prepare } from '../../db/query.ts'
import type { Db } from '../../db/query.ts'
import type { IncomingDocumentsTable, IncomingRulesTable } from '../../db/schema.ts'
import type { DuplicateOf, IncomingReading, IncomingSource, IncomingState } from './contract.ts'

export type IncomingRow = Selectable<IncomingDocumentsTable>

/** Target type of the files of incoming documents. */
export const INCOMING_TARGET = 'incoming'

/** Types of files that a document came in: they are no pages of it. */
export const WRAPPINGS: readonly string[] = ['message/rfc822']

/** States in which a person still has to decide. */
export const OPEN_STATES: readonly IncomingState[] = [
  'queued',
  'reading',
  'ready',
  'doubtful',
  'duplicate',
  'not_invoice',
  'failed',
]

const byPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('incoming_documents')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('public_id', '=', p.publicId),
)

const byRow = prepare((db, p: { bookId: number; id: number }) =>
  db.selectFrom('incoming_documents').selectAll().where('book_id', '=', p.bookId).where('id', '=', p.id),
)

const ofFile = prepare((db, p: { bookId: number; fileId: number }) =>
  db
    .selectFrom('incoming_documents')
    .innerJoin('file_links', (join) =>
      join
        .onRef('file_links.target_id', '=', 'incoming_documents.id')
        .on('file_links.target_type', '=', INCOMING_TARGET),
    )
    .selectAll('incoming_documents')
    .where('incoming_documents.book_id', '=', p.bookId)
    .where('file_links.file_id', '=', p.fileId)
    .orderBy('incoming_documents.id'),
)

const sourceName = prepare((db, p: { id: number }) =>
  db.selectFrom('incoming_sources').select('name').where('id', '=', p.id),
)

const entryId = prepare((db, p: { id: number }) =>
  db.selectFrom('received_invoices').select(['public_id', 'state']).where('id', '=', p.id),
)

/** Returns a document of the book, or null. */
export async function findIncoming(ctx: Ctx, publicId: string): Promise<IncomingRow | null> {
  return (await byPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })) ?? null
}

export async function incomingByRow(ctx: Ctx, id: number): Promise<IncomingRow | null> {
  return (await byRow.first(ctx.db, { bookId: ctx.book.id, id })) ?? null
}

/** Returns the documents that a file belongs to, the oldest first. */
export function incomingOfFile(ctx: Ctx, fileId: number): Promise<IncomingRow[]> {
  return ofFile.all(ctx.db, { bookId: ctx.book.id, fileId })
}

export async function nameOfSource(db: Db, id: number): Promise<string | null> {
  return (await sourceName.first(db, { id }))?.name ?? null
}

/** All columns but the reading, which is long. */
export const LISTED_COLUMNS = [
  'id',
  'book_id',
  'public_id',
  'source',
  'source_id',
  'name',
  'sender',
  'state',
  'first_page',
  'last_page',
  'pages',
  'pages_read',
  'attempts',
  'due_at',
  'lease_until',
  'engine',
  'doubts',
  'why',
  'supplier_name',
  'supplier_nif',
  'supplier_number',
  'number_key',
  'issue_date',
  'total_cents',
  'currency',
  'picture_hash',
  'duplicate_of',
  'received_id',
  'received_at',
  'decided_at',
  'decided_by',
  'version',
  'updated_at',
] as const satisfies readonly Exclude<keyof IncomingRow, 'reading'>[]

/** Returns the entry that was made of a document: its public identifier and state. */
export async function entryOf(
  db: Db,
  { received_id }: IncomingRow,
): Promise<{ public_id: string; state: string } | null> {
  return received_id === null ? null : ((await entryId.first(db, { id: received_id })) ?? null)
}

interface NewDocument {
  name: string
  source: IncomingSource
  sourceRowId: number | null
  sender: string | null
  firstPage?: number
  lastPage?: number
}

/** Inserts a document that waits for the reader. Call it in a transaction. */
export async function insertIncoming(ctx: Ctx, document: NewDocument): Promise<IncomingRow> {
  const now = ctx.now().getTime()
  const values: Insertable<IncomingDocumentsTable> = {
    book_id: ctx.book.id,
    public_id: ctx.newId('idc'),
    source: document.source,
    source_id: document.sourceRowId,
    name: document.name,
    sender: document.sender,
    state: 'queued',
    first_page: document.firstPage ?? null,
    last_page: document.lastPage ?? null,
    due_at: now,
    received_at: now,
    updated_at: now,
  }
  const row = await ctx.db
    .insertInto('incoming_documents')
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow()
  ctx.wake('incoming')
  return row
}

/** Changes a document; its version grows. */
export async function updateIncoming(
  ctx: Ctx,
  row: IncomingRow,
  changes: Updateable<IncomingDocumentsTable>,
): Promise<IncomingRow> {
  return ctx.db
    .updateTable('incoming_documents')
    .set({ ...changes, version: row.version + 1, updated_at: ctx.now().getTime() })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The columns of a document that waits for the reader as on its first day. */
export function waiting(ctx: Ctx): Updateable<IncomingDocumentsTable> {
  return {
    state: 'queued',
    due_at: ctx.now().getTime(),
    lease_until: null,
    attempts: 0,
    pages_read: 0,
    why: null,
    decided_at: null,
    decided_by: null,
    duplicate_of: null,
  }
}

/** Returns the columns of a decision that is made now. */
export const decision = (ctx: Ctx) => ({
  decided_at: ctx.now().getTime(),
  decided_by: ctx.actor.name,
  due_at: null,
  lease_until: null,
})

/** The columns of a document of which nothing has been read. */
export const NO_READING = {
  reading: null,
  doubts: '[]',
  supplier_name: null,
  supplier_nif: null,
  supplier_number: null,
  number_key: null,
  issue_date: null,
  total_cents: null,
  currency: null,
  picture_hash: null,
}

export async function deleteIncoming(ctx: Ctx, row: IncomingRow): Promise<void> {
  await ctx.db.deleteFrom('incoming_documents').where('id', '=', row.id).execute()
}

/** Returns the reading of a document as its column holds it. */
export function readingOf({ reading }: IncomingRow): IncomingReading | null {
  return reading === null ? null : (JSON.parse(reading) as IncomingReading)
}

export function duplicateOf(row: Pick<IncomingRow, 'duplicate_of'>): DuplicateOf | null {
  return row.duplicate_of === null ? null : (JSON.parse(row.duplicate_of) as DuplicateOf)
}

/** Counts the documents of a book by state. */
export async function countsOf(ctx: Ctx): Promise<Map<IncomingState, number>> {
  const rows = await ctx.db
    .selectFrom('incoming_documents')
    .select(['state', sql<number>`count(*)`.as('count')])
    .where('book_id', '=', ctx.book.id)
    .groupBy('state')
    .execute()
  return new Map(rows.map(({ state, count }) => [state, Number(count)]))
}

/** Attempts after which a document fails. */
export const RUN_AT_MOST = 5

/**
 * Takes the next document of the books that waits for the reader, under a lease: its process may end. A document at which
 * processes ended several times is not taken again (see `giveUp`).
 */
export async function claimIncoming(
  ctx: Ctx,
  { now, leaseMs }: { now: number; leaseMs: number },
): Promise<IncomingRow | null> {
  const next = await ctx.db
    .selectFrom('incoming_documents')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'queued')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!next) return null
  return ctx.db
    .updateTable('incoming_documents')
    .set({
      state: 'reading',
      lease_until: now + leaseMs,
      attempts: next.attempts + 1,
      pages_read: 0,
      updated_at: now,
    })
    .where('id', '=', next.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Puts documents back whose reader has ended: all that are being read, or those whose lease has expired. One at which
 * readers ended too often fails instead.
 */
export async function releaseIncoming(
  ctx: Ctx,
  { now, all }: { now: number; all: boolean },
): Promise<IncomingRow[]> {
  let query = ctx.db
    .selectFrom('incoming_documents')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'reading')
  if (!all) query = query.where('lease_until', '<', now)
  const rows = await query.execute()
  const released: IncomingRow[] = []
  for (const row of rows) {
    const failed = row.attempts >= RUN_AT_MOST
    released.push(
      await updateIncoming(ctx, row, {
        state: failed ? 'failed' : 'queued',
        why: failed ? 'broken' : null,
        due_at: failed ? null : now,
        lease_until: null,
      }),
    )
  }
  return released
}

/** Returns when the next document of these books is due for the reader, in milliseconds since 1970. */
export async function nextIncomingAt(db: Db, bookIds: readonly number[]): Promise<number | null> {
  const row = await db
    .selectFrom('incoming_documents')
    .select(sql<number | null>`min(case when state = 'queued' then due_at else lease_until end)`.as('at'))
    .where('book_id', 'in', bookIds)
    .where('state', 'in', ['queued', 'reading'])
    .executeTakeFirst()
  return row?.at == null ? null : Number(row.at)
}

type RuleRow = Selectable<IncomingRulesTable>

export async function findRule(ctx: Ctx): Promise<RuleRow | null> {
  return (
    (await ctx.db
      .selectFrom('incoming_rules')
      .selectAll()
      .where('book_id', '=', ctx.book.id)
      .executeTakeFirst()) ?? null
  )
}
