/** Records of fixed width from a layout that is data: name, position, width and kind of each field. Pure. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import { compactDay, pointAmount } from './text.ts'

/**
 * `text` left-aligned with blanks, `digits` right-aligned with zeros, `number` right-aligned with blanks, `amount` as
 * the layout says, `day` as eight digits, `flag` one letter.
 */
type FieldKind = 'text' | 'digits' | 'number' | 'amount' | 'rate' | 'day' | 'flag'

export interface Field {
  name: string
  /** First position, from 1. */
  at: number
  width: number
  kind: FieldKind
  /** Content where nothing is said. */
  filled?: string
}

/** Values of a record by field. Amounts are cents, rates basis points. */
export type Values = Readonly<Record<string, string | number | null | undefined>>

/** How a family of layouts writes numbers. */
interface Numbers {
  amount(cents: Cents, width: number): string
  rate(bp: BasisPoints, width: number): string
}

/** a3: sign, ten digits, a point and two decimals; rates as 21.00. */
export const A3_NUMBERS: Numbers = {
  amount(cents) {
    const [whole = '0', decimals = '00'] = pointAmount(Math.abs(cents)).split('.')
    return `${cents < 0 ? '-' : '+'}${whole.padStart(10, '0')}.${decimals}`
  },
  rate: (bp) => pointAmount(bp).padStart(5, '0'),
}

/** xBase: right-aligned, with a point. */
export const XBASE_NUMBERS: Numbers = {
  amount: (cents, width) => pointAmount(cents).padStart(width),
  rate: (bp, width) => pointAmount(bp).padStart(width),
}

function fieldText(field: Field, value: string | number | null | undefined, numbers: Numbers): string {
  const { kind, width, filled } = field
  if (value === undefined || value === null) {
    if (filled !== undefined)
      return kind === 'text' || kind === 'flag' ? filled.padEnd(width) : filled.padStart(width)
    if (kind === 'amount') return numbers.amount(0, width)
    if (kind === 'rate') return numbers.rate(0, width)
    if (kind === 'digits') return ''.padStart(width, '0')
    return ''.padEnd(width)
  }
  if (kind === 'amount') return numbers.amount(Number(value), width)
  if (kind === 'rate') return numbers.rate(Number(value), width)
  if (kind === 'day') return compactDay(String(value) as BusinessDate).padEnd(width)
  if (kind === 'digits') return String(value).padStart(width, '0')
  if (kind === 'number') return String(value).padStart(width)
  return [...String(value)].slice(0, width).join('').padEnd(width)
}

/** Returns a record without its line end. Throws when a value does not fit, which a check has to find before. */
export function recordOf(fields: readonly Field[], length: number, values: Values, numbers: Numbers): string {
  let record = ''
  for (const field of fields) {
    const text = fieldText(field, values[field.name], numbers)
    if (text.length !== field.width) throw new Error(`${field.name} does not fit: ${text}.`)
    record = record.padEnd(field.at - 1) + text
  }
  if (record.length > length) throw new Error(`A record of ${record.length} does not fit into ${length}.`)
  return record.padEnd(length)
}

/** Returns fields one after the other, from names, widths and kinds. */
export function consecutive(
  fields: readonly (readonly [name: string, width: number, kind: FieldKind, filled?: string])[],
): Field[] {
  let at = 1
  return fields.map(([name, width, kind, filled]) => {
    const field: Field = { name, at, width, kind, ...(filled === undefined ? {} : { filled }) }
    at += width
    return field
  })
}
