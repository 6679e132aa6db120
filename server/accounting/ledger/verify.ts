/**
 * Verifies the ledger: every entry balances, monthly totals equal the sums of their lines, every invoice is booked
 * once.
 */
import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import { dayText } from './journal/days.ts'
import { entryIdOf } from './journal/entry-id.ts'
import { SOURCE_TYPES } from './journal/sources.ts'

interface LedgerProof {
  ok: boolean
  checked: number
  faults: string[]
}

const MAX_FAULTS = 20
/** Rows checked per step, so that other requests run in between. */
const PAGE = 2_000

/** Returns pages over the row ids of a book, as the ids before the first and up to the last row of each. */
async function* pagesOf(ctx: Ctx, table: 'journal_entries' | 'invoices'): AsyncGenerator<[number, number]> {
  const row = await ctx.db
    .selectFrom(table)
    .select((eb) => [eb.fn.min('id').as('first'), eb.fn.max('id').as('last')])
    .where('book_id', '=', ctx.book.id)
    .executeTakeFirst()
  const last = row?.last ?? 0
  for (let from = (row?.first ?? 1) - 1; from < last; from += PAGE) yield [from, from + PAGE]
}

/** Returns entries that do not balance, have fewer than two lines, or have lines of another day or book. */
async function unbalanced(
  ctx: Ctx,
  from: number,
  to: number,
): Promise<{ checked: number; faults: string[] }> {
  const { rows } = await sql<{ id: number; day: number; balance: number; lines: number; strays: number }>`
    select e.id, e.day, coalesce(sum(l.amount_cents), 0) as balance, count(l.position) as lines,
      count(*) filter (where l.day <> e.day or a.book_id <> e.book_id) + case when e.open is null then 0 else 1 end as strays
    from journal_entries e
    left join journal_lines l on l.entry_id = e.id left join ledger_accounts a on a.id = l.account_id
    where e.book_id = ${ctx.book.id} and e.id > ${from} and e.id <= ${to}
    group by e.id order by e.id`.execute(ctx.db)
  return {
    checked: rows.length,
    faults: rows
      .filter((row) => row.balance !== 0 || row.lines < 2 || row.strays > 0)
      .map((row) =>
        row.balance === 0
          ? `Entry ${entryIdOf(ctx.book, row.id)} of ${dayText(row.day)} is not whole.`
          : `Entry ${entryIdOf(ctx.book, row.id)} of ${dayText(row.day)}: debits and credits differ by ${row.balance} cents.`,
      ),
  }
}

/** Returns account months that are not the sum of their lines. */
async function wrongMonths(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ code: string; month: number }>`
    with summed as (
      select l.account_id, e.month, sum(case when l.amount_cents > 0 then l.amount_cents else 0 end) as debit,
        sum(case when l.amount_cents < 0 then -l.amount_cents else 0 end) as credit
      from journal_lines l join journal_entries e on e.id = l.entry_id
      where e.book_id = ${ctx.book.id} and e.open is null group by l.account_id, e.month),
    kept as (
      select m.account_id, m.month, m.debit_cents as debit, m.credit_cents as credit
      from account_months m join ledger_accounts a on a.id = m.account_id
      where a.book_id = ${ctx.book.id} and (m.debit_cents <> 0 or m.credit_cents <> 0)),
    differing as (
      select * from (select * from summed except select * from kept) as more
      union all select * from (select * from kept except select * from summed) as less)
    select distinct code, month from differing join ledger_accounts on ledger_accounts.id = differing.account_id
    order by month, code limit ${MAX_FAULTS}`.execute(ctx.db)
  return rows.map(({ code, month }) => `Account ${code}: its ${month} is not the sum of its lines.`)
}

interface BookedInvoice {
  number: string
  expected: number
  booked: number
  entries: number
  reversals: number
  annulled: number
  replaces: number
  amount: number
}

/**
 * Returns issued invoices without an entry, with an entry that should be reversed or restored, or with a wrong
 * receivable amount.
 */
async function wronglyBooked(
  ctx: Ctx,
  from: number,
  to: number,
): Promise<{ checked: number; faults: string[] }> {
  const { rows } = await sql<BookedInvoice>`
    with recursive chain (invoice_id, entry_id, depth) as (
      select source_id, id, 0 from journal_entries
        where source_type = ${SOURCE_TYPES.invoice} and source_id > ${from} and source_id <= ${to}
      union all
      select chain.invoice_id, e.id, depth + 1 from chain
        join journal_entries e on e.source_type = ${SOURCE_TYPES.reversal} and e.source_id = chain.entry_id)
    select i.number,
      -- Rectified because the customer does not pay: the VAT alone is taken back.
      case when i.kind in ('R2', 'R3') then i.tax_cents else i.total_cents end as amount, i.cancelled_at is not null as annulled,
      case when i.kind in ('R2', 'R3') then i.tax_cents <> 0 else i.base_cents <> 0 or i.total_cents <> 0 end as expected,
      case when i.kind = 'F3' or i.rectification_method = 'S' then 1 else 0 end as replaces,
      (select count(*) from chain where invoice_id = i.id and depth = 0) as entries,
      (select count(*) from chain where invoice_id = i.id and depth > 0) as reversals,
      (select coalesce(sum(l.amount_cents), 0) from journal_entries e
        join journal_lines l on l.entry_id = e.id join ledger_accounts a on a.id = l.account_id
        where e.source_type = ${SOURCE_TYPES.invoice} and e.source_id = i.id and a.code in ('430', '473')) as booked
    from invoices i
    where i.book_id = ${ctx.book.id} and i.state = 'issued' and i.id > ${from} and i.id <= ${to} order by i.id`.execute(
    ctx.db,
  )
  const faults = rows.flatMap((row) => {
    if (row.entries === 0) return row.expected && !row.replaces ? [`${row.number} is not booked.`] : []
    if (row.reversals % 2 !== row.annulled)
      return [
        row.annulled
          ? `${row.number} is annulled and its entry still in force.`
          : `${row.number} is in force and its entry reversed.`,
      ]
    if (!row.replaces && row.booked !== row.amount)
      return [`${row.number}: ${row.booked} cents are booked of ${row.amount}.`]
    return []
  })
  return { checked: rows.length, faults }
}

/** Verifies the whole book; reports at most twenty faults. */
export async function verifyLedger(ctx: Ctx): Promise<LedgerProof> {
  const faults: string[] = []
  let checked = 0
  for await (const [from, to] of pagesOf(ctx, 'journal_entries')) {
    if (faults.length >= MAX_FAULTS) break
    const found = await unbalanced(ctx, from, to)
    checked += found.checked
    faults.push(...found.faults)
  }
  for await (const [from, to] of pagesOf(ctx, 'invoices')) {
    if (faults.length >= MAX_FAULTS) break
    faults.push(...(await wronglyBooked(ctx, from, to)).faults)
  }
  faults.push(...(await wrongMonths(ctx)))
  return { ok: faults.length === 0, checked, faults: faults.slice(0, MAX_FAULTS) }
}
