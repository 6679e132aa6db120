/** Amounts and percentages of a document, each with its sign, its place and the words that name it. */
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import { centsOfPrinted } from '../amounts.ts'
import type { Box } from '../pages/page.ts'
import { labelAbove, labelBefore } from './labels.ts'
import type { AmountLabel } from './labels.ts'
import { boxOfPart, wordsIn } from './rows.ts'
import type { Cell, Row } from './rows.ts'

export interface Printed {
  /** Possible values, the most probable first: several after a dash with a blank, or where two readings differ. */
  values: Cents[]
  box: Box
  row: Row
  /** Position among the amounts of the document. */
  index: number
  /** Words to the left, up to the amount before. */
  before: string
  /** Heading of its column. */
  above: string
  /** By the words to the left, of the amount itself. */
  own: AmountLabel | null
  /** By the words at the start of the row, when none stand directly before the amount. */
  ofRow: AmountLabel | null
  /** By the heading. */
  column: AmountLabel | null
  isLastOfRow: boolean
  currency: string | null
}

export interface Percent {
  rateBp: BasisPoints
  row: Row
  box: Box
  before: string
  above: string
}

export interface Sums {
  amounts: Printed[]
  percents: Percent[]
  /** Amounts of each row by the row's index. */
  byRow: Map<number, Printed[]>
  rows: readonly Row[]
}

const DIGITS = String.raw`(?:\d{1,3}(?:[.,'\u2019]\d{3})+|\d{1,3}(?: \d{3})+|\d{1,9})[.,]\d{2}`
const SYMBOL = String.raw`(?:€|\$|£|EUR|USD|GBP|CHF)`
/** Units after a number that is no amount of money. */
const UNIT = String.raw`(?:kwh|kw|wh|kg|gr?|mg|l|lt|litros?|ml|cl|m2|m3|m²|m³|km|cm|mm|h|horas?|hores|uds?|un|unid\w*|dias?|días?|gb|mb|x)\b`
/** Faster than `\p{L}`, which compiles for long when case is ignored. */
const LETTER = 'A-Za-z\u00c0-\u024f'
const AMOUNT = new RegExp(
  String.raw`(?<![${LETTER}\d.,/:\-])(?<open>\()?(?<minus>[-\u2212\u2010-\u2014]\s?)?(?<first>${SYMBOL}\s?)?(?<inner>-\s?)?(?<digits>${DIGITS}|(?<=${SYMBOL}\s?)\d{1,3}(?:[.,]\d{3})*(?![.,]?\d)|\d{1,3}(?:\.\d{3})*(?=\s?(?:€|EUR\b|euros?\b)))(?![\d/]|[.,:]\d|\s*%|\s*${UNIT}|-\d)(?<last>\s?(?:€|EUR\b|USD\b|GBP\b|\$|£))?(?<after>\s?-(?![\d${LETTER}]))?(?<close>\s?\))?`,
  'gi',
)
const PERCENT = /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,8})?)\s*%/g

const CURRENCIES: Record<string, string> = { '€': 'EUR', $: 'USD', '£': 'GBP' }

function valuesOf(digits: string, isWhole: boolean): Cents[] {
  if (isWhole) {
    const cents = Number(digits.replace(/[.,]/g, '')) * 100
    return Number.isSafeInteger(cents) ? [cents] : []
  }
  const whole = centsOfPrinted(digits.replace(/[ \u2019]/g, ''))
  if (whole === null) return []
  // "3 138,42" is a quantity and a price, or three thousand.
  const last = digits.includes(' ') ? centsOfPrinted(digits.slice(digits.lastIndexOf(' ') + 1)) : null
  return last === null ? [whole] : [whole, last]
}

/** Letters that OCR reads in the place of digits. */
const LOOK_ALIKE: Record<string, string> = {
  O: '0',
  o: '0',
  D: '0',
  l: '1',
  I: '1',
  '|': '1',
  S: '5',
  B: '8',
  Z: '2',
}

/** Corrects a word that is nearly a number; the length stays, so that offsets remain. */
function correctedNumber(text: string): string {
  return text.replace(/\S+/g, (word) => {
    const digits = word.match(/\d/g)?.length ?? 0
    if (digits < 2 || digits < word.length * 0.5 || !/[.,:;]/.test(word)) return word
    return word
      .replace(/[OoDlI|SBZ](?=[\d.,:;]|$|[OoDlI|SBZ])/g, (letter) => LOOK_ALIKE[letter] ?? letter)
      .replace(/^(-?\d{1,6}(?:\.\d{3})*)[:;](\d{2})$/, '$1,$2')
  })
}

interface Found {
  values: Cents[]
  from: number
  to: number
  box: Box
  currency: string | null
}

function foundIn(cell: Cell, source: Row['source']): Found[] {
  const text = source === 'ocr' ? correctedNumber(cell.text) : cell.text
  return [...text.matchAll(AMOUNT)].flatMap((match) => {
    const groups = match.groups ?? {}
    const digits = groups['digits'] ?? ''
    const isWhole = !/[.,]\d{2}$/.test(digits)
    const positive = valuesOf(digits, isWhole)
    if (positive.length === 0) return []
    const isClosed = groups['open'] !== undefined && groups['close'] !== undefined
    const isNegative =
      groups['minus'] !== undefined ||
      groups['inner'] !== undefined ||
      groups['after'] !== undefined ||
      isClosed
    // The sign may be a dash before the amount.
    const isDoubtful = /\s$/.test(groups['minus'] ?? '')
    const negative = positive.map((cents) => (cents === 0 ? 0 : -cents))
    const values = isDoubtful ? [...negative, ...positive] : isNegative ? negative : positive
    const symbol = (groups['first'] ?? groups['last'] ?? '').trim().toUpperCase()
    const from = match.index
    const to = match.index + match[0].length
    return [
      {
        values: source === 'ocr' ? [...values, ...otherValues(cell, from, to)] : values,
        from,
        to,
        box: boxOfPart(cell, from, to),
        currency: symbol === '' ? null : (CURRENCIES[symbol] ?? symbol),
      },
    ]
  })
}

