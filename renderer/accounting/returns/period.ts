/** Quarter of a page of taxes, as its address writes it: `2026-4T`. */
import { quarterOf } from '../../../server/domain/dates.ts'
import type { BusinessDate } from '../../../server/domain/dates.ts'

export interface Quarter {
  year: number
  quarter: number
}

/** Parses an address; returns null for anything else. */
export function quarterOfAddress(text: string): Quarter | null {
  const match = /^(\d{4})-([1-4])T$/.exec(text)
  return match ? { year: Number(match[1]), quarter: Number(match[2]) } : null
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
