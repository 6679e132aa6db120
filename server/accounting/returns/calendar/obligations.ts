/**
 * Due dates of the periodic returns, as dated rules with their source. An estimate for planning: regional and local
 * holidays and extended deadlines are not known.
 */
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { ModelNumber } from '../contract.ts'

type Form = ModelNumber

export interface Obligation {
  form: Form
  /** `4T 2026` or `2026`. */
  period: string
  dueFrom: BusinessDate
  dueTo: BusinessDate
  /** Last day for payment by direct debit; absent for informative returns. */
  directDebitTo?: BusinessDate
  status: 'upcoming' | 'open' | 'past'
}

interface DeadlineRule {
  form: Form
  /** First year to which the rule applies. */
  from: number
  /**
   * Last day of the period for filing, in the month after a quarter, and after the fourth one; 0 is the last day of
   * the month.
   */
  day: number
  lastQuarterDay: number
  /** The same for direct debit; null for returns without payment. */
  debitDay: number | null
  debitLastQuarterDay: number | null
  source: string
}

/** Quarterly returns, due in April, July, October and January. */
const QUARTERLY: readonly DeadlineRule[] = [
  {
    form: '303',
    from: 2015,
    day: 20,
    lastQuarterDay: 30,
    debitDay: 15,
    debitLastQuarterDay: 25,
    source: 'Orden EHA/3786/2008; RIVA art. 71.4',
  },
  {
    form: '130',
    from: 2015,
    day: 20,
    lastQuarterDay: 30,
    debitDay: 15,
    debitLastQuarterDay: 25,
    source: 'Orden EHA/672/2007; RIRPF art. 111',
  },
  {
    form: '131',
    from: 2015,
    day: 20,
    lastQuarterDay: 30,
    debitDay: 15,
    debitLastQuarterDay: 25,
    source: 'Orden EHA/672/2007; RIRPF art. 111',
  },
  {
    form: '309',
    from: 2015,
    day: 20,
    lastQuarterDay: 30,
    debitDay: 15,
    debitLastQuarterDay: 25,
    source: 'RIVA art. 71: the term of the periodic return',
  },
  {
    form: '111',
    from: 2015,
    day: 20,
    lastQuarterDay: 20,
    debitDay: 15,
    debitLastQuarterDay: 15,
    source: 'Orden EHA/586/2011; RIRPF art. 108',
  },
  {
    form: '115',
    from: 2015,
    day: 20,
    lastQuarterDay: 20,
    debitDay: 15,
    debitLastQuarterDay: 15,
    source: 'Orden EHA/3435/2007; RIRPF art. 108',
  },
  {
    form: '349',
    from: 2015,
    day: 20,
    lastQuarterDay: 30,
    debitDay: null,
    debitLastQuarterDay: null,
    source: 'Orden EHA/769/2010; RIVA art. 81',
  },
  {
    form: '369',
    from: 2021,
    day: 0,
    lastQuarterDay: 0,
    debitDay: null,
    debitLastQuarterDay: null,
    source: 'Orden HAC/610/2021; RIVA art. 61 undecies',
  },
]

/** Yearly returns: month and last day for filing in the next year; 0 is the last day of the month. */
const YEARLY: readonly { form: Form; from: number; month: number; day: number; source: string }[] = [
  { form: '390', from: 2015, month: 1, day: 30, source: 'Orden EHA/3111/2009' },
  { form: '347', from: 2015, month: 2, day: 0, source: 'Orden EHA/3012/2008; RD 1065/2007 art. 33' },
  { form: '190', from: 2015, month: 1, day: 31, source: 'Orden EHA/3127/2009; Orden HFP/1106/2017' },
  { form: '180', from: 2015, month: 1, day: 31, source: 'Orden EHA/3435/2007 and HFP/1106/2017' },
]

/** National holidays on fixed dates. */
const FIXED_HOLIDAYS = ['01-01', '01-06', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25']

/** Returns Easter Sunday in the Gregorian calendar (the anonymous algorithm published by Nature in 1876). */
function easter(year: number): BusinessDate {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const e = b % 4
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - d - g + 15) % 30
  const i = Math.floor(c / 4)
  const k = c % 4
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  const day = ((h + l - 7 * m + 114) % 31) + 1
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

function isNationalHoliday(date: BusinessDate): boolean {
  if (FIXED_HOLIDAYS.includes(date.slice(5))) return true
  return date === addDays(easter(Number(date.slice(0, 4))), -2)
}

/** Returns the next business day when a deadline falls on a weekend or a national holiday (Ley 39/2015 art. 30.5). */
export function nextBusinessDay(date: BusinessDate): BusinessDate {
  let day = date
  for (;;) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
    if (weekday !== 0 && weekday !== 6 && !isNationalHoliday(day)) return day
    day = addDays(day, 1)
  }
}

function statusOf(dueFrom: BusinessDate, dueTo: BusinessDate, today: BusinessDate): Obligation['status'] {
  if (today < dueFrom) return 'upcoming'
  return today <= dueTo ? 'open' : 'past'
}

/** Returns a day of a month; 0 is its last. */
function dayOf(year: number, month: number, day: number): BusinessDate {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const number = day === 0 ? last : day
  return `${year}-${String(month).padStart(2, '0')}-${String(number).padStart(2, '0')}`
}

/** Returns the due dates of a quarterly return. */
export function quarterObligation(
  form: Form,
  year: number,
  quarter: number,
  today: BusinessDate,
): Obligation {
  const rule =
    QUARTERLY.find((each) => each.form === form && each.from <= year) ??
    QUARTERLY.find((each) => each.form === form)
  if (!rule) throw new Error(`Model ${form} has no quarterly term.`)
  const isLast = quarter === 4
  const dueYear = isLast ? year + 1 : year
  const month = isLast ? 1 : quarter * 3 + 1
  const dueFrom = dayOf(dueYear, month, 1)
  const dueTo = nextBusinessDay(dayOf(dueYear, month, isLast ? rule.lastQuarterDay : rule.day))
  const debit = isLast ? rule.debitLastQuarterDay : rule.debitDay
  return {
    form,
    period: `${quarter}T ${year}`,
    dueFrom,
    dueTo,
    ...(debit === null ? {} : { directDebitTo: dayOf(dueYear, month, debit) }),
    status: statusOf(dueFrom, dueTo, today),
  }
}

/** Returns the due dates of a yearly return. */
export function yearObligation(form: Form, year: number, today: BusinessDate): Obligation {
  const rule = YEARLY.find((each) => each.form === form)
  if (!rule) throw new Error(`Model ${form} has no yearly term.`)
  const dueFrom = dayOf(year + 1, rule.month, 1)
  const dueTo = nextBusinessDay(dayOf(year + 1, rule.month, rule.day))
  return { form, period: String(year), dueFrom, dueTo, status: statusOf(dueFrom, dueTo, today) }
}
