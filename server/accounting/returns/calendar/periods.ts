/** Periods of returns: a quarter (1T to 4T) or a year (0A). */
import { validationFailed } from '../../../domain/errors/app-error.ts'
import { quarterPeriod, yearPeriod } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Months } from '../../../tax/totals/index.ts'
import type { ModelNumber } from '../contract.ts'

export interface ReturnPeriod {
  year: number
  /** Null for a whole year. */
  quarter: number | null
  /** `3T` or `0A`. */
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
