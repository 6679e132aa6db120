/** Reading what a stranger's system sends: every row alone, text made harmless, numbers exact, days of Spain. */
import { isBusinessDate } from '../../../domain/dates.ts'
import { divideRounded, MAX_CENTS, MAX_MICRO } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import { checkNif } from '../../../domain/tax/nif.ts'
import { harmlessText } from '../../../domain/text.ts'
import type { NeutralRecord, Reject, RejectReason } from '../port.ts'

/** What makes a row unfit to be taken. */
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

/** A record within a record. What is absent may come as null, false, 0 or an empty list. */
export function objectOf(value: unknown): Json | null {
  return isObject(value) ? value : null
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** One line of at most `max` characters, or null for nothing. Numbers are taken as written. */
export function lineOf(value: unknown, max: number): string | null {
  const text = paragraphOf(value, Number.MAX_SAFE_INTEGER)?.replace(/\s+/g, ' ').trim() ?? ''
  return cut(text, max)
}

/** Text of several lines, at most `max` characters, or null for nothing. */
export function paragraphOf(value: unknown, max: number): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') return null
  return cut(harmlessText(value), max)
}

function cut(text: string, max: number): string | null {
  return text === '' ? null : shortened(text, max)
}

/** An identifier as text. Throws `RowFault` where there is none. */
export function idOf(value: unknown, field = 'id'): string {
  const id = lineOf(value, 120)
  if (id === null) throw new RowFault('missing_id', field)
  return id
}

/** A day that must be real. Throws `RowFault`. */
export function realDay(text: string, field: string): string {
  if (!isBusinessDate(text)) throw new RowFault('impossible_date', field)
  return text
}

/** More than any number of books has; turning millions of them into a number takes its time. */
const DIGITS_AT_MOST = 400

/**
 * Decimal text with a point ("-12.345") as a whole number of the last of `decimals` places, rounded half away from zero;
 * null when it is no number. Never through a float.
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

/** Cents of decimal text. Throws `RowFault` when out of range. */
export function centsOf(text: string, field: string): number | null {
  return within(scaled(text, 2), MAX_CENTS, field)
}

/** Millionths of decimal text. Throws `RowFault` when out of range. */
export function microOf(text: string, field: string): number | null {
  return within(scaled(text, 6), MAX_MICRO, field)
}

/** An amount of a currency in euros: divided by how many units make one euro, rounded half away from zero. */
export function eurosAt(cents: Cents, fxRate: string): Cents | null {
  const rate = scaled(fxRate, 10)
  if (rate === null || rate <= 0n) return null
  const euros = divideRounded(BigInt(Math.abs(cents)) * 10n ** 10n, rate)
  return euros > BigInt(MAX_CENTS) ? null : Number(cents < 0 ? -euros : euros)
}

export interface TaxId {
  taxId: string | null
  raw: string | null
  country: string | null
  /** Says it is Spanish and is not written as one. */
  invalid: boolean
}

/** A tax number as Sello writes it: upper case, without separators, a Spanish one without its prefix. */
export function taxIdOf(value: unknown, countryCode: string | null): TaxId {
  const raw = lineOf(value, 40)
  if (raw === null) return { taxId: null, raw: null, country: countryCode, invalid: false }
  const { ok, nif } = checkNif(raw)
  const country = ok ? 'ES' : countryCode
  return { taxId: nif === '' ? null : nif, raw, country, invalid: !ok && country === 'ES' }
}

const RAW_MAX = 2000

/** Reads every row alone: one that cannot be read is set aside, and the rest is kept. */
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

/** The row as text, cut, without what no screen should show. */
function rawOf(row: unknown): string {
  return paragraphOf(JSON.stringify(row) ?? '', RAW_MAX) ?? ''
}

/** The first `max` characters, never half of one outside the basic plane. */
export function shortened(text: string, max: number): string {
  return text.length <= max
    ? text
    : text
        .slice(0, max)
        .replace(/[\ud800-\udbff]$/, '')
        .trimEnd()
}
