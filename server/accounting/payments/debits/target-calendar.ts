/** Settlement days of the euro area's banks (TARGET), and lead times of bank files. Pure. */
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'

/** Returns Easter Sunday of a year (Gregorian computus after Meeus, Jones and Butcher). */
function easter(year: number): BusinessDate {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const e = b % 4
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * e + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  const day = ((h + l - 7 * m + 114) % 31) + 1
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/**
 * Returns false on the closing days of TARGET: Saturdays, Sundays, 1 January, Good Friday, Easter Monday, 1 May, 25
 * and 26 December.
 */
export function isBankDay(date: BusinessDate): boolean {
  const weekday = new Date(`${date}T12:00:00Z`).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  if (['01-01', '05-01', '12-25', '12-26'].includes(date.slice(5))) return false
  const sunday = easter(Number(date.slice(0, 4)))
  return date !== addDays(sunday, -2) && date !== addDays(sunday, 1)
}

/** Returns the bank day that is `count` bank days after a day. */
export function bankDayAfter(date: BusinessDate, count: number): BusinessDate {
  let day = date
  for (let left = count; left > 0;) {
    day = addDays(day, 1)
    if (isBankDay(day)) left--
  }
  return day
}

interface Lead {
  from: BusinessDate
  debitDays: number
  transferDays: number
  source: string
}

/** Bank days between submission and execution. A bank may require more. */
const LEADS: readonly [Lead, ...Lead[]] = [
  {
    from: '2016-11-21',
    debitDays: 1,
    transferDays: 1,
    source: 'EPC016-06 and EPC222-07, version 9.1 (D-1 for every debit)',
  },
]

/** Returns the first day on which the bank can execute a file submitted today. */
export function firstExecution(kind: 'debit' | 'transfer', today: BusinessDate): BusinessDate {
  const lead = LEADS.findLast((row) => row.from <= today) ?? LEADS[0]
  return bankDayAfter(today, kind === 'debit' ? lead.debitDays : lead.transferDays)
}
