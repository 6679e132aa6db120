/** Parses Odoo's values: `false` for none, a pair for a link, binary fractions for amounts. */
import type { BusinessDate } from '../../../domain/dates.ts'
import { centsOf, lineOf, microOf, realDay, RowFault } from '../reading/untrusted-values.ts'
import type { Json } from '../reading/untrusted-values.ts'
import type { Cents, Micro } from '../../../domain/money.ts'
import { isId } from './call.ts'

interface Link {
  id: number
  label: string | null
}

/** Parses a link [id, "label"]; a plain identifier is a link without a label. */
export function linkOf(value: unknown): Link | null {
  const [id, label] = Array.isArray(value) ? (value as unknown[]) : [value]
  return isId(id) ? { id, label: lineOf(label, 300) } : null
}

/** Returns the shortest decimal text of a number; decimal text unchanged. */
function decimalOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** Returns cents. Throws `RowFault` where there is no amount. */
export function cents(row: Json, field: string): Cents {
  const found = centsOrNull(row, field)
  if (found === null) throw new RowFault('unreadable_amount', field)
  return found
}

/** Returns the value, or null for none. Throws `RowFault` for an unreadable value. */
export function centsOrNull(row: Json, field: string): Cents | null {
  return read(row, field, centsOf)
}

/** Returns the value, or null for none. Throws `RowFault` for an unreadable value. */
export function microOrNull(row: Json, field: string): Micro | null {
  return read(row, field, microOf)
}

function read(row: Json, field: string, take: (text: string, field: string) => number | null): number | null {
  const value = row[field]
  if (value === undefined || value === null || value === false) return null
  const text = decimalOf(value)
  const found = text === null ? null : take(text, field)
  if (found === null) throw new RowFault('unreadable_amount', field)
  // Avoids negative zero.
  return found === 0 ? 0 : found
}

/** Returns a date, or null for none. Throws `RowFault` for a date that does not exist. */
export function dayOrNull(row: Json, field: string): BusinessDate | null {
  const text = lineOf(row[field], 40)
  return text === null ? null : realDay(text, field)
}
