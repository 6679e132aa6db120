/** Posts, removes and reverses entries: always complete, balanced, and on open days only. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Ctx } from '../../../context.ts'
import { prepare, prepareRows } from '../../../db/query.ts'
import { ensureAccount } from '../chart/accounts.ts'
import { CLOSING, dayNumber, dayText, OPENING, REGULARISATION } from './days.ts'
import { assertOpenPeriod, ledgerDate } from '../years/lock.ts'
import { entryOf } from '../mapping/entry.ts'
import type { EntryLine } from '../mapping/entry.ts'
import { SOURCE_TYPES } from './sources.ts'
import type { EntrySource, SourceType } from './sources.ts'

export interface EntryInput {
  date: BusinessDate
  /** Row `id` in the table of the type; null for manual entries. */
  source: { type: SourceType; id: number | null }
  /** Null: derived from the source when displayed. */
  text?: string | null
  lines: readonly EntryLine[]
}

interface EntryValues {
  bookId: number
  day: number
  month: number
  sourceType: number
  sourceId: number | null
  text: string | null
}

/** Inserts an entry unless its day is closed, and returns its row; the table's trigger rejects a closed day too. */
const insertOnOpenDay = prepare((db, p: EntryValues) =>
  db
    .insertInto('journal_entries')
    .columns(['book_id', 'day', 'month', 'source_type', 'source_id', 'text', 'open'])
    .expression(
      db
        .selectNoFrom([
          whole(p.bookId).as('book_id'),
          whole(p.day).as('day'),
          whole(p.month).as('month'),
          whole(p.sourceType).as('source_type'),
          whole(p.sourceId).as('source_id'),
          sql<string | null>`cast(${p.text} as text)`.as('text'),
          sql<number>`1`.as('open'),
        ])
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('period_locks')
                .select('period_locks.book_id')
                .where('period_locks.book_id', '=', p.bookId)
                .where('period_locks.locked_until', '>=', p.day),
            ),
          ),
        ),
    )
    .returning('id'),
)

/** States the type of a value that no column determines. */
function whole(value: number | null): RawBuilder<number> {
  return sql<number>`cast(${value} as bigint)`
}

interface LineValues {
  bookId: number
  entryId: number
  position: number
  account: string
  day: number
  amountCents: number
  contactId: number | null
}

/** Inserts the lines whose accounts the book has. */
const insertLines = prepareRows((db, lines: readonly [LineValues, ...LineValues[]]) => {
  const [{ bookId, entryId, day }] = lines
  const written = sql<{ position: number; code: string; amount: number; contact: number | null }>`(${sql.join(
    lines.map(
      (line) =>
        sql`select ${whole(line.position)} as position, cast(${line.account} as text) as code, ${whole(line.amountCents)} as amount, ${whole(line.contactId)} as contact`,
    ),
    sql` union all `,
  )})`.as<'written'>('written')
  return db
    .insertInto('journal_lines')
    .columns(['entry_id', 'position', 'account_id', 'day', 'amount_cents', 'contact_id'])
    .expression((eb) =>
      eb
        .selectFrom(written)
        .innerJoin('ledger_accounts', (join) =>
          join.onRef('ledger_accounts.code', '=', 'written.code').on('ledger_accounts.book_id', '=', bookId),
        )
        .select([
          whole(entryId).as('entry_id'),
          'written.position',
          'ledger_accounts.id',
          whole(day).as('day'),
          'written.amount',
          'written.contact',
        ]),
    )
})

const seal = prepare((db, p: { id: number }) =>
  db.updateTable('journal_entries').set({ open: null }).where('id', '=', p.id),
)

const unseal = prepare((db, p: { id: number }) =>
  db.updateTable('journal_entries').set({ open: 1 }).where('id', '=', p.id),
)

const deleteLines = prepare((db, p: { id: number }) =>
  db.deleteFrom('journal_lines').where('entry_id', '=', p.id),
)

