/** Accounts used by a book: rows are created at first use and cached afterwards. */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import { prepare, prepareInsert } from '../../../db/query.ts'
import type { Store } from '../../../db/store.ts'
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
 * Row ids by `book/code` for each open store. Only committed rows are cached, so a rollback leaves nothing behind. In an
 * office another server may have deleted the account: then its line is refused, and the transaction runs
 * again without the cached ids.
 */
const known = new WeakMap<Store, Map<string, number>>()

function knownIn(store: Store): Map<string, number> {
  let ids = known.get(store)
  if (!ids) known.set(store, (ids = new Map()))
  return ids
}

/** Removes a deleted account from the cache, for the rest of the transaction and again after it. */
export function forgetAccount(tx: Ctx, code: string): void {
  const forget = (): void => void knownIn(tx.env.store).delete(`${tx.book.id}/${code}`)
  forget()
  // Another request in the same commit may have used the account before and caches it only then.
  tx.afterCommit(forget)
}

/**
 * Returns the row id of an account and creates the row when the plan has the code. Runs in the transaction of the
 * entry. Throws `account_unknown` for a code that neither the plan nor the book has.
 */
export async function accountId(ctx: Ctx, code: string): Promise<number> {
  const key = `${ctx.book.id}/${code}`
  const ids = knownIn(ctx.env.store)
  const cached = ids.get(key)
  if (cached !== undefined) {
    ctx.afterRollback(() => ids.delete(key))
    return cached
  }
  const found = await findAccount.first(ctx.db, { bookId: ctx.book.id, code })
  const id = found?.id ?? (await addAccount(ctx, code, null))
  ctx.afterCommit(() => ids.set(key, id))
  return id
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
