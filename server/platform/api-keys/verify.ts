/** Proof of the keys of a book: each is what it was made as, and says in its text which book it is for. */
import { proofOver } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { Ctx } from '../../context.ts'
import { sealFault } from './seals.ts'

/** Every key has the name, the secret, the scopes, the caps, the approval and the end that it was given. */
export async function verifyKeys(ctx: Ctx): Promise<Proof> {
  const rows = await ctx.db.selectFrom('api_keys').selectAll().where('book_id', '=', ctx.book.id).execute()
  return proofOver(rows, (row) => sealFault(row, ctx.env.store.sealer))
}

/** Every key begins with the mode of its book. */
export async function verifyKeyModes(ctx: Ctx): Promise<Proof> {
  const rows = await ctx.db
    .selectFrom('api_keys')
    .select(['public_id', 'prefix'])
    .where('book_id', '=', ctx.book.id)
    .execute()
  return proofOver(rows, ({ public_id, prefix }) =>
    prefix.startsWith(`svc_${ctx.book.mode}_`)
      ? null
      : `${public_id} begins ${prefix} in a ${ctx.book.mode} book.`,
  )
}
