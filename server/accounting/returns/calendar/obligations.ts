/** Due dates of the returns: the term of a period with its direct-debit day, and how certain they are. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { ModelNumber } from '../contract.ts'
import { directDebitDay, nextBusinessDay } from './holidays.ts'
import { lastMonthOf, periodUnit } from './periods.ts'
import type { PeriodCode, ReturnPeriod } from './periods.ts'
import { certaintyOf, publishedDebitDay, termRule } from './terms.ts'
import type { DeadlineModel } from './terms.ts'

/** The term of one return. */
interface FilingTerm {
  opens: BusinessDate
  due: BusinessDate
  /** Last day to file with payment by direct debit; null for returns without payment. */
  directDebitUntil: BusinessDate | null
  /** `official` when compared with the published calendar, `computed` by the rules otherwise. */
  sure: 'official' | 'computed'
}

export interface Obligation {
  form: ModelNumber
  /** `4T 2026` or `2026`. */
  period: string
  dueFrom: BusinessDate
  dueTo: BusinessDate
  /** Last day for payment by direct debit; absent for informative returns. */
  directDebitTo?: BusinessDate
  sure: FilingTerm['sure']
  status: 'upcoming' | 'open' | 'past'
}

/** Returns a day of the month that comes so many months after a month of a year; day 0 is its last. */
function dayAfter(year: number, month: number, months: number, day: number): BusinessDate {
  const at = new Date(Date.UTC(year, month - 1 + months + (day === 0 ? 1 : 0), day))
  return at.toISOString().slice(0, 10)
}

/** Returns the term of a return for a period. Throws when the return is not filed by such periods. */
export function filingTerm(model: DeadlineModel, year: number, period: PeriodCode): FilingTerm {
  const rule = termRule(model, periodUnit(period), year)
  const month = lastMonthOf(period)
  const last = rule.except?.[period] ?? rule
  const ordinary = dayAfter(year, month, last.months ?? 1, last.day)
  const due = rule.fixed ? ordinary : nextBusinessDay(ordinary, rule.calendar)
  const debitDay = (): BusinessDate | null => {
    if (rule.debit === false) return null
    if (rule.debit === true) return publishedDebitDay(model, year, period) ?? directDebitDay(due)
    const named = rule.debit.except?.[period] ?? rule.debit
    return nextBusinessDay(dayAfter(year, month, named.months ?? 1, named.day), rule.calendar)
  }
  return {
    opens: dayAfter(year, month, rule.opensAfter ?? 1, 1),
    due,
    directDebitUntil: debitDay(),
    sure: certaintyOf(model, due),
  }
}

function statusOf(dueFrom: BusinessDate, dueTo: BusinessDate, today: BusinessDate): Obligation['status'] {
  if (today < dueFrom) return 'upcoming'
  return today <= dueTo ? 'open' : 'past'
}

/** Returns the due dates of a return for its period. */
export function obligationOf(
  form: ModelNumber,
  { year, code }: Pick<ReturnPeriod, 'year' | 'code'>,
  today: BusinessDate,
): Obligation {
  const { opens, due, directDebitUntil, sure } = filingTerm(form, year, code)
  return {
    form,
    period: code === '0A' ? String(year) : `${code} ${year}`,
    dueFrom: opens,
    dueTo: due,
    ...(directDebitUntil === null ? {} : { directDebitTo: directDebitUntil }),
    sure,
    status: statusOf(opens, due, today),
  }
}
