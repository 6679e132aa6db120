/** Days and months in the journal's storage format: whole numbers, 20260131 and 202601. */
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'

/** Pseudo-months of a year: the opening is before January, the closing after December. */
export const OPENING = 0
export const REGULARISATION = 13
export const CLOSING = 14

/** Converts 2026-01-31 to 20260131. */
export function dayNumber(date: BusinessDate): number {
  return Number(date.slice(0, 4)) * 10_000 + Number(date.slice(5, 7)) * 100 + Number(date.slice(8, 10))
}

/** Converts 20260131 to 2026-01-31. */
export function dayText(day: number): BusinessDate {
  const digits = String(day)
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
}

/** Returns 202601 for any day of January 2026. */
export function monthNumber(date: BusinessDate): number {
  return Math.floor(dayNumber(date) / 100)
}

/** Returns the next day as a date. */
export function nextDay(date: BusinessDate): BusinessDate {
  return addDays(date, 1)
}