/** Values of the second reading of the same words, where it differs. */
function otherValues(cell: Cell, from: number, to: number): Cents[] {
  const words = wordsIn(cell, from, to)
  if (!words.some(({ alt }) => alt !== undefined)) return []
  const text = correctedNumber(words.map(({ t, alt }) => alt ?? t).join(' '))
  const match = new RegExp(AMOUNT.source, 'i').exec(text)
  const digits = match?.groups?.['digits']
  if (digits === undefined) return []
  const isNegative = match?.groups?.['minus'] !== undefined || match?.groups?.['after'] !== undefined
  return valuesOf(digits, !/[.,]\d{2}$/.test(digits)).map((cents) => (isNegative ? -cents : cents))
}

const MAX_ROWS_ABOVE = 70
const HAS_WORD = /\p{L}{2}|%/u

/** Returns the text of the cell that heads the column of a box: the nearest row above without amounts. */
function headingOver(box: Box, row: Row, rows: readonly Row[], hasAmounts: ReadonlySet<number>): string {
  const [x0, , x1] = box
  for (let index = row.index - 1; index >= 0 && index >= row.index - MAX_ROWS_ABOVE; index--) {
    const above = rows[index]
    if (!above || above.page !== row.page) return ''
    if (hasAmounts.has(index)) continue
    const cells = above.cells.filter(({ text }) => HAS_WORD.test(text))
    const over = cells.find(({ box: [c0, , c1] }) => c0 < x1 && c1 > x0)
    if (over) return over.text
    // Of left-aligned headings over right-aligned figures, the last one that begins to the left.
    if (cells.length >= 2 && cells.some(({ text }) => labelAbove(text) !== null)) {
      const left = cells.filter(({ box: [c0] }) => c0 <= x0).at(-1)
      const next = cells.find(({ box: [c0] }) => c0 > x0)
      if (left && (!next || next.box[0] >= x1)) return left.text
    }
  }
  return ''
}

/** Finds the amounts and percentages of a document. */
export function sumsOf(rows: readonly Row[]): Sums {
  const found = new Map<number, { cell: Cell; at: number; found: Found }[]>()
  for (const row of rows) {
    const inRow = row.cells.flatMap((cell, at) =>
      foundIn(cell, row.source).map((each) => ({ cell, at, found: each })),
    )
    if (inRow.length > 0) found.set(row.index, inRow)
  }
  const hasAmounts = new Set(found.keys())
  const amounts: Printed[] = []
  const byRow = new Map<number, Printed[]>()
  const percents: Percent[] = []
  for (const row of rows) {
    const inRow = found.get(row.index) ?? []
    const made: Printed[] = inRow.map(({ cell, at, found: each }, position) => {
      const last = inRow[position - 1]
      const between = row.cells.slice(last ? last.at + 1 : 0, at).map(({ text }) => text)
      const start = last && last.at === at ? last.found.to : 0
      const rest = last && last.at < at ? (row.cells[last.at]?.text.slice(last.found.to) ?? '') : ''
      const before = [rest, ...between, cell.text.slice(start, each.from)]
        .join(' ')
        .replace(/\s+/g, ' ')
        .trim()
      const words = row.cells.map(({ text }) => text).join(' ')
      const firstAmount = inRow[0]
      const head =
        firstAmount === undefined
          ? words
          : [
              ...row.cells.slice(0, firstAmount.at).map(({ text }) => text),
              firstAmount.cell.text.slice(0, firstAmount.found.from),
            ].join(' ')
      const above = headingOver(each.box, row, rows, hasAmounts)
      const own = labelBefore(before)
      return {
        values: [...new Set(each.values)],
        box: each.box,
        row,
        index: 0,
        before,
        above,
        own,
        ofRow:
          own === null && position > 0 ? labelBefore(head.replace(/\s(?:s\/|sobre|on|de)\s*$/i, '')) : null,
        column: above === '' ? null : labelAbove(above),
        isLastOfRow: position === inRow.length - 1,
        currency: each.currency,
      }
    })
    for (const each of made) {
      each.index = amounts.length
      amounts.push(each)
    }
    if (made.length > 0) byRow.set(row.index, made)
    for (const cell of row.cells) percents.push(...percentsIn(cell, row, rows, hasAmounts))
  }
  return { amounts, percents, byRow, rows }
}

function percentsIn(cell: Cell, row: Row, rows: readonly Row[], hasAmounts: ReadonlySet<number>): Percent[] {
  const matches = [...cell.text.matchAll(PERCENT)]
  // Under a heading of rates the sign may be missing.
  const bare = matches.length === 0 ? /^\d{1,2}(?:[.,]\d{1,2})?$/.exec(cell.text) : null
  return [...matches, ...(bare ? [bare] : [])].flatMap((match) => {
    const from = match.index
    const text = match[1] ?? match[0]
    const rateBp = Math.round(Number(text.replace(',', '.')) * 100)
    const box = boxOfPart(cell, from, from + match[0].length)
    const above = headingOver(box, row, rows, hasAmounts)
    if (bare && !/%|tipo|tipus|iva|igic|vat|bez|rate/i.test(above)) return []
    if (!Number.isFinite(rateBp)) return []
    const left = row.cells.slice(0, row.cells.indexOf(cell)).map((each) => each.text)
    return [{ rateBp, row, box, before: [...left, cell.text.slice(0, from)].join(' ').trim(), above }]
  })
}
