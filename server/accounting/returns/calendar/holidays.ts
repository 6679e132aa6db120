/**
 * National holidays as dated rows, and the working days of terms. Of regional and local holidays only those of the
 * calendars below are rows, each with how it is known.
 */
import { addDays } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { nationalHolidays } from '../../../domain/tax/national-holidays.ts'

interface HolidayYear {
  year: number
  /** Months and days of the holidays that all regions have. */
  days: readonly string[]
  /** The gazette that published them, or the rule when it has not yet. */
  source: string
}

const BY_LAW = 'RD 2001/1983 art. 45.1: by the rule, since the list of the year was not in the gazette yet'

const HOLIDAYS: readonly HolidayYear[] = [
  {
    year: 2025,
    days: ['01-01', '01-06', '04-18', '05-01', '08-15', '11-01', '12-06', '12-08', '12-25'],
    source: 'Resolution of 15 October 2024, BOE no. 252 of 18 October 2024 (BOE-A-2024-21316)',
  },
  {
    year: 2026,
    days: ['01-01', '01-06', '04-03', '05-01', '08-15', '10-12', '11-01', '12-08', '12-25'],
    source: 'Resolution of the Directorate-General of Labour, BOE of 28 October 2025',
  },
  {
    year: 2027,
    days: ['01-01', '01-06', '03-26', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25'],
    source: BY_LAW,
  },
  {
    year: 2028,
    days: ['01-01', '01-06', '04-14', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25'],
    source: BY_LAW,
  },
]

/** Returns the holidays of a year by the rule, for the years without a row. Source: RD 2001/1983 art. 45.1. */
function holidaysByRule(year: number): readonly string[] {
  return nationalHolidays(year, 'ten').map(({ date }) => date.slice(5))
}

/** Working days of the State, and those of the tax office of the Canary Islands. */
export type CalendarName = 'state' | 'canary'

interface OwnHoliday {
  /** Month and day; null where the day changes from year to year and no list of it was read. */
  day: string | null
  /** The whole territory, or one island of it. */
  place: string
  name: string
  /**
   * True where the day moves a term. False where that is not known: the earlier day is then the safe one. A holiday of
   * the taxpayer's own municipality counts (Ley 39/2015 art. 30.6), but books do not say which island that is.
   */
  moves: boolean
  source: string
}

const FROM_MEMORY = 'General knowledge; the yearly decree of the Canary government was not read'

/** Holidays besides the national ones. Those of municipalities are not known. */
export const OWN_HOLIDAYS: Readonly<Record<CalendarName, readonly OwnHoliday[]>> = {
  state: [],
  canary: [
    {
      day: '05-30',
      place: 'Canarias',
      name: 'Día de Canarias',
      moves: true,
      source: 'Holiday of the whole region; no term of a return here ends on it',
    },
    { day: '02-02', place: 'Tenerife', name: 'Candelaria', moves: false, source: FROM_MEMORY },
    {
      day: '08-05',
      place: 'La Palma',
      name: 'Nuestra Señora de las Nieves',
      moves: false,
      source: FROM_MEMORY,
    },
    {
      day: '09-08',
      place: 'Gran Canaria',
      name: 'Nuestra Señora del Pino',
      moves: false,
      source: FROM_MEMORY,
    },
    {
      day: '09-15',
      place: 'Lanzarote',
      name: 'Nuestra Señora de los Volcanes',
      moves: false,
      source: FROM_MEMORY,
    },
    {
      day: '09-24',
      place: 'El Hierro',
      name: 'Nuestra Señora de los Reyes',
      moves: false,
      source: FROM_MEMORY,
    },
    {
      day: null,
      place: 'Fuerteventura',
      name: 'Nuestra Señora de la Peña',
      moves: false,
      source: FROM_MEMORY,
    },
    { day: null, place: 'La Gomera', name: 'Nuestra Señora de Guadalupe', moves: false, source: FROM_MEMORY },
  ],
}

/** Returns false on a Saturday, a Sunday, a national holiday (Ley 39/2015 art. 30.2) or one of the calendar. */
export function isWorkingDay(date: BusinessDate, calendar: CalendarName = 'state'): boolean {
  if (OWN_HOLIDAYS[calendar].some(({ day, moves }) => moves && day === date.slice(5))) return false
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  const year = Number(date.slice(0, 4))
  const days = HOLIDAYS.find((row) => row.year === year)?.days ?? holidaysByRule(year)
  return !days.includes(date.slice(5))
}

/** Returns the day itself or, when it is no working day, the next one (Ley 39/2015 art. 30.5). */
export function nextBusinessDay(date: BusinessDate, calendar: CalendarName = 'state'): BusinessDate {
  let day = date
  while (!isWorkingDay(day, calendar)) day = addDays(day, 1)
  return day
}

/** Working days that a direct debit leaves until the end of the term, its last day among them. */
const DAYS_FOR_THE_BANK = 3

/**
 * Returns the last day to file with payment by direct debit: the last working day that leaves three working days until
 * `due`, itself among them. The rule reproduces the published days of 2026 but one, which is a row of `terms.ts`.
 * Source: Orden EHA/1658/2009, which fixes it at five days before the ordinary end and moves it with that end.
 */
export function directDebitDay(due: BusinessDate): BusinessDate {
  let day = due
  let left = 0
  for (;;) {
    if (isWorkingDay(day)) {
      if (left >= DAYS_FOR_THE_BANK) return day
      left += 1
    }
    day = addDays(day, -1)
  }
}
