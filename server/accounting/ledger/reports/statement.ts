/** Account statement (libro mayor): the lines of an account by day with the running balance. */
import { sql } from 'kysely'
import type { accountContract } from '../contract.ts'
import { createCursor, readCursor } from '../../../domain/contract/cursor.ts'
import { addDays } from '../../../domain/dates.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { sumsBefore } from './balances.ts'
import { kindOf } from '../chart/chart.ts'
import { accountNames } from '../chart/own-names.ts'
import { dayNumber, dayText } from '../journal/days.ts'
import { entryIdOf } from '../journal/entry-id.ts'
import { sourcesOf } from '../journal/labels.ts'

const DEFAULT_LIMIT = 50
const FIRST_DAY = '1900-01-01'
const LAST_DAY = '2999-12-31'

interface StatementRow {
  entry_id: number
  position: number
  day: number
  amount_cents: number
  code: string
  source_type: number
  source_id: number | null
  text: string | null
  number: number | null
  contact: string | null
  contact_name: string | null
}

export interface StatementPosition {
  day: number
  entry: number
  position: number
}

/** Returns the accounts whose code has the given prefix. */
export async function accountsUnder(
  ctx: Ctx,
  code: string,
): Promise<{ id: number; code: string; name: string | null }[]> {
  return ctx.db
    .selectFrom('ledger_accounts')
    .select(['id', 'code', 'name'])
    .where('book_id', '=', ctx.book.id)
    .where('code', '>=', code)
    .where('code', '<', `${code}:`)
    .orderBy('code')
    .execute()
}

/** Returns the lines of one account after a position, by its index, up to the requested number. */
async function linesAfter(
  ctx: Ctx,
  accountId: number,
  after: StatementPosition,
  lastDay: number,
  limit: number,
): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    select l.entry_id, l.position, l.day, l.amount_cents, a.code, e.source_type, e.source_id, e.text, e.number,
      c.public_id as contact, c.name as contact_name
    from journal_lines l
    join ledger_accounts a on a.id = l.account_id
    join journal_entries e on e.id = l.entry_id
    left join contacts c on c.id = l.contact_id
    where l.account_id = ${accountId} and l.day <= ${lastDay}
      and (l.day, l.entry_id, l.position) > (${after.day}, ${after.entry}, ${after.position})
    order by l.day, l.entry_id, l.position limit ${limit}`.execute(ctx.db)
  return rows
}

/** Returns the lines of several accounts in order of day, merging the next lines of each. */
export async function statementRows(
  ctx: Ctx,
  accountIds: readonly number[],
  after: StatementPosition,
  lastDay: number,
  limit: number,
): Promise<StatementRow[]> {
  const each = await Promise.all(accountIds.map((id) => linesAfter(ctx, id, after, lastDay, limit)))
  return each
    .flat()
    .sort((a, b) => a.day - b.day || a.entry_id - b.entry_id || a.position - b.position)
    .slice(0, limit)
}

/** Returns a page of the statement of an account, or of all accounts with a code prefix. */
export const accountStatement: UseCase<typeof accountContract> = async (ctx, input) => {
  const { code, from = FIRST_DAY, to = LAST_DAY, language = 'es', limit = DEFAULT_LIMIT, cursor } = input
  const accounts = await accountsUnder(ctx, code)
  const named = await accountNames(ctx, language)
  const ids = accounts.map((account) => account.id)
  const before = await sumsBefore(ctx, ids, from)
  const until = await sumsBefore(ctx, ids, to === LAST_DAY ? LAST_DAY : addDays(to, 1))
  const openingCents = before.debitCents - before.creditCents
  const bound = { code, from, to }
  let place: StatementPosition = { day: dayNumber(from), entry: 0, position: -1 }
  let balance = openingCents
  if (cursor !== undefined) {
    const [day, entry, position, reached] = readCursor(cursor, 'ledger', bound).map(Number)
    place = { day: day ?? 0, entry: entry ?? 0, position: position ?? 0 }
    // The cursor carries the balance, so that the cost of a page depends only on its lines.
    balance = reached ?? 0
  }
  const rows = await statementRows(ctx, ids, place, dayNumber(to), limit + 1)
  const shown = rows.slice(0, limit)
  const sources = await sourcesOf(
    ctx,
    shown.map(({ entry_id, source_type, source_id }) => ({ id: entry_id, source_type, source_id })),
  )
  const items = shown.map((row) => {
    balance += row.amount_cents
    return {
      entryId: entryIdOf(ctx.book, row.entry_id),
      number: row.number,
      date: dayText(row.day),
      text: row.text,
      source: orNotFound(sources.get(row.entry_id)),
      account: row.code,
      contact:
        row.contact === null || row.contact_name === null
          ? null
          : { id: row.contact, name: row.contact_name },
      debit: eurosFromCents(Math.max(row.amount_cents, 0)),
      credit: eurosFromCents(Math.max(-row.amount_cents, 0)),
      balance: eurosFromCents(balance),
    }
  })
  const last = shown.at(-1)
  return {
    code,
    name: accounts.find((account) => account.code === code)?.name ?? named(code),
    kind: kindOf(code),
    opening: eurosFromCents(openingCents),
    debit: eurosFromCents(until.debitCents - before.debitCents),
    credit: eurosFromCents(until.creditCents - before.creditCents),
    closing: eurosFromCents(until.debitCents - until.creditCents),
    items,
    nextCursor:
      rows.length > limit && last
        ? createCursor('ledger', bound, [last.day, last.entry_id, last.position, balance])
        : null,
  }
}
