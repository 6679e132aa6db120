/** Pure: how values are written into the cells of the books. */
import { neutral } from '../../../domain/formats/csv-writer.ts'
import { centsToText } from '../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import type { BusinessDate } from '../../../domain/dates.ts'

/** `66325,12`: comma, always two decimals, no thousands. */
export function amountCell(cents: Cents | null): string {
  return cents === null ? '' : centsToText(cents).replace('.', ',')
}

/** `10,50` for 10.5 %; empty where there is no rate. */
export function rateCell(rateBp: BasisPoints | null): string {
  return amountCell(rateBp)
}

/** `02/05/2018`. */
export function dateCell(date: BusinessDate | null): string {
  return date === null ? '' : `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}`
}

/** Text of one line, cut to its column, that no spreadsheet runs. */
export function textCell(text: string | null | undefined, length: number): string {
  const line = (text ?? '').replace(/\s+/g, ' ').trim()
  return [...neutral(line)].slice(0, length).join('').trimEnd()
}

/** A tax number without the separators people put into it. */
export function nifCell(nif: string | null): string {
  return (nif ?? '').replace(/[^0-9A-Za-z]/g, '').toUpperCase()
}

/** `1T` to `4T`. */
export function quarterCell(date: BusinessDate): string {
  return `${Math.ceil(Number(date.slice(5, 7)) / 3)}T`
}
