/** Lays out the table of lines: columns as wide as their figures, and rows as strips that flow over pages. */
import type { Cents } from '../../../domain/money.ts'
import { money, quantity, rate, unitPrice } from '../number-format.ts'
import { textWidth } from '../measure.ts'
import { taxName, vatOfLine, withTaxName } from '../labels/index.ts'
import type { Labels } from '../labels/index.ts'
import type { InvoicePaper, PaperLine } from '../paper.ts'
import { oneLine, wrap, wrapAtMost } from '../text.ts'
import { INK, Pen, SOFT, style, tagIn, WHITE } from './marks.ts'
import type { Page, Tag, TextStyle } from './marks.ts'
import { CELL, LEFT, LINE, RIGHT, WIDTH } from './sheet.ts'
import { lineAmount, linePrice, showsTaxIncluded } from './text-blocks.ts'

export const BAR = 20
export const CARRY = 20
export const LARGEST_UNSPLIT_ROW = 300
const BAR_TEXT = style(8.5, 'semibold', WHITE)
const CARRY_TEXT = style(8.5, 'semibold', SOFT)

type Column = 'quantity' | 'price' | 'discount' | 'vat' | 'amount'
const COLUMNS: readonly Column[] = ['quantity', 'price', 'discount', 'vat', 'amount']

/** An indivisible slice of the table: a whole row, or one text line of a row too tall to stay together. */
export interface Strip {
  height: number
  /** Added to the carried sum once this strip is placed. */
  amountCents: Cents
  /** A heading stays with its first row. */
  withNext: boolean
  /** Another line of a row begun above. */
  continues: boolean
  draw: (y: number, page: Page) => void
}

interface TableColumns {
  text: TextStyle
  shown: readonly Column[]
  /** Right edge of each column shown. */
  right: Partial<Record<Column, number>>
  headings: Record<Column, string>
  descriptionX: number
  descriptionWidth: number
}

/** Returns the unit of a quantity; one that is too wide for the column goes under the description instead. */
function shortUnit(line: PaperLine): string {
  const unit = line.unit === null ? '' : oneLine(line.unit)
  return unit !== '' && textWidth('regular', unit, 9) <= 34 ? `\u00a0${unit.replaceAll(' ', '\u00a0')}` : ''
}

/** Returns the discount of a line: a percentage, an amount, or one after the other. */
export function discountText(line: PaperLine, paper: InvoicePaper): string {
  return [
    line.discountBp === 0 ? '' : rate(line.discountBp, paper.language),
    line.discountCents === 0 ? '' : money(-line.discountCents, paper.language, paper.currency),
  ]
    .filter(Boolean)
    .join(' ')
}

function cellText(line: PaperLine, column: Column, paper: InvoicePaper): string {
  const { language } = paper
  switch (column) {
    case 'quantity':
      return quantity(line.quantityMicro, language) + shortUnit(line)
    case 'price':
      return unitPrice(linePrice(line, paper), language, paper.currency)
    case 'discount':
      return discountText(line, paper)
    case 'vat':
      return line.isDisbursement ? '—' : vatOfLine(line, language)
    case 'amount':
      return money(lineAmount(line, paper), language, paper.currency)
  }
}

/**
 * Measures the columns: each as wide as its widest figure; the description takes the rest. Without discounts there is
 * no column for them.
 */
export function measureColumns(paper: InvoicePaper, labels: Labels): TableColumns {
  const headings: Record<Column, string> = {
    quantity: labels.quantity,
    price: showsTaxIncluded(paper) ? withTaxName(labels.priceWithVat, paper) : labels.price,
    discount: labels.discount,
    vat: taxName(paper),
    amount: labels.amount,
  }
  const shown = COLUMNS.filter((column) => {
    if (paper.hidesPrices) return column === 'quantity'
    if (column !== 'discount') return true
    return paper.lines.some((line) => line.discountBp !== 0 || line.discountCents !== 0)
  })
  const build = (size: number): TableColumns => {
    const right: Partial<Record<Column, number>> = {}
    let edge = RIGHT - CELL
    for (const column of shown.toReversed()) {
      right[column] = edge
      let widest = textWidth('semibold', headings[column], 8.5)
      for (const line of paper.lines)
        widest = Math.max(widest, textWidth('regular', cellText(line, column, paper), size))
      edge -= Math.max(widest, column === 'discount' || column === 'vat' ? 24 : 44) + 16
    }
    const descriptionX = LEFT + CELL
    const text = style(size, 'regular', INK)
    return { text, shown, right, headings, descriptionX, descriptionWidth: edge - descriptionX }
  }
  const wide = build(9)
  if (wide.descriptionWidth >= 150) return wide
  const narrow = build(7.5)
  return { ...narrow, descriptionWidth: Math.max(40, narrow.descriptionWidth) }
}

