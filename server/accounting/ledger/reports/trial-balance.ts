/** Trial balance (sumas y saldos): opening balance, debits, credits and closing balance of every account. */
import type { trialBalanceContract } from '../contract.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { FIRST_MONTH, monthsOf, periodOf, sumsOf } from './balances.ts'
import type { RequestedPeriod } from './balances.ts'
import { accountNames } from '../chart/own-names.ts'
import { CLOSING, OPENING } from '../journal/days.ts'
import { ACCOUNTS } from '../mapping/accounts.ts'

/** Levels 1 to 4 are digits of the code; level 5 shows the accounts themselves. */
const ALL_ACCOUNTS = 5

interface BalanceCents {
  code: string
  name: string | null
  openingCents: number
  debitCents: number
  creditCents: number
}

/**
 * Returns true for income and expense accounts, which restart each year; unclosed amounts of earlier years belong to
 * the result, 129.
 */
export function isResult(code: string): boolean {
  return code.startsWith('6') || code.startsWith('7')
}

/** Returns the balances of every account in a period, and the result of earlier years that was not closed. */
async function balancesOf(
  ctx: Ctx,
  asked: RequestedPeriod,
  closing = false,
): Promise<{ rows: BalanceCents[]; unclosedCents: number }> {
  const { first, last } = monthsOf(periodOf(asked))
  const yearStart = asked.year * 100 + OPENING
  // The opening of the year counts as opening balance, not as movement.
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

/** Sums the rows into their groups. Codes at or above the level stay as they are. */
function atLevel(rows: readonly BalanceCents[], level: number): (BalanceCents & { account: boolean })[] {
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

/** Returns the trial balance of a period. */
export const trialBalance: UseCase<typeof trialBalanceContract> = async (
  ctx,
  { level = ALL_ACCOUNTS, closing = false, language = 'es', ...asked },
) => {
  const { rows, unclosedCents } = await balancesOf(ctx, asked, closing)
  const named = await accountNames(ctx, language)
  const sum = (key: 'openingCents' | 'debitCents' | 'creditCents') =>
    rows.reduce((total, row) => total + row[key], 0)
  const balance = (row: BalanceCents) => row.openingCents + row.debitCents - row.creditCents
  return {
    period: periodOf(asked),
    rows: atLevel(rows, level).map((row) => ({
      code: row.code,
      name: row.name ?? named(row.code),
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
