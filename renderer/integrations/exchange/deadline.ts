/** The last day of a report in words: how many counted days are left, which ones, and which do not count. Pure. */
import { formatDate, formatList, formatWeekday, language } from '../../format.ts'
import { translate } from '../../i18n.ts'
import { addDays } from '../../../server/domain/dates.ts'
import { isNationalDayOff, nationalHolidays } from '../../../server/domain/tax/national-holidays.ts'
import { countedDaysLeft } from '../../../server/integrations/exchange/law/clock.ts'

/** Days until a last day, without today: a term is four days, so that this is short. */
const MOST_DAYS = 20

interface Deadline {
  /** Counted days left after today; 0 on the last day, -1 once it is over. */
  left: number
  counted: readonly string[]
  skipped: readonly string[]
}

/** Returns the days that are left until the last one, and those in between that do not count. */
export function deadlineOf(lastDay: string, today: string): Deadline {
  const left = countedDaysLeft(today, lastDay)
  if (left <= 0) return { left, counted: [], skipped: [] }
  const days: string[] = []
  for (let day = addDays(today, 1); day <= lastDay && days.length < MOST_DAYS; day = addDays(day, 1))
    days.push(day)
  const isOff = (day: string): boolean => isNationalDayOff(day, 'nine')
  return { left, counted: days.filter((day) => !isOff(day)), skipped: days.filter(isOff) }
}

/** A weekday that is a holiday has its name: nobody has to look it up. */
function nameOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  const holiday = nationalHolidays(Number(day.slice(0, 4)), 'nine').find(({ date }) => date === day)
  return holiday && weekday !== 0 && weekday !== 6
    ? `${formatWeekday(day)} (${holiday.name[language.value]})`
    : formatWeekday(day)
}

/** Returns `2 counted days left`. */
export function leftText(lastDay: string, today: string): string {
  const { left } = deadlineOf(lastDay, today)
  if (left < 0) return translate('exchange.left.late')
  return left === 0
    ? translate('exchange.left.today')
    : translate('exchange.left.days', { count: left }, left)
}

/** Returns `until Fri 13 Nov`, or when it was. */
export function lastDayText(lastDay: string, today: string): string {
  return lastDay < today
    ? translate('exchange.left.lastWas', { day: formatWeekday(lastDay) })
    : translate('exchange.left.lastDay', { day: formatWeekday(lastDay) })
}

/** Returns which days count and which do not, and when the term ends with one more holiday, as sentences. */
export function daysText(
  { lastDay, lastDayOfTen }: { lastDay: string; lastDayOfTen: string | null },
  today: string,
): string {
  const { counted, skipped } = deadlineOf(lastDay, today)
  return [
    ...(counted.length > 1
      ? [translate('exchange.left.counted', { days: formatList(counted.map(formatWeekday)) })]
      : []),
    ...(skipped.length > 0
      ? [translate('exchange.left.skipped', { days: formatList(skipped.map(nameOf)) })]
      : []),
    ...(lastDayOfTen !== null && lastDayOfTen !== lastDay
      ? [translate('exchange.left.ten', { day: formatDate(lastDayOfTen) })]
      : []),
  ].join(' ')
}

/** Returns the colour of a last day: red once it is over, amber for the last two counted days. */
export function deadlineTone(lastDay: string, today: string): string {
  const { left } = deadlineOf(lastDay, today)
  if (left < 0) return 'text-error'
  return left <= 2 ? 'text-warning' : 'text-muted'
}
