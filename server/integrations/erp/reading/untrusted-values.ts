/** Reads values of an untrusted system: each row alone, text sanitized, numbers exact, dates in Spain. */
import { isBusinessDate } from '../../../domain/dates.ts'
import { divideRounded, MAX_CENTS, MAX_MICRO } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import { checkNif } from '../../../domain/tax/nif.ts'
import { sanitizeText } from '../../../domain/text.ts'
import type { NeutralRecord, Reject, RejectReason } from '../port.ts'

/** Reason why a row is rejected. */
export class RowFault extends Error {
  override readonly name = 'RowFault'
  readonly reason: RejectReason
  readonly field: string | null

  constructor(reason: RejectReason, field: string | null = null) {
    super(reason)
    this.reason = reason
    this.field = field
  }
}

export type Json = Record<string, unknown>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a nested record. An absent one may come as null, false, 0 or an empty list. */
export function objectOf(value: unknown): Json | null {
  return isObject(value) ? value : null
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns one line of at most `max` characters, or null for none. Numbers are accepted as written. */
export function lineOf(value: unknown, max: number): string | null {
  const text = paragraphOf(value, Number.MAX_SAFE_INTEGER)?.replace(/\s+/g, ' ').trim() ?? ''
  return cut(text, max)
}

/** Returns text of several lines, at most `max` characters, or null for none. */
export function paragraphOf(value: unknown, max: number): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return null
  return cut(sanitizeText(value), max)
}

function cut(text: string, max: number): string | null {
  return text === '' ? null : shortened(text, max)
}

/** Returns an identifier as text. Throws `RowFault` where there is none. */
export function idOf(value: unknown, field = 'id'): string {
  const id = lineOf(value, 120)
  if (id === null) throw new RowFault('missing_id', field)
  return id
}

/** Returns a date that must exist. Throws `RowFault`. */
export function realDay(text: string, field: string): string {
  if (!isBusinessDate(text)) throw new RowFault('impossible_date', field)
  return text
}

/** More digits than any real amount has; converting millions of them takes noticeable time. */
const DIGITS_AT_MOST = 400

/**
 * Converts decimal text with a point ("-12.345") to a whole number with `decimals` decimal places, rounded half away
 * from zero; null when it is not a number. Never uses a float.
 */
export function scaled(text: string, decimals: number): bigint | null {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text.trim())
  if (!match) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = whole + fraction
  if (digits === '' || digits.length > DIGITS_AT_MOST) return null
  const places = fraction.length - Number(exponent) - decimals
  if (Math.abs(places) > 400) return null
  const value = BigInt(digits)
  const size = places <= 0 ? value * 10n ** BigInt(-places) : divideRounded(value, 10n ** BigInt(places))
  return sign === '-' ? -size : size
}

function within(value: bigint | null, max: number, field: string): number | null {
  if (value === null) return null
  if (value > BigInt(max) || value < BigInt(-max)) throw new RowFault('amount_out_of_range', field)
  return Number(value)
}

/** Converts decimal text to cents. Throws `RowFault` when out of range. */
export function centsOf(text: string, field: string): number | null {
  return within(scaled(text, 2), MAX_CENTS, field)
}

/** Converts decimal text to millionths. Throws `RowFault` when out of range. */
export function microOf(text: string, field: string): number | null {
  return within(scaled(text, 6), MAX_MICRO, field)
}

/** Converts an amount to euros: divides by the units for one euro, rounded half away from zero. */
export function eurosAt(cents: Cents, fxRate: string): Cents | null {
  const rate = scaled(fxRate, 10)
  if (rate === null || rate <= 0n) return null
  const euros = divideRounded(BigInt(Math.abs(cents)) * 10n ** 10n, rate)
  return euros > BigInt(MAX_CENTS) ? null : Number(cents < 0 ? -euros : euros)
}

interface TaxId {
  taxId: string | null
  raw: string | null
  country: string | null
  /** The number claims to be Spanish and does not have the Spanish format. */
  invalid: boolean
}

/** Normalizes a tax number: upper case, without separators, a Spanish one without its prefix. */
export function taxIdOf(value: unknown, countryCode: string | null): TaxId {
  const raw = lineOf(value, 40)
  if (raw === null) return { taxId: null, raw: null, country: countryCode, invalid: false }
  const { ok, nif } = checkNif(raw)
  const country = ok ? 'ES' : countryCode
  return { taxId: nif === '' ? null : nif, raw, country, invalid: !ok && country === 'ES' }
}

const RAW_MAX = 2000

/** Reads every row alone: an unreadable row is set aside, and the rest is kept. */
export function readRows<R extends NeutralRecord>(
  rows: readonly unknown[],
  externalKind: string,
  read: (row: Json) => R | readonly R[] | null,
): { records: R[]; rejects: Reject[] } {
  const records: R[] = []
  const rejects: Reject[] = []
  for (const [position, row] of rows.entries()) {
    try {
      if (!isObject(row)) throw new RowFault('not_an_object')
      const found = read(row)
      if (found !== null) records.push(...(Array.isArray(found) ? (found as readonly R[]) : [found as R]))
    } catch (error) {
      if (!(error instanceof RowFault)) throw error
      rejects.push({
        externalKind,
        externalId: isObject(row) ? lineOf(row.id, 120) : null,
        position,
        reason: error.reason,
        field: error.field,
        raw: rawOf(row),
      })
    }
  }
  return { records, rejects }
}

/** Returns the row as text, cut, without characters that no screen should show. */
function rawOf(row: unknown): string {
  return paragraphOf(JSON.stringify(row) ?? '', RAW_MAX) ?? ''
}

/** Returns the first `max` characters; never splits a surrogate pair. */
export function shortened(text: string, max: number): string {
  return text.length <= max
    ? text
    : text
        .slice(0, max)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()
}
