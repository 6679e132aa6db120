/**
 * Converts Holded's dates to dates in Spain: ISO, DD/MM/YYYY, instants with their offset, seconds of a midnight in
 * Madrid.
 */
import { businessDateOf } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { realDay, RowFault } from '../reading/untrusted-values.ts'

/** Above this a plain number counts milliseconds. */
const MILLISECONDS_ABOVE = 1e11
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i
const SPANISH = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?$/

/** Returns the date in Spain, or null where there is none. Throws `RowFault` for a date that does not exist. */
export function dayOf(value: unknown, field: string): BusinessDate | null {
  if (typeof value === 'number') return value === 0 ? null : ofEpoch(value, field)
  if (typeof value !== 'string') return null
  const text = value.trim()
  if (text === '' || text === '0') return null
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return ofEpoch(Number(text), field)
  const iso = ISO.exec(text)
  if (iso) {
    const day = realDay(iso[1] ?? '', field)
    const [, , time, offset] = iso
    // Without an offset the time is the account's own, which is Spain's.
    if (!time || !offset) return day
    const zone = /^z$/i.test(offset)
      ? 'Z'
      : `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`
    return ofInstant(Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}${zone}`), field)
  }
  const spanish = SPANISH.exec(text)
  if (!spanish) throw new RowFault('impossible_date', field)
  const [, day = '', month = '', year = ''] = spanish
  return realDay(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, field)
}

function ofEpoch(value: number, field: string): BusinessDate {
  return ofInstant(Math.abs(value) > MILLISECONDS_ABOVE ? value : value * 1000, field)
}

function ofInstant(epochMs: number, field: string): BusinessDate {
  if (!(Math.abs(epochMs) <= 8.64e15)) throw new RowFault('impossible_date', field)
  return realDay(businessDateOf(new Date(epochMs)), field)
}
