/**
 * Placeholders that a recurring invoice fills with its own period: {mes}, {año}, {trimestre}, {periodo}, {fecha}.
 * Pure.
 */
import { addDays, quarterOf } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { dayText, LOCALES } from '../../domain/languages.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { RecurrenceRule } from './contract.ts'

type Word = 'month' | 'year' | 'quarter' | 'period' | 'date'

/** Placeholders are accepted in both languages of the program; the text is in the language of the document. */
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

// Created on first use: it takes milliseconds, and few books have recurring invoices.
const monthFormats = new Map<DocumentLanguage, Intl.DateTimeFormat>()

/** Returns the first day of the month `months` away. */
function monthFrom(date: BusinessDate, months: number): { year: number; month: number } {
  const index = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months
  return { year: Math.floor(index / 12), month: (((index % 12) + 12) % 12) + 1 }
}

function monthName({ year, month }: { year: number; month: number }, language: DocumentLanguage): string {
  let format = monthFormats.get(language)
  if (!format)
    monthFormats.set(
      language,
      (format = new Intl.DateTimeFormat(LOCALES[language], { month: 'long', timeZone: 'UTC' })),
    )
  return format.format(Date.UTC(year, month - 1, 1))
}

/**
 * Returns the stem of a year in Basque: `2026ko`, `2025eko`, by the last sound of its last word (hogeita bost,
 * hogeita hamar).
 */
function basqueYear(year: number): string {
  const [unit, tens] = [year % 10, Math.floor(year / 10) % 10]
  const hundred = year % 100 === 0 && year % 1000 !== 0
  const ten = unit === 0 && tens % 2 === 1
  const one = unit === 1 && tens % 2 === 0
  return `${year}${hundred || ten || one || unit === 5 ? 'eko' : 'ko'}`
}

/** Month, or months, of a year. */
function ofYear(months: string, year: number, language: DocumentLanguage): string {
  switch (language) {
    case 'en':
    case 'fr':
    case 'de':
      return `${months} ${year}`
    case 'ca':
      return `${months} del ${year}`
    case 'eu':
      return `${basqueYear(year)} ${months}`
    default:
      return `${months} de ${year}`
  }
}

function monthOfYear(at: { year: number; month: number }, language: DocumentLanguage): string {
  return ofYear(monthName(at, language), at.year, language)
}

/** Abbreviations of quarters. Source: Unicode CLDR, quarters; Spanish writes the number first, as its returns do. */
function quarterName(year: number, quarter: number, language: DocumentLanguage): string {
  switch (language) {
    case 'en':
    case 'de':
      return `Q${quarter} ${year}`
    case 'fr':
      return `T${quarter} ${year}`
    case 'eu':
      return `${basqueYear(year)} ${quarter}. hiruhilekoa`
    default:
      return `${quarter}T ${year}`
  }
}

function quarterText(date: BusinessDate, offset: number, language: DocumentLanguage): string {
  const index = Number(date.slice(0, 4)) * 4 + quarterOf(date) - 1 + offset
  return quarterName(Math.floor(index / 4), (((index % 4) + 4) % 4) + 1, language)
}

function span(from: BusinessDate, to: BusinessDate, language: DocumentLanguage): string {
  const [first, last] = [dayText(from, language), dayText(to, language)]
  switch (language) {
    case 'es':
    case 'ca':
      return `del ${first} al ${last}`
    case 'gl':
      return `do ${first} ao ${last}`
    case 'pt':
      return `de ${first} a ${last}`
    case 'fr':
      return `du ${first} au ${last}`
    case 'de':
      return `${first} bis ${last}`
    case 'eu':
      return `${first} - ${last}`
    case 'en':
      return `${first} to ${last}`
  }
}

/** Returns the period of an invoice of that day: the week, month, quarter or year that begins or lies there. */
function periodText(
  date: BusinessDate,
  { freq, interval = 1 }: Pick<RecurrenceRule, 'freq' | 'interval'>,
  offset: number,
  language: DocumentLanguage,
): string {
  if (freq === 'weekly') {
    const from = addDays(date, offset * interval * 7)
    return span(from, addDays(from, interval * 7 - 1), language)
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
  return ofYear(`${monthName(from, language)}-${monthName(to, language)}`, to.year, language)
}

export interface PeriodFacts {
  date: BusinessDate
  rule: Pick<RecurrenceRule, 'freq' | 'interval'>
  language: DocumentLanguage
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
      return dayText(addDays(date, offset), language)
  }
}

/** Fills the placeholders of a text; unknown ones stay as they are. `{Mes}` begins with a capital. */
export function filledText(text: string, facts: PeriodFacts): string {
  return text.replace(PLACEHOLDER, (whole, name: string, sign?: string, steps?: string) => {
    const word = WORDS[name.toLowerCase()]
    if (word === undefined) return whole
    const value = valueOf(word, steps === undefined ? 0 : Number(steps) * (sign === '-' ? -1 : 1), facts)
    const first = name.charAt(0)
    return first === first.toUpperCase() ? value.charAt(0).toUpperCase() + value.slice(1) : value
  })
}
