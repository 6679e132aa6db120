/** Amounts and percentages of a document, each with its sign, its place and the words that name it. */
import { percentOf } from '../../../domain/money.ts'
import type { BasisPoints, Cents } from '../../../domain/money.ts'
import { vatRates } from '../../../domain/tax/vat-rates.ts'
import { centsOfPrinted } from '../amounts.ts'
import type { Box } from '../pages/page.ts'
import { labelAbove, labelBefore, mendedLabel, plain } from './labels.ts'
import type { AmountLabel } from './labels.ts'
import { boxOfPart } from './rows.ts'
import type { Cell, Row } from './rows.ts'

export interface Printed {
  /** Possible values, the most probable first: several after a dash with a blank, or where two readings differ. */
  values: Cents[]
  /** Values that no reading has as they are: letters were taken for digits, or a lost separator was put back. */
  repaired: ReadonlySet<Cents>
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
  /** True for the total that a code on the page states, which has no place among the words. */
  isCoded?: boolean
  currency: string | null
}

export interface Percent {
  rateBp: BasisPoints
  /** True when only the less certain reading of OCR has it. */
  isAlternate: boolean
  /** Rates that the other reading has in the same cell. */
  others: BasisPoints[]
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
const SYMBOL = String.raw`(?:€|US\$|\$|£|EUR|USD|GBP|CHF)`
/** Units after a number that is no amount of money. */
const UNIT = String.raw`(?:kwh|kw|wh|kg|gr?|mg|l|lt|litros?|ml|cl|m2|m3|m²|m³|km|cm|mm|h|horas?|hores|uds?|un|unid\w*|dias?|días?|gb|mb|x)\b`
/** Faster than `\p{L}`, which compiles for long when case is ignored. */
const LETTER = 'A-Za-z\u00c0-\u024f'
const AMOUNT = new RegExp(
  String.raw`(?<![${LETTER}\d.,/:\-])(?<open>\()?(?<minus>[-\u2212\u2010-\u2014]\s?)?(?<first>${SYMBOL}\s?)?(?<inner>-\s?)?(?<digits>${DIGITS}|(?<=${SYMBOL}\s?)\d{1,3}(?:[.,]\d{3})*(?![.,]?\d)|\d{1,3}(?:\.\d{3})*(?=\s?(?:€|EUR\b|euros?\b)))(?![\d/]|[.,:]\d|\s*%|\s*${UNIT}|-\d)(?!\s?${SYMBOL}?\s*=)(?<last>\s?(?:€|EUR\b|USD\b|GBP\b|\$|£))?(?<after>\s?-(?![\d${LETTER}]))?(?<close>\s?\))?`,
  'gi',
)
/** Basque has the sign before the figure: "BEZ % 21", "% 5,2". */
const PERCENT = /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,8})?)\s*%|(?<!\d\s*)%\s?(\d{1,2}(?:[.,]\d)?)(?![\d.,]|\s*%)/g

const CURRENCIES: Record<string, string> = { '€': 'EUR', US$: 'USD', $: 'USD', '£': 'GBP' }

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
    return (
      word
        .replace(/[OoDlI|SBZ](?=[\d.,:;]|$|[OoDlI|SBZ])/g, (letter) => LOOK_ALIKE[letter] ?? letter)
        .replace(/^(-?\d{1,6}(?:\.\d{3})*)[:;](\d{2})$/, '$1,$2')
        // "7,155€": the symbol seen twice.
        .replace(/^(-?\d{1,3}(?:\.\d{3})*,\d{2})\d€$/, '$1 €')
    )
  })
}

interface Found {
  values: Cents[]
  repaired: Set<Cents>
  from: number
  to: number
  box: Box
  currency: string | null
  /** A figure without its separator: an amount only where one is expected. */
  isLoose?: boolean
  /** A figure without decimals. */
  isWhole?: boolean
}

/** One reading of a cell: its text and the offset of each word in it, -1 for a word that it does not have. */
interface Variant {
  text: string
  starts: number[]
}

