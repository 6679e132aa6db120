/** Ordinary filing terms of the returns as dated rules with their legal source, and the few days published otherwise. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { ModelNumber } from '../contract.ts'
import type { CalendarName } from './holidays.ts'
import type { PeriodCode } from './periods.ts'

/** The returns with a term. */
export type DeadlineModel = ModelNumber

/** Last day of a term: `day` of the month that comes `months` after the period; 0 is the last day of that month. */
interface LastDay {
  day: number
  months?: number
}

interface TermRule extends LastDay {
  models: readonly DeadlineModel[]
  every: 'month' | 'quarter' | 'year'
  /** First year whose periods have this term. */
  from: number
  /** Periods with another last day. */
  except?: Readonly<Record<string, LastDay>>
  /** Months between the period and the first day of the term, where it is not the next month. */
  opensAfter?: number
  /**
   * True for returns that can be paid by direct debit so many working days before the last day (Orden EHA/1658/2009);
   * a day where the authority names it, which moves to the next working day like the last one.
   */
  debit: boolean | (LastDay & { except?: Readonly<Record<string, LastDay>> })
  /** Calendar of working days; default that of the State. */
  calendar?: CalendarName
  /** True when a last day on a weekend or holiday does not move. */
  fixed?: true
  source: string
}

const TERMS: readonly TermRule[] = [
  {
    models: ['303'],
    every: 'quarter',
    from: 2015,
    day: 20,
    except: { '4T': { day: 30 } },
    debit: true,
    source: 'RIVA art. 71.4; Orden EHA/3786/2008',
  },
  {
    models: ['303'],
    every: 'month',
    from: 2017,
    day: 30,
    except: { '01': { day: 0 } },
    debit: true,
    source: 'RIVA art. 71.4; Orden EHA/3786/2008',
  },
  {
    models: ['309'],
    every: 'quarter',
    from: 2015,
    day: 20,
    except: { '4T': { day: 30 } },
    debit: true,
    source: 'RIVA art. 71: the term of the periodic return',
  },
  {
    models: ['130', '131'],
    every: 'quarter',
    from: 2015,
    day: 20,
    except: { '4T': { day: 30 } },
    debit: true,
    source: 'RIRPF art. 111; Orden EHA/672/2007',
  },
  {
    models: ['111'],
    every: 'quarter',
    from: 2015,
    day: 20,
    debit: true,
    source: 'RIRPF art. 108; Orden EHA/586/2011',
  },
  {
    models: ['111'],
    every: 'month',
    from: 2015,
    day: 20,
    debit: true,
    source: 'RIRPF art. 108; Orden EHA/586/2011',
  },
  {
    models: ['115', '123'],
    every: 'quarter',
    from: 2015,
    day: 20,
    debit: true,
    source: 'RIRPF art. 108; Orden EHA/3435/2007',
  },
  {
    models: ['115', '123'],
    every: 'month',
    from: 2015,
    day: 20,
    debit: true,
    source: 'RIRPF art. 108; Orden EHA/3435/2007',
  },
  {
    models: ['349'],
    every: 'quarter',
    from: 2015,
    day: 20,
    except: { '4T': { day: 30 } },
    debit: false,
    source: 'RIVA art. 81; Orden EHA/769/2010',
  },
  {
    models: ['349'],
    every: 'month',
    from: 2015,
    day: 20,
    except: { '07': { day: 20, months: 2 }, '12': { day: 30 } },
    debit: false,
    source: 'RIVA art. 81; Orden EHA/769/2010',
  },
  {
    models: ['369'],
    every: 'quarter',
    from: 2021,
    day: 0,
    debit: false,
    fixed: true,
    source: 'RIVA art. 61 undecies; Orden HAC/610/2021',
  },
  {
    models: ['390'],
    every: 'year',
    from: 2015,
    day: 30,
    debit: false,
    source: 'RIVA art. 71; Orden EHA/3111/2009',
  },
  {
    models: ['190'],
    every: 'year',
    from: 2015,
    day: 31,
    debit: false,
    source: 'RIRPF art. 108; Orden EHA/3127/2009; Orden HFP/1106/2017',
  },
  {
    models: ['180'],
    every: 'year',
    from: 2015,
    day: 31,
    debit: false,
    source: 'RIRPF art. 108; Orden EHA/3435/2007; Orden HFP/1106/2017',
  },
  {
    models: ['347'],
    every: 'year',
    from: 2015,
    day: 0,
    months: 2,
    opensAfter: 2,
    debit: false,
    source: 'RD 1065/2007 art. 33; Orden EHA/3012/2008',
  },
  {
    models: ['420'],
    every: 'quarter',
    from: 2019,
    day: 20,
    except: { '4T': { day: 31 } },
    debit: { day: 15, except: { '4T': { day: 20 } } },
    calendar: 'canary',
    source:
      'Page of terms of the Canary tax office: the fourth quarter until 31 January, by direct debit until the 20th',
  },
  {
    models: ['425'],
    every: 'year',
    from: 2019,
    day: 31,
    debit: false,
    calendar: 'canary',
    source: 'Instructions of form 425: with the last return of the year',
  },
  {
    models: ['415'],
    every: 'year',
    from: 2016,
    day: 0,
    months: 2,
    opensAfter: 2,
    debit: false,
    calendar: 'canary',
    source: 'Notes of two publishers: February; it was March before 2016',
  },
]

interface PublishedDay {
  models: readonly DeadlineModel[]
  year: number
  period: PeriodCode
  directDebitUntil: BusinessDate
  source: string
}

/** Days that the tax agency published and the rule does not give. */
const PUBLISHED_DAYS: readonly PublishedDay[] = [
  {
    models: ['111', '115', '123'],
    year: 2026,
    period: '02',
    directDebitUntil: '2026-03-16',
    source: "Taxpayer's calendar of 2026; the rule gives 17 March",
  },
]

/** Years whose days were compared with the calendar that the tax agency published. */
const PUBLISHED_YEARS: readonly number[] = [2026]
/** Its calendar does not name these returns, or they were not compared. */
const NOT_COMPARED: readonly DeadlineModel[] = ['309', '420', '425', '415']

/** Returns the rule of a return in a period. Throws when the return has no such period. */
export function termRule(model: DeadlineModel, every: TermRule['every'], year: number): TermRule {
  const rules = TERMS.filter((rule) => rule.every === every && rule.models.includes(model))
  const rule = rules.find(({ from }) => from <= year) ?? rules[0]
  if (!rule) throw new Error(`Model ${model} has no term by the ${every}.`)
  return rule
}

/** Returns the published direct-debit day that differs from the rule, or null. */
export function publishedDebitDay(
  model: DeadlineModel,
  year: number,
  period: PeriodCode,
): BusinessDate | null {
  const row = PUBLISHED_DAYS.find(
    (each) => each.year === year && each.period === period && each.models.includes(model),
  )
  return row?.directDebitUntil ?? null
}

/** Returns `official` for a day that was compared with the published calendar, else `computed`. */
export function certaintyOf(model: DeadlineModel, due: BusinessDate): 'official' | 'computed' {
  const isPublished = PUBLISHED_YEARS.includes(Number(due.slice(0, 4))) && !NOT_COMPARED.includes(model)
  return isPublished ? 'official' : 'computed'
}
