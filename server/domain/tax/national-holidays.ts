/**
 * National holidays by the rule of the law, as dated rows. The days of single years as the gazette published them stand in
 * the calendar of returns.
 */
import { addDays } from '../dates.ts'
import type { BusinessDate } from '../dates.ts'

interface HolidayRule {
  /** First year to which it applies. */
  from: number
  name: { es: string; en: string }
  /** Month and day; null for a day that depends on Easter. */
  day: string | null
  /** Days from Easter Sunday. */
  fromEaster?: number
  /** False: a region may replace it by another day. */
  isFixed: boolean
  source: string
}

const SOURCE = 'RD 2001/1983 art. 45.1'

const HOLIDAYS: readonly HolidayRule[] = [
  { from: 1984, name: { es: 'Año Nuevo', en: 'New Year' }, day: '01-01', isFixed: true, source: SOURCE },
  {
    from: 1984,
    name: { es: 'Epifanía', en: 'Epiphany' },
    day: '01-06',
    isFixed: false,
    source: `${SOURCE} d); kept by all regions`,
  },
  {
    from: 1984,
    name: { es: 'Viernes Santo', en: 'Good Friday' },
    day: null,
    fromEaster: -2,
    isFixed: true,
    source: SOURCE,
  },
  {
    from: 1984,
    name: { es: 'Fiesta del Trabajo', en: 'Labour Day' },
    day: '05-01',
    isFixed: true,
    source: SOURCE,
  },
  { from: 1984, name: { es: 'Asunción', en: 'Assumption' }, day: '08-15', isFixed: true, source: SOURCE },
  {
    from: 1984,
    name: { es: 'Fiesta Nacional', en: 'National Day' },
    day: '10-12',
    isFixed: true,
    source: SOURCE,
  },
  {
    from: 1984,
    name: { es: 'Todos los Santos', en: 'All Saints' },
    day: '11-01',
    isFixed: true,
    source: SOURCE,
  },
  {
    from: 1984,
    name: { es: 'Constitución', en: 'Constitution Day' },
    day: '12-06',
    isFixed: true,
    source: SOURCE,
  },
  {
    from: 1984,
    name: { es: 'Inmaculada', en: 'Immaculate Conception' },
    day: '12-08',
    isFixed: true,
    source: SOURCE,
  },
  { from: 1984, name: { es: 'Navidad', en: 'Christmas' }, day: '12-25', isFixed: true, source: SOURCE },
]

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

/** Which holidays count: `nine` cannot be replaced by a region; `ten` are these and 6 January. */
export type HolidaySet = 'nine' | 'ten'

/** Returns the national holidays of a year, in order. A holiday on a Sunday stays on it. */
export function nationalHolidays(
  year: number,
  set: HolidaySet,
): readonly { date: BusinessDate; name: { es: string; en: string }; isFixed: boolean }[] {
  return HOLIDAYS.filter(({ from, isFixed }) => from <= year && (isFixed || set === 'ten'))
    .map(({ day, fromEaster = 0, name, isFixed }) => ({
      date: day === null ? addDays(easter(year), fromEaster) : `${year}-${day}`,
      name,
      isFixed,
    }))
    .toSorted((one, other) => one.date.localeCompare(other.date))
}

/** Returns true on a Saturday, a Sunday or one of the national holidays. */
export function isNationalDayOff(date: BusinessDate, set: HolidaySet): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  if (weekday === 0 || weekday === 6) return true
  return nationalHolidays(Number(date.slice(0, 4)), set).some((holiday) => holiday.date === date)
}