/** Returns what the less certain reading has in the place of a cell; null where both have the same. */
function otherVariant({ words }: Cell): Variant | null {
  if (!words.some(({ alt }) => alt !== undefined)) return null
  const starts: number[] = []
  let text = ''
  for (const [index, { t, alt }] of words.entries()) {
    // Two words of one reading may be a single one of the other.
    if (alt !== undefined && alt === words[index - 1]?.alt) {
      starts.push(-1)
      continue
    }
    if (text !== '') text += ' '
    starts.push(text.length)
    text += alt ?? t
  }
  return { text, starts }
}

/** Returns the part of a cell's text that stands at a part of a variant: whole words. */
function partOf(cell: Cell, { text, starts }: Variant, from: number, to: number): [from: number, to: number] {
  let first = cell.words.length - 1
  let last = 0
  starts.forEach((start, index) => {
    if (start < 0) return
    let next = index + 1
    while (starts[next] === -1) next += 1
    const end = next < starts.length ? starts[next]! - 1 : text.length
    if (start >= to || end <= from) return
    first = Math.min(first, index)
    last = Math.max(last, next - 1)
  })
  const end = (cell.starts[last] ?? 0) + (cell.words[last]?.t.length ?? 0)
  return [cell.starts[first] ?? 0, end]
}

const SYMBOL_AS_DIGIT = /^(\d{1,3})[.,](\d{2})\d$/

/** Returns the amounts that a text prints, with their offsets. */
function amountsOf(text: string, original: string, isOcr = false): Omit<Found, 'box'>[] {
  return [...text.matchAll(AMOUNT)].flatMap((match) => {
    const groups = match.groups ?? {}
    const digits = groups['digits'] ?? ''
    const isWhole = !/[.,]\d{2}$/.test(digits)
    const positive = valuesOf(digits, isWhole)
    if (positive.length === 0) return []
    // "7.155€" may be 7.15 and its symbol seen twice.
    const short = isOcr ? SYMBOL_AS_DIGIT.exec(digits) : null
    const mended = short ? [Number(short[1]) * 100 + Number(short[2])] : []
    positive.push(...mended)
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
    const to = from + match[0].length
    const isRepaired = original.slice(from, to) !== match[0]
    return [
      {
        values,
        repaired: new Set(isRepaired ? values : values.filter((cents) => mended.includes(Math.abs(cents)))),
        from,
        to,
        currency: symbol === '' ? null : (CURRENCIES[symbol] ?? symbol),
        isWhole,
      },
    ]
  })
}

/** Figures whose separator OCR lost or took for another sign: "1791", "72 57", "17'91", "1327:". */
const LOOSE =
  /(?<![\d.,:/%-])(?<minus>[-\u2212])?(?:(?<whole>\d{1,5}) ?[.,:;'’´`*·"]{0,2} ?(?<cents>\d{2}))(?:[.:;,'’|]|\s?€)?(?![\d.,:/%-]|\s*%)/g

function looseOf(text: string): Omit<Found, 'box'>[] {
  return [...text.matchAll(LOOSE)].map((match) => {
    const { minus, whole = '', cents: last = '' } = match.groups ?? {}
    const cents = Number(whole) * 100 + Number(last)
    const values = [minus === undefined ? cents : -cents]
    return {
      values,
      repaired: new Set(values),
      from: match.index,
      to: match.index + match[0].length,
      currency: null,
      isLoose: true,
    }
  })
}

