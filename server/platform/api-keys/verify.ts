/** Integrity check of the keys of a book: each matches its seal, and its text names the mode of its book. */
import { proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { Ctx } from '../../context.ts'
import { sealFault } from './seals.ts'

/** Checks that every key has its original name, secret, scopes, caps, approval and expiry. */
export async function verifyKeys(ctx: Ctx): Promise<Proof> {
  const rows = await ctx.db.selectFrom('api_keys').selectAll().where('book_id', '=', ctx.book.id).execute()
  return proveRows(rows, (row) => sealFault(row, ctx.env.store.sealer))
}

/** Checks that every key begins with the mode of its book. */
export async function verifyKeyModes(ctx: Ctx): Promise<Proof> {
  const rows = await ctx.db
    .selectFrom('api_keys')
    .select(['public_id', 'prefix'])
    .where('book_id', '=', ctx.book.id)
    .execute()
  return proveRows(rows, ({ public_id, prefix }) =>
    prefix.startsWith(`svc_${ctx.book.mode}_`)
      ? null
      : `${public_id} begins ${prefix} in a ${ctx.book.mode} book.`,
  )
}
