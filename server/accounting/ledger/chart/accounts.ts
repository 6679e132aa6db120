/** Accounts used by a book: rows are created at first use. */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import { prepare, prepareInsert } from '../../../db/query.ts'
import type { AccountKind } from '../../../db/schema.ts'
import { isPlanAccount, kindOf } from './chart.ts'

const findAccount = prepare((db, p: { bookId: number; code: string }) =>
  db
    .selectFrom('ledger_accounts')
    .select(['id', 'code', 'name', 'kind', 'active'])
    .where('book_id', '=', p.bookId)
    .where('code', '=', p.code),
)

const insertAccount = prepareInsert(
  (db, p: { bookId: number; code: string; kind: AccountKind; name: string | null }) =>
    db
      .insertInto('ledger_accounts')
      .values({ book_id: p.bookId, code: p.code, kind: p.kind, name: p.name })
      .returning('id'),
)

/**
 * Creates the row of an account at its first use. Runs in the transaction of the entry. Throws `account_unknown` for
 * a code that neither the plan nor the book has.
 */
export async function ensureAccount(ctx: Ctx, code: string): Promise<void> {
  if (!(await findAccount.first(ctx.db, { bookId: ctx.book.id, code }))) await addAccount(ctx, code, null)
}

/** Creates an account. Throws `account_unknown` when the code has no parent in the plan. */
export async function addAccount(ctx: Ctx, code: string, name: string | null): Promise<number> {
  const kind = kindOf(code)
  if (kind === null || (name === null && !isPlanAccount(code)))
    throw new AppError('account_unknown', { details: { code } })
  return insertAccount.run(ctx.db, { bookId: ctx.book.id, code, kind, name })
}

/** Returns true when entries may use an account: the plan has it or the book created it. */
export async function accountExists(ctx: Ctx, code: string): Promise<boolean> {
  return isPlanAccount(code) || (await findAccount.first(ctx.db, { bookId: ctx.book.id, code })) !== undefined
}

/** Returns the row of an account that the book already uses. */
export async function findAccountRow(ctx: Ctx, code: string) {
  return findAccount.first(ctx.db, { bookId: ctx.book.id, code })
}

/** Deletes the row of an account that no entry uses; one that is used stays. Returns whether it is gone. */
export async function removeAccountRow(ctx: Ctx, id: number): Promise<boolean> {
  const line = await ctx.db
    .selectFrom('journal_lines')
    .select('entry_id')
    .where('account_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (line) return false
  await ctx.db.deleteFrom('account_months').where('account_id', '=', id).execute()
  await ctx.db.deleteFrom('ledger_accounts').where('id', '=', id).execute()
  return true
}