/** Returns the amounts of a cell; from OCR those of both readings, and figures that lost their separator. */
function foundIn(cell: Cell, source: Row['source']): Found[] {
  const withBox = (found: Omit<Found, 'box'>): Found => ({
    ...found,
    box: boxOfPart(cell, found.from, found.to),
  })
  if (source === 'text') return amountsOf(cell.text, cell.text).map(withBox)
  const found = amountsOf(correctedNumber(cell.text), cell.text, true).map(withBox)
  const other = otherVariant(cell)
  const overlapping = ([from, to]: [number, number]): Found | undefined =>
    found.find((each) => each.from < to && each.to > from)
  const add = (each: Omit<Found, 'box'>, place: [from: number, to: number]): void => {
    const known = overlapping(place)
    if (known === undefined) {
      found.push(withBox({ ...each, from: place[0], to: place[1] }))
      return
    }
    // A figure without its separator, or without decimals, says nothing against one with them.
    if ((each.isLoose || each.isWhole) && !known.isLoose) return
    for (const cents of each.values) {
      if (!known.values.includes(cents)) {
        known.values.push(cents)
        if (each.repaired.has(cents)) known.repaired.add(cents)
      } else if (!each.repaired.has(cents)) known.repaired.delete(cents)
    }
  }
  if (other)
    for (const each of amountsOf(correctedNumber(other.text), other.text, true))
      add(each, partOf(cell, other, each.from, each.to))
  for (const each of looseOf(cell.text)) add(each, [each.from, each.to])
  if (other) for (const each of looseOf(other.text)) add(each, partOf(cell, other, each.from, each.to))
  return found.toSorted((a, b) => a.from - b.from)
}

const MAX_ROWS_ABOVE = 70
const HAS_WORD = /\p{L}{2}|%/u

const HAS_AMOUNT = /\d[.,]\d{2}(?!\d)/
/** In heights of the row: how far above its amount a label of its own may stand. */
const LABEL_REACH = 2.6

/** Returns the label directly above a box in a row whose amounts belong to another block; null when there is none. */
function labelBeside([x0, , x1]: Box, row: Row, above: Row): string | null {
  if (row.box[1] - above.box[1] > LABEL_REACH * Math.max(row.height, above.height)) return null
  const over = above.cells.find(({ box: [c0, , c1] }) => c0 < x1 && c1 > x0)
  if (!over || HAS_AMOUNT.test(over.text)) return null
  const label = labelBefore(over.text)
  return label !== null && SUM_LABELS.includes(label) ? over.text : null
}

/** Returns a heading with the line above it where only both together are a label: "Total a" over "pagar". */
function wholeHeading({ text, box: [x0, , x1] }: Cell, row: Row, rows: readonly Row[]): string {
  const above = rows[row.index - 1]
  if (labelAbove(text) !== null || above?.page !== row.page) return text
  if (row.box[1] - above.box[1] > LABEL_REACH * row.height) return text
  const upper = above.cells.find(({ box: [c0, , c1] }) => c0 < x1 && c1 > x0)
  const both = `${upper?.text ?? ''} ${text}`
  return upper && !HAS_AMOUNT.test(upper.text) && labelAbove(both) !== null ? both : text
}

/** Returns the text of the cell that heads the column of a box: the nearest row above without amounts. */
function headingOver(box: Box, row: Row, rows: readonly Row[], hasAmounts: ReadonlySet<number>): string {
  const [x0, , x1] = box
  // Of left-aligned headings over right-aligned figures, the last one that begins to the left.
  let toTheLeft: { text: string; row: Row } | null = null
  for (let index = row.index - 1; index >= 0 && index >= row.index - MAX_ROWS_ABOVE; index--) {
    const above = rows[index]
    if (!above || above.page !== row.page) break
    if (hasAmounts.has(index)) {
      const label = labelBeside(box, row, above)
      if (label !== null) return label
      continue
    }
    // The heading may stand higher than the one at its left, when there is one over the figure at all.
    if (toTheLeft && toTheLeft.row.box[1] - above.box[1] > LABEL_REACH * toTheLeft.row.height) break
    const cells = above.cells.filter(({ text }) => HAS_WORD.test(text))
    const over = cells.find(({ box: [c0, , c1] }) => c0 < x1 && c1 > x0)
    if (over && (toTheLeft === null || labelAbove(over.text) !== null)) return wholeHeading(over, above, rows)
    if (toTheLeft === null && cells.length >= 2 && cells.some(({ text }) => labelAbove(text) !== null)) {
      const left = cells.filter(({ box: [c0] }) => c0 <= x0).at(-1)
      const next = cells.find(({ box: [c0] }) => c0 > x0)
      if (left && (!next || next.box[0] >= x1)) toTheLeft = { text: left.text, row: above }
    }
  }
  return toTheLeft?.text ?? ''
}

