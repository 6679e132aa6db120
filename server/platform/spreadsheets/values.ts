/** Converts cells to values: numbers, dates, yes and no, countries. Pure. */
import { isBusinessDate } from '../../domain/dates.ts'
import { searchText } from '../../domain/text.ts'
import type { Cell } from './cells.ts'

export type DecimalSign = ',' | '.'
export type DateOrder = 'dmy' | 'mdy' | 'ymd'

/** Returns a cell as text; a spreadsheet number without its binary rounding error. */
export function textOf(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return cell.trim()
  return String(cell)
}

/**
 * Parses a number (`1.234,56 €`, `-3`, `(12,00)`, `21 %`); returns null when it is not one. The other sign is
 * accepted as decimal sign when it cannot be a thousands separator.
 */
export function readNumber(cell: Cell, sign: DecimalSign): number | null {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null
  let text = textOf(cell)
    .replace(/[\s\u00a0\u202f']/g, '')
    .replace(/(€|%|eur(os?)?)/gi, '')
    .replace(/[\u2212\u2013]/g, '-')
  let negative = false
  if (/^\(.*\)$/.test(text)) [text, negative] = [text.slice(1, -1), true]
  if (/-$/.test(text)) [text, negative] = [text.slice(0, -1), true]
  if (/^[-+]/.test(text)) [text, negative] = [text.slice(1), text.startsWith('-') || negative]
  if (!/^[\d.,]+$/.test(text) || !/\d/.test(text)) return null
  const other = sign === ',' ? '.' : ','
  const decimals =
    !text.includes(sign) && text.split(other).length === 2 && !/^\d{1,3}[.,]\d{3}$/.test(text) ? other : sign
  const group = decimals === ',' ? '.' : ','
  const [whole = '', fraction = '', ...more] = text.split(decimals)
  if (more.length > 0 || fraction.includes(group)) return null
  const groups = whole.split(group)
  // Thousands are grouped in threes, or not grouped at all.
  if (groups.length > 1 && !groups.slice(1).every((part) => part.length === 3)) return null
  const value = Number(`${groups.join('') || '0'}.${fraction || '0'}`)
  return Number.isFinite(value) ? (negative && value !== 0 ? -value : value) : null
}

/**
 * Parses a date in the given order; returns null when it is not one. Dates that start with the year are recognized in
 * any order.
 */
export function readDay(cell: Cell, order: DateOrder): string | null {
  const text = textOf(cell).replace(/[ T]\d{1,2}:.*$/, '')
  const packed = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  const parts = packed ? packed.slice(1, 4) : text.split(/[/.\- ]/)
  if (parts.length !== 3 || parts.some((part) => !/^\d{1,4}$/.test(part))) return null
  const [first = '', second = '', third = ''] = parts
  const actual = first.length === 4 ? 'ymd' : order
  const [year, month, day] =
    actual === 'ymd'
      ? [first, second, third]
      : actual === 'dmy'
        ? [third, second, first]
        : [third, first, second]
  if (year.length !== 4 && year.length !== 2) return null
  const date = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isBusinessDate(date) ? date : null
}

const YES = new Set(['si', 's', 'yes', 'y', 'true', 'verdadero', '1', 'x', 'activo', 'active'])
const NO = new Set(['no', 'n', 'false', 'falso', '0', '', 'inactivo', 'inactive'])

/** Parses yes or no; returns null when it is neither. */
export function readFlag(cell: Cell): boolean | null {
  const text = searchText(textOf(cell))
  return YES.has(text) ? true : NO.has(text) ? false : null
}

let countries: Map<string, string> | undefined

function countryNames(): Map<string, string> {
  const names = new Map<string, string>()
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index))
  const codes = letters
    .flatMap((first) => letters.map((second) => first + second))
    // Removes obsolete codes: DD also resolves to Germany, and FX to France.
    .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`)
  for (const language of ['en', 'es']) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    for (const code of codes) {
      const name = display.of(code)
      if (name && code !== 'EU' && code !== 'UN' && code !== 'ZZ') names.set(searchText(name), code)
    }
  }
  for (const [name, code] of [
    ['inglaterra', 'GB'],
    ['holanda', 'NL'],
    ['usa', 'US'],
    ['eeuu', 'US'],
    ['uk', 'GB'],
    ['esp', 'ES'],
    ['el', 'GR'],
  ] as const)
    names.set(name, code)
  return names
}

/** Returns a country by its code or its name in Spanish or English; null when unknown. */
export function readCountry(cell: Cell): string | null {
  const text = searchText(textOf(cell)).replace(/\./g, '')
  countries ??= countryNames()
  const named = countries.get(text)
  if (named) return named
  return /^[a-z]{2}$/.test(text) && [...countries.values()].includes(text.toUpperCase())
    ? text.toUpperCase()
    : null
}