const deleteEntry = prepare((db, p: { id: number }) =>
  db.deleteFrom('journal_entries').where('id', '=', p.id),
)

const findBySource = prepare((db, p: { type: number; id: number }) =>
  db
    .selectFrom('journal_entries')
    .select(['id', 'book_id', 'day'])
    .where('source_type', '=', p.type)
    .where('source_id', '=', p.id)
    .where('source_id', 'is not', null),
)

const linesOf = prepare((db, p: { id: number }) =>
  db
    .selectFrom('journal_lines')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'journal_lines.account_id')
    .select(['ledger_accounts.code', 'journal_lines.amount_cents', 'journal_lines.contact_id'])
    .where('journal_lines.entry_id', '=', p.id)
    .orderBy('journal_lines.position'),
)

/** The 1st of January in a stored day. */
const FIRST_OF_YEAR = 101

/** Returns the journal month of an entry; the opening of a year and its closing have months of their own. */
function monthOf(type: SourceType, day: number): number {
  const year = Math.floor(day / 10_000) * 100
  // Books that begin within a year open on a day of an ordinary month.
  if (type === 'opening' && day % 10_000 === FIRST_OF_YEAR) return year + OPENING
  if (type === 'regularisation') return year + REGULARISATION
  if (type === 'closing') return year + CLOSING
  return Math.floor(day / 100)
}

/** Writes an entry; null if it has no lines, undefined if its day is closed. */
async function writeOnOpenDay(ctx: Ctx, input: EntryInput): Promise<number | null | undefined> {
  if (!ctx.inTransaction) throw new Error('An entry is booked in the transaction of its fact.')
  if (input.lines.length === 0) return null
  const day = dayNumber(input.date)
  const {
    rows: [entry],
  } = await insertOnOpenDay.together(ctx.db, {
    bookId: ctx.book.id,
    day,
    month: monthOf(input.source.type, day),
    sourceType: SOURCE_TYPES[input.source.type],
    sourceId: input.source.id,
    text: input.text || null,
  })
  if (!entry) return undefined
  await writeLines(
    ctx,
    entry.id,
    input.lines.map(({ account, amountCents, contactId }, position) => ({
      bookId: ctx.book.id,
      entryId: entry.id,
      position,
      account,
      day,
      amountCents,
      contactId: contactId ?? null,
    })),
  )
  await seal.later(ctx.db, { id: entry.id })
  return entry.id
}

/**
 * Writes the lines of an open entry. A book's accounts get their rows at first use, and another server may remove an
 * unused one at any time: therefore none is remembered, and missing ones are added when lines are left over.
 */
async function writeLines(ctx: Ctx, entryId: number, lines: readonly LineValues[]): Promise<void> {
  if ((await insertLines.together(ctx.db, lines)).changes === lines.length) return
  await deleteLines.run(ctx.db, { id: entryId })
  for (const { account } of lines) await ensureAccount(ctx, account)
  if ((await insertLines.run(ctx.db, lines)).changes !== lines.length)
    throw new Error('An entry lacks lines.')
}

/** Writes an entry on a day that the caller knows to be open. */
async function write(ctx: Ctx, input: EntryInput): Promise<number | null> {
  const written = await writeOnOpenDay(ctx, input)
  if (written !== undefined) return written
  await assertOpenPeriod(ctx, input.date)
  throw new Error('An entry was not written on an open day.')
}

/**
 * Posts an entry in the transaction of the fact it records; lines with the same account and contact are merged.
 * Returns its row id, or null when all amounts are zero. Throws `period_locked` on a closed day; unbalanced lines are
 * a bug of the caller.
 */
export async function postEntry(ctx: Ctx, input: EntryInput): Promise<number | null> {
  const lines = entryOf(input.lines)
  if (lines.length === 0) await assertOpenPeriod(ctx, input.date)
  return write(ctx, { ...input, lines })
}

/** Posts an entry like `postEntry`, unless its day is closed: then it returns false. */
export async function postOnOpenDay(ctx: Ctx, input: EntryInput): Promise<boolean> {
  return (await writeOnOpenDay(ctx, { ...input, lines: entryOf(input.lines) })) !== undefined
}