/** Sums of an invoice: where one is expected, a figure without its separator is an amount. */
const SUM_LABELS: readonly AmountLabel[] = [
  'base',
  'tax',
  'surcharge',
  'withholding',
  'supplied',
  'total',
  'payable',
]

/** A row with more words is prose or an address. */
const MAX_LABEL_WORDS = 10

interface FoundInRow {
  cell: Cell
  at: number
  found: Found
}

/** Returns the words before an amount: from the amount before it, or from the start of its row. */
function textBefore(row: Row, { cell, at, found }: FoundInRow, last: FoundInRow | undefined): string {
  const between = row.cells.slice(last ? last.at + 1 : 0, at).map(({ text }) => text)
  const start = last && last.at === at ? last.found.to : 0
  const rest = last && last.at < at ? (row.cells[last.at]?.text.slice(last.found.to) ?? '') : ''
  return [rest, ...between, cell.text.slice(start, found.from)].join(' ').replace(/\s+/g, ' ').trim()
}

/** Removes the figures without a separator that stand where no sum is expected. */
function withoutStray(
  row: Row,
  inRow: readonly FoundInRow[],
  rows: readonly Row[],
  hasAmounts: ReadonlySet<number>,
): FoundInRow[] {
  const kept: FoundInRow[] = []
  const words = row.cells.flatMap((cell) => cell.words)
  for (const each of inRow) {
    if (each.found.isLoose) {
      const own = labelBefore(mendedLabel(textBefore(row, each, kept.at(-1))))
      const above = own === null ? headingOver(each.found.box, row, rows, hasAmounts) : ''
      const column = above === '' ? null : labelAbove(mendedLabel(above))
      const label = own ?? column
      if (label === null || !SUM_LABELS.includes(label)) continue
      if (words.length > MAX_LABEL_WORDS) continue
      // Below a heading stands the figure alone, and not one of an address.
      if (own === null && each.found.to - each.found.from < each.cell.text.length - 2) continue
    }
    kept.push(each)
  }
  return kept
}

/** What a payment or an article makes of an amount, which a label of its own beside the amount overrules. */
const WEAK_LABELS: readonly (AmountLabel | null)[] = [null, 'paid', 'prepaid', 'item', 'quantity']
/** In heights of the row: a wider gap parts what two blocks print in one row. */
const BLOCK_GAP = 3

/** Returns the words of a row that name an amount: without those of another block at the left ("Tarjeta    IVA 21 %"). */
function labelText(row: Row, each: FoundInRow, last: FoundInRow | undefined, place: Where): string {
  const { mend, rows } = place
  const whole = withoutObject(textBefore(row, each, last), row, each, rows)
  if (!WEAK_LABELS.includes(labelBefore(mend(whole)))) return whole
  const inCell = each.cell.text.slice(0, each.found.from)
  // A dash or a stain between two columns is no word.
  const isWord = ({ text }: Cell): boolean => HAS_WORD.test(text)
  const at = HAS_WORD.test(inCell) ? each.at : row.cells.slice(0, each.at).findLastIndex(isWord)
  const cell = row.cells[at]
  const before = row.cells.slice(0, Math.max(at, 0)).findLast(isWord)
  if (!cell || !before || (last && last.at >= at)) return whole
  if (cell.box[0] - before.box[2] < row.height * BLOCK_GAP) return whole
  const near = at === each.at ? inCell : cell.text
  const label = labelBefore(mend(near))
  return label !== null && [...SUM_LABELS, 'exempt'].includes(label) ? near.trim() : whole
}

type Mend = (text: string) => string

interface Where {
  rows: readonly Row[]
  mend: Mend
}

const PREPOSITION = /\s(?:s\/|sobre|on|de|sur|von|vom|of)\s*$/i

/** Cuts "sobre" off a label when what it speaks of goes on in the row below, and not in the next column. */
function withoutObject(text: string, row: Row, { at, found }: FoundInRow, rows: readonly Row[]): string {
  const label = row.cells[at - 1]
  const next = rows[row.index + 1]
  if (found.from > 0 || !label || !PREPOSITION.test(text) || next?.page !== row.page) return text
  const below = next.cells.find(({ box }) => Math.abs(box[0] - label.box[0]) < row.height)
  return below && /^\W*\d[\d.,]*[.,]\d{2}\W*$/.test(below.text.replace(/EUR|€/, ''))
    ? text.replace(PREPOSITION, '')
    : text
}

