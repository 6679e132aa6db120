/**
 * When the periodic returns are due, as dated rules with their source. An estimate to plan by: holidays of a town or an
 * extended term are not known here. Source: the forms' orders (303: Orden EHA/3786/2008; 130: Orden EHA/672/2007;
 * 111: Orden EHA/586/2011; 349: Orden EHA/769/2010; 347: Orden EHA/3012/2008; 390: Orden EHA/3111/2009).
 */
import { addDays } from '../core/dates.ts'
import type { BusinessDate } from '../core/dates.ts'

export type Form = '303' | '130' | '111' | '115' | '347' | '349' | '390'

export interface Obligation {
  form: Form
  /** `4T 2026` or `2026`. */
  period: string
  dueFrom: BusinessDate
  dueTo: BusinessDate
  status: 'upcoming' | 'open' | 'past'
}

/** National holidays on fixed days; regional and movable ones are not known here. */
const FIXED_HOLIDAYS = ['01-01', '01-06', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25']

/** The next business day when a term ends on a weekend or a national holiday (Ley 39/2015 art. 30.5). */
export function nextBusinessDay(date: BusinessDate): BusinessDate {
  let day = date
  for (;;) {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
    if (weekday !== 0 && weekday !== 6 && !FIXED_HOLIDAYS.includes(day.slice(5))) return day
    day = addDays(day, 1)
  }
}

function statusOf(dueFrom: BusinessDate, dueTo: BusinessDate, today: BusinessDate): Obligation['status'] {
  if (today < dueFrom) return 'upcoming'
  return today <= dueTo ? 'open' : 'past'
}

/** Returns of one quarter of a company; natural persons also pay income tax on account (130). */
export function quarterObligations(
  year: number,
  quarter: number,
  kind: 'natural' | 'legal',
  today: BusinessDate,
): Obligation[] {
  const dueYear = quarter === 4 ? year + 1 : year
  const month = ['04', '07', '10', '01'][quarter - 1] ?? '01'
  const from: BusinessDate = `${dueYear}-${month}-01`
  const dueBy = (day: string) => nextBusinessDay(`${dueYear}-${month}-${day}`)
  const obligation = (form: Form, dueTo: BusinessDate): Obligation => ({
    form,
    period: `${quarter}T ${year}`,
    dueFrom: from,
    dueTo,
    status: statusOf(from, dueTo, today),
  })
  const quarterly = dueBy(quarter === 4 ? '30' : '20')
  return [
    obligation('303', quarterly),
    ...(kind === 'natural' ? [obligation('130', quarterly)] : []),
    obligation('111', dueBy('20')),
    obligation('349', quarterly),
  ]
}

/** Returns of a whole year. */
export function yearObligations(year: number, today: BusinessDate): Obligation[] {
  const from390: BusinessDate = `${year + 1}-01-01`
  const to390 = nextBusinessDay(`${year + 1}-01-30`)
  const from347: BusinessDate = `${year + 1}-02-01`
  const lastOfFebruary = addDays(`${year + 1}-03-01`, -1)
  const to347 = nextBusinessDay(lastOfFebruary)
  return [
    {
      form: '390',
      period: String(year),
      dueFrom: from390,
      dueTo: to390,
      status: statusOf(from390, to390, today),
    },
    {
      form: '347',
      period: String(year),
      dueFrom: from347,
      dueTo: to347,
      status: statusOf(from347, to347, today),
    },
  ]
}
