/** Account statement, trial balance, result and balance sheet: equal to summing every line one by one. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  accountStatement,
  balanceSheet,
  closeYear,
  getEntry,
  listAccounts,
  listJournal,
  listPeriods,
  lockPeriod,
  profitAndLoss,
  removeWritten,
  reopenYear,
  settleVat,
  trialBalance,
  verifyLedger,
  writeEntry,
} from '../../../../server/accounting/ledger/index.ts'
import { CHART } from '../../../../server/accounting/ledger/chart/chart-table.ts'
import { isPlanAccount } from '../../../../server/accounting/ledger/chart/chart.ts'
import {
  ASSETS,
  EQUITY_AND_LIABILITIES,
  PROFIT_AND_LOSS,
} from '../../../../server/accounting/ledger/reports/statement-models.ts'
import { openLedger } from './support.ts'
import type { LedgerBook } from './support.ts'

interface Move {
  date: string
  debit: string
  credit: string
  euros: number
}

const CODES = [
  '100',
  '113',
  '170',
  '217',
  '281',
  '300',
  '400',
  '410',
  '430',
  '438',
  '4700',
  '4722100',
  '4751',
  '4772100',
  '551',
  '555',
  '572',
  '600',
  '621',
  '640',
  '662',
  '681',
  '700',
  '705',
  '746',
  '769',
]

const move: fc.Arbitrary<Move> = fc.record({
  date: fc
    .tuple(
      fc.integer({ min: 2024, max: 2026 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 28 }),
    )
    .map(([year, month, day]) => `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`),
  debit: fc.constantFrom(...CODES),
  credit: fc.constantFrom(...CODES),
  euros: fc.integer({ min: 1, max: 500_000 }).map((cents) => cents / 100),
})

async function bookMoves(book: LedgerBook, moves: Move[]): Promise<void> {
  for (const { date, debit, credit, euros } of moves)
    if (debit !== credit) await book.post(date, { [debit]: euros, [credit]: -euros })
}

/** Reference model: cents of every account over the moves of some days, added one by one. */
function added(moves: Move[], from: string, to: string): Map<string, { debit: number; credit: number }> {
  const sums = new Map<string, { debit: number; credit: number }>()
  for (const { date, debit, credit, euros } of moves) {
    if (date < from || date > to || debit === credit) continue
    const cents = Math.round(euros * 100)
    for (const [code, side] of [
      [debit, 'debit'],
      [credit, 'credit'],
    ] as const) {
      const sum = sums.get(code) ?? { debit: 0, credit: 0 }
      sum[side] += cents
      sums.set(code, sum)
    }
  }
  return sums
}

const cents = (euros: number) => Math.round(euros * 100)