/** Draws the bar with the headings; on further pages it is a repetition, and not part of the structure. */
export function drawBar(
  page: Page,
  y: number,
  columns: TableColumns,
  { labels, accent, table }: { labels: Labels; accent: string; table: Tag | null },
): number {
  new Pen(page, 'Layout').box({ x: LEFT, y, width: WIDTH, height: BAR, radius: 3 }, { fill: accent })
  const row = table === null ? null : tagIn(table, 'TR')
  const pen = (): Pen => new Pen(page, row === null ? 'Pagination' : tagIn(row, 'TH', { scope: 'Column' }))
  pen().write(labels.description, columns.descriptionX, y + 13.1, BAR_TEXT)
  for (const column of columns.shown)
    pen().writeRight(columns.headings[column], columns.right[column] ?? RIGHT, y + 13.1, BAR_TEXT)
  return y + BAR + 2
}

export function drawCarry(page: Page, y: number, label: string, sum: Cents, paper: InvoicePaper): number {
  const pen = new Pen(page, 'Pagination')
  pen.write(label, LEFT + CELL, y + 12.6, CARRY_TEXT)
  pen.writeRight(money(sum, paper.language, paper.currency), RIGHT - CELL, y + 12.6, CARRY_TEXT)
  pen.rule(LEFT, y + CARRY - 1, WIDTH)
  return y + CARRY
}

/** Inputs of a document's table. */
interface Table {
  paper: InvoicePaper
  labels: Labels
  columns: TableColumns
  /** Rows taller than this are drawn line by line. */
  splitAbove: number
  /** Points above and below the text of a row together. */
  rowAir: number
  tag: Tag
}

/** Returns all rows, disbursements last under a heading of their own. */
export function tableStrips(table: Table): Strip[] {
  const { paper, labels, columns } = table
  const strips: Strip[] = []
  const add = (isDisbursement: boolean): void =>
    paper.lines.forEach((line, index) => {
      if (line.isDisbursement === isDisbursement) strips.push(...rowStrips(table, line, index))
    })
  add(false)
  if (!paper.lines.some((line) => line.isDisbursement)) return strips
  const row = tagIn(table.tag, 'TR')
  const heading = tagIn(row, 'TD')
  for (const _column of columns.shown) tagIn(row, 'TD')
  strips.push({
    height: 24,
    amountCents: 0,
    withNext: true,
    continues: false,
    draw: (y, page) => {
      new Pen(page, heading).write(labels.disbursementsHeading, columns.descriptionX, y + 15.6, CARRY_TEXT)
      new Pen(page, 'Layout').rule(LEFT, y + 24, WIDTH)
    },
  })
  add(true)
  return strips
}

function rowStrips(
  { paper, labels, columns, splitAbove, rowAir, tag }: Table,
  line: PaperLine,
  index: number,
): Strip[] {
  const { text, descriptionX, descriptionWidth } = columns
  const words = wrap(text.weight, line.description, text.size, descriptionWidth)
  const unit = line.unit === null ? '' : oneLine(line.unit)
  if (unit !== '' && shortUnit(line) === '')
    words.push(...wrapAtMost(text.weight, `${labels.unit}: ${unit}`, text.size, descriptionWidth, 3))
  const field = `lines.${index}`
  const row = tagIn(tag, 'TR')
  const description = tagIn(row, 'TD')
  const cells = columns.shown.map((column) => ({ column, tag: tagIn(row, 'TD') }))
  const drawCells = (y: number, page: Page): void => {
    for (const { column, tag: cell } of cells)
      new Pen(page, cell, field).writeRight(
        cellText(line, column, paper),
        columns.right[column] ?? RIGHT,
        y,
        text,
      )
  }
  const height = words.length * LINE + rowAir
  const baseline = rowAir / 2 + 9.1
  if (height <= splitAbove) {
    const draw = (y: number, page: Page): void => {
      const pen = new Pen(page, description, field)
      words.forEach((word, at) => pen.write(word, descriptionX, y + baseline + at * LINE, text))
      drawCells(y + baseline, page)
      new Pen(page, 'Layout').rule(LEFT, y + height, WIDTH)
    }
    return [{ height, amountCents: lineAmount(line, paper), withNext: false, continues: false, draw }]
  }
  return words.map((word, at) => {
    const first = at === 0
    const last = at === words.length - 1
    const above = first ? rowAir / 2 : 0
    const stripHeight = LINE + above + (last ? rowAir / 2 : 0)
    return {
      height: stripHeight,
      amountCents: first ? lineAmount(line, paper) : 0,
      withNext: first,
      continues: !first,
      draw: (y, page) => {
        new Pen(page, description, field).write(word, descriptionX, y + above + 9.1, text)
        if (first) drawCells(y + above + 9.1, page)
        if (last) new Pen(page, 'Layout').rule(LEFT, y + stripHeight, WIDTH)
      },
    }
  })
}
