/** Periods of returns: a quarter (1T to 4T), a month (01 to 12) or a year (0A). By which one files: schemes/units.ts. */
import { monthPeriod, quarterPeriod, yearPeriod } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Months } from '../../../tax/totals/index.ts'

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

/** Returns the previous quarter. */
export function previousQuarter(year: number, quarter: number): { year: number; quarter: number } {
  return quarter === 1 ? { year: year - 1, quarter: 4 } : { year, quarter: quarter - 1 }
}

/** Returns true for the last period of a year, in which a VAT return answers more questions. */
export function isLastOfYear(code: PeriodCode): boolean {
  return lastMonthOf(code) === 12
}
