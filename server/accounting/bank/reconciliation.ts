/** Bank reconciliation: bank balance, ledger balance, and the movements that explain the difference. */
import { sql } from 'kysely'
import type { reconcileBankAccountContract } from './contract.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { bankBalance, findAccount } from './accounts.ts'
import { transactionViews } from './rows.ts'

const SHOWN = 100

/**
 * Returns the ledger balance of an account at the end of a day: whole months from the stored balances, the last month
 * from its lines.
 */
async function bookBalance(ctx: Ctx, code: string, date: string): Promise<Cents> {
  const day = Number(date.replaceAll('-', ''))
  const month = Math.floor(day / 100)
  const { rows } = await sql<{ cents: Cents }>`
    select coalesce((select sum(debit_cents - credit_cents) from account_months
        where account_id = a.id and month < ${month}), 0)
      + coalesce((select sum(l.amount_cents) from journal_lines l join journal_entries e on e.id = l.entry_id
        where l.account_id = a.id and l.day between ${month * 100} and ${day} and e.month = ${month} and e.open is null), 0) as cents
    from ledger_accounts a where a.book_id = ${ctx.book.id} and a.code = ${code}`.execute(ctx.db)
  return rows[0]?.cents ?? 0
}

/** Reconciles bank and ledger on a day. */
export const reconcileAccount: UseCase<typeof reconcileBankAccountContract> = async (ctx, input) => {
  const account = await findAccount(ctx, input.id)
  const date = input.date ?? ctx.today()
  const bank = await bankBalance(ctx, account, date)
  const book = await bookBalance(ctx, account.ledger_account, date)
  const open = await ctx.db
    .selectFrom('bank_transactions')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(case when amount_cents > 0 then amount_cents else 0 end), 0)`.as('in'),
      sql<number>`coalesce(sum(case when amount_cents < 0 then -amount_cents else 0 end), 0)`.as('out'),
    ])
    .where('book_id', '=', ctx.book.id)
    .where('account_id', '=', account.id)
    .where('status', '=', 'pending')
    .where('date', '<=', date)
    .where('date', '>=', account.opening_date)
    .executeTakeFirstOrThrow()
  const { ignored } = await ctx.db
    .selectFrom('bank_transactions')
    .select(sql<number>`coalesce(sum(amount_cents), 0)`.as('ignored'))
    .where('account_id', '=', account.id)
    .where('status', '=', 'ignored')
    .where('date', '<=', date)
    .where('date', '>=', account.opening_date)
    .executeTakeFirstOrThrow()
  const said = await ctx.db
    .selectFrom('bank_statements')
    .select(['to_date', 'closing_cents'])
    .where('account_id', '=', account.id)
    .where('to_date', '<=', date)
    .where('closing_cents', 'is not', null)
    .orderBy('to_date', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const pending = await ctx.db
    .selectFrom('bank_transactions')
    .selectAll()
    .where('book_id', '=', ctx.book.id)
    .where('account_id', '=', account.id)
    .where('status', '=', 'pending')
    .where('date', '<=', date)
    .orderBy('date')
    .orderBy('id')
    .limit(SHOWN)
    .execute()
  const difference = bank.cents - book
  return {
    accountId: account.public_id,
    date,
    bankBalance: eurosFromCents(bank.cents),
    statementBalance: said?.closing_cents == null ? null : eurosFromCents(said.closing_cents),
    statementOn: said?.to_date ?? null,
    bookBalance: eurosFromCents(book),
    difference: eurosFromCents(difference),
    pendingIn: eurosFromCents(open.in),
    pendingOut: eurosFromCents(open.out),
    ignored: eurosFromCents(ignored),
    unexplained: eurosFromCents(difference - open.in + open.out - ignored),
    pending: await transactionViews(ctx, pending),
    pendingCount: open.count,
  }
}
