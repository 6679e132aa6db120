/** Reads the values of a message whose schema has been checked. */
import { isBusinessDate } from '../../../../../domain/dates.ts'
import { trimValue } from '../../record/hashed.ts'
import type { BusinessDate } from '../../../../../domain/dates.ts'
import type { XmlElement } from '../../wire/reader.ts'

/**
 * Returns the descendant at a path of local names, or undefined. The schema has been checked, so names are not
 * repeated.
 */
export function at(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let found = element
  for (const name of path) found = found?.children.find((child) => child.name === name)
  return found
}

/** Returns the trimmed text at a path; empty when absent. */
export function valueAt(element: XmlElement | undefined, ...path: string[]): string {
  const found = at(element, ...path)
  return found ? trimValue(found.text) : ''
}

export function has(element: XmlElement | undefined, name: string): boolean {
  return at(element, name) !== undefined
}

/** Converts `DD-MM-YYYY` to a date; null when the calendar has no such day. */
export function dayOf(text: string): BusinessDate | null {
  const day = `${text.slice(6)}-${text.slice(3, 5)}-${text.slice(0, 2)}`
  return isBusinessDate(day) ? day : null
}

/**
 * Converts an amount that the schema has accepted to cents; a rate has the same format and becomes hundredths of a
 * percent.
 */
export function centsOf(text: string): number {
  const [whole = '0', fraction = ''] = text.replace(/^[+-]/, '').split('.')
  const cents = Number(whole || '0') * 100 + Number(fraction.padEnd(2, '0'))
  return text.startsWith('-') ? -cents : cents
}

export function linesOf(record: XmlElement): XmlElement[] {
  return at(record, 'Desglose')?.children ?? []
}

export function recipientsOf(record: XmlElement): XmlElement[] {
  return at(record, 'Destinatarios')?.children ?? []
}

/**
 * Returns the date that decides a registration's rates: of the operation, else of the issue; empty when neither is a
 * valid date.
 */
export function operationDayOf(record: XmlElement): BusinessDate {
  return (
    dayOf(valueAt(record, 'FechaOperacion')) ??
    dayOf(valueAt(record, 'IDFactura', 'FechaExpedicionFactura')) ??
    ''
  )
}
