/** Period of a page of taxes, as its address writes it: `2026-4T`, or `2026-11` of a return that is filed by months. */
import { formatMonthLong, formatQuarter } from '../../format.ts'
import { quarterOf } from '../../../server/domain/dates.ts'
import type { BusinessDate } from '../../../server/domain/dates.ts'

export interface Quarter {
  year: number
  quarter: number
}

/** The period of a return, as operations take it. */
export interface ReturnPlace {
  year: number
  quarter?: number
  month?: number
}

/** Parses an address; returns null for anything else. */
export function placeOfAddress(text: string): ReturnPlace | null {
  const [, year, quarter, month] = /^(\d{4})-(?:([1-4])T|(0[1-9]|1[0-2]))$/.exec(text) ?? []
  if (year === undefined) return null
  return {
    year: Number(year),
    ...(month === undefined ? { quarter: Number(quarter) } : { month: Number(month) }),
  }
}

/** Returns the quarter of an address, or that around its month; null for anything else. */
export function quarterOfAddress(text: string): Quarter | null {
  const place = placeOfAddress(text)
  return place && { year: place.year, quarter: place.quarter ?? Math.ceil((place.month ?? 12) / 3) }
}

/** Returns the address of a return by its period: those of a year are on the page of the last quarter. */
export function addressOfReturn({ year, period }: { year: number; period: string }): string {
  return `${year}-${period === '0A' ? '4T' : period}`
}

/** Formats a period: `2026`, `4T 2026` or `noviembre de 2026`. */
export function formatPeriod({ year, period }: { year: number; period: string }): string {
  if (period === '0A') return String(year)
  return period.endsWith('T') ? formatQuarter(`${period} ${year}`) : formatMonthLong(`${year}-${period}`)
}

/** Formats a period as the server names it: `4T 2026`, `11 2026` or `2026`. */
export function formatPeriodLabel(label: string): string {
  const [period = '', year] = label.split(' ')
  return year === undefined ? label : formatPeriod({ year: Number(year), period })
}

/**
 * Returns the address of a return whose address names a quarter where it is filed by months, or a month where it is filed by
 * quarters, as the codes of the server's faults say; null for other faults.
 */
export function addressByFaults(
  { year, quarter, month }: ReturnPlace,
  faults: readonly { code: string }[],
): string | null {
  if (quarter !== undefined && faults.some(({ code }) => code === 'files_by_months'))
    return `${year}-${String(quarter * 3).padStart(2, '0')}`
  if (month !== undefined && faults.some(({ code }) => code === 'files_by_quarters'))
    return `${year}-${Math.ceil(month / 3)}T`
  return null
}

export function addressOf({ year, quarter }: Quarter): string {
  return `${year}-${quarter}T`
}

/** Returns the quarter `steps` away. */
export function shifted({ year, quarter }: Quarter, steps: number): Quarter {
  const index = year * 4 + (quarter - 1) + steps
  return { year: Math.floor(index / 4), quarter: (index % 4) + 1 }
}

/**
 * Returns the message key that says how certain a last day is; null for one of the published calendar. The tax agency
 * publishes the calendar of a year around its beginning.
 */
export function certaintyKey(
  { sure, dueTo }: { sure: 'official' | 'computed'; dueTo: BusinessDate },
  today: BusinessDate,
): 'taxes.dayUnpublished' | 'taxes.dayByRule' | null {
  if (sure === 'official') return null
  return dueTo.slice(0, 4) > today.slice(0, 4) ? 'taxes.dayUnpublished' : 'taxes.dayByRule'
}

/** Returns the default quarter: the previous one while it can still be filed. */
export function usualQuarter(today: BusinessDate): Quarter {
  const now = { year: Number(today.slice(0, 4)), quarter: quarterOf(today) }
  const isFilingMonth = (Number(today.slice(5, 7)) - 1) % 3 === 0
  return isFilingMonth ? shifted(now, -1) : now
}
