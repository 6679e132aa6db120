/** Stored numbers of contacts, and typed accounts. */
import type { Ctx } from '../../../context.ts'
import type { NewNumber, StoredNumber } from './numbers.ts'

const AT_ONCE = 200

/** Returns every number of the book, also those that nobody has any more. */
export async function findNumbers(ctx: Ctx): Promise<StoredNumber[]> {
  const rows = await ctx.db
    .selectFrom('hand_on_accounts')
    .select(['id', 'code', 'contact_id', 'prefix', 'number', 'typed', 'retired_at'])
    .where('book_id', '=', ctx.book.id)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    code: row.code,
    contactId: row.contact_id,
    prefix: row.prefix,
    number: row.number,
    typed: row.typed,
    isRetired: row.retired_at !== null,
  }))
}

/** Stores numbers that were given. */
export async function addNumbers(ctx: Ctx, added: readonly NewNumber[]): Promise<void> {
  for (let at = 0; at < added.length; at += AT_ONCE)
    await ctx.db
      .insertInto('hand_on_accounts')
      .values(
        added.slice(at, at + AT_ONCE).map(({ code, contactId, prefix, number }) => ({
          book_id: ctx.book.id,
          code,
          contact_id: contactId,
          prefix,
          number,
          typed: null,
          created_at: ctx.now().getTime(),
          retired_at: null,
        })),
      )
      .execute()
}

/** Stores the account that somebody typed for a general one. */
export async function addTyped(ctx: Ctx, code: string, typed: string): Promise<void> {
  await ctx.db
    .insertInto('hand_on_accounts')
    .values({
      book_id: ctx.book.id,
      code,
      contact_id: null,
      prefix: null,
      number: null,
      typed,
      created_at: ctx.now().getTime(),
      retired_at: null,
    })
    .execute()
}

/** Takes numbers out of use; they are never given again. */
export async function retire(ctx: Ctx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.db
    .updateTable('hand_on_accounts')
    .set({ retired_at: ctx.now().getTime() })
    .where('id', 'in', ids)
    .execute()
}
