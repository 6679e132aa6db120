/** Rule of a recurring invoice: days of the Spanish calendar, stored as RFC 5545 text. */
import type * as rrule from 'rrule'
import type { Options, RRule } from 'rrule'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { WEEKDAYS } from './weekdays.ts'
import type { RecurrenceRule } from './contract.ts'

type Package = typeof rrule

let loaded: Promise<Package> | undefined

/** Loads the library with the first rule. Node resolves the package's CommonJS build, the bundler its modules. */
function library(): Promise<Package> {
  loaded ??= import('rrule').then((found) =>
    'RRule' in found ? found : (found as { default: Package }).default,
  )
  return loaded
}

/** Converts days to midnights of UTC, so that the library computes in plain calendar days. */
function utcOf(date: BusinessDate): Date {
  return new Date(`${date}T00:00:00Z`)
}

function dateOf(utc: Date): BusinessDate {
  return utc.toISOString().slice(0, 10)
}

const SHORTEST_MONTH = 28

/** Selects the last of these days that a month has: the 31st means the last day of a shorter month. */
function orLastDay(day: number): Pick<Options, 'bymonthday'> & Partial<Pick<Options, 'bysetpos'>> {
  if (day <= SHORTEST_MONTH) return { bymonthday: [day] }
  const days: number[] = []
  for (let each = SHORTEST_MONTH; each <= day; each += 1) days.push(each)
  return { bymonthday: days, bysetpos: [-1] }
}

/** Returns all contradictions in a rule. `at` is the rule's own path. */
export function ruleFaults(rule: RecurrenceRule, at = 'rule'): Fault[] {
  const faults: Fault[] = []
  const say = (field: string, message: string, fix: string) =>
    faults.push({ code: 'rule_conflict', field: `${at}.${field}`, severity: 'error', message, fix })
  const { freq, byMonthDay, byWeekday, nth, start, until, count } = rule
  if (byMonthDay !== undefined && freq !== 'monthly')
    say('byMonthDay', 'A day of the month belongs to a monthly rule.', 'Leave it out, or choose monthly.')
  if (nth !== undefined && (freq !== 'monthly' || byWeekday?.length !== 1))
    say(
      'nth',
      'nth goes with a monthly rule and one byWeekday.',
      'Name one day of the week, or leave nth out.',
    )
  if (nth !== undefined && byMonthDay !== undefined)
    say('byMonthDay', 'A month has either a day or an nth day of the week.', 'Leave one of them out.')
  if (byWeekday !== undefined && freq !== 'weekly' && nth === undefined)
    say('byWeekday', 'Days of the week belong to a weekly rule.', 'Leave them out, or choose weekly.')
  if (until !== undefined && count !== undefined)
    say('count', 'A rule ends on a day or after a number of times.', 'Leave one of them out.')
  if (until !== undefined && until < start)
    say('until', 'The last day is before the first.', 'Choose a later last day.')
  return faults
}

async function partsOf(rule: RecurrenceRule): Promise<Partial<Options>> {
  const { RRule: Rule } = await library()
  const { freq, interval = 1, start, byMonthDay, byWeekday, nth, until, count } = rule
  const weekday = (name: (typeof WEEKDAYS)[number]) => Rule[name]
  const [month, day] = [Number(start.slice(5, 7)), Number(start.slice(8, 10))]
  const ends = {
    ...(until === undefined ? {} : { until: utcOf(until) }),
    ...(count === undefined ? {} : { count }),
  }
  if (freq === 'weekly')
    return {
      freq: Rule.WEEKLY,
      interval,
      ...(byWeekday === undefined
        ? {}
        : { byweekday: WEEKDAYS.filter((one) => byWeekday.includes(one)).map(weekday) }),
      ...ends,
    }
  if (freq === 'yearly')
    return {
      freq: Rule.YEARLY,
      interval,
      bymonth: [month],
      ...(month === 2 ? orLastDay(day) : { bymonthday: [day] }),
      ...ends,
    }
  const [only] = byWeekday ?? []
  return {
    freq: Rule.MONTHLY,
    interval,
    ...(nth !== undefined && only !== undefined
      ? { byweekday: [weekday(only).nth(nth)] }
      : orLastDay(byMonthDay ?? day)),
    ...ends,
  }
}

/** Returns the rule as RFC 5545 text: DTSTART and RRULE, days without a time. */
export async function ruleText(rule: RecurrenceRule): Promise<string> {
  const { RRule: Rule } = await library()
  const text = Rule.optionsToString(await partsOf(rule)).replace(/T000000Z?/g, '')
  return `DTSTART;VALUE=DATE:${rule.start.replaceAll('-', '')}\n${text}`
}

const TEXT = /^DTSTART;VALUE=DATE:(\d{4})(\d{2})(\d{2})\n(RRULE:\S+)$/

/** Parses a text written by `ruleText`. */
export async function ruleOfText(text: string): Promise<RecurrenceRule> {
  const { RRule: Rule } = await library()
  const match = TEXT.exec(text)
  if (!match) throw new Error('That is not the text of a rule.')
  const [, year, month, day, line = ''] = match
  const parts = Rule.parseString(line)
  const list = <T>(value: T | T[] | null | undefined): T[] =>
    value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]
  const freq = parts.freq === Rule.WEEKLY ? 'weekly' : parts.freq === Rule.YEARLY ? 'yearly' : 'monthly'
  const days = list(parts.byweekday) as { weekday: number; n?: number }[]
  const nth = days[0]?.n as RecurrenceRule['nth']
  const monthDays = list(parts.bymonthday)
  return {
    freq,
    interval: parts.interval ?? 1,
    start: `${year}-${month}-${day}`,
    ...(freq === 'monthly' && monthDays.length > 0 ? { byMonthDay: Math.max(...monthDays) } : {}),
    ...(days.length > 0 ? { byWeekday: days.flatMap(({ weekday }) => WEEKDAYS[weekday] ?? []) } : {}),
    ...(nth === undefined ? {} : { nth }),
    ...(parts.until ? { until: dateOf(parts.until) } : {}),
    ...(parts.count ? { count: parts.count } : {}),
  }
}

async function compiled(rule: RecurrenceRule): Promise<RRule> {
  const { RRule: Rule } = await library()
  return new Rule({ ...(await partsOf(rule)), dtstart: utcOf(rule.start) })
}

/** Returns the first day of the rule on or after `from`, or null when there is none left. */
export async function dayFrom(rule: RecurrenceRule, from: BusinessDate): Promise<BusinessDate | null> {
  const day = (await compiled(rule)).after(utcOf(from), true)
  return day === null ? null : dateOf(day)
}

/** Returns up to `limit` days of the rule, from `from` on. */
export async function daysFrom(
  rule: RecurrenceRule,
  from: BusinessDate,
  limit: number,
): Promise<BusinessDate[]> {
  const days: BusinessDate[] = []
  const found = await compiled(rule)
  let after: Date | null = found.after(utcOf(from), true)
  while (after !== null && days.length < limit) {
    days.push(dateOf(after))
    after = found.after(after, false)
  }
  return days
}

/** True when the rule falls on that day. */
export async function occursOn(rule: RecurrenceRule, date: BusinessDate): Promise<boolean> {
  return (await dayFrom(rule, date)) === date
}
