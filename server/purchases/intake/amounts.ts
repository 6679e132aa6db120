/**
 * Parsers of the amounts, days and texts of a supplier's file; each returns null for what it does not understand.
 * Pure.
 */
import { isBusinessDate } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import { centsFromEuros, divideRounded } from '../../domain/money.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import { textFault, normalizeText } from '../../domain/text.ts'

/** Parses decimal text with a point, of any length, into cents, rounded half away from zero; null for anything else. */
export function centsOfText(text: string | null): Cents | null {
  const match = /^\s*([+-]?)(\d{1,12})?(?:\.(\d{1,20}))?\s*$/.exec(text ?? '')
  if (!match || (match[2] === undefined && match[3] === undefined)) return null
  const fraction = (match[3] ?? '').padEnd(20, '0')
  const exact = BigInt((match[2] ?? '0') + fraction)
  const cents = Number(divideRounded(exact, 10n ** 18n))
  return match[1] === '-' && cents !== 0 ? -cents : cents
}

/** Parses a percentage in decimal text with at most two decimals; null for anything else. */
export function percentOfText(text: string | null): number | null {
  const cents = centsOfText(text)
  return cents === null || cents < 0 || cents > 10_000 ? null : cents / 100
}

/** Parses an amount as printed in Spain (`1.234,56`) or elsewhere (`1,234.56`) into cents. */
export function centsOfPrinted(text: string): Cents | null {
  const bare = text.replace(/[\s\u00a0€]/g, '')
  const match = /^(-?)(\d{1,3}(?:[.,']\d{3})*|\d+)[.,](\d{2})(-?)$/.exec(bare)
  if (!match) return null
  const cents = Number((match[2] ?? '').replace(/[.,']/g, '') + (match[3] ?? ''))
  if (!Number.isSafeInteger(cents)) return null
  return match[1] || match[4] ? -cents : cents
}

/** Parses a percentage into basis points; null for anything else. */
export function rateOfText(text: string | null): BasisPoints | null {
  const percent = percentOfText(text)
  return percent === null ? null : Math.round(percent * 100)
}

/** Parses `YYYY-MM-DD` (also with a time or a zone after it) or `YYYYMMDD`. */
export function dayOfText(text: string | null): BusinessDate | null {
  const match = /^\s*(\d{4})-?(\d{2})-?(\d{2})/.exec(text ?? '')
  const day = match ? `${match[1]}-${match[2]}-${match[3]}` : ''
  return isBusinessDate(day) ? day : null
}

/** Parses `DD-MM-YYYY`, with `/`, `.` or `-`; years of two digits belong to this century. */
export function dayOfPrinted(text: string): BusinessDate | null {
  const match = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$/.exec(text.trim())
  if (!match) return null
  const [, dayText = '', month = '', year = ''] = match
  const day = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${dayText.padStart(2, '0')}`
  return isBusinessDate(day) ? day : null
}

/** Returns one line of text without control or hidden characters, at most `max` long; null when nothing is left. */
export function lineOf(text: string | null | undefined, max: number): string | null {
  if (text === null || text === undefined) return null
  const clean = normalizeText(text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' '))
    .replace(/[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
    .trim()
    .slice(0, max)
    .trim()
  return clean === '' || textFault(clean) !== null ? null : clean
}

/** Converts cents to euros as in the contract; null beyond the contract's limits. */
export function eurosOrNull(cents: Cents | null): number | null {
  if (cents === null) return null
  const euros = cents / 100
  return centsFromEuros(euros) === cents ? euros : null
}
