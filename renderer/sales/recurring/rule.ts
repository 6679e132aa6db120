/** Form state of a recurrence rule, and its sentence in plain words. Pure: the texts are passed in. */
import type { InputOf } from '../../../server/api/contracts.ts'
import type { BusinessDate } from '../../../server/domain/dates.ts'

export type Rule = InputOf<'recurring.create'>['rule']
export type Weekday = NonNullable<Rule['byWeekday']>[number]

export const WEEKDAYS: readonly Weekday[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const LAST_DAY = 31

export interface RuleForm {
  freq: Rule['freq']
  interval: number
  start: BusinessDate
  /** Monthly: on a day of the month, or on a weekday. */
  by: 'day' | 'weekday'
  monthDay: number
  nth: NonNullable<Rule['nth']>
  weekdays: Weekday[]
  end: 'never' | 'until' | 'count'
  until: BusinessDate | null
  count: number
}

/** Returns the weekday of a date. */
export function weekdayOf(date: BusinessDate): Weekday {
  return WEEKDAYS[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'MO'
}

/** Returns a new rule: monthly on the first, from the next first on. */
export function emptyRule(today: BusinessDate): RuleForm {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))]
  const next = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
  return {
    freq: 'monthly',
    interval: 1,
    start: today.endsWith('-01') ? today : next,
    by: 'day',
    monthDay: 1,
    nth: 1,
    weekdays: [weekdayOf(today)],
    end: 'never',
    until: null,
    count: 12,
  }
}

export function ruleFormOf(rule: Rule): RuleForm {
  return {
    freq: rule.freq,
    interval: rule.interval ?? 1,
    start: rule.start,
    by: rule.nth === undefined ? 'day' : 'weekday',
    monthDay: rule.byMonthDay ?? Number(rule.start.slice(8, 10)),
    nth: rule.nth ?? 1,
    weekdays: rule.byWeekday ?? [weekdayOf(rule.start)],
    end: rule.until !== undefined ? 'until' : rule.count !== undefined ? 'count' : 'never',
    until: rule.until ?? null,
    count: rule.count ?? 12,
  }
}

/** Returns the rule as the server takes it; null while its last date is missing. */
export function ruleOfForm(form: RuleForm): Rule | null {
  const { freq, interval, start, by, monthDay, nth, weekdays, end, until, count } = form
  if (end === 'until' && until === null) return null
  const days = WEEKDAYS.filter((each) => weekdays.includes(each))
  const [first = weekdayOf(start)] = days
  return {
    freq,
    interval,
    start,
    ...(freq === 'weekly' ? { byWeekday: days.length > 0 ? days : [first] } : {}),
    ...(freq === 'monthly' && by === 'day' ? { byMonthDay: monthDay } : {}),
    ...(freq === 'monthly' && by === 'weekday' ? { byWeekday: [first], nth } : {}),
    ...(end === 'until' && until !== null ? { until } : {}),
    ...(end === 'count' ? { count } : {}),
  }
}

interface RuleMessages {
  t: (key: string, values?: Record<string, unknown>, plural?: number) => string
  date: (date: BusinessDate) => string
  dayMonth: (date: BusinessDate) => string
  list: (items: readonly string[]) => string
}

/** Returns the rule as a sentence: "Cada 3 meses, el último día del mes, hasta el 31/12/2027". */
export function ruleSentence(rule: Rule, { t, date, dayMonth, list }: RuleMessages): string {
  const { freq, interval = 1, start, byMonthDay, byWeekday, nth, until, count } = rule
  const weekday = (each: Weekday) => t(`recurring.weekday.${each}`)
  const parts = [t(`recurring.every.${freq}`, { count: interval }, interval)]
  if (freq === 'weekly') parts.push(list((byWeekday ?? [weekdayOf(start)]).map(weekday)))
  else if (freq === 'yearly') parts.push(t('recurring.on.date', { date: dayMonth(start) }))
  else if (nth !== undefined)
    parts.push(
      t(nth === -1 ? 'recurring.on.last' : `recurring.on.nth${nth}`, {
        day: weekday(byWeekday?.[0] ?? weekdayOf(start)),
      }),
    )
  else {
    const day = byMonthDay ?? Number(start.slice(8, 10))
    parts.push(day === LAST_DAY ? t('recurring.on.lastDay') : t('recurring.on.day', { day }))
  }
  if (until !== undefined) parts.push(t('recurring.ends.until', { date: date(until) }))
  if (count !== undefined) parts.push(t('recurring.ends.count', { count }, count))
  return parts.join(', ')
}
