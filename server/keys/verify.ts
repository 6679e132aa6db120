/** Proof of the keys of a book: each says in its text which book it is for, as whoever holds it will read it. */
import { proofOver } from '../core/proof.ts'
import type { Proof } from '../core/proof.ts'
import type { Ctx } from '../ctx.ts'

export async function verifyKeys(ctx: Ctx): Promise<Proof> {
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
