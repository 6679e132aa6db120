/** Periods of the ledger's tabs, and templates of manual entries. */
import { expect, test } from 'vitest'
import { daysOf, partOf, periodFrom, shifted } from '../../../../renderer/accounting/ledger/period.ts'
import { accountsOf, difference, TEMPLATES } from '../../../../renderer/accounting/ledger/templates.ts'
import { isPlanAccount } from '../../../../server/accounting/ledger/chart/chart.ts'

test.each([
  [{ year: 2026 }, '', '2026-01-01', '2026-12-31'],
  [{ year: 2026, quarter: 1 }, 'q1', '2026-01-01', '2026-03-31'],
  [{ year: 2026, quarter: 4 }, 'q4', '2026-10-01', '2026-12-31'],
  [{ year: 2024, month: 2 }, 'm02', '2024-02-01', '2024-02-29'],
])('%j is %j in the address and has its first and last day', (period, part, from, to) => {
  expect(partOf(period)).toBe(part)
  expect(periodFrom(period.year, part)).toEqual(period)
  expect(daysOf(period)).toEqual({ from, to })
})

test('an invalid address means the whole year', () => {
  for (const part of ['q5', 'm13', 'm00', 'x', 'q', 'q1q2'])
    expect(periodFrom(2026, part)).toEqual({ year: 2026 })
})

test('the periods before and after have the same length', () => {
  expect(shifted({ year: 2026, quarter: 4 }, 1)).toEqual({ year: 2027, quarter: 1 })
  expect(shifted({ year: 2026, quarter: 1 }, -1)).toEqual({ year: 2025, quarter: 4 })
  expect(shifted({ year: 2026, month: 12 }, 1)).toEqual({ year: 2027, month: 1 })
  expect(shifted({ year: 2026, month: 5 }, -1)).toEqual({ year: 2026, month: 4 })
  expect(shifted({ year: 2026 }, -1)).toEqual({ year: 2025 })
})

test('every template starts with accounts of the plan, on both sides', () => {
  for (const { name } of TEMPLATES) {
    const lines = accountsOf(name)
    for (const { account } of lines) expect(isPlanAccount(account), account).toBe(true)
    expect(new Set(lines.map(({ side }) => side)), name).toEqual(new Set(['debit', 'credit']))
  }
  expect(accountsOf('nothing')).toEqual([])
})

test('the missing amount is assigned to its side', () => {
  const line = (debit: number | null, credit: number | null) => ({ key: 0, account: '572', debit, credit })
  expect(difference([line(500, null), line(null, 300)])).toBe(200)
  expect(difference([line(100, null), line(null, 300)])).toBe(-200)
  expect(difference([line(300, null), line(null, 300), line(null, null)])).toBe(0)
})
