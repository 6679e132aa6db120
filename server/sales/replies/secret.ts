/** The secret with which a book recognizes the answers of its own pages: 32 random bytes, sealed for their row. */
import { randomBytes } from 'node:crypto'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import type { SealedColumn } from '../../db/sealed-columns.ts'

const SECRET_BYTES = 32

const placeOf = (publicId: string): string => `reply_secrets|sealed_secret|${publicId}`

export const SEALED_REPLY_SECRETS: SealedColumn = {
  table: 'reply_secrets',
  column: 'sealed_secret',
  key: ['public_id'],
  place: ({ public_id }) => placeOf(String(public_id)),
}

/** Returns the secret of the book; null as long as it has offered no page. */
export async function secretOf(ctx: Ctx): Promise<Buffer | null> {
  const row = await ctx.db
    .selectFrom('reply_secrets')
    .select(['public_id', 'sealed_secret'])
    .where('book_id', '=', ctx.book.id)
    .executeTakeFirst()
  return row ? ctx.env.store.sealer.open(row.sealed_secret, placeOf(row.public_id)) : null
}

/**
 * Returns true if a page was offered before the book had its secret here: it came with a move from another installation, whose
 * secret did not.
 */
export async function isOfEarlierSecret(ctx: Ctx, page: { offered_at: number }): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('reply_secrets')
    .select('created_at')
    .where('book_id', '=', ctx.book.id)
    .executeTakeFirst()
  return row === undefined || page.offered_at < row.created_at
}

/** Returns the secret of the book, made now for its first page. Call it in a transaction. */
export async function secretFor(tx: Ctx): Promise<Buffer> {
  const known = await secretOf(tx)
  if (known) return known
  const publicId = tx.newId('rps')
  await tx.db
    .insertInto('reply_secrets')
    .values({
      book_id: tx.book.id,
      public_id: publicId,
      sealed_secret: tx.env.store.sealer.seal(randomBytes(SECRET_BYTES), placeOf(publicId)),
      created_at: tx.now().getTime(),
    })
    // Two first pages at once: both use the secret that was stored.
    .onConflict((conflict) => conflict.column('book_id').doNothing())
    .execute()
  return orNotFound(await secretOf(tx), 'internal')
}
