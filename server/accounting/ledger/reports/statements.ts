/** Profit and loss account and balance sheet, from the monthly totals of each account. */
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { FIRST_MONTH, monthsOf, periodOf, sumsOf } from './balances.ts'
import type { RequestedPeriod } from './balances.ts'
import type { Language } from '../chart/chart.ts'
import type { balanceSheetContract, profitAndLossContract, StatementLine } from '../contract.ts'
import { OPENING } from '../journal/days.ts'
import {
  ASSETS,
  EARLIER_LINE,
  EQUITY_AND_LIABILITIES,
  PROFIT_AND_LOSS,
  RESULT_LINE,
  TWO_SIDED,
  TWO_SIDED_ASSET,
} from './statement-models.ts'
import type { ModelLine } from './statement-models.ts'
import { isResult } from './trial-balance.ts'

interface Amount {
  code: string
  /** Signed in the direction of the statement: positive increases its line. */
  cents: number
}

const LONGEST_BEGINNING = 4

/** Returns a function that maps a code to its line; null when the layout has none. */
export function lineFinder(model: readonly ModelLine[]): (code: string) => string | null {
  const byBeginning = new Map<string, string>()
  for (const { key, accounts } of model)
    for (const beginning of accounts?.split(' ') ?? []) byBeginning.set(beginning, key)
  return (code) => {
    for (let length = Math.min(code.length, LONGEST_BEGINNING); length > 0; length -= 1) {
      const key = byBeginning.get(code.slice(0, length))
      if (key !== undefined) return key
    }
    return null
  }
}

const placeInResult = lineFinder(PROFIT_AND_LOSS)
const placeInAssets = lineFinder(ASSETS)
const placeInLiabilities = lineFinder(EQUITY_AND_LIABILITIES)

/** Returns the side and line of an account in the balance sheet. */
function placeInBalanceSheet(
  code: string,
  debitCents: number,
): { side: 'assets' | 'liabilities'; key: string } {
  if (TWO_SIDED.includes(code.slice(0, 3)) && debitCents > 0) return { side: 'assets', key: TWO_SIDED_ASSET }
  // An exact prefix wins on either side; otherwise the side with the longer matching prefix.
  for (let length = LONGEST_BEGINNING; length > 0; length -= 1) {
    const beginning = code.slice(0, length)
    if (beginning.length < length) continue
    for (const [side, model] of [
      ['assets', ASSETS],
      ['liabilities', EQUITY_AND_LIABILITIES],
    ] as const) {
      const line = model.find((one) => one.accounts?.split(' ').includes(beginning))
      if (line) return { side, key: line.key }
    }
  }
  return debitCents >= 0
    ? { side: 'assets', key: placeInAssets(code) ?? TWO_SIDED_ASSET }
    : { side: 'liabilities', key: placeInLiabilities(code) ?? 'C.II.3' }
}

function isBelow(key: string, above: string): boolean {
  return key === above || key.startsWith(`${above}.`)
}

function valueOf(model: readonly ModelLine[], line: ModelLine, own: ReadonlyMap<string, number>): number {
  if (line.sumOf)
    return line.sumOf.reduce((sum, key) => {
      const part = model.find((one) => one.key === key)
      return sum + (part ? valueOf(model, part, own) : 0)
    }, 0)
  let sum = 0
  for (const [key, cents] of own) if (isBelow(key, line.key)) sum += cents
  return sum
}

function lines(
  model: readonly ModelLine[],
  now: readonly (Amount & { key: string })[],
  before: readonly (Amount & { key: string })[],
  language: Language,
): StatementLine[] {
  const sums = (amounts: readonly (Amount & { key: string })[]) => {
    const own = new Map<string, number>()
    for (const { key, cents } of amounts) own.set(key, (own.get(key) ?? 0) + cents)
    return own
  }
  const [ownNow, ownBefore] = [sums(now), sums(before)]
  return model.map((line) => ({
    key: line.key,
    label: line[language],
    level: line.key.split('.').length,
    accounts: now.filter(({ key }) => key === line.key).map(({ code }) => code),
    amount: eurosFromCents(valueOf(model, line, ownNow)),
    previous: eurosFromCents(valueOf(model, line, ownBefore)),
    total: line.sumOf !== undefined || line.accounts === undefined,
  }))
}