const OF_BASE: readonly (AmountLabel | null)[] = ['tax', 'surcharge', 'withholding']

/** True when two amounts after one percentage are its base and its quota. */
function isQuotaOf(tax: Printed, base: Printed): boolean {
  const [rate] = [...base.before.matchAll(PERCENT)].slice(-1)
  if (!rate) return false
  const rateBp = Math.round(Number((rate[1] ?? rate[2] ?? '').replace(',', '.')) * 100)
  const isProduct = (cents: Cents, of: Cents): boolean =>
    of !== 0 && cents !== 0 && Math.abs(Math.abs(cents) - Math.abs(percentOf(of, rateBp))) <= 1
  return tax.values.some((cents) => base.values.some((of) => isProduct(cents, of)))
}

const NO_QUOTA = /^[-\u2010-\u2015\u2212]$/
/** "2 × 1,50", of a line of a ticket. */
const TIMES = /\d\s?(?:\p{L}{1,4}?\s?)?[×x*]\s?\d/u

/** True when a dash stands in the place of the quota of a base: "Régimen especial, IVA incluido   100,00   —". */
function hasNoQuota({ row, box }: Printed): boolean {
  const [right] = row.cells.filter((cell) => cell.box[0] >= box[2])
  return right !== undefined && NO_QUOTA.test(right.text.trim())
}

/** Corrects the labels of a row that names a tax and prints its base before its quota: "IVA 21 %   100,00   21,00". */
function withBases(inRow: readonly Printed[]): Printed[] {
  return inRow.map((each, at) => {
    const next = inRow[at + 1]
    // The price of a line with its rate: "2 × 1,50 · IVA 21 %   3,00".
    if (each.own === 'tax' && next === undefined && TIMES.test(each.row.text)) return { ...each, own: 'item' }
    const isBase =
      OF_BASE.includes(each.own) &&
      (next === undefined
        ? each.column === 'base' && hasNoQuota(each)
        : next.own === null &&
          (each.column === 'base' ? next.column === 'tax' || next.ofRow === each.own : isQuotaOf(next, each)))
    if (isBase) return { ...each, own: null, ofRow: null, column: 'base' }
    const base = inRow[at - 1]
    const label = base?.own ?? null
    // Under the heading of the quotas, a surcharge is not one of VAT.
    const isOther =
      each.own === null &&
      (label === 'surcharge' || label === 'withholding') &&
      (each.column === 'tax' || each.column === null)
    return isOther ? { ...each, own: label } : each
  })
}

/** Words for what a customer gets back: such an amount is printed with or without its sign. */
const GIVEN_BACK =
  /\b(?:a (?:devolver|retornar|reembolsar|rembourser)|itzuli beharrek\w*|to refund|refund due|erstattungsbetrag|zu erstatten|a (?:descontar|descomptar|deducir|deduzir|deduire) d\w*|zorretik kentzekoa|deducted from the debt|von der schuld abzuziehen)\b/

function valuesAt(values: readonly Cents[], label: AmountLabel | null, before: string): Cents[] {
  const distinct = [...new Set(values)]
  if (label !== 'payable' || !GIVEN_BACK.test(plain(before))) return distinct
  const isPlus = (cents: Cents): boolean => cents > 0
  return [...new Set([...distinct, ...distinct.filter(isPlus).map((cents) => -cents)])]
}

