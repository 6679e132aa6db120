/** The accounts a book uses: rows made at first use, found afterwards without asking the store. */
import { AppError } from '../../../domain/errors/catalog.ts'
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import type { Store } from '../../../db/store.ts'
import type { AccountKind } from '../../../db/schema.ts'
import { isInPlan, kindOf } from './chart.ts'

const findAccount = prepare((db, p: { bookId: number; code: string }) =>
  db
    .selectFrom('ledger_accounts')
    .select(['id', 'code', 'name', 'kind', 'active'])
    .where('book_id', '=', p.bookId)
    .where('code', '=', p.code),
)

const insertAccount = prepare(
  (db, p: { bookId: number; code: string; kind: AccountKind; name: string | null }) =>
    db.insertInto('ledger_accounts').values({ book_id: p.bookId, code: p.code, kind: p.kind, name: p.name }),
)

/** Row ids by `book/code` of each open store. Only what was committed is kept, so that a rollback leaves nothing behind. */
const known = new WeakMap<Store, Map<string, number>>()

function knownIn(store: Store): Map<string, number> {
  let ids = known.get(store)
  if (!ids) known.set(store, (ids = new Map()))
  return ids
}

/** Forgets an account that is removed: for the rest of the transaction, and once more after it. */
export function forgetAccount(tx: Ctx, code: string): void {
  const forget = (): void => void knownIn(tx.env.store).delete(`${tx.book.id}/${code}`)
  forget()
  // Another that was committed together with this one may have used it before, and remembers it only then.
  tx.afterCommit(forget)
}

/**
 * The row of an account, made when the plan knows the code. In the transaction of the entry.
 * Throws `account_unknown` for a code that neither the plan nor the book has.
 */
export async function accountId(ctx: Ctx, code: string): Promise<number> {
  const key = `${ctx.book.id}/${code}`
  const ids = knownIn(ctx.env.store)
  const cached = ids.get(key)
  if (cached !== undefined) return cached
  const found = await findAccount.first(ctx.db, { bookId: ctx.book.id, code })
  const id = found?.id ?? (await addAccount(ctx, code, null))
  ctx.afterCommit(() => ids.set(key, id))
  return id
}

/** Makes an account. Throws `account_unknown` when the code stands under nothing in the plan. */
export async function addAccount(ctx: Ctx, code: string, name: string | null): Promise<number> {
  const kind = kindOf(code)
  if (kind === null || (name === null && !isInPlan(code)))
    throw new AppError('account_unknown', { details: { code } })
  return (await insertAccount.run(ctx.db, { bookId: ctx.book.id, code, kind, name })).insertId
}

/** Whether entries may name an account: the plan knows it, or the book has made it. */
export async function knowsAccount(ctx: Ctx, code: string): Promise<boolean> {
  return isInPlan(code) || (await findAccount.first(ctx.db, { bookId: ctx.book.id, code })) !== undefined
}

/** The row of an account that the book already uses. */
export async function findAccountRow(ctx: Ctx, code: string) {
  return findAccount.first(ctx.db, { bookId: ctx.book.id, code })
}