test('in random books every report is the sum of its lines, before and after closing and opening years', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 40 }), async (moves) => {
      const book = await openLedger('2027-02-01T10:00:00+01:00')
      await bookMoves(book, moves)
      const check = async () => {
        for (const asked of [{ year: 2025 }, { year: 2026, quarter: 2 }, { year: 2026, month: 11 }]) {
          const { period, rows, totals } = await trialBalance(book.test, asked)
          const within = added(moves, period.from, period.to)
          for (const row of rows) {
            if (row.code === '129') continue
            expect(cents(row.debit), row.code).toBe(within.get(row.code)?.debit ?? 0)
            expect(cents(row.credit), row.code).toBe(within.get(row.code)?.credit ?? 0)
            const isResult = /^[67]/.test(row.code)
            const all = added(moves, isResult ? `${asked.year}-01-01` : '0000', period.to).get(row.code)
            expect(cents(row.balance), row.code).toBe((all?.debit ?? 0) - (all?.credit ?? 0))
          }
          expect([totals.opening, totals.balance]).toEqual([0, 0])
          for (const level of [1, 2, 3, 4]) {
            const group = await trialBalance(book.test, { ...asked, level })
            expect(group.rows.reduce((sum, row) => sum + cents(row.debit), 0)).toBe(cents(totals.debit))
            expect(group.rows.every((row) => row.code.length <= level)).toBe(true)
          }
          const result = await profitAndLoss(book.test, asked)
          const income = [...within].reduce(
            (sum, [code, { debit, credit }]) => (/^[67]/.test(code) ? sum + credit - debit : sum),
            0,
          )
          expect(cents(result.result)).toBe(income)
          expect(cents(result.lines.find((line) => line.key === 'D')?.amount ?? NaN)).toBe(income)
          const sheet = await balanceSheet(book.test, asked)
          expect(sheet.balanced).toBe(true)
          const top = (lines: typeof sheet.assets) =>
            lines.filter((line) => line.level === 1).reduce((sum, line) => sum + cents(line.amount), 0)
          expect(top(sheet.assets)).toBe(cents(sheet.totalAssets))
          expect(top(sheet.equityAndLiabilities)).toBe(cents(sheet.totalAssets))
        }
        expect(await verifyLedger(book.test)).toMatchObject({ ok: true })
      }
      await check()
      // Years are closed in order, including one that only carries balances forward.
      const used = moves.filter((one) => one.debit !== one.credit).map((one) => Number(one.date.slice(0, 4)))
      const first = Math.min(...used)
      const years =
        used.length === 0
          ? []
          : Array.from({ length: Math.max(...used) - first + 1 }, (_, index) => first + index)
      for (const year of years) await closeYear(book.test, { year })
      await check()
      for (const year of years.toReversed()) await reopenYear(book.test, { year })
      await check()
    }),
    { numRuns: 4 },
  )
}, 60_000)

