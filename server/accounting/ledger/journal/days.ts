/** Days and months as the journal keeps them: whole numbers, 20260131 and 202601. */
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'

/** Parts of a year's months that are no month: the opening comes before January, the closing after December. */
export const OPENING = 0
export const REGULARISATION = 13
export const CLOSING = 14

/** 20260131 for 2026-01-31. */
export function dayNumber(date: BusinessDate): number {
  return Number(date.slice(0, 4)) * 10_000 + Number(date.slice(5, 7)) * 100 + Number(date.slice(8, 10))
}

/** 2026-01-31 for 20260131. */
export function dayText(day: number): BusinessDate {
  const digits = String(day)
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
}

/** 202601 for any day of January 2026. */
export function monthNumber(date: BusinessDate): number {
  return Math.floor(dayNumber(date) / 100)
}

/** The day after, as a date. */
export function nextDay(date: BusinessDate): BusinessDate {
  return addDays(date, 1)
}
