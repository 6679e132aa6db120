/** Entries of facts: posted once, removed whole, reversed and restored, never on a closed day. */
import { ENGINE } from '../../../../support/postgres/databases.ts'
import { describe, expect, test } from 'vitest'
import {
  assertOpenPeriod,
  findEntry,
  ledgerDate,
  lockPeriod,
  postEntry,
  removeEntry,
  restoreEntry,
  reverseEntry,
  verifyLedger,
} from '../../../../../server/accounting/ledger/index.ts'
import { trialBalance } from '../../../../../server/accounting/ledger/index.ts'
import { openLedger } from '../support.ts'
import type { LedgerBook } from '../support.ts'

const SALE = { '430': 121, '705': -100, '4772100': -21 }
const INVOICE = { type: 'received', id: 7 } as const

async function balance(book: LedgerBook, code: string, year = 2026): Promise<number> {
  const { rows } = await trialBalance(book.test, { year })
  return rows.find((row) => row.code === code)?.balance ?? 0
}

async function entries(book: LedgerBook): Promise<string[]> {
  const rows = await book.test.db.selectFrom('journal_entries').select('day').orderBy('id').execute()
  return rows.map(({ day }) => String(day))
}

describe('posting', () => {
  test('merges lines of the same account and drops zero lines', async () => {
    const book = await openLedger()
    await book.test.transaction((tx) =>
      postEntry(tx, {
        date: '2026-01-05',
        source: INVOICE,
        lines: [
          { account: '430', amountCents: 100 },
          { account: '430', amountCents: 50 },
          { account: '705', amountCents: -150 },
          { account: '473', amountCents: 5 },
          { account: '473', amountCents: -5 },
        ],
      }),
    )
    const lines = await book.test.db
      .selectFrom('journal_lines')
      .select('amount_cents')
      .orderBy('position')
      .execute()
    expect(lines).toEqual([{ amount_cents: 150 }, { amount_cents: -150 }])
  })

  test('posts nothing when all amounts are zero', async () => {
    const book = await openLedger()
    expect(await book.post('2026-01-05', { '430': 0, '705': 0 })).toBeNull()
    expect(await entries(book)).toEqual([])
  })

  test('rejects an unbalanced entry and leaves no trace', async () => {
    const book = await openLedger()
    await expect(book.post('2026-01-05', { '430': 1, '705': -2 })).rejects.toThrow('differ by')
    expect(await entries(book)).toEqual([])
  })

  test('rejects an unknown account; after a rolled back first use the account stays usable', async () => {
    const book = await openLedger()
    await expect(book.post('2026-01-05', { '43000001': 1, '705': -1 })).rejects.toMatchObject({
      code: 'account_unknown',
    })
    await expect(book.post('2026-01-05', { '430': 1, '9999': -1 })).rejects.toMatchObject({
      code: 'account_unknown',
    })
    await book.post('2026-01-05', SALE)
    expect(await balance(book, '430')).toBe(121)
  })

  test('posts a fact once', async () => {
    const book = await openLedger()
    await book.post('2026-01-05', SALE, INVOICE)
    await expect(book.post('2026-01-06', SALE, INVOICE)).rejects.toMatchObject({
      code: ENGINE === 'pg' ? '23505' : 'SQLITE_CONSTRAINT_UNIQUE',
    })
    expect(await entries(book)).toEqual(['20260105'])
  })

  test('keeps test and live books separate', async () => {
    const book = await openLedger()
    await book.post('2026-01-05', SALE, INVOICE, book.live)
    expect(await balance(book, '430')).toBe(0)
    expect(await findEntry(book.test, INVOICE)).toBeNull()
    expect(await findEntry(book.live, INVOICE)).toMatchObject({ date: '2026-01-05' })
  })
})

describe('a closed period', () => {
  test('accepts no entry; its accruals are booked on the issue date, or on the first open day', async () => {
    const book = await openLedger()
    await lockPeriod(book.test, { until: '2026-03-31' })
    await expect(book.post('2026-03-31', SALE)).rejects.toMatchObject({
      code: 'period_locked',
      details: { lockedUntil: '2026-03-31', firstOpenDay: '2026-04-01' },
    })
    await expect(assertOpenPeriod(book.test, '2026-02-01', 'issueDate')).rejects.toMatchObject({
      field: 'issueDate',
    })
    await book.post('2026-04-01', SALE)
    expect(await ledgerDate(book.test, '2026-04-02', '2026-04-20')).toBe('2026-04-02')
    expect(await ledgerDate(book.test, '2026-03-30', '2026-04-20')).toBe('2026-04-20')
    expect(await ledgerDate(book.test, '2026-03-01', '2026-03-30')).toBe('2026-04-01')
  })

  test('keeps its entries', async () => {
    const book = await openLedger()
    await book.post('2026-03-10', SALE, INVOICE)
    await lockPeriod(book.test, { until: '2026-03-31' })
    await expect(book.test.transaction((tx) => removeEntry(tx, INVOICE))).rejects.toMatchObject({
      code: 'period_locked',
    })
    await lockPeriod(book.test, { until: null })
    await book.test.transaction((tx) => removeEntry(tx, INVOICE))
    expect(await entries(book)).toEqual([])
    expect(await balance(book, '430')).toBe(0)
  })

  test('can end today or earlier, never later', async () => {
    const book = await openLedger('2026-05-05T10:00:00+02:00')
    await expect(lockPeriod(book.test, { until: '2026-05-06' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    expect(await lockPeriod(book.test, { until: '2026-05-05' })).toMatchObject({
      firstOpenDay: '2026-05-06',
    })
  })
})

describe('a cancelled invoice', () => {
  const reverse = (book: LedgerBook, date: string) =>
    book.test.transaction((tx) => reverseEntry(tx, INVOICE, date))
  const restore = (book: LedgerBook, date: string) =>
    book.test.transaction((tx) => restoreEntry(tx, INVOICE, date))

  test('is reversed on its own day while that is open, once', async () => {
    const book = await openLedger()
    await book.post('2026-03-10', SALE, INVOICE)
    await reverse(book, '2026-05-05')
    await reverse(book, '2026-05-06')
    expect(await entries(book)).toEqual(['20260310', '20260310'])
    expect(await balance(book, '430')).toBe(0)
    await restore(book, '2026-05-07')
    await restore(book, '2026-05-08')
    expect(await entries(book)).toEqual(['20260310'])
    expect(await balance(book, '430')).toBe(121)
  })

  test('is reversed on the day of the cancellation when its own is closed, and restored the same way', async () => {
    const book = await openLedger()
    await book.post('2026-03-10', SALE, INVOICE)
    await lockPeriod(book.test, { until: '2026-03-31' })
    await reverse(book, '2026-05-05')
    await lockPeriod(book.test, { until: '2026-06-30' })
    await restore(book, '2026-07-07')
    await reverse(book, '2026-08-08')
    await restore(book, '2026-09-09')
    expect(await entries(book)).toEqual(['20260310', '20260505', '20260707'])
    expect(await balance(book, '430')).toBe(121)
    expect(await verifyLedger(book.test)).toMatchObject({ ok: true, checked: 3 })
  })
})
