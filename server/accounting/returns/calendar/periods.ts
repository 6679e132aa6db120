/** Periods of returns: a quarter (1T to 4T), a year (0A) or, for the terms of monthly filers, a month (01 to 12). */
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { monthPeriod, quarterPeriod, yearPeriod } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Months } from '../../../tax/totals/index.ts'
import type { ModelNumber } from '../contract.ts'

/** `1T` to `4T`, `01` to `12`, or `0A`. */
export type PeriodCode = string

export interface ReturnPeriod {
  year: number
  /** Null for a whole year; of a month, the quarter that contains it. */
  quarter: number | null
  /** `3T` or `0A`; `07` for a month. */
  code: string
  from: BusinessDate
  to: BusinessDate
  months: Months
}

const YEARLY: readonly ModelNumber[] = ['390', '347', '190', '180']

/** Returns true for a yearly return. */
function isYearly(model: ModelNumber): boolean {
  return YEARLY.includes(model)
}

/** Returns the months of a quarter. */
export function quarterMonths(year: number, quarter: number): Months {
  return { from: year * 100 + quarter * 3 - 2, to: year * 100 + quarter * 3 }
}

export function quarterReturn(year: number, quarter: number): ReturnPeriod {
  return {
    year,
    quarter,
    code: `${quarter}T`,
    ...quarterPeriod(year, quarter),
    months: quarterMonths(year, quarter),
  }
}

/** Returns a month, which only deadlines know: the figures of returns are computed by quarters. */
export function monthReturn(year: number, month: number): ReturnPeriod {
  return {
    year,
    quarter: Math.ceil(month / 3),
    code: String(month).padStart(2, '0'),
    ...monthPeriod(year, month),
    months: { from: year * 100 + month, to: year * 100 + month },
  }
}

/** Returns whether a period is a month, a quarter or a year. */
export function periodUnit(code: PeriodCode): 'month' | 'quarter' | 'year' {
  if (code === '0A') return 'year'
  return code.endsWith('T') ? 'quarter' : 'month'
}

/** Returns the last month of a period, from 1 to 12. */
export function lastMonthOf(code: PeriodCode): number {
  const unit = periodUnit(code)
  if (unit === 'year') return 12
  return unit === 'quarter' ? Number(code[0]) * 3 : Number(code)
}

export function yearReturn(year: number): ReturnPeriod {
  return {
    year,
    quarter: null,
    code: '0A',
    ...yearPeriod(year),
    months: { from: year * 100 + 1, to: year * 100 + 12 },
  }
}

/** Returns the requested period of a return. Throws `validation_failed` when a quarter is missing. */
export function returnPeriod(model: ModelNumber, year: number, quarter: number | undefined): ReturnPeriod {
  if (isYearly(model)) return yearReturn(year)
  if (quarter === undefined)
    throw validationFailed([
      {
        code: 'quarter_missing',
        field: 'quarter',
        severity: 'error',
        message: `Model ${model} is filed by quarters.`,
        fix: 'Give a quarter from 1 to 4.',
      },
    ])
  return quarterReturn(year, quarter)
}

/** Returns the previous quarter. */
export function previousQuarter(year: number, quarter: number): { year: number; quarter: number } {
  return quarter === 1 ? { year: year - 1, quarter: 4 } : { year, quarter: quarter - 1 }
}
