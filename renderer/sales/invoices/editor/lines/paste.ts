/** Conversion of rows copied from a spreadsheet to lines of an invoice. Pure. */
import { parseMoney } from '../../../../composables/parse/money.ts'
import type { Cell, FigureCell } from '../draft.ts'

export interface PastedLine {
  description?: string
  quantityMicro?: number | null
  unitPriceMicro?: number | null
  discountBp?: number
  vatRateBp?: number
  /** Unreadable cells, with their text. */
  unread: Partial<Record<FigureCell, string>>
}

interface PasteRules {
  decimalSign: ',' | '.'
  /** Rates in force: a last column that contains one of them is the VAT. */
  vatRatesBp: readonly number[]
}

/** Parses the text of a spreadsheet into rows of cells. A quoted cell may contain line breaks and tabs. */
export function spreadsheetRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const sign = text.charAt(index)
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (text.charAt(index + 1) === '"') {
        cell += '"'
        index++
      } else quoted = false
    } else if (sign === '"' && cell === '' && closesQuote(text, index)) quoted = true
    else if (sign === '\t') {
      row.push(cell)
      cell = ''
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text.charAt(index + 1) === '\n') index++
      row.push(cell)
      rows.push(row)
      row = []
      cell = ''
    } else cell += sign
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell])
  return rows
    .map((cells) => cells.map((each) => each.trim()))
    .filter((cells) => cells.some((each) => each !== ''))
}

/**
 * Returns whether a closing quote stands right before a tab, a line break or the end: only then does a quote open a
 * quoted cell.
 */
function closesQuote(text: string, start: number): boolean {
  for (let index = start + 1; index < text.length; index++) {
    if (text.charAt(index) !== '"') continue
    if (text.charAt(index + 1) === '"') index++
    else return /^(?:[\t\r\n]|$)/.test(text.slice(index + 1, index + 2))
  }
  return false
}

const number = (text: string, rules: PasteRules, decimals: 2 | 6 = 6) =>
  parseMoney(text.replace(/%\s*$/, ''), { decimals, decimalSign: rules.decimalSign })

/**
 * Parses pasted text into lines. Returns null if it is not a table: the field then takes it as plain text. Columns
 * start at the focused cell: description, quantity, price, then discount or VAT. Two columns are description and
 * price.
 */
export function pastedLines(text: string, from: Cell, rules: PasteRules): PastedLine[] | null {
  if (!text.includes('\t') && (from === 'description' || !/[\r\n]+\S/.test(text.trim()))) return null
  let rows = spreadsheetRows(text)
  const first = rows[0]
  if (!first) return null
  const width = Math.max(...rows.map((row) => row.length))
  const columns = columnsFrom(from, width, rows, rules)
  // A first row of text above columns of numbers is the table's header.
  const isHead =
    rows.length > 1 &&
    columns.some((column, index) => column !== 'description' && first[index]) &&
    columns.every(
      (column, index) => column === 'description' || !first[index] || !number(first[index] ?? '', rules).ok,
    )
  if (isHead) rows = rows.slice(1)
  return rows.map((row) => lineFrom(row, columns, rules))
}

function columnsFrom(from: Cell, width: number, rows: readonly string[][], rules: PasteRules): Cell[] {
  if (from === 'description' && width === 2) return ['description', 'unitPrice']
  const order: Cell[] = ['description', 'quantity', 'unitPrice']
  const start = order.indexOf(from)
  const columns = start === -1 ? [from] : order.slice(start)
  const fourth = columns.length
  if (start !== -1 && width > fourth) {
    if (rows.every((row) => isRate(row[fourth], rules) || !number(row[fourth] ?? '', rules).ok))
      columns.push('vat')
    else if (rows.every((row) => isRate(row[fourth + 1], rules) || !row[fourth + 1]))
      columns.push('discount', 'vat')
  }
  return columns.slice(0, width)
}

function isRate(text: string | undefined, rules: PasteRules): boolean {
  const reading = text ? number(text, rules, 2) : null
  return reading !== null && reading.ok && reading.value !== null && rules.vatRatesBp.includes(reading.value)
}

function lineFrom(row: readonly string[], columns: readonly Cell[], rules: PasteRules): PastedLine {
  const line: PastedLine = { unread: {} }
  for (const [index, column] of columns.entries()) {
    const text = row[index] ?? ''
    if (column === 'description') {
      line.description = text
      continue
    }
    if (text === '') continue
    const reading = number(text, rules, column === 'discount' || column === 'vat' ? 2 : 6)
    if (!reading.ok || reading.value === null) {
      if (column !== 'vat') line.unread[column] = text
    } else if (column === 'quantity') line.quantityMicro = reading.value
    else if (column === 'unitPrice') line.unitPriceMicro = reading.value
    else if (column === 'discount') line.discountBp = reading.value
    else if (rules.vatRatesBp.includes(reading.value)) line.vatRateBp = reading.value
  }
  return line
}
