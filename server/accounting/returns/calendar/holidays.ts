/** National holidays as dated rows, and the working days of terms. Regional and local holidays are not known. */
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { nationalHolidays } from '../../../domain/tax/national-holidays.ts'

interface HolidayYear {
  year: number
  /** Months and days of the holidays that all regions have. */
  days: readonly string[]
  /** The gazette that published them, or the rule when it has not yet. */
  source: string
}

const BY_LAW = 'RD 2001/1983 art. 45.1: by the rule, since the list of the year was not in the gazette yet'

const HOLIDAYS: readonly HolidayYear[] = [
  {
    year: 2025,
    days: ['01-01', '01-06', '04-18', '05-01', '08-15', '11-01', '12-06', '12-08', '12-25'],
    source: 'Resolution of 15 October 2024, BOE no. 252 of 18 October 2024 (BOE-A-2024-21316)',
  },
  {
    year: 2026,
    days: ['01-01', '01-06', '04-03', '05-01', '08-15', '10-12', '11-01', '12-08', '12-25'],
    source: 'Resolution of the Directorate-General of Labour, BOE of 28 October 2025',
  },
  {
    year: 2027,
    days: ['01-01', '01-06', '03-26', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25'],
    source: BY_LAW,
  },
  {
    year: 2028,
    days: ['01-01', '01-06', '04-14', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25'],
    source: BY_LAW,
  },
]

/** Returns the holidays of a year by the rule, for the years without a row. Source: RD 2001/1983 art. 45.1. */
function holidaysByRule(year: number): readonly string[] {
  return nationalHolidays(year, 'ten').map(({ date }) => date.slice(5))
}

/** Returns false on a Saturday, a Sunday or a national holiday (Ley 39/2015 art. 30.2). */
export function isWorkingDay(date: BusinessDate): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  const year = Number(date.slice(0, 4))
  const days = HOLIDAYS.find((row) => row.year === year)?.days ?? holidaysByRule(year)
  return !days.includes(date.slice(5))
}

/** Returns the day itself or, when it is no working day, the next one (Ley 39/2015 art. 30.5). */
export function nextBusinessDay(date: BusinessDate): BusinessDate {
  let day = date
  while (!isWorkingDay(day)) day = addDays(day, 1)
  return day
}

/** Working days that a direct debit leaves until the end of the term, its last day among them. */
const DAYS_FOR_THE_BANK = 3

/**
 * Returns the last day to file with payment by direct debit: the last working day that leaves three working days until
 * `due`, itself among them. The rule reproduces the published days of 2026 but one, which is a row of `terms.ts`.
 * Source: Orden EHA/1658/2009, which fixes it at five days before the ordinary end and moves it with that end.
 */
export function directDebitDay(due: BusinessDate): BusinessDate {
  let day = due
  let left = 0
  for (;;) {
    if (isWorkingDay(day)) {
      if (left >= DAYS_FOR_THE_BANK) return day
      left += 1
    }
    day = addDays(day, -1)
  }
}
