/** Reads the journal: entries by day with their lines and source documents. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import { createCursor, readCursor } from '../../../domain/contract/cursor.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type { Language } from '../chart/chart.ts'
import type {
  entriesOfContract,
  entryContract,
  journalContract,
  JournalEntry,
  journalWindowContract,
} from '../contract.ts'
import { dayNumber, dayText } from './days.ts'
import { entryIdOf, entryRowOf } from './entry-id.ts'
import { accountNames } from '../chart/own-names.ts'
import { accountName, sourcesOf } from './labels.ts'
import { SOURCE_TYPES } from './sources.ts'

const DEFAULT_LIMIT = 25

type Filter = Pick<ContractInput<typeof journalWindowContract>, 'from' | 'to' | 'source'>

export interface EntryRow {
  id: number
  day: number
  source_type: number
  source_id: number | null
  text: string | null
  number: number | null
}

const ENTRY_COLUMNS = [
  'journal_entries.id',
  'journal_entries.day',
  'journal_entries.source_type',
  'journal_entries.source_id',
  'journal_entries.text',
  'journal_entries.number',
] as const

function entries(ctx: Ctx) {
  return ctx.db.selectFrom('journal_entries').select(ENTRY_COLUMNS).where('book_id', '=', ctx.book.id)
}

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)]

/** Reads rows by identifier; PostgreSQL takes no empty list. */
async function ifAny<Row>(ids: number[], read: (ids: number[]) => Promise<Row[]>): Promise<Row[]> {
  return ids.length === 0 ? [] : read(ids)
}

/** Returns entries with their lines and sources, in the given order. */
async function viewEntries(
  ctx: Ctx,
  rows: readonly EntryRow[],
  language: Language = 'es',
): Promise<JournalEntry[]> {
  if (rows.length === 0) return []
  // Without joins: a database of many companies that judges few rows to be here reads every line of each account instead.
  const lines = await ctx.db
    .selectFrom('journal_lines')
    .select(['entry_id', 'account_id', 'contact_id', 'amount_cents'])
    .where(
      'entry_id',
      'in',
      rows.map((row) => row.id),
    )
    .orderBy('entry_id')
    .orderBy('position')
    .execute()
  const accounts = await ifAny(distinct(lines.map((line) => line.account_id)), (ids) =>
    ctx.db.selectFrom('ledger_accounts').select(['id', 'code', 'name']).where('id', 'in', ids).execute(),
  )
  const accountById = new Map(accounts.map((account) => [account.id, account]))
  const contacts = await ifAny(distinct(lines.flatMap((line) => line.contact_id ?? [])), (ids) =>
    ctx.db.selectFrom('contacts').select(['id', 'public_id', 'name']).where('id', 'in', ids).execute(),
  )
  const contactById = new Map(contacts.map(({ id, public_id, name }) => [id, { id: public_id, name }]))
  const sources = await sourcesOf(ctx, rows)
  const named = await accountNames(ctx, language)
  const byEntry = Map.groupBy(lines, (line) => line.entry_id)
  return rows.map((row) => {
    const own = byEntry.get(row.id) ?? []
    return {
      id: entryIdOf(ctx.book, row.id),
      number: row.number,
      date: dayText(row.day),
      text: row.text,
      source: orNotFound(sources.get(row.id)),
      lines: own.map((line) => {
        const account = orNotFound(accountById.get(line.account_id))
        return {
          account: account.code,
          name: accountName(account, named),
          debit: eurosFromCents(Math.max(line.amount_cents, 0)),
          credit: eurosFromCents(Math.max(-line.amount_cents, 0)),
          contact: contactById.get(line.contact_id ?? 0) ?? null,
        }
      }),
      total: eurosFromCents(own.reduce((sum, line) => sum + Math.max(line.amount_cents, 0), 0)),
    }
  })
}

