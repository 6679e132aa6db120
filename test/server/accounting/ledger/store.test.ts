/** The database enforces balanced entries: no sequence of statements commits an unbalanced one. */
import { describe, expect, test } from 'vitest'
import type { Connection } from '../../../../server/db/embedded/connection.ts'
import { openLedger } from './support.ts'

async function booked() {
  const book = await openLedger()
  const entry = await book.post('2026-03-10', { '430': 121, '705': -100, '4772100': -21 })
  return { book, entry: entry ?? 0, sql: book.sql() }
}

/** Runs statements in one transaction like the program; returns why it was rejected, or null when it was committed. */
function attempt(sql: Connection, ...statements: string[]): string | null {
  sql.run('begin immediate', [])
  try {
    for (const statement of statements) sql.run(statement, [])
    sql.run('commit', [])
    return null
  } catch (error) {
    sql.run('rollback', [])
    return (error as Error).message
  }
}

function balances(sql: Connection): { entries: number; wrong: number; rollup: number } {
  const one = (text: string) => (sql.get(text, []) as { value: number }).value
  return {
    entries: one('select count(*) as value from journal_entries'),
    wrong: one(`select count(*) as value from (select entry_id from journal_lines
      group by entry_id having sum(amount_cents) <> 0 or count(*) < 2)`),
    rollup: one('select coalesce(sum(debit_cents - credit_cents), 0) as value from account_months'),
  }
}

const account = (code: string) => `(select id from ledger_accounts where code = '${code}')`
const ENTRY = `insert into journal_entries (id, book_id, day, month, source_type, open) select 900, book_id, 20260401, 202604, 6, 1
  from journal_entries order by id limit 1`
const line = (position: number, code: string, cents: number, entry = 900, day = 20260401) =>
  `insert into journal_lines (entry_id, position, account_id, day, amount_cents)
   values (${entry}, ${position}, ${account(code)}, ${day}, ${cents})`
const SEAL = 'update journal_entries set open = null where id = 900'

describe('an entry is committed balanced or not at all', () => {
  test('a complete entry is accepted and updates its months', async () => {
    const { sql } = await booked()
    expect(attempt(sql, ENTRY, line(0, '430', 500), line(1, '705', -500), SEAL)).toBeNull()
    expect(balances(sql)).toEqual({ entries: 2, wrong: 0, rollup: 0 })
    expect(
      sql.get(
        `select debit_cents from account_months where account_id = ${account('430')} and month = 202604`,
        [],
      ),
    ).toEqual({ debit_cents: 500 })
  })

  test.each<[string, string[]]>([
    ['left open', [ENTRY, line(0, '430', 500), line(1, '705', -500)]],
    ['left open and empty', [ENTRY]],
    ['with one line', [ENTRY, line(0, '430', 500), SEAL]],
    ['without lines', [ENTRY, SEAL]],
    ['a cent off', [ENTRY, line(0, '430', 500), line(1, '705', -499), SEAL]],
    ['sealed from the start', [ENTRY.replace('6, 1', '6, null')]],
    ['with a line after the seal', [ENTRY, line(0, '430', 5), line(1, '705', -5), SEAL, line(2, '430', 1)]],
    [
      'with two lines after the seal',
      [ENTRY, line(0, '430', 5), line(1, '705', -5), SEAL, line(2, '430', 1), line(3, '705', -1)],
    ],
    ['with a line of zero', [ENTRY, line(0, '430', 0), line(1, '705', 0), SEAL]],
    ['with a line of another day', [ENTRY, line(0, '430', 5, 900, 20260402)]],
    ['opened under a made-up seal', ['insert into journal_unsealed (id) values (1)', ENTRY]],
  ])('%s it is rejected', async (_, statements) => {
    const { sql } = await booked()
    const before = balances(sql)
    expect(attempt(sql, ...statements)).toBeTypeOf('string')
    expect(balances(sql)).toEqual(before)
  })

  test('a line of another book is rejected', async () => {
    const { book, sql } = await booked()
    await book.post('2026-03-10', { '572': 1, '705': -1 }, { type: 'manual', id: null }, book.live)
    expect(attempt(sql, ENTRY, line(0, '572', 5))).toMatch(/sealed: journal_lines/)
  })
})

