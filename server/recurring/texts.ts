/** Words in braces that a recurring invoice fills with its own period: {mes}, {año}, {trimestre}, {periodo}, {fecha}. Pure. */
import { addDays, quarterOf } from '../core/dates.ts'
import type { BusinessDate } from '../core/dates.ts'
import type { RecurrenceRule } from './contract.ts'

type Language = 'es' | 'en'
type Word = 'month' | 'year' | 'quarter' | 'period' | 'date'

/** Both languages are understood everywhere; what is written is in the language of the document. */
const WORDS: Readonly<Record<string, Word>> = {
  mes: 'month',
  month: 'month',
  año: 'year',
  ano: 'year',
  year: 'year',
  trimestre: 'quarter',
  quarter: 'quarter',
  periodo: 'period',
  período: 'period',
  period: 'period',
  fecha: 'date',
  date: 'date',
}

const PLACEHOLDER = /\{\s*(\p{L}{2,12})\s*(?:([+-])\s*(\d{1,2})\s*)?\}/gu

// Made when first asked for: it takes milliseconds, and few books have recurring invoices.
const monthFormats = new Map<Language, Intl.DateTimeFormat>()

/** The first of the month `months` away. */
function monthFrom(date: BusinessDate, months: number): { year: number; month: number } {
  const index = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months
  return { year: Math.floor(index / 12), month: (((index % 12) + 12) % 12) + 1 }
}

function monthName({ year, month }: { year: number; month: number }, language: Language): string {
  let format = monthFormats.get(language)
  if (!format)
    monthFormats.set(
      language,
      (format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })),
    )
  return format.format(Date.UTC(year, month - 1, 1))
}

function monthOfYear(at: { year: number; month: number }, language: Language): string {
  return language === 'es' ? `${monthName(at, 'es')} de ${at.year}` : `${monthName(at, 'en')} ${at.year}`
}

function quarterName(year: number, quarter: number, language: Language): string {
  return language === 'es' ? `${quarter}T ${year}` : `Q${quarter} ${year}`
}

function quarterText(date: BusinessDate, offset: number, language: Language): string {
  const index = Number(date.slice(0, 4)) * 4 + quarterOf(date) - 1 + offset
  return quarterName(Math.floor(index / 4), (((index % 4) + 4) % 4) + 1, language)
}

function dayText(date: BusinessDate): string {
  return `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}`
}

function span(from: string, to: string, language: Language): string {
  return language === 'es' ? `del ${from} al ${to}` : `${from} to ${to}`
}

/** The stretch that an invoice of that day is for: the week, month, quarter or year that begins or lies there. */
function periodText(
  date: BusinessDate,
  { freq, interval = 1 }: Pick<RecurrenceRule, 'freq' | 'interval'>,
  offset: number,
  language: Language,
): string {
  if (freq === 'weekly') {
    const from = addDays(date, offset * interval * 7)
    return span(dayText(from), dayText(addDays(from, interval * 7 - 1)), language)
  }
  const months = freq === 'yearly' ? interval * 12 : interval
  if (months === 3) return quarterText(date, offset, language)
  const from = monthFrom(date, offset * months)
  if (months === 1) return monthOfYear(from, language)
  if (months % 12 === 0) {
    const years = months / 12
    return years === 1 ? String(from.year) : `${from.year}-${from.year + years - 1}`
  }
  const to = monthFrom(date, offset * months + months - 1)
  if (from.year !== to.year) return `${monthOfYear(from, language)} - ${monthOfYear(to, language)}`
  return `${monthName(from, language)}-${monthOfYear(to, language)}`
}

export interface PeriodFacts {
  date: BusinessDate
  rule: Pick<RecurrenceRule, 'freq' | 'interval'>
  language: Language
}

function valueOf(word: Word, offset: number, { date, rule, language }: PeriodFacts): string {
  switch (word) {
    case 'month':
      return monthName(monthFrom(date, offset), language)
    case 'year':
      return String(Number(date.slice(0, 4)) + offset)
    case 'quarter':
      return quarterText(date, offset, language)
    case 'period':
      return periodText(date, rule, offset, language)
    case 'date':
      return dayText(addDays(date, offset))
  }
}

/** A text with its words filled in; what is no known word stays as it is. `{Mes}` begins with a capital. */
export function filledText(text: string, facts: PeriodFacts): string {
  return text.replace(PLACEHOLDER, (whole, name: string, sign?: string, steps?: string) => {
    const word = WORDS[name.toLowerCase()]
    if (word === undefined) return whole
    const value = valueOf(word, steps === undefined ? 0 : Number(steps) * (sign === '-' ? -1 : 1), facts)
    const first = name.charAt(0)
    return first === first.toUpperCase() ? value.charAt(0).toUpperCase() + value.slice(1) : value
  })
}