describe('the statement of an account', () => {
  test('starts with the opening balance, and carries the balance from page to page', async () => {
    const book = await openLedger()
    for (let day = 1; day <= 28; day += 1)
      await book.post(`2026-02-${String(day).padStart(2, '0')}`, { '572': 10, '430': -10 })
    await book.post('2025-12-31', { '572': 5, '430': -5 })
    await book.post('2026-02-14', { '4722100': 3, '572': -3 })
    const ask = { code: '572', from: '2026-02-03', to: '2026-02-20', limit: 7 }
    const pages = []
    let page = await accountStatement(book.test, ask)
    pages.push(...page.items)
    while (page.nextCursor !== null) {
      page = await accountStatement(book.test, { ...ask, cursor: page.nextCursor })
      pages.push(...page.items)
    }
    expect(page).toMatchObject({
      opening: 25,
      debit: 180,
      credit: 3,
      closing: 202,
      name: 'Bancos e instituciones de crédito, euros',
    })
    expect(pages).toHaveLength(19)
    expect(pages.map((item) => item.balance).at(0)).toBe(35)
    expect(pages.map((item) => item.balance).at(-1)).toBe(202)
    let running = 25
    for (const item of pages) expect(item.balance).toBeCloseTo((running += item.debit - item.credit), 9)
    await expect(accountStatement(book.test, { ...ask, code: '430', cursor: 'AAAA' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  test('of a group merges its accounts by day', async () => {
    const book = await openLedger()
    await book.post('2026-02-02', { '430': 121, '705': -100, '4772100': -21 })
    await book.post('2026-02-01', { '430': 110, '705': -100, '4771000': -10 })
    const statement = await accountStatement(book.test, { code: '477' })
    expect(statement.items.map((item) => [item.date, item.account, item.balance])).toEqual([
      ['2026-02-01', '4771000', -10],
      ['2026-02-02', '4772100', -31],
    ])
    expect(statement).toMatchObject({ name: 'Hacienda Pública, IVA repercutido', closing: -31 })
  })
})

describe('the end of the year', () => {
  async function twoYears() {
    const book = await openLedger('2027-02-01T10:00:00+01:00')
    await book.post('2025-06-01', { '572': 1000, '705': -1000 })
    await book.post('2025-07-01', { '621': 400, '572': -400 })
    await book.post('2026-03-01', { '572': 50, '705': -50 })
    return book
  }

  test('closes the result to 129 and carries the balances forward', async () => {
    const book = await twoYears()
    const before = await balanceSheet(book.test, { year: 2025 })
    await expect(closeYear(book.test, { year: 2026 })).rejects.toMatchObject({
      code: 'year_not_closable',
      details: { reason: 'earlier_open' },
    })
    await lockPeriod(book.test, { until: '2026-03-31' })
    const { lockedUntil, years } = await closeYear(book.test, { year: 2025 })
    expect(lockedUntil).toBe('2026-03-31')
    expect(years.find((one) => one.year === 2025)).toMatchObject({
      closed: true,
      result: 600,
      canReopen: true,
    })
    const { rows } = await trialBalance(book.test, { year: 2025, closing: true })
    expect(rows.every((row) => row.balance === 0)).toBe(true)
    const after = await balanceSheet(book.test, { year: 2025 })
    expect(after.totalAssets).toBe(before.totalAssets)
    expect(after.equityAndLiabilities.find((line) => line.key === 'A.1.VII')?.amount).toBe(600)
    const next = await balanceSheet(book.test, { year: 2026 })
    expect(next.equityAndLiabilities.find((line) => line.key === 'A.1.V')?.amount).toBe(600)
    expect(next.equityAndLiabilities.find((line) => line.key === 'A.1.VII')?.amount).toBe(50)
    const { items } = await listJournal(book.test, { from: '2025-01-01', to: '2026-01-01', sort: 'date' })
    expect(items.map((entry) => [entry.number, entry.source.type])).toEqual([
      [1, 'manual'],
      [2, 'manual'],
      [3, 'regularisation'],
      [4, 'closing'],
      [null, 'opening'],
    ])
    await expect(lockPeriod(book.test, { until: null })).rejects.toMatchObject({ code: 'year_not_closable' })
    await expect(removeWritten(book.test, { id: items[4]?.id ?? '' })).rejects.toMatchObject({
      code: 'entry_generated',
    })
  })

  test('can be undone until the next year is closed', async () => {
    const book = await twoYears()
    await closeYear(book.test, { year: 2025 })
    await lockPeriod(book.test, { until: '2026-06-30' })
    await expect(reopenYear(book.test, { year: 2025 })).rejects.toMatchObject({
      details: { reason: 'later_locked' },
    })
    await lockPeriod(book.test, { until: '2025-12-31' })
    await closeYear(book.test, { year: 2026 })
    await expect(reopenYear(book.test, { year: 2025 })).rejects.toMatchObject({
      details: { reason: 'later_closed' },
    })
    await reopenYear(book.test, { year: 2026 })
    await reopenYear(book.test, { year: 2025 })
    expect(await listPeriods(book.test, {})).toMatchObject({ lockedUntil: null })
    expect(await verifyLedger(book.test)).toMatchObject({ ok: true, checked: 3 })
  })

  test('is possible only after its last day', async () => {
    const book = await openLedger('2026-12-31T10:00:00+01:00')
    await book.post('2026-03-01', { '572': 50, '705': -50 })
    await expect(closeYear(book.test, { year: 2026 })).rejects.toMatchObject({
      details: { reason: 'not_over' },
    })
    await expect(closeYear(book.test, { year: 2019 })).rejects.toMatchObject({
      details: { reason: 'no_entries' },
    })
  })
})

describe('manual entries', () => {
  const lines = [
    { account: '640', debit: 1000 },
    { account: '4751', credit: 150 },
    { account: '465', credit: 850 },
  ]

  test('are written, replaced and removed', async () => {
    const book = await openLedger()
    const first = await writeEntry(book.test, { date: '2026-05-31', text: 'Nómina de mayo', lines })
    expect(first).toMatchObject({ total: 1000, text: 'Nómina de mayo', source: { type: 'manual', id: null } })
    expect(first.lines.map((line) => line.name)).toContain('Sueldos y salarios')
    const second = await writeEntry(book.test, {
      id: first.id,
      date: '2026-05-30',
      text: 'Nómina',
      lines: lines.slice(0, 2).map((line, index) => ({ ...line, ...(index ? { credit: 1000 } : {}) })),
    })
    await expect(getEntry(book.test, { id: first.id })).rejects.toMatchObject({ code: 'not_found' })
    await expect(getEntry(book.live, { id: second.id })).rejects.toMatchObject({ code: 'not_found' })
    await removeWritten(book.test, { id: second.id })
    expect((await listJournal(book.test, {})).items).toEqual([])
  })

  test('are rejected with all their faults', async () => {
    const book = await openLedger()
    const wrong = writeEntry(book.test, {
      date: '2026-05-31',
      text: 'Mal',
      lines: [
        { account: '640', debit: 1000, credit: 1 },
        { account: '4751' },
        { account: '43000007', credit: 850 },
        { account: '465', credit: 850, contactId: 'con_nobody' },
      ],
    })
    await expect(wrong).rejects.toMatchObject({
      code: 'validation_failed',
      details: {
        faults: [
          { code: 'line_two_sides', field: 'lines[0].debit' },
          { code: 'line_empty', field: 'lines[1].debit' },
          { code: 'account_unknown', field: 'lines[2].account' },
          { code: 'contact_unknown', field: 'lines[3].contactId' },
          { code: 'entry_unbalanced', field: 'lines', params: { difference: '701.00' } },
        ],
      },
    })
  })

  test('the VAT of a quarter is settled once', async () => {
    const book = await openLedger()
    await book.post('2026-02-02', { '430': 121, '705': -100, '4772100': -21 })
    await book.post('2026-03-02', { '600': 50, '4722100': 10.5, '400': -60.5 })
    await book.post('2026-04-02', { '430': 121, '705': -100, '4772100': -21 })
    const looked = await settleVat(book.test, { year: 2026, quarter: 1, write: false })
    expect(looked).toMatchObject({ output: 21, input: 10.5, result: 10.5, entryId: null, settled: false })
    await settleVat(book.test, { year: 2026, quarter: 1, write: true })
    expect(await settleVat(book.test, { year: 2026, quarter: 1, write: true })).toMatchObject({
      settled: true,
      entryId: null,
    })
    const { rows } = await trialBalance(book.test, { year: 2026, quarter: 1 })
    expect(rows.find((row) => row.code === '4750')?.balance).toBe(-10.5)
    expect(rows.find((row) => row.code === '4772100')?.balance).toBe(0)
  })
})

describe('the chart of accounts', () => {
  test('has every account once, and each account of the plan belongs to a line of a statement by its own prefix', () => {
    const beginnings = (model: typeof ASSETS) => model.flatMap((line) => line.accounts?.split(' ') ?? [])
    const all = [...beginnings(ASSETS), ...beginnings(EQUITY_AND_LIABILITIES), ...beginnings(PROFIT_AND_LOSS)]
    expect(new Set(all).size).toBe(all.length)
    for (const code of CHART.keys())
      expect(
        all.some((beginning) => code.startsWith(beginning) || beginning.startsWith(code)),
        code,
      ).toBe(true)
    for (const code of CODES) expect(isPlanAccount(code), code).toBe(true)
    expect(CHART.size).toBeGreaterThan(300)
  })

  test('shows the accounts in use with the balances of groups, in both languages', async () => {
    const book = await openLedger()
    await book.post('2026-02-02', { '430': 121, '705': -100, '4772100': -21 })
    const { items } = await listAccounts(book.test, { used: true })
    expect(items.map((account) => [account.code, account.balance])).toEqual([
      ['4', 100],
      ['43', 121],
      ['430', 121],
      ['47', -21],
      ['477', -21],
      ['4772100', -21],
      ['7', -100],
      ['70', -100],
      ['705', -100],
    ])
    expect(items.find((account) => account.code === '4772100')?.name).toBe('IVA repercutido 21 %')
    const english = await listAccounts(book.test, { text: 'wages', language: 'en' })
    expect(english.items.map((account) => account.code)).toEqual(['460', '465', '640'])
  })
})