/** Finds the amounts and percentages of a document. */
export function sumsOf(rows: readonly Row[]): Sums {
  const found = new Map<number, FoundInRow[]>()
  for (const row of rows) {
    const inRow = row.cells.flatMap((cell, at) =>
      foundIn(cell, row.source).map((each) => ({ cell, at, found: each })),
    )
    if (inRow.length > 0) found.set(row.index, inRow)
  }
  const hasAmounts = new Set(
    [...found].filter(([, inRow]) => inRow.some((each) => !each.found.isLoose)).map(([index]) => index),
  )
  const amounts: Printed[] = []
  const byRow = new Map<number, Printed[]>()
  const percents: Percent[] = []
  for (const row of rows) {
    const isOcr = row.source === 'ocr'
    const label: Mend = isOcr ? mendedLabel : (text) => text
    const where: Where = { rows, mend: label }
    const inRow = withoutStray(row, found.get(row.index) ?? [], rows, hasAmounts)
    const [firstAmount] = inRow
    const head = firstAmount ? labelText(row, firstAmount, undefined, where) : ''
    const printed: Printed[] = inRow.map((each, position) => {
      const before = labelText(row, each, inRow[position - 1], where)
      const above = headingOver(each.found.box, row, rows, hasAmounts)
      const own = labelBefore(label(before))
      return {
        values: valuesAt(each.found.values, own, before),
        repaired: each.found.repaired,
        box: each.found.box,
        row,
        index: 0,
        before,
        above,
        own,
        ofRow:
          own === null && position > 0
            ? labelBefore(label(head).replace(/\s(?:s\/|sobre|on|de|sur|von|vom|of)\s*$|\s\([^)]*$/i, ''))
            : null,
        column: above === '' ? null : labelAbove(label(above)),
        isLastOfRow: position === inRow.length - 1,
        currency: each.found.currency,
      }
    })
    const made = withBases(printed)
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
  const found = percentsOf(cell, cell.text, row, rows, hasAmounts, (from, to) => [from, to])
  const other = row.source === 'ocr' ? otherVariant(cell) : null
  if (other === null) return found
  const others = percentsOf(cell, other.text, row, rows, hasAmounts, (from, to) =>
    partOf(cell, other, from, to),
  )
  const ratesIn = (percents: readonly Percent[]): BasisPoints[] => percents.map(({ rateBp }) => rateBp)
  return [
    ...found.map((each) => ({ ...each, others: ratesIn(others) })),
    ...others
      .filter((each) => !found.some(({ rateBp }) => rateBp === each.rateBp))
      .map((each) => ({ ...each, isAlternate: true, others: ratesIn(found) })),
  ]
}

/** A percent sign before a word is easily read as a figure and the sign: "% R.E." as "7% R.E.". */
const SIGN_AS_FIGURE = /^\W*[6-9]\s?%\s/

function percentsOf(
  cell: Cell,
  text: string,
  row: Row,
  rows: readonly Row[],
  hasAmounts: ReadonlySet<number>,
  placeOf: (from: number, to: number) => [from: number, to: number],
): Percent[] {
  if (row.source === 'ocr' && !hasAmounts.has(row.index) && SIGN_AS_FIGURE.test(text)) return []
  const matches = [...text.matchAll(PERCENT)]
  // Under a heading of rates the sign may be missing.
  const bare = matches.length === 0 ? /^\d{1,2}(?:[.,]\d{1,2})?$/.exec(text) : null
  return [...matches, ...(bare ? [bare] : [])].flatMap((match) => {
    const rateBp = Math.round(Number((match[1] ?? match[2] ?? match[0]).replace(',', '.')) * 100)
    const [from, to] = placeOf(match.index, match.index + match[0].length)
    const box = boxOfPart(cell, from, to)
    const above = headingOver(box, row, rows, hasAmounts)
    if (bare && !/%|tipo|tipus|iva|igic|vat|bez|rate/i.test(above)) return []
    if (!Number.isFinite(rateBp)) return []
    // A stain is alone; a rate of VAT may be, in a row that a photo bent in two.
    if (bare && !hasAmounts.has(row.index) && vatRates.every((each) => each.rateBp !== rateBp)) return []
    const left = row.cells.slice(0, row.cells.indexOf(cell)).map((each) => each.text)
    const alone = { rateBp, isAlternate: false, others: [], row, box }
    const before = [...left, cell.text.slice(0, from)].join(' ').trim()
    return [{ ...alone, before: row.source === 'ocr' ? mendedLabel(before) : before, above }]
  })
}
