/**
 * The clock of four days within which a payment is reported: calendar days from the effective one, without Saturdays,
 * Sundays and national holidays. Source: RD 238/2026 art. 12.3.
 *
 * Two things are not defined (assumptions `holiday_list` and `rejection_term`): which days count as national holidays, and
 * whether rejections have a term. The alarm takes the nine that no region can replace, so that it is never late, and treats
 * rejections alike. The day of the event is not counted.
 */
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { isNationalDayOff } from '../../../domain/tax/national-holidays.ts'
import type { HolidaySet } from '../../../domain/tax/national-holidays.ts'

const DAYS_TO_REPORT = 4

/** Returns the last day to report what happened on a day. */
export function lastDayFor(event: BusinessDate, set: HolidaySet = 'nine'): BusinessDate {
  let day = event
  for (let counted = 0; counted < DAYS_TO_REPORT;) {
    day = addDays(day, 1)
    if (!isNationalDayOff(day, set)) counted += 1
  }
  return day
}

/** Days before the last one on which a reminder is given: the first that is reached; 0 is the last day itself. */
const REMINDER_STEPS = [2, 1, 0] as const

/** Returns how many counted days remain until the last day, negative after it. */
export function countedDaysLeft(today: BusinessDate, lastDay: BusinessDate): number {
  if (today > lastDay) return -1
  let left = 0
  for (let day = addDays(today, 1); day <= lastDay; day = addDays(day, 1))
    if (!isNationalDayOff(day, 'nine')) left += 1
  return left
}

/** Returns the step of the reminder that is due today; null while the day is far away, -1 once it is over. */
export function reminderStep(today: BusinessDate, lastDay: BusinessDate): number | null {
  const left = countedDaysLeft(today, lastDay)
  if (left < 0) return -1
  return REMINDER_STEPS.toReversed().find((step) => step >= left) ?? null
}