describe('a committed entry', () => {
  test.each([
    'update journal_lines set amount_cents = amount_cents + 1 where position = 0',
    'update journal_lines set amount_cents = -amount_cents',
    `update journal_lines set account_id = ${account('705')} where position = 0`,
    'update journal_lines set entry_id = entry_id + 1',
    'update journal_lines set position = position + 10',
    'update journal_lines set day = 20250101',
    'delete from journal_lines where position = 0',
    'delete from journal_lines',
    'delete from journal_entries',
    `insert into journal_lines select entry_id, 9, account_id, day, 1, null from journal_lines where position = 0`,
    `insert or replace into journal_lines select entry_id, 0, account_id, day, 1, null from journal_lines where position = 0`,
    `insert or replace into journal_entries (id, book_id, day, month, source_type, open)
       select id, book_id, day, month, source_type, null from journal_entries`,
    'update journal_entries set day = 20260311',
    'update journal_entries set month = 202613',
    'update journal_entries set book_id = 1 - book_id',
    'update journal_entries set source_type = 1',
    "update journal_entries set text = 'Otro'",
    'update journal_entries set id = 77',
    'update journal_entries set open = 1',
    'update or replace journal_entries set open = 5',
    "update ledger_accounts set code = '431' where code = '430'",
    "delete from ledger_accounts where code = '430'",
  ])('rejects: %s', async (statement) => {
    const { sql } = await booked()
    const before = balances(sql)
    expect(attempt(sql, statement)).toBeTypeOf('string')
    expect(balances(sql)).toEqual(before)
    expect(before).toEqual({ entries: 1, wrong: 0, rollup: 0 })
  })

  test('must balance again after it is reopened, and updates its months', async () => {
    const { sql, entry } = await booked()
    const open = `update journal_entries set open = 1 where id = ${entry}`
    const seal = `update journal_entries set open = null where id = ${entry}`
    const more = line(7, '430', 100, entry, 20260310)
    expect(attempt(sql, open, more, seal)).toMatch(/unbalanced/)
    expect(attempt(sql, open, 'delete from journal_lines where position = 0', seal)).toMatch(/unbalanced/)
    expect(attempt(sql, open, more, line(8, '705', -100, entry, 20260310), seal)).toBeNull()
    expect(balances(sql)).toEqual({ entries: 1, wrong: 0, rollup: 0 })
    expect(
      sql.get(`select debit_cents from account_months where account_id = ${account('430')}`, []),
    ).toEqual({
      debit_cents: 12_200,
    })
  })

  test('is deleted as a whole, with its monthly totals', async () => {
    const { sql, entry } = await booked()
    expect(
      attempt(
        sql,
        `update journal_entries set open = 1 where id = ${entry}`,
        `delete from journal_lines where entry_id = ${entry}`,
        `delete from journal_entries where id = ${entry}`,
      ),
    ).toBeNull()
    expect(sql.all('select * from account_months where debit_cents <> 0 or credit_cents <> 0', [])).toEqual(
      [],
    )
  })

  test('keeps its line and amount when the contact is deleted', async () => {
    const { book, sql } = await booked()
    sql.run(
      `insert into contacts (id, book_id, public_id, name, name_key, search, created_at, updated_at)
       select 50, book_id, 'con_x', 'Cliente', 'cliente', 'cliente', 0, 0 from journal_entries`,
      [],
    )
    await book.test.transaction((tx) =>
      import('../../../../server/accounting/ledger/index.ts').then(({ postEntry }) =>
        postEntry(tx, {
          date: '2026-04-01',
          source: { type: 'manual', id: null },
          lines: [
            { account: '430', amountCents: 5, contactId: 50 },
            { account: '705', amountCents: -5 },
          ],
        }),
      ),
    )
    sql.run('delete from contacts where id = 50', [])
    expect(
      sql.all(
        'select amount_cents, contact_id from journal_lines where day = 20260401 order by position',
        [],
      ),
    ).toEqual([
      { amount_cents: 5, contact_id: null },
      { amount_cents: -5, contact_id: null },
    ])
  })
})

describe('a closed day', () => {
  const lock =
    'insert into period_locks (book_id, locked_until, updated_at) select book_id, 20260331, 0 from journal_entries'

  test('accepts no entry, and no entry of it can be changed or deleted', async () => {
    const { sql, entry } = await booked()
    expect(attempt(sql, lock)).toBeNull()
    const march = ENTRY.replaceAll('202604', '202603')
    const marchLine = (position: number, code: string, cents: number) =>
      line(position, code, cents, 900, 20260301)
    expect(attempt(sql, march, marchLine(0, '430', 5), marchLine(1, '705', -5), SEAL)).toBe('period_locked')
    expect(attempt(sql, `update journal_entries set open = 1 where id = ${entry}`)).toBe('period_locked')
    expect(attempt(sql, ENTRY, line(0, '430', 5), line(1, '705', -5), SEAL)).toBeNull()
    // Closing the day while the entry is open does not help.
    expect(
      attempt(
        sql,
        'update journal_entries set open = 1 where id = 900',
        'update period_locks set locked_until = 20260401',
        SEAL,
      ),
    ).toBe('period_locked')
    expect(balances(sql)).toEqual({ entries: 2, wrong: 0, rollup: 0 })
  })
})
