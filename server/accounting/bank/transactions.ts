/** Lists bank movements and returns single ones, with suggestions. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import type {
  getBankTransactionContract,
  listBankTransactionsContract,
  windowBankTransactionsContract,
} from './contract.ts'
import { eurosFromCents } from '../../domain/money.ts'
import { searchText } from '../../domain/text.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { cursorPage, inOrder } from '../../db/ordered-rows.ts'
import type { RowOrder } from '../../db/ordered-rows.ts'
import { findAccount } from './accounts.ts'
import { indexOpenItems, suggest } from './match/engine.ts'
import { openItems } from './open-items.ts'
import { detailsOf, factsOf, findTransaction, suggestionView, transactionViews } from './rows.ts'
import type { TransactionRow } from './rows.ts'

type Filter = Pick<
  ContractInput<typeof listBankTransactionsContract>,
  'accountId' | 'status' | 'direction' | 'from' | 'to' | 'text'
>

/** Escapes `%` and `_`, so that they match literally. */
function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, (character) => `\\${character}`)}%`
}

async function filtered(ctx: Ctx, filter: Filter) {
  let query = ctx.db.selectFrom('bank_transactions').where('bank_transactions.book_id', '=', ctx.book.id)
  if (filter.accountId !== undefined)
    query = query.where('account_id', '=', (await findAccount(ctx, filter.accountId)).id)
  if (filter.status !== undefined) query = query.where('status', '=', filter.status)
  if (filter.direction !== undefined)
    query = query.where('amount_cents', filter.direction === 'in' ? '>' : '<', 0)
  if (filter.from !== undefined) query = query.where('date', '>=', filter.from)
  if (filter.to !== undefined) query = query.where('date', '<=', filter.to)
  // Users type amounts with a comma; they are stored with a point.
  for (const word of searchText(filter.text ?? '')
    .replace(/(\d),(\d)/g, '$1.$2')
    .split(' ')
    .filter(Boolean))
    query = query.where(sql<SqlBool>`search like ${likePattern(word)} escape '\\'`)
  return query
}

const NEWEST_FIRST: RowOrder<TransactionRow> = {
  columns: ['date', 'id'],
  descending: true,
  position: ({ date, id }) => [date, id],
}

/** Lists movements, newest first, by cursor. */
export const listTransactions: UseCase<typeof listBankTransactionsContract> = async (
  ctx,
  { limit = 25, cursor, ...filter },
) => {
  const query = (await filtered(ctx, filter)).selectAll()
  const page = { list: 'bank.transactions', bound: filter, cursor, limit }
  const { rows, nextCursor } = await cursorPage(query, NEWEST_FIRST, page)
  return { items: await transactionViews(ctx, rows), nextCursor }
}

/** Returns the most probable match of each pending movement; open items are read once for all. */
async function suggestionsOf(ctx: Ctx, rows: readonly TransactionRow[]) {
  const pending = rows.filter((row) => row.status === 'pending')
  const dates = pending.map((row) => row.date).toSorted()
  const [from, to] = [dates[0], dates.at(-1)]
  if (from === undefined || to === undefined) return new Map<number, ReturnType<typeof suggest>>()
  const index = indexOpenItems(await openItems(ctx, from, to))
  return new Map(pending.map((row) => [row.id, suggest(factsOf(row), index)]))
}

/** Returns a range of the movements, each with its most probable match. */
export const windowTransactions: UseCase<typeof windowBankTransactionsContract> = async (
  ctx,
  { offset = 0, limit = 50, ...filter },
) => {
  const totals = await (
    await filtered(ctx, filter)
  )
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`count(*) filter (where status = 'pending')`.as('pending'),
      sql<number>`coalesce(sum(case when amount_cents > 0 then amount_cents else 0 end), 0)`.as('in'),
      sql<number>`coalesce(sum(case when amount_cents < 0 then -amount_cents else 0 end), 0)`.as('out'),
    ])
    .executeTakeFirstOrThrow()
  const rows = await inOrder((await filtered(ctx, filter)).selectAll(), NEWEST_FIRST)
    .limit(limit)
    .offset(offset)
    .execute()
  const suggestions = await suggestionsOf(ctx, rows)
  const views = await transactionViews(ctx, rows)
  return {
    items: views.map((view, index) => {
      const best = suggestions.get(rows[index]?.id ?? -1)?.[0]
      return { ...view, suggestion: best ? suggestionView(best) : null }
    }),
    count: totals.count,
    pending: totals.pending,
    moneyIn: eurosFromCents(totals.in),
    moneyOut: eurosFromCents(totals.out),
  }
}

/** Returns one movement with all its suggestions. */
export const getTransaction: UseCase<typeof getBankTransactionContract> = async (ctx, { id }) => {
  const row = await findTransaction(ctx, id)
  const view = orNotFound((await transactionViews(ctx, [row]))[0])
  const suggestions = (await suggestionsOf(ctx, [row])).get(row.id) ?? []
  return {
    ...view,
    details: detailsOf(row).map((detail) => ({
      amount: eurosFromCents(detail.amountCents),
      name: detail.name,
      iban: detail.iban,
      text: detail.text,
    })),
    suggestions: suggestions.map(suggestionView),
  }
}
