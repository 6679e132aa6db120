/** By which periods a business files each return in a year: it follows from the schemes that a person has stated. */
import type { Ctx } from '../../../context.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { monthReturn, quarterReturn, yearReturn } from '../calendar/periods.ts'
import type { ReturnPeriod } from '../calendar/periods.ts'
import { YEARLY } from '../calendar/return-rows.ts'
import type { ModelNumber } from '../contract.ts'
import { findSchemes, isMonthlyVat, schemesOf } from './schemes.ts'
import type { Schemes } from './schemes.ts'

type Unit = 'month' | 'quarter' | 'year'

/** Returns of what was withheld, by months for large companies. */
const WITHHELD: readonly ModelNumber[] = ['111', '115', '123']

/**
 * Returns the unit of a return. Years that nobody has stated are taken by quarters, as most businesses file. Source: RIVA
 * arts. 71.3 and 81; RIRPF art. 108.1 (large companies).
 */
export function unitOf(model: ModelNumber, schemes: Schemes | null | undefined): Unit {
  if (YEARLY.includes(model)) return 'year'
  if (!schemes) return 'quarter'
  const isMonthly = ((): boolean => {
    if (model === '303') return isMonthlyVat(schemes)
    if (WITHHELD.includes(model)) return schemes.largeCompany
    return model === '349' && schemes.monthly349
  })()
  return isMonthly ? 'month' : 'quarter'
}

/** Returns the month so many months away; months are numbers like 202611. */
function monthAway(month: number, steps: number): number {
  const index = Math.floor(month / 100) * 12 + (month % 100) - 1 + steps
  return Math.floor(index / 12) * 100 + (index % 12) + 1
}

/** Returns the periods of a return that lie in a quarter, or the quarter itself. */
export function periodsInQuarter(
  model: ModelNumber,
  { year, quarter }: { year: number; quarter: number },
  schemes: Schemes | null | undefined,
): ReturnPeriod[] {
  if (unitOf(model, schemes) !== 'month') return [quarterReturn(year, quarter)]
  return [2, 1, 0].map((back) => monthReturn(year, quarter * 3 - back))
}

/** Periods of returns in all years, by the schemes stated for each. */
export interface Periods {
  /** Returns the period that contains a month, as 202611. */
  at(model: ModelNumber, month: number): ReturnPeriod
  before(model: ModelNumber, period: ReturnPeriod): ReturnPeriod
  after(model: ModelNumber, period: ReturnPeriod): ReturnPeriod
  /** Returns the period, or the periods, of a quarter. */
  inQuarter(model: ModelNumber, quarter: { year: number; quarter: number }): ReturnPeriod[]
}

/** Reads by which periods the business files in each year. */
export async function periodsOf(ctx: Ctx): Promise<Periods> {
  const stated = await findSchemes(ctx)
  const at = (model: ModelNumber, month: number): ReturnPeriod => {
    const year = Math.floor(month / 100)
    const unit = unitOf(model, stated.get(year))
    if (unit === 'year') return yearReturn(year)
    return unit === 'month'
      ? monthReturn(year, month % 100)
      : quarterReturn(year, Math.ceil((month % 100) / 3))
  }
  return {
    at,
    before: (model, { months }) => at(model, monthAway(months.from, -1)),
    after: (model, { months }) => at(model, monthAway(months.to, 1)),
    inQuarter: (model, quarter) => periodsInQuarter(model, quarter, stated.get(quarter.year)),
  }
}

/** A period as callers name it. */
export interface PeriodRequest {
  year: number
  quarter?: number | undefined
  month?: number | undefined
}

function wrongPeriod(
  code: string,
  field: string,
  message: string,
  fix: string,
  params: Fault['params'],
): Error {
  return validationFailed([{ code, field, severity: 'error', message, fix, ...(params ? { params } : {}) }])
}

/**
 * Returns the requested period of a return, by what the business files in that year. Throws `validation_failed` when the
 * period is missing, or names a quarter where the business files by months, or a month where it files by quarters.
 */
export async function returnPeriod(
  ctx: Ctx,
  model: ModelNumber,
  { year, quarter, month }: PeriodRequest,
): Promise<ReturnPeriod> {
  if (YEARLY.includes(model)) return yearReturn(year)
  if (quarter !== undefined && month !== undefined)
    throw wrongPeriod(
      'period_ambiguous',
      'month',
      'Give a quarter or a month, not both.',
      'Leave one of them out.',
      undefined,
    )
  const isMonthly = unitOf(model, await schemesOf(ctx, year)) === 'month'
  if (isMonthly && month === undefined)
    throw wrongPeriod(
      'files_by_months',
      quarter === undefined ? 'month' : 'quarter',
      `Model ${model} of ${year} is filed by months, as its schemes were stated.`,
      'Give a month from 1 to 12.',
      { model, year },
    )
  if (month !== undefined && !isMonthly)
    throw wrongPeriod(
      'files_by_quarters',
      'month',
      `Model ${model} of ${year} is filed by quarters.`,
      'Give a quarter from 1 to 4, or state the schemes of that year.',
      { model, year },
    )
  if (month !== undefined) return monthReturn(year, month)
  if (quarter === undefined)
    throw wrongPeriod(
      'quarter_missing',
      'quarter',
      `Model ${model} is filed by quarters.`,
      'Give a quarter from 1 to 4.',
      undefined,
    )
  return quarterReturn(year, quarter)
}
