/** Formats values for the cells of the VAT books. Pure. */
import { neutralizeFormula } from '../../../domain/formats/csv-writer.ts'
import { centsToText } from '../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import type { BusinessDate } from '../../../domain/dates.ts'

/** Returns `66325,12`: decimal comma, always two decimals, no thousands separator. */
export function amountCell(cents: Cents | null): string {
  return cents === null ? '' : centsToText(cents).replace('.', ',')
}

/** Returns `10,50` for 10.5 %; empty without a rate. */
export function rateCell(rateBp: BasisPoints | null): string {
  return amountCell(rateBp)
}

/** Returns `02/05/2018`. */
export function dateCell(date: BusinessDate | null): string {
  return date === null ? '' : `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}`
}

/** Returns text on one line, cut to the width of its column, that no spreadsheet runs as a formula. */
export function textCell(text: string | null | undefined, length: number): string {
  const line = (text ?? '').replace(/\s+/g, ' ').trim()
  return [...neutralizeFormula(line)].slice(0, length).join('').trimEnd()
}

/** Returns a tax number without separators. */
export function nifCell(nif: string | null): string {
  return (nif ?? '').replace(/[^0-9A-Za-z]/g, '').toUpperCase()
}

/** Returns `1T` to `4T`. */
export function quarterCell(date: BusinessDate): string {
  return `${Math.ceil(Number(date.slice(5, 7)) / 3)}T`
}