/** Posts a manual entry: lines stay separate and in order, zero lines are dropped. */
export async function postAsWritten(ctx: Ctx, input: EntryInput): Promise<number | null> {
  const lines = input.lines.filter((line) => line.amountCents !== 0)
  if (lines.length === 0) await assertOpenPeriod(ctx, input.date)
  return write(ctx, { ...input, lines })
}

/** Deletes an entry by its row. The caller has checked the period. */
export async function dropEntry(ctx: Ctx, entryId: number): Promise<void> {
  await unseal.run(ctx.db, { id: entryId })
  await deleteLines.run(ctx.db, { id: entryId })
  await deleteEntry.run(ctx.db, { id: entryId })
}

/** Returns the entry of a source, if it was booked. */
export async function findEntry(
  ctx: Ctx,
  source: EntrySource,
): Promise<{ id: number; date: BusinessDate } | null> {
  const row = await findBySource.first(ctx.db, { type: SOURCE_TYPES[source.type], id: source.id })
  return row && row.book_id === ctx.book.id ? { id: row.id, date: dayText(row.day) } : null
}

/** Deletes the entry of a source and all its reversals. Throws `period_locked` when one is on a closed day. */
export async function removeEntry(ctx: Ctx, source: EntrySource): Promise<void> {
  if (!ctx.inTransaction) throw new Error('An entry is removed in the transaction of its fact.')
  const entry = await findEntry(ctx, source)
  if (!entry) return
  await assertOpenPeriod(ctx, entry.date)
  await removeEntry(ctx, { type: 'reversal', id: entry.id })
  await dropEntry(ctx, entry.id)
}

/** Returns an entry with its reversals, the last one first; it is in force when the number of reversals is even. */
async function chainOf(
  ctx: Ctx,
  source: EntrySource,
): Promise<{ entries: { id: number; date: BusinessDate }[]; inForce: boolean } | null> {
  const first = await findEntry(ctx, source)
  if (!first) return null
  const entries = [first]
  for (let last = first; ;) {
    const next = await findEntry(ctx, { type: 'reversal', id: last.id })
    if (!next) break
    entries.unshift(next)
    last = next
  }
  return { entries, inForce: entries.length % 2 === 1 }
}

async function reverseLast(
  ctx: Ctx,
  last: { id: number; date: BusinessDate },
  date: BusinessDate,
): Promise<void> {
  const lines = await linesOf.all(ctx.db, { id: last.id })
  await write(ctx, {
    // Dated like the reversed entry while that day is open, so that a cancelled invoice does not count in the totals
    // of its period.
    date: await ledgerDate(ctx, last.date, date),
    source: { type: 'reversal', id: last.id },
    lines: lines.map((line) => ({
      account: line.code,
      amountCents: -line.amount_cents,
      contactId: line.contact_id,
    })),
  })
}

/**
 * Reverses the entry of a source when the invoice is cancelled: dated like the entry while that day is open, else
 * `date`, else the first open day. Does nothing when there is no entry or it is reversed already.
 */
export async function reverseEntry(ctx: Ctx, source: EntrySource, date: BusinessDate): Promise<void> {
  const chain = await chainOf(ctx, source)
  const last = chain?.entries[0]
  if (chain?.inForce && last) await reverseLast(ctx, last, date)
}

/**
 * Restores a reversed entry when a cancelled invoice is reactivated: deletes the reversal while its day is open, else
 * reverses it on `date`.
 */
export async function restoreEntry(ctx: Ctx, source: EntrySource, date: BusinessDate): Promise<void> {
  const chain = await chainOf(ctx, source)
  const last = chain?.entries[0]
  if (!chain || chain.inForce || !last) return
  if ((await ledgerDate(ctx, last.date, date)) === last.date) await dropEntry(ctx, last.id)
  else await reverseLast(ctx, last, date)
}
