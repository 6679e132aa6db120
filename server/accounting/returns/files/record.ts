/** Writes and reads the fields of one record of a return's file, exactly: nothing is cut, rounded or guessed. */
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { AppError, Fault } from '../../../domain/errors/app-error.ts'
import type { LayoutField } from './layout.ts'

/**
 * Values of a record by key. Amounts are whole numbers of the field's smallest unit (cents; hundredths of a percent),
 * counts are whole numbers, all else is text without the blanks that fill it. Empty ones are left out.
 */
export type RecordValues = Readonly<Record<string, number | string>>

/** What we write in a text: the designs name capitals, digits and blanks. */
const WRITTEN = /^[A-Z0-9ÑÇ]+(?: [A-Z0-9ÑÇ]+)*$/
/** What other programs write in one: anything of ISO-8859-1 that is no control character. */
const READ = /^[\x20-\x7E\u00A1-\u00FF]+$/

/** First character of a negative number; the other kinds of fields take none. */
const MINUS: Partial<Record<LayoutField['as'], string>> = { N: 'N', S: '-' }

const isNumeric = ({ as }: LayoutField): boolean => as === 'Num' || MINUS[as] !== undefined
const emptyOf = (field: LayoutField): string =>
  (isNumeric(field) && field.blank !== true ? '0' : ' ').repeat(field.length)

/** Returns what a field without a choice contains: its constant, or what is reserved. */
function constantOf(field: LayoutField & { is: string }): string {
  if (field.is === '') return isNumeric(field) ? '0'.repeat(field.length) : ' '.repeat(field.length)
  return isNumeric(field) ? field.is.padStart(field.length, '0') : field.is.padEnd(field.length)
}

function numberText(field: LayoutField, value: number): string | null {
  if (!Number.isSafeInteger(value)) return null
  const minus = MINUS[field.as]
  if (value < 0 && minus === undefined) return null
  const digits = String(Math.abs(value)).padStart(value < 0 ? field.length - 1 : field.length, '0')
  const text = value < 0 ? `${minus}${digits}` : digits
  return text.length === field.length ? text : null
}

function textOf({ length, signs = '' }: LayoutField, value: string): string | null {
  const plain = Array.from(value, (sign) => (signs.includes(sign) ? 'X' : sign)).join('')
  return value.length <= length && WRITTEN.test(plain) ? value.padEnd(length) : null
}

function faultOf(path: string, field: LayoutField, value: number | string): Fault {
  const message = isNumeric(field)
    ? `This field takes a whole number of at most ${field.length} digits${MINUS[field.as] === undefined ? ', none below zero' : ''}.`
    : `This field takes at most ${field.length} capitals, digits and single blanks.`
  return { code: 'not_in_layout', field: path, severity: 'error', message, params: { value } }
}

function written(field: LayoutField, value: number | string | undefined): string | null {
  if (field.is !== undefined) return value === undefined ? constantOf({ ...field, is: field.is }) : null
  if (value === undefined) return emptyOf(field)
  if (field.values && !field.values.includes(String(value))) return null
  if (isNumeric(field)) return typeof value === 'number' ? numberText(field, value) : null
  return typeof value === 'string' ? textOf(field, value) : null
}

/** Returns a record as text; `path` names it in faults. Throws `validation_failed` with the path of each field whose value does not fit it. */
export function encodeRecord(path: string, fields: readonly LayoutField[], values: RecordValues): string {
  const faults: Fault[] = []
  const known = new Set(fields.map(({ key }) => key))
  for (const key of Object.keys(values))
    if (!known.has(key))
      faults.push({
        code: 'not_in_layout',
        field: `${path}.${key}`,
        severity: 'error',
        message: 'The layout has no such field.',
      })
  const parts = fields.map((field) => {
    const value = values[field.key]
    const text = written(field, value)
    if (text === null) faults.push(faultOf(`${path}.${field.key}`, field, value ?? ''))
    return text ?? ''
  })
  if (faults.length > 0) throw validationFailed(faults)
  return parts.join('')
}

/** Returns the value of a field; undefined if it is empty, null if its characters cannot be its. */
function readField(field: LayoutField, text: string): number | string | undefined | null {
  if (field.is !== undefined) return text === constantOf({ ...field, is: field.is }) ? undefined : null
  if (text === emptyOf(field)) return undefined
  let value: number | string | null
  if (isNumeric(field)) {
    const filled = field.blank ? text.trimStart() : text
    if (field.blank && /^0+$/.test(filled)) return undefined
    const isNegative = filled.slice(0, 1) === MINUS[field.as]
    const digits = isNegative ? filled.slice(1) : filled
    const size = Number(digits)
    // There is one way to write a number: minus zero is none.
    value =
      !/^\d+$/.test(digits) || !Number.isSafeInteger(size) || (isNegative && size === 0)
        ? null
        : isNegative
          ? -size
          : size
  } else value = READ.test(text) ? text.trimEnd() : null
  if (value !== null && field.values && !field.values.includes(String(value))) return null
  return value
}

/**
 * Returns true if a text has the constants of a record, and nothing where it is reserved: which tells records of one type
 * apart.
 */
export function hasConstantsOf(fields: readonly LayoutField[], text: string): boolean {
  return fields.every(
    (field) => field.is === undefined || readField(field, partOf(field, text)) === undefined,
  )
}

const partOf = ({ at, length }: LayoutField, text: string): string => text.slice(at - 1, at - 1 + length)

/** Returns the failure for a record of another length than its layout. */
export function wrongLength(path: string, length: number, expected: number): AppError {
  return validationFailed([
    {
      code: 'return_record_length',
      field: path,
      severity: 'error',
      message: `This record has ${length} characters; its layout has ${expected}.`,
      params: { length, expected },
    },
  ])
}

/** Reads a record. Throws `validation_failed` with the path of each field that its layout does not allow. */
export function decodeRecord(
  path: string,
  fields: readonly LayoutField[],
  text: string,
): Record<string, number | string> {
  const length = fields.reduce((sum, field) => sum + field.length, 0)
  if (text.length !== length) throw wrongLength(path, text.length, length)
  const faults: Fault[] = []
  const values: Record<string, number | string> = {}
  for (const field of fields) {
    const part = partOf(field, text)
    const value = readField(field, part)
    if (value === null) faults.push(faultOf(`${path}.${field.key}`, field, part))
    else if (value !== undefined) values[field.key] = value
  }
  if (faults.length > 0) throw validationFailed(faults)
  return values
}
