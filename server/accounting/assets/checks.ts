/** What is wrong with the terms of an asset, and what only deserves a look. Pure. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { percentFromBasisPoints } from '../../domain/money.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import type { AssetKind } from './kinds.ts'
import type { Method } from './plan.ts'
import { FREE_UNIT_LIMIT_CENTS, maxRateOf, tableRow } from './tables.ts'
import type { Pace } from './tables.ts'

/** The terms as a person states them, in cents. */
export interface Stated {
  kind: AssetKind
  acquiredOn: BusinessDate
  inUseOn: BusinessDate
  baseCents: Cents
  vatCents: Cents
  vatDeductedCents: Cents
  residualCents: Cents
  method: Method
  rateBp: BasisPoints | null
  years: number | null
  table: string | null
  pace: Pace
  priorCents: Cents
  priorUntil: BusinessDate | null
  priorOfYearCents: Cents | null
}

function fault(code: string, field: string, message: string, fix: string): Fault {
  return { code, field, severity: 'error', message, fix }
}

/** Returns what forbids the terms. */
export function faultsOf(stated: Stated, today: BusinessDate): Fault[] {
  const faults: Fault[] = []
  const refuse = (...parts: Parameters<typeof fault>) => faults.push(fault(...parts))
  const cost = stated.baseCents + stated.vatCents - stated.vatDeductedCents
  if (stated.baseCents === 0) refuse('asset_price', 'base', 'The asset has no price.', 'Type what it cost.')
  if (stated.vatDeductedCents > stated.vatCents)
    refuse('asset_vat', 'vatDeducted', 'More VAT is deducted than was charged.', 'Type at most the VAT.')
  if (stated.residualCents > cost)
    refuse('asset_residual', 'residual', 'The residual value is above the cost.', 'Type at most the cost.')
  if (stated.inUseOn < stated.acquiredOn)
    refuse('asset_in_use', 'inUseOn', 'It is used before it was bought.', 'Check both days.')
  if (stated.method === 'percent' && stated.rateBp === null)
    refuse('asset_percent', 'percent', 'The percentage is missing.', 'Type how much is depreciated a year.')
  if (stated.method === 'years' && stated.years === null)
    refuse('asset_years', 'years', 'The number of years is missing.', 'Type how long it is used.')
  if (stated.table !== null && !tableRow(stated.table, stated.inUseOn))
    refuse('asset_table', 'table', 'No table in force on that day has this row.', 'Choose another row.')
  if (stated.priorCents > Math.max(0, cost - stated.residualCents))
    refuse(
      'asset_prior',
      'accumulatedBefore',
      'More was depreciated before than may be over its life.',
      'Check the cost and the residual value.',
    )
  if (stated.priorCents > 0) {
    const until = stated.priorUntil
    if (until === null)
      refuse(
        'asset_prior_until',
        'accumulatedUntil',
        'The day until which it was depreciated is missing.',
        'Type the last day of that depreciation.',
      )
    else if (until < stated.inUseOn || until > today)
      refuse(
        'asset_prior_until',
        'accumulatedUntil',
        'That day is before its first use, or in the future.',
        'Check both days.',
      )
    if ((stated.priorOfYearCents ?? 0) > stated.priorCents)
      refuse(
        'asset_prior_year',
        'accumulatedInYear',
        'The part of the year is more than the whole.',
        'Type at most the whole.',
      )
  }
  return faults
}

/** Returns what deserves a look: a percentage outside the table, land that is depreciated. */
export function warningsOf(stated: Stated): Fault[] {
  const warnings: Fault[] = []
  const warn = (code: string, field: string, message: string, params?: Record<string, string | number>) =>
    warnings.push({ code, field, severity: 'warning', message, ...(params ? { params } : {}) })
  const row = stated.table === null ? undefined : tableRow(stated.table, stated.inUseOn)
  const rateBp =
    stated.method === 'percent' ? stated.rateBp : stated.years === null ? null : 10_000 / stated.years
  if (row && rateBp !== null && (stated.method === 'percent' || stated.method === 'years')) {
    const most = maxRateOf(row, stated.pace)
    const field = stated.method === 'percent' ? 'percent' : 'years'
    if (rateBp > most)
      warn('asset_above_table', field, 'That is faster than the table allows: the excess is no expense.', {
        max: percentFromBasisPoints(most),
      })
    else if (rateBp * row.maxYears < 10_000)
      warn('asset_below_table', field, 'That is slower than the longest period of the table.', {
        years: row.maxYears,
      })
  }
  if (stated.kind === '12' && stated.residualCents === 0 && stated.method !== 'none')
    warn(
      'asset_land_value',
      'residual',
      'The value of the land is not depreciated: type it as residual value.',
    )
  if (stated.method === 'free' && stated.baseCents > FREE_UNIT_LIMIT_CENTS)
    warn(
      'asset_free',
      'method',
      'Free depreciation is for new elements of up to 300 euros, unless another law allows it.',
    )
  return warnings
}
