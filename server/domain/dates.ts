/**
 * Business dates and instants: a business date is a calendar day in Spain, an instant a point in time. The two never
 * mix.
 */

/** `YYYY-MM-DD`, a day of the calendar of Europe/Madrid. */
export type BusinessDate = string
/** ISO 8601 in UTC with milliseconds and `Z`, as stored. */
export type Instant = string

export const BUSINESS_TIME_ZONE = 'Europe/Madrid'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DAY_MS = 86_400_000

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

/** Returns true for a real day of the calendar (no 30 February) between 1900 and 2999. */
export function isBusinessDate(text: string): boolean {
  const match = DATE.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (year < 1900 || year > 2999 || day < 1) return false
  return day <= (month === 2 && isLeapYear(year) ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0))
}

interface MadridTime {
  date: BusinessDate
  time: string
  offsetMinutes: number
}

const HOUR_MS = 3_600_000
/**
 * Since this year summer time begins and ends at the same instants in the whole Union (Directive 2000/84/EC, art. 2
 * and 3).
 */
const COMMON_SUMMER_SINCE = 1997

/** Returns 01:00 UTC of the last Sunday of a month with 31 days, `month` from 0. */
function lastSunday(year: number, month: number): number {
  const last = Date.UTC(year, month, 31, 1)
  return last - new Date(last).getUTCDay() * DAY_MS
}

let summer = { year: Number.NaN, from: 0, to: 0 }

/**
 * Returns the offset of Spanish time from UTC. Computed by the rule and not by `Intl`, which takes longer to load
 * than the books to open; a test compares both.
 */
function offsetMsAt(epochMs: number): number {
  const year = new Date(epochMs).getUTCFullYear()
  if (!(year >= COMMON_SUMMER_SINCE)) return offsetBefore(epochMs)
  if (year !== summer.year) summer = { year, from: lastSunday(year, 2), to: lastSunday(year, 9) }
  return epochMs >= summer.from && epochMs < summer.to ? 2 * HOUR_MS : HOUR_MS
}

/** Returns the same for the years in which each country had its own dates. */
function offsetBefore(epochMs: number): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: BUSINESS_TIME_ZONE,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(epochMs)
  const [year, month, day, hour, minute, second] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((type) => Number(parts.find((part) => part.type === type)?.value)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(epochMs / 1000) * 1000
}

/** Returns the local time of Spain at an instant. */
export function madridTime(at: Date): MadridTime {
  const epochMs = at.getTime()
  const offsetMs = offsetMsAt(epochMs)
  const local = new Date(epochMs + offsetMs).toISOString()
  return { date: local.slice(0, 10), time: local.slice(11, 19), offsetMinutes: offsetMs / 60_000 }
}

// Midnight falls between two quarters of an hour, so that a day consists of whole quarters and one result serves all
// instants of a quarter.
const QUARTER_MS = 900_000
let cachedDayQuarter = Number.NaN
let cachedDay: BusinessDate = ''

/** Returns the calendar day in Spain at an instant. */
export function businessDateOf(at: Date): BusinessDate {
  const quarter = Math.floor(at.getTime() / QUARTER_MS)
  if (quarter !== cachedDayQuarter) {
    cachedDay = madridTime(at).date
    cachedDayQuarter = quarter
  }
  return cachedDay
}

/** Formats an instant as `YYYY-MM-DDThh:mm:ss±hh:mm` in Spanish time, the only form used in the registry's records. */
export function madridInstant(at: Date): string {
  const { date, time, offsetMinutes } = madridTime(at)
  const sign = offsetMinutes < 0 ? '-' : '+'
  const hours = String(Math.floor(Math.abs(offsetMinutes) / 60)).padStart(2, '0')
  const minutes = String(Math.abs(offsetMinutes) % 60).padStart(2, '0')
  return `${date}T${time}${sign}${hours}:${minutes}`
}

/** Returns midnight of a business day in Spain as an instant. */
export function startOfDay(date: BusinessDate): Date {
  const noonUtc = Date.parse(`${date}T12:00:00Z`)
  const midnight = noonUtc - 12 * 3_600_000
  // Two steps: on the days of a clock change the offset at the guess may differ from the offset at the result.
  const guess = midnight - offsetMsAt(midnight)
  return new Date(midnight - offsetMsAt(guess))
}

/** Returns the day `days` after (or before, if negative). */
export function addDays(date: BusinessDate, days: number): BusinessDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the same day `years` later; 29 February becomes 28 in a common year. */
export function addYears(date: BusinessDate, years: number): BusinessDate {
  const year = String(Number(date.slice(0, 4)) + years).padStart(4, '0')
  const moved = year + date.slice(4)
  return isBusinessDate(moved) ? moved : `${year}-02-28`
}

/** Returns the whole days from `from` to `to`; negative if `to` is earlier. */
export function daysBetween(from: BusinessDate, to: BusinessDate): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)
}

export interface Period {
  from: BusinessDate
  to: BusinessDate
}

/** Returns the first and last day of a calendar quarter (1 to 4). */
export function quarterPeriod(year: number, quarter: number): Period {
  return { from: monthPeriod(year, quarter * 3 - 2).from, to: monthPeriod(year, quarter * 3).to }
}

/** Returns the first and last day of a calendar month (1 to 12). */
export function monthPeriod(year: number, month: number): Period {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const prefix = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}`
  return { from: `${prefix}-01`, to: `${prefix}-${String(last).padStart(2, '0')}` }
}

/** Returns the first and last day of a calendar year. */
export function yearPeriod(year: number): Period {
  return { from: monthPeriod(year, 1).from, to: monthPeriod(year, 12).to }
}

/** Returns the quarter (1 to 4) of a day. */
export function quarterOf(date: BusinessDate): number {
  return Math.ceil(Number(date.slice(5, 7)) / 3)
}

/** Formats a day as `DD-MM-YYYY`, the registry's form. */
export function registryDate(date: BusinessDate): string {
  return `${date.slice(8, 10)}-${date.slice(5, 7)}-${date.slice(0, 4)}`
}