function matching(ctx: Ctx, { from, to, source }: Filter) {
  let query = ctx.db.selectFrom('journal_entries').where('book_id', '=', ctx.book.id)
  if (from !== undefined) query = query.where('day', '>=', dayNumber(from))
  if (to !== undefined) query = query.where('day', '<=', dayNumber(to))
  // The unary plus disables the index of sources, which has no days and would require a sort.
  if (source !== undefined) query = query.where(sql<SqlBool>`+source_type = ${SOURCE_TYPES[source]}`)
  return query
}

/** Returns a range of the journal by position, newest day first; positions come from the index by day alone. */
export const windowJournal: UseCase<typeof journalWindowContract> = async (
  ctx,
  { offset = 0, limit = 200, language = 'es', ...filter },
) => {
  const { count } = await matching(ctx, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const places = matching(ctx, filter)
    .select('id')
    .orderBy('day', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .as('places')
  const shown: EntryRow[] = await ctx.db
    .selectFrom(places)
    .innerJoin('journal_entries', 'journal_entries.id', 'places.id')
    .select(ENTRY_COLUMNS)
    .orderBy('journal_entries.day', 'desc')
    .orderBy('journal_entries.id', 'desc')
    .execute()
  return { items: await viewEntries(ctx, shown, language), count }
}

/** Returns a page of the journal. */
export const listJournal: UseCase<typeof journalContract> = async (ctx, input) => {
  const { cursor, limit = DEFAULT_LIMIT, sort = '-date', language = 'es', from, to, source } = input
  const bound = { sort, from, to, source }
  const descending = sort === '-date'
  let query = entries(ctx)
  if (from !== undefined) query = query.where('day', '>=', dayNumber(from))
  if (to !== undefined) query = query.where('day', '<=', dayNumber(to))
  if (source !== undefined) query = query.where('source_type', '=', SOURCE_TYPES[source])
  if (cursor !== undefined) {
    const [day, id] = readCursor(cursor, 'journal', bound)
    const operator = sql.raw(descending ? '<' : '>')
    query = query.where(sql<SqlBool>`(day, id) ${operator} (${day}, ${id})`)
  }
  const direction = descending ? 'desc' : 'asc'
  const rows: EntryRow[] = await query
    .orderBy('day', direction)
    .orderBy('id', direction)
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: await viewEntries(ctx, shown, language),
    nextCursor: rows.length > limit && last ? createCursor('journal', bound, [last.day, last.id]) : null,
  }
}

/** Returns the row of an entry of this book. Throws `not_found`. */
export async function findEntryRow(ctx: Ctx, id: string): Promise<EntryRow> {
  const row = entryRowOf(ctx.book, id)
  return orNotFound(row === null ? null : await entries(ctx).where('id', '=', row).executeTakeFirst())
}

/** Returns one entry. */
export const getEntry: UseCase<typeof entryContract> = async (ctx, { id, language }) =>
  orNotFound((await viewEntries(ctx, [await findEntryRow(ctx, id)], language))[0])

const TABLES = { invoice: 'invoices', received: 'received_invoices', payment: 'payments' } as const

/** Returns the entry of a document and its reversals, oldest first; empty when nothing was booked. */
export const entriesOf: UseCase<typeof entriesOfContract> = async (ctx, { type, id, language }) => {
  const document = await ctx.db
    .selectFrom(TABLES[type])
    .select('id')
    .where('public_id', '=', id)
    .where('book_id', '=', ctx.book.id)
    .executeTakeFirst()
  const chain: EntryRow[] = []
  let next = document ? { type: SOURCE_TYPES[type] as number, id: document.id } : null
  while (next) {
    const row: EntryRow | undefined = await entries(ctx)
      .where('source_type', '=', next.type)
      .where('source_id', '=', next.id)
      .executeTakeFirst()
    if (row) chain.push(row)
    next = row ? { type: SOURCE_TYPES.reversal, id: row.id } : null
  }
  return { items: await viewEntries(ctx, chain, language) }
}
