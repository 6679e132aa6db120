/** Removes objects that no row names: what a writer stored before it failed, and what could not be removed at once. */
import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import { isPointerSized } from '../../db/engine-sql.ts'
import type { ContentColumn } from '../../db/outside/objects.ts'
import { BULK_CONTENTS } from '../console/index.ts'
import { MAIL_CONTENTS } from '../../documents/mail/index.ts'
import { EXCHANGE_CONTENTS } from '../../integrations/exchange/index.ts'
import { FILE_CONTENTS } from '../../platform/attachments/index.ts'
import { DOCUMENT_CONTENTS } from '../../sales/invoices/index.ts'

/** The columns whose rows can point to objects. */
export const CONTENT_COLUMNS: readonly ContentColumn[] = [
  DOCUMENT_CONTENTS,
  FILE_CONTENTS,
  MAIL_CONTENTS,
  BULK_CONTENTS,
  EXCHANGE_CONTENTS,
]

/** A writer names its object within seconds; the storage may have another clock. */
const GRACE_MS = 24 * 3_600_000

interface Sweep {
  removed: number
  /** Where the next call continues; null if the company's objects have all been looked at. */
  after: string | null
}

/** Returns which of some pointers the rows of a column hold, in hexadecimal. */
async function heldIn(
  ctx: Ctx,
  { table, column }: ContentColumn,
  pointers: readonly Uint8Array[],
): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom(table)
    .select(column)
    .where(isPointerSized(sql.ref(column)))
    .where(column, 'in', pointers)
    .execute()
  return rows.map(({ bytes }) => Buffer.from(bytes ?? '').toString('hex'))
}

/** Returns true if a book of the company is held as a restored copy. */
async function isHeld(ctx: Ctx): Promise<boolean> {
  const held = await ctx.db
    .selectFrom('registry_chains')
    .innerJoin('books', 'books.id', 'registry_chains.book_id')
    .select('books.id')
    .where('books.company_id', '=', ctx.book.companyId)
    .where('registry_chains.held_for', 'is not', null)
    .executeTakeFirst()
  return held !== undefined
}

/**
 * Looks at some hundred objects of the company of `ctx` and removes those that no row names and that are older than a
 * day. Call it again with `after`, from null on, now and then. Throws `file_storage_unavailable`. Does nothing where
 * content is kept in rows, and in a company that is held as a restored copy.
 */
export async function sweepObjects(ctx: Ctx, after: string | null): Promise<Sweep> {
  const { objects } = ctx.env.store
  const { companyId } = ctx.book
  // A copy of an earlier state does not know what was stored since.
  if (await isHeld(ctx)) return { removed: 0, after: null }
  const page = await objects.list(companyId, after)
  const before = ctx.now().getTime() - GRACE_MS
  const old = page.objects.filter(({ storedAt }) => storedAt.getTime() < before)
  if (old.length === 0) return { removed: 0, after: page.after }
  const pointers = old.map(({ pointer }) => pointer)
  const held = new Set<string>()
  for (const column of CONTENT_COLUMNS)
    for (const pointer of await heldIn(ctx, column, pointers)) held.add(pointer)
  const unnamed = old.filter(({ pointer }) => !held.has(Buffer.from(pointer).toString('hex')))
  await objects.removeListed(companyId, unnamed)
  return { removed: unnamed.length, after: page.after }
}
