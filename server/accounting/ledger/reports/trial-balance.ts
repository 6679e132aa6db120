/** The trial balance (sumas y saldos): of every account what it had, what came and went, and what it has. */
import type { trialBalanceContract } from '../contract.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { FIRST_MONTH, monthsOf, periodOf, sumsOf } from './balances.ts'
import type { RequestedPeriod } from './balances.ts'
import { nameOf } from '../chart/chart.ts'
import { CLOSING, OPENING } from '../journal/days.ts'
import { ACCOUNTS } from '../mapping/accounts.ts'

/** Levels 1 to 4 are digits of the code; at 5 the accounts themselves stand. */
const ALL_ACCOUNTS = 5

export interface BalanceCents {
  code: string
  name: string | null
  openingCents: number
  debitCents: number
  creditCents: number
}

/** Income and expenses begin anew each year; what earlier years left unclosed belongs to the result, 129. */
export function isResult(code: string): boolean {
  return code.startsWith('6') || code.startsWith('7')
}

/** Balances of every account of a period, and the result of earlier years that was not closed. */
export async function balancesOf(
  ctx: Ctx,
  asked: RequestedPeriod,
  closing = false,
): Promise<{ rows: BalanceCents[]; unclosedCents: number }> {
  const { first, last } = monthsOf(periodOf(asked))
  const yearStart = asked.year * 100 + OPENING
  // The opening of the year is what the accounts had, not what came to them.
  const earlier = await sumsOf(ctx, FIRST_MONTH, yearStart - 1)
  const sofar = await sumsOf(ctx, yearStart, first - 1)
  const now = await sumsOf(ctx, first, closing && last % 100 === 12 ? asked.year * 100 + CLOSING : last)
  const byCode = new Map<string, BalanceCents>()
  const rowOf = (code: string, name: string | null): BalanceCents => {
    let row = byCode.get(code)
    if (!row) byCode.set(code, (row = { code, name, openingCents: 0, debitCents: 0, creditCents: 0 }))
    return row
  }
  let unclosedCents = 0
  for (const { code, name, debitCents, creditCents } of earlier) {
    if (isResult(code)) unclosedCents += creditCents - debitCents
    else rowOf(code, name).openingCents += debitCents - creditCents
  }
  for (const { code, name, debitCents, creditCents } of sofar)
    rowOf(code, name).openingCents += debitCents - creditCents
  for (const { code, name, debitCents, creditCents } of now) {
    const row = rowOf(code, name)
    row.debitCents += debitCents
    row.creditCents += creditCents
  }
  if (unclosedCents !== 0) rowOf(ACCOUNTS.result, null).openingCents -= unclosedCents
  const rows = [...byCode.values()]
    .filter((row) => row.openingCents !== 0 || row.debitCents !== 0 || row.creditCents !== 0)
    .sort((a, b) => (a.code < b.code ? -1 : 1))
  return { rows, unclosedCents }
}

/** The rows summed into their groups. Codes that are a group already stay as they are. */
export function atLevel(
  rows: readonly BalanceCents[],
  level: number,
): (BalanceCents & { account: boolean })[] {
  if (level >= ALL_ACCOUNTS) return rows.map((row) => ({ ...row, account: true }))
  const groups = new Map<string, BalanceCents & { account: boolean }>()
  for (const row of rows) {
    const code = row.code.slice(0, level)
    const group = groups.get(code)
    if (!group) {
      const own = row.code === code
      groups.set(code, { ...row, code, name: own ? row.name : null, account: own })
      continue
    }
    group.openingCents += row.openingCents
    group.debitCents += row.debitCents
    group.creditCents += row.creditCents
    group.account = false
  }
  return [...groups.values()]
}

/** The trial balance of a period. */
export const trialBalance: UseCase<typeof trialBalanceContract> = async (
  ctx,
  { level = ALL_ACCOUNTS, closing = false, language = 'es', ...asked },
) => {
  const { rows, unclosedCents } = await balancesOf(ctx, asked, closing)
  const sum = (key: 'openingCents' | 'debitCents' | 'creditCents') =>
    rows.reduce((total, row) => total + row[key], 0)
  const balance = (row: BalanceCents) => row.openingCents + row.debitCents - row.creditCents
  return {
    period: periodOf(asked),
    rows: atLevel(rows, level).map((row) => ({
      code: row.code,
      name: row.name ?? nameOf(row.code, language),
      level: Math.min(row.code.length, ALL_ACCOUNTS),
      account: row.account,
      opening: eurosFromCents(row.openingCents),
      debit: eurosFromCents(row.debitCents),
      credit: eurosFromCents(row.creditCents),
      balance: eurosFromCents(balance(row)),
    })),
    totals: {
      opening: eurosFromCents(sum('openingCents')),
      debit: eurosFromCents(sum('debitCents')),
      credit: eurosFromCents(sum('creditCents')),
      balance: eurosFromCents(rows.reduce((total, row) => total + balance(row), 0)),
    },
    unclosed: eurosFromCents(unclosedCents),
  }
}