/** Returns income less expenses of each account over the months; the regularisation entry of a year does not count. */
async function results(ctx: Ctx, asked: RequestedPeriod): Promise<(Amount & { key: string })[]> {
  const { first, last } = monthsOf(periodOf(asked))
  const sums = await sumsOf(ctx, first, last)
  return sums.flatMap(({ code, debitCents, creditCents }) => {
    const key = isResult(code) ? placeInResult(code) : null
    return key === null || creditCents === debitCents ? [] : [{ code, key, cents: creditCents - debitCents }]
  })
}

const total = (amounts: readonly Amount[]) => amounts.reduce((sum, { cents }) => sum + cents, 0)

/** Returns the profit and loss account of a period, next to that of the previous year. */
export const profitAndLoss: UseCase<typeof profitAndLossContract> = async (
  ctx,
  { language = 'es', ...asked },
) => {
  const now = await results(ctx, asked)
  const before = await results(ctx, { ...asked, year: asked.year - 1 })
  return {
    period: periodOf(asked),
    lines: lines(PROFIT_AND_LOSS, now, before, language),
    result: eurosFromCents(total(now)),
    previousResult: eurosFromCents(total(before)),
  }
}

interface Sides {
  assets: (Amount & { key: string })[]
  liabilities: (Amount & { key: string })[]
}

/**
 * Returns the balance of every account at the end of a period, without the closing entries of its year, which would
 * clear them.
 */
async function sides(ctx: Ctx, asked: RequestedPeriod): Promise<Sides> {
  const { last } = monthsOf(periodOf(asked))
  const yearStart = asked.year * 100 + OPENING
  const earlier = await sumsOf(ctx, FIRST_MONTH, yearStart - 1)
  const now = await sumsOf(ctx, yearStart, last)
  const assets: Sides['assets'] = []
  const liabilities: Sides['liabilities'] = []
  const balances = new Map<string, number>()
  let resultCents = 0
  let unclosedCents = 0
  for (const [sums, isNow] of [
    [earlier, false],
    [now, true],
  ] as const)
    for (const { code, debitCents, creditCents } of sums) {
      if (!isResult(code)) balances.set(code, (balances.get(code) ?? 0) + debitCents - creditCents)
      else if (isNow) resultCents += creditCents - debitCents
      else unclosedCents += creditCents - debitCents
    }
  for (const [code, debitCents] of [...balances].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (debitCents === 0) continue
    const { side, key } = placeInBalanceSheet(code, debitCents)
    if (side === 'assets') assets.push({ code, key, cents: debitCents })
    else liabilities.push({ code, key, cents: -debitCents })
  }
  // Not in 129 yet: the result is still in the accounts of expenses and income.
  for (const [key, cents] of [
    [EARLIER_LINE, unclosedCents],
    [RESULT_LINE, resultCents],
  ] as const)
    if (cents !== 0) liabilities.push({ code: '6', key, cents: 0 }, { code: '7', key, cents })
  return { assets, liabilities }
}

/** Returns the balance sheet at the end of a period, next to that of the previous year. */
export const balanceSheet: UseCase<typeof balanceSheetContract> = async (
  ctx,
  { language = 'es', ...asked },
) => {
  const now = await sides(ctx, asked)
  const before = await sides(ctx, { ...asked, year: asked.year - 1 })
  const [assetsCents, liabilitiesCents] = [total(now.assets), total(now.liabilities)]
  return {
    date: periodOf(asked).to,
    assets: lines(ASSETS, now.assets, before.assets, language),
    equityAndLiabilities: lines(EQUITY_AND_LIABILITIES, now.liabilities, before.liabilities, language),
    totalAssets: eurosFromCents(assetsCents),
    totalEquityAndLiabilities: eurosFromCents(liabilitiesCents),
    balanced: assetsCents === liabilitiesCents,
  }
}
