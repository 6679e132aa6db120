/** Exact bytes of what was sent and received. */
import { createHash } from 'node:crypto'
import type { ContentColumn } from '../../../db/outside/objects.ts'
import { prepare } from '../../../db/query.ts'
import { keepContent, readContent } from '../../../platform/contents/index.ts'
import type { Ctx } from '../../../context.ts'

/** The column whose rows can point to objects. */
export const EXCHANGE_CONTENTS: ContentColumn = { table: 'exchange_contents', column: 'bytes' }

/** Bytes that are kept, for the row that the next transaction writes. */
export interface StoredContent {
  sha256: Buffer
  size: number
  /** Null if the book has the same bytes already. */
  cell: Uint8Array | null
}

const byHash = prepare((db, p: { bookId: number; sha256: Uint8Array }) =>
  db
    .selectFrom('exchange_contents')
    .select('id')
    .where('book_id', '=', p.bookId)
    .where('sha256', '=', p.sha256),
)

/** Keeps bytes outside transactions. */
export async function keepBytes(ctx: Ctx, bytes: Uint8Array): Promise<StoredContent> {
  const sha256 = createHash('sha256').update(bytes).digest()
  const known = await byHash.first(ctx.db, { bookId: ctx.book.id, sha256 })
  return { sha256, size: bytes.length, cell: known ? null : await keepContent(ctx, bytes, sha256) }
}

/** Writes the row of bytes that were kept, and returns its id. Rows of the same bytes are one. */
export async function contentRow(ctx: Ctx, { sha256, size, cell }: StoredContent): Promise<number> {
  const known = await byHash.first(ctx.db, { bookId: ctx.book.id, sha256 })
  if (known) return known.id
  // Rows of contents are not deleted, so that what was there before is there still.
  if (cell === null) throw new Error('The content is gone.')
  const { id } = await ctx.db
    .insertInto('exchange_contents')
    .values({ book_id: ctx.book.id, sha256, size, bytes: cell })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the bytes of a row. */
export async function readBytes(ctx: Ctx, id: number): Promise<Uint8Array> {
  const row = await ctx.db
    .selectFrom('exchange_contents')
    .select(['bytes as cell', 'sha256'])
    .where('book_id', '=', ctx.book.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return readContent(ctx, row)
}
