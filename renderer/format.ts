/**
 * Formats of numbers, money, dates and times on screen, in the language of the page. Formatting only: sums and
 * rounding belong to server/domain.
 */
import { shallowRef } from 'vue'
import { addDays, businessDateOf, BUSINESS_TIME_ZONE, daysBetween } from '../server/domain/dates.ts'
import type { BusinessDate } from '../server/domain/dates.ts'
import { centsToText, microToText } from '../server/domain/money.ts'

export type Language = 'es' | 'en'

/** The language of the page; every format below depends on it. */
export const language = shallowRef<Language>('es')

const TAGS: Record<Language, string> = { es: 'es-ES', en: 'en-GB' }
const MINUS = '\u2212'

const cache = new Map<string, unknown>()
/** Building an Intl formatter costs more than a hundred uses of it. */
function cached<T>(key: string, make: (tag: string) => T): T {
  const tag = TAGS[language.value]
  const full = `${tag} ${key}`
  let value = cache.get(full) as T | undefined
  if (value === undefined) cache.set(full, (value = make(tag)))
  return value
}

function numberFormat(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return cached(
    `n ${key}`,
    (tag) => new Intl.NumberFormat(tag, { useGrouping: 'always', ...options } as Intl.NumberFormatOptions),
  )
}

const withMinus = (text: string) => text.replace('-', MINUS)

/** Formats euros without the currency sign: `1.234,50`, as in tables. */
export function formatAmount(euros: number): string {
  return withMinus(
    numberFormat('amount', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(euros),
  )
}

/** Formats euros with the sign, for an amount that stands alone: `1.234,50 €`. */
export function formatEuros(euros: number): string {
  return withMinus(numberFormat('euros', { style: 'currency', currency: 'EUR' }).format(euros))
}

/** Formats exact cents, as an amount field holds them: `1.234,50`. */
export function formatCents(cents: number): string {
  return formatDecimalText(centsToText(cents), 2, 2)
}

/** Formats exact millionths, with as many decimals as they have and at least `minDecimals`. */
export function formatMicro(micro: number, minDecimals = 0): string {
  return formatDecimalText(microToText(micro), minDecimals, 6)
}

function formatDecimalText(
  text: string,
  minimumFractionDigits: number,
  maximumFractionDigits: number,
): string {
  const format = numberFormat(`d${minimumFractionDigits}-${maximumFractionDigits}`, {
    minimumFractionDigits,
    maximumFractionDigits,
  })
  return withMinus(format.format(text as Intl.StringNumericLiteral))
}

/** Formats a whole count: `1.234`. */
export function formatCount(count: number): string {
  return withMinus(numberFormat('count', { maximumFractionDigits: 0 }).format(count))
}

/** Formats a quantity with the decimals it has, at most six. */
export function formatQuantity(quantity: number): string {
  return withMinus(numberFormat('quantity', { maximumFractionDigits: 6 }).format(quantity))
}

/** Formats a percentage: `21 %` in Spanish, `21%` in English. */
export function formatPercent(percent: number): string {
  const number = withMinus(numberFormat('percent', { maximumFractionDigits: 2 }).format(percent))
  return language.value === 'es' ? `${number}\u00a0%` : `${number}%`
}

function dateFormat(key: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return cached(`t ${key}`, (tag) => new Intl.DateTimeFormat(tag, options))
}

const utcDay = (date: BusinessDate) => new Date(`${date}T00:00:00Z`)

/** Formats a business date in figures: `21/11/2026`. */
export function formatDate(date: BusinessDate): string {
  return dateFormat('date', { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' }).format(
    utcDay(date),
  )
}

/** Formats a business date in words: `sábado, 21 de noviembre de 2026`. */
export function formatLongDate(date: BusinessDate): string {
  return dateFormat('long', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(utcDay(date))
}

/** Formats day and month in words: `21 de noviembre`. */
export function formatDayMonth(date: BusinessDate): string {
  return dateFormat('daymonth', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(utcDay(date))
}

/** Formats day and month in short form: `21 nov`. */
export function formatDayMonthShort(date: BusinessDate): string {
  return dateFormat('daymon', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(utcDay(date))
}

/** Formats a business date with its weekday in short form: `vie 13 nov`. */
export function formatWeekday(date: BusinessDate): string {
  return dateFormat('weekday', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
    .format(utcDay(date))
    .replaceAll(',', '')
}

/** Formats a month (`2026-11`) as three letters, for axes. */
export function formatMonthShort(month: string): string {
  return dateFormat('month', { month: 'short', timeZone: 'UTC' }).format(utcDay(`${month.slice(0, 7)}-01`))
}

/** Formats a month (`2026-11`) in words with its year: `noviembre de 2026`. */
export function formatMonthLong(month: string): string {
  return dateFormat('monthyear', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    utcDay(`${month.slice(0, 7)}-01`),
  )
}

/** Formats a quarter, named `4T 2026` by the server, in the language of the page. */
export function formatQuarter(label: string): string {
  return language.value === 'es' ? label : label.replace(/^([1-4])T\b/, 'Q$1')
}

/** Formats an instant as date and time in Spain: `21/11/2026, 14:03`. */
export function formatInstant(instant: string): string {
  return dateFormat('instant', {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: BUSINESS_TIME_ZONE,
  }).format(new Date(instant))
}

/** Formats an instant without its year, for narrow columns: `21 nov, 14:03`. */
export function formatShortInstant(instant: string): string {
  return dateFormat('short', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: BUSINESS_TIME_ZONE,
  }).format(new Date(instant))
}

/** Formats an instant with seconds, for tooltips and the audit log. */
export function formatExactInstant(instant: string): string {
  return dateFormat('exact', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: BUSINESS_TIME_ZONE,
  }).format(new Date(instant))
}

function relativeFormat(): Intl.RelativeTimeFormat {
  return cached('r', (tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))
}

/** Formats the age of an instant up to seven days; then the date. */
export function formatAgo(instant: string, now: Date = new Date()): string {
  const seconds = Math.round((Date.parse(instant) - now.getTime()) / 1000)
  const size = Math.abs(seconds)
  if (size < 45) return relativeFormat().format(0, 'second')
  if (size < 45 * 60) return relativeFormat().format(Math.round(seconds / 60), 'minute')
  if (size < 22 * 3600) return relativeFormat().format(Math.round(seconds / 3600), 'hour')
  return formatRelativeDay(businessDateOf(new Date(instant)), businessDateOf(now))
}

/** Formats a business date relative to today, up to seven days away (`hace 3 días`, `mañana`); then the date. */
export function formatRelativeDay(date: BusinessDate, today: BusinessDate): string {
  const days = daysBetween(today, date)
  return Math.abs(days) <= 7 ? relativeFormat().format(days, 'day') : formatDate(date)
}

/** Formats an age in whole days, however large: `ayer`, `hace 720 días`. */
export function formatDaysAgo(days: number): string {
  return relativeFormat().format(-days, 'day')
}

/** Formats a list: `a, b y c`. */
export function formatList(items: readonly string[]): string {
  return cached('l', (tag) => new Intl.ListFormat(tag, { type: 'conjunction' })).format(items)
}

/** Returns today in Spain by this computer's clock; where a page has the server's `today`, that applies. */
export function todayHere(): BusinessDate {
  return businessDateOf(new Date())
}

export { addDays }
