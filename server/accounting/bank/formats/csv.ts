/**
 * Reads CSV files of banks, which follow no common layout. The column mapping is guessed from titles and values,
 * shown to the user and stored; unreadable lines are rejected by number. A running balance is verified where one is
 * given.
 */
import Papa from 'papaparse'
import type { CsvMapping } from '../contract.ts'
import { isBusinessDate } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { centsToText, scaleText } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import { searchText } from '../../../domain/text.ts'
import { cleanText, FileFaults, fileWarning, MAX_MOVEMENTS, refuseFile } from './statement.ts'
import type { Movement, Statement } from './statement.ts'

const DELIMITERS = [';', ',', '\t', '|'] as const
const HEAD_ROWS = 40
const MAX_COLUMNS = 100

type Field =
  | 'date'
  | 'valueDate'
  | 'text'
  | 'amount'
  | 'debit'
  | 'credit'
  | 'balance'
  | 'counterparty'
  | 'reference'

/** Column titles that banks use, folded; the first match wins. */
const TITLES: readonly (readonly [Field, RegExp])[] = [
  ['valueDate', /^(f(echa)?\.? ?(de )?valor|value date|data valor)/],
  [
    'date',
    /^(f(echa)?\.?( ?(de )?(operacion|contable|oper\.?|movimiento|apunte))?|date|booking date|data( operacio)?)$/,
  ],
  ['balance', /^(saldo|balance|disponible|saldo contable|saldo tras|import total)/],
  ['debit', /^(cargos?|debe|debitos?|adeudos?|gastos?|pagos?|salidas?|debit|importe cargo)( |\(|$)/],
  ['credit', /^(abonos?|haber|creditos?|ingresos?|entradas?|credit|importe abono)( |\(|$)/],
  ['amount', /^(importe|amount|import|cantidad|euros?|monto)( |\(|$)/],
  [
    'counterparty',
    /^(ordenante|beneficiario|ordenante\/beneficiario|contraparte|nombre|counterparty|payee|remitente)/,
  ],
  ['reference', /^(referencia|ref\.?|numero de documento|n\.? ?documento|documento|reference)/],
  [
    'text',
    /^(concepto|descripcion|movimiento|detalle|observaciones|description|concept|mas datos|informacion|tipo de movimiento|texto)/,
  ],
]

/** Returns the rows of a CSV as text, each with its own number of cells. */
export function csvRows(text: string, delimiter: string): string[][] {
  const { data } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: false })
  if (data.length > MAX_MOVEMENTS + HEAD_ROWS)
    refuseFile('bank_file_too_long', `The file holds more than ${MAX_MOVEMENTS} movements.`, {
      most: MAX_MOVEMENTS,
    })
  return data.map((row) => row.slice(0, MAX_COLUMNS))
}

/** Returns the delimiter that gives the most rows of equal width above one. */
function guessDelimiter(text: string): CsvMapping['delimiter'] {
  const head = text.slice(0, 20_000)
  let best: CsvMapping['delimiter'] = ';'
  let bestScore = -1
  for (const delimiter of DELIMITERS) {
    const { data } = Papa.parse<string[]>(head, { delimiter, preview: HEAD_ROWS })
    const widths = new Map<number, number>()
    for (const row of data) if (row.length > 1) widths.set(row.length, (widths.get(row.length) ?? 0) + 1)
    for (const [width, rows] of widths) {
      const score = rows * 100 + Math.min(width, 20)
      if (score > bestScore) [best, bestScore] = [delimiter, score]
    }
  }
  return best
}

/** Returns the most probable column mapping, or null when no row has a day and an amount. */
export function guessMapping(text: string): CsvMapping | null {
  const delimiter = guessDelimiter(text)
  const { data: rows } = Papa.parse<string[]>(text, { delimiter, preview: 300 })
  const titled = rows.slice(0, HEAD_ROWS).findIndex((row) => {
    const fields = row.map(titleOf)
    return (
      fields.some((field) => field === 'date' || field === 'valueDate') &&
      fields.some((field) => field === 'amount' || field === 'debit' || field === 'credit')
    )
  })
  const mapping = titled >= 0 ? byTitles(rows, titled, delimiter) : byValues(rows, delimiter)
  if (!mapping) return null
  const body = rows.slice(mapping.headerRow + 1)
  const amounts = [mapping.amount, mapping.debit, mapping.credit, mapping.balance].filter(
    (column) => column !== null,
  )
  return {
    ...mapping,
    dateOrder: guessDateOrder(body.map((row) => row[mapping.date] ?? '')),
    decimalSign: guessDecimalSign(body.flatMap((row) => amounts.map((column) => row[column] ?? ''))),
  }
}

function titleOf(cell: string): Field | null {
  const title = searchText(cell).replace(/^["']|["']$/g, '')
  return TITLES.find(([, pattern]) => pattern.test(title))?.[0] ?? null
}

function byTitles(
  rows: string[][],
  headerRow: number,
  delimiter: CsvMapping['delimiter'],
): CsvMapping | null {
  const fields = (rows[headerRow] ?? []).map(titleOf)
  const column = (field: Field): number | null => {
    const index = fields.indexOf(field)
    return index < 0 ? null : index
  }
  const texts = fields.flatMap((field, index) => (field === 'text' ? [index] : []))
  const date = column('date') ?? column('valueDate')
  if (date === null) return null
  const amount = column('amount')
  return {
    delimiter,
    headerRow,
    date,
    valueDate: column('date') === null ? null : column('valueDate'),
    text: texts.length > 0 ? texts.slice(0, 6) : [widest(rows.slice(headerRow + 1), date)],
    amount,
    debit: amount === null ? column('debit') : null,
    credit: amount === null ? column('credit') : null,
    balance: column('balance'),
    counterparty: column('counterparty'),
    reference: column('reference'),
    dateOrder: 'dmy',
    decimalSign: ',',
  }
}

/**
 * Guesses the mapping without titles: the first column of dates, the columns of amounts, and the widest of the rest
 * as text.
 */
function byValues(rows: string[][], delimiter: CsvMapping['delimiter']): CsvMapping | null {
  const body = rows.filter((row) => row.length > 2).slice(0, 50)
  const width = Math.max(0, ...body.map((row) => row.length))
  const share = (column: number, fits: (cell: string) => boolean) =>
    body.filter((row) => fits((row[column] ?? '').trim())).length / Math.max(1, body.length)
  const columns = Array.from({ length: width }, (_, index) => index)
  const dates = columns.filter((column) => share(column, (cell) => DATE_SHAPE.test(cell)) > 0.6)
  const amounts = columns.filter(
    (column) =>
      !dates.includes(column) &&
      share(column, (cell) => /[.,]\d{2}\D*$/.test(cell) && /^[-+(]?[\d.,\s€]/.test(cell)) > 0.6,
  )
  const [date, valueDate] = dates
  const [amount, balance] = amounts
  if (date === undefined || amount === undefined) return null
  const first = rows.findIndex((row) => DATE_SHAPE.test((row[date] ?? '').trim()))
  return {
    delimiter,
    headerRow: first - 1,
    date,
    valueDate: valueDate ?? null,
    text: [widest(body, ...dates, ...amounts)],
    amount,
    debit: null,
    credit: null,
    balance: balance ?? null,
    counterparty: null,
    reference: null,
    dateOrder: 'dmy',
    decimalSign: ',',
  }
}

function widest(rows: string[][], ...except: number[]): number {
  const lengths = new Map<number, number>()
  for (const row of rows.slice(0, 50))
    for (const [column, cell] of row.entries())
      if (!except.includes(column) && /\p{L}{3}/u.test(cell))
        lengths.set(column, (lengths.get(column) ?? 0) + cell.length)
  let [best, most] = [except[0] ?? 0, -1]
  for (const [column, length] of lengths) if (length > most) [best, most] = [column, length]
  return best
}

const DATE_SHAPE = /^(\d{1,2}[/.\- ]\d{1,2}[/.\- ]\d{2,4}|\d{4}[/.-]\d{1,2}[/.-]\d{1,2}|\d{8})([ T].*)?$/

/**
 * Guesses the order of day, month and year. Day first is the default, as in Spain; another order applies only when
 * the values rule it out.
 */
function guessDateOrder(cells: string[]): CsvMapping['dateOrder'] {
  const dates = cells.map((cell) => cell.trim()).filter((cell) => DATE_SHAPE.test(cell))
  if (dates.length > 0 && dates.every((cell) => /^\d{4}/.test(cell) && readDate(cell, 'ymd'))) return 'ymd'
  const fits = (order: CsvMapping['dateOrder']) => dates.every((cell) => readDate(cell, order) !== null)
  return !fits('dmy') && fits('mdy') ? 'mdy' : 'dmy'
}

function guessDecimalSign(cells: string[]): ',' | '.' {
  let [comma, point] = [0, 0]
  for (const cell of cells) {
    const last = /([.,])(\d{1,2})\D*$/.exec(cell)
    if (last?.[1] === ',') comma++
    else if (last?.[1] === '.') point++
  }
  return point > comma ? '.' : ','
}

/** Parses a date in the given order; returns null when it is not a date. */
export function readDate(cell: string, order: CsvMapping['dateOrder']): BusinessDate | null {
  const text = cell.trim().replace(/[ T]\d{1,2}:.*$/, '')
  const packed = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  const parts = packed && order === 'ymd' ? packed.slice(1, 4) : text.split(/[/.\- ]/)
  if (parts.length !== 3 || parts.some((part) => !/^\d{1,4}$/.test(part))) return null
  const [first = '', second = '', third = ''] = parts
  const [year, month, day] =
    order === 'ymd'
      ? [first, second, third]
      : order === 'dmy'
        ? [third, second, first]
        : [third, first, second]
  if (year.length !== 4 && year.length !== 2) return null
  const date = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isBusinessDate(date) ? date : null
}

/** Parses an amount into cents; returns null when it is not an amount, undefined when the cell is empty. */
export function readAmount(cell: string, decimalSign: ',' | '.'): Cents | null | undefined {
  let text = cell
    .replace(/[\s\u00a0\u202f']/g, '')
    .replace(/(€|eur(os?)?)/gi, '')
    .replace(/[\u2212\u2013]/g, '-')
  if (text === '' || text === '-') return undefined
  let negative = false
  if (/^\(.*\)$/.test(text)) [text, negative] = [text.slice(1, -1), true]
  if (/-$/.test(text)) [text, negative] = [text.slice(0, -1), true]
  if (/^[-+]/.test(text)) [text, negative] = [text.slice(1), text.startsWith('-') || negative]
  const group = decimalSign === ',' ? '.' : ','
  const [whole = '', fraction = '', ...more] = text.split(decimalSign)
  if (more.length > 0 || !/^\d*$/.test(fraction) || whole + fraction === '') return null
  const groups = whole.split(group)
  // Thousands are grouped in threes, or not grouped at all.
  if (groups.length > 1 && !groups.slice(1).every((part) => part.length === 3)) return null
  const digits = groups.join('') || '0'
  if (!/^\d+$/.test(digits)) return null
  const cents = scaleText(fraction ? `${digits}.${fraction}` : digits, 2)
  return cents === null ? null : negative && cents !== 0 ? -cents : cents
}

/** Reads a CSV by its mapping. Throws `validation_failed` with every fault and its line. */
export function readCsv(text: string, mapping: CsvMapping): { statement: Statement; warnings: Fault[] } {
  const faults = new FileFaults()
  const warnings: Fault[] = []
  const rows = csvRows(text, mapping.delimiter)
  if (mapping.amount === null && mapping.debit === null && mapping.credit === null)
    refuseFile('csv_no_amount', 'No column is named for the amount.', {}, 'Choose the column of the amount.')
  const movements: Movement[] = []
  for (const [index, row] of rows.entries()) {
    if (index <= mapping.headerRow || row.every((cell) => cell.trim() === '')) continue
    const movement = movementOf(row, index + 1, mapping, faults)
    if (movement) movements.push(movement)
  }
  faults.check()
  if (movements.length === 0) refuseFile('bank_file_empty', 'The file holds no movement.')
  const ordered = chronological(movements)
  checkBalances(ordered, warnings)
  const first = ordered[0]
  const last = ordered.at(-1)
  return {
    statement: {
      iban: null,
      from: first?.date ?? null,
      to: last?.date ?? null,
      openingCents: first && first.balanceCents !== null ? first.balanceCents - first.amountCents : null,
      closingCents: last?.balanceCents ?? null,
      movements: ordered,
    },
    warnings,
  }
}

function movementOf(row: string[], line: number, mapping: CsvMapping, faults: FileFaults): Movement | null {
  const cell = (column: number | null): string => (column === null ? '' : (row[column] ?? ''))
  const written = cell(mapping.date)
  const date = readDate(written, mapping.dateOrder)
  const amountCells = [mapping.amount, mapping.debit, mapping.credit].map(cell)
  if (date === null) {
    // A footer with a total or a remark has no date and is not a movement.
    if (written.trim() === '' || (!/\d/.test(written) && amountCells.every((text) => text.trim() === '')))
      return null
    faults.add('csv_date', `Line ${line} has no day in column ${mapping.date + 1}.`, {
      line,
      column: mapping.date + 1,
      text: cleanText(written).slice(0, 40),
    })
    return null
  }
  const amount = amountOf(row, line, mapping, faults)
  if (amount === null || amount === 0) return null
  const balance =
    mapping.balance === null ? undefined : readAmount(cell(mapping.balance), mapping.decimalSign)
  if (balance === null)
    faults.add('csv_amount', `Line ${line} has no amount in column ${(mapping.balance ?? 0) + 1}.`, {
      line,
      column: (mapping.balance ?? 0) + 1,
      text: cleanText(cell(mapping.balance)).slice(0, 40),
    })
  const texts = mapping.text.map((column) => cleanText(cell(column))).filter(Boolean)
  const counterparty = cleanText(cell(mapping.counterparty)).slice(0, 140) || null
  return {
    line,
    date,
    valueDate: mapping.valueDate === null ? null : readDate(cell(mapping.valueDate), mapping.dateOrder),
    amountCents: amount,
    balanceCents: balance ?? null,
    text: cleanText([...new Set(texts)].join(' · ')) || counterparty || (amount > 0 ? 'Abono' : 'Cargo'),
    counterparty,
    counterpartyIban: null,
    reference: cleanText(cell(mapping.reference)).slice(0, 80) || null,
    concept: null,
    details: [],
  }
}

/**
 * Reads the amount from one signed column or from separate debit and credit columns; a debit may be written with or
 * without its sign.
 */
function amountOf(row: string[], line: number, mapping: CsvMapping, faults: FileFaults): Cents | null {
  const read = (column: number | null): Cents | undefined => {
    if (column === null) return undefined
    const amount = readAmount(row[column] ?? '', mapping.decimalSign)
    if (amount === null)
      faults.add('csv_amount', `Line ${line} has no amount in column ${column + 1}.`, {
        line,
        column: column + 1,
        text: cleanText(row[column] ?? '').slice(0, 40),
      })
    return amount ?? undefined
  }
  if (mapping.amount !== null) {
    const amount = read(mapping.amount)
    if (amount === undefined && (row[mapping.amount] ?? '').trim() === '')
      faults.add('csv_amount', `Line ${line} has no amount in column ${mapping.amount + 1}.`, {
        line,
        column: mapping.amount + 1,
        text: '',
      })
    return amount ?? null
  }
  const debit = Math.abs(read(mapping.debit) ?? 0)
  const credit = Math.abs(read(mapping.credit) ?? 0)
  return credit - debit
}

/**
 * Sorts movements oldest first. Banks list the newest or the oldest first; the balances decide where the dates do
 * not.
 */
function chronological(movements: Movement[]): Movement[] {
  const first = movements[0]
  const last = movements.at(-1)
  if (!first || !last || movements.length < 2) return movements
  if (first.date !== last.date) return first.date > last.date ? movements.toReversed() : movements
  const reversed = movements.toReversed()
  return breaks(reversed).length < breaks(movements).length ? reversed : movements
}

/** Returns the positions where a balance is not the previous balance plus the amount. */
function breaks(movements: Movement[]): { movement: Movement; expected: Cents }[] {
  const found: { movement: Movement; expected: Cents }[] = []
  for (const [index, movement] of movements.entries()) {
    const before = movements[index - 1]?.balanceCents
    if (before === undefined || before === null || movement.balanceCents === null) continue
    if (before + movement.amountCents !== movement.balanceCents)
      found.push({ movement, expected: before + movement.amountCents })
  }
  return found
}

function checkBalances(movements: Movement[], warnings: Fault[]): void {
  const wrong = breaks(movements)
  const first = wrong[0]
  if (!first) return
  warnings.push(
    fileWarning(
      'csv_balance_breaks',
      `The balance does not follow from the movements in ${wrong.length} places, first in line ${first.movement.line}.`,
      {
        count: wrong.length,
        line: first.movement.line,
        said: centsToText(first.movement.balanceCents ?? 0),
        counted: centsToText(first.expected),
      },
    ),
  )
}
