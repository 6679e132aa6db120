/** Reads the cells of a row by field: amounts, rates, dates and texts, with a fault for each that cannot be read. */
import { basisPointsFromPercent, scaleNumber } from '../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { sanitizeLine } from '../../../domain/text.ts'
import type { FileRow } from '../../../platform/spreadsheets/cells.ts'
import { readDay, readNumber, textOf } from '../../../platform/spreadsheets/values.ts'
import type { DateOrder, DecimalSign } from '../../../platform/spreadsheets/values.ts'
import type { HistoryFaultCode, Report } from './report.ts'

export interface Notation {
  dateOrder: DateOrder
  decimalSign: DecimalSign
}

/** Mark before a text that a spreadsheet would take for a formula; the exporting program added it. */
const FORMULA_MARK = /^'(?=[\s\u0000-\u0020]*[=+\-@|%＝＋－＠])/u

/** How the rows of one table are read. */
export interface TableReading {
  /** Column of each field, from 0. */
  columns: Readonly<Record<string, number>>
  /** Titles by column. */
  titles: readonly string[]
  notation: Notation
  report: Report
}

export class RowCells {
  readonly row: number
  /** True once a cell of the row is wrong. */
  failed = false
  private readonly cells: FileRow['cells']
  private readonly reading: TableReading

  constructor({ row, cells }: FileRow, reading: TableReading) {
    this.row = row
    this.cells = cells
    this.reading = reading
  }

  has(field: string): boolean {
    return this.text(field) !== ''
  }

  isMapped(field: string): boolean {
    return this.reading.columns[field] !== undefined
  }

  /** Returns an empty text for an empty cell, and for a field without a column. */
  text(field: string): string {
    const column = this.reading.columns[field]
    if (column === undefined) return ''
    return sanitizeLine(textOf(this.cells[column] ?? null)).replace(FORMULA_MARK, '')
  }

  place(field: string): { row: number; column: string | null } {
    const column = this.reading.columns[field]
    return { row: this.row, column: column === undefined ? null : (this.reading.titles[column] ?? null) }
  }

  fault(
    code: HistoryFaultCode,
    field: string,
    params: Record<string, string | number> = {},
    severity?: 'error' | 'warning',
  ): void {
    if (this.reading.report.fault(code, this.place(field), params, severity)) this.failed = true
  }

  private number(field: string): number | null {
    const column = this.reading.columns[field]
    if (column === undefined) return null
    const text = this.text(field)
    if (text === '' || text === '-') return null
    const cell = this.cells[column] ?? null
    const value = readNumber(typeof cell === 'number' ? cell : text, this.reading.notation.decimalSign)
    if (value === null) this.fault('history_not_a_number', field, { text })
    return value
  }

  /** Returns cents; null for an empty cell. A spreadsheet stores binary rounding errors (12.299999999999999). */
  cents(field: string): Cents | null {
    const value = this.number(field)
    if (value === null) return null
    const exact = scaleNumber(value, 2)
    if (exact !== null) return exact
    const rounded = Math.round(Math.abs(value) * 100) * Math.sign(value)
    if (!Number.isSafeInteger(rounded)) {
      this.fault('history_not_a_number', field, { text: this.text(field) })
      return null
    }
    return rounded === 0 ? 0 : rounded
  }

  /** Returns an amount with six decimals, for prices and quantities; null for an empty cell. */
  decimal(field: string): number | null {
    return this.number(field)
  }

  /**
   * Returns a rate: `21`, `21,00 %`, `IVA 21%`, `s_iva_21`, and the fraction 0,21 of a cell shown as percent: values
   * below `fractionBelow` are fractions.
   */
  rate(field: string, fractionBelow = 0.3): BasisPoints | null {
    const text = this.text(field)
    if (text === '' || text === '-') return null
    const named = /^\D*?(\d{1,2}(?:[.,]\d{1,4})?)\s*%?\D*$/.exec(text)
    const value = named ? Number((named[1] ?? '').replace(',', '.')) : null
    const percent =
      value !== null && value > 0 && value < fractionBelow && /^0[.,]/.test(text) ? value * 100 : value
    const rate = percent === null ? null : basisPointsFromPercent(Math.round(percent * 100) / 100)
    if (rate === null) this.fault('history_not_a_number', field, { text })
    return rate === null ? null : Math.abs(rate)
  }

  day(field: string): BusinessDate | null {
    const text = this.text(field)
    if (text === '') return null
    const day = readDay(text, this.reading.notation.dateOrder)
    if (day === null) this.fault('history_not_a_day', field, { text })
    return day
  }

  /** Returns a text of at most `most` characters; the rest is reported and left out. */
  limited(field: string, most: number): string {
    const text = this.text(field)
    const characters = [...text]
    if (characters.length <= most) return text
    this.fault('history_text_long', field, { most, length: characters.length })
    return characters.slice(0, most).join('').trimEnd()
  }
}
