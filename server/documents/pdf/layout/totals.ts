/** Lays out the block of sums on the right of the A4 page. */
import { textWidth } from '../measure.ts'
import type { Labels } from '../labels/index.ts'
import type { InvoicePaper } from '../paper.ts'
import { wrap } from '../text.ts'
import { INK, Pen, SOFT, style, tagIn, WASH } from './marks.ts'
import type { Row, Tag } from './marks.ts'
import { BODY_SOFT, BODY_STRONG, CELL, LINE, RIGHT, TOTALS_X } from './sheet.ts'
import { sumLines } from './sums.ts'
import type { SumLine } from './sums.ts'

const HEADING = style(8, 'regular', SOFT)
const BOX_LABEL = style(11, 'semibold', INK)
const RIGHT_EDGE = RIGHT - CELL
const LABEL_X = TOTALS_X + CELL

/** Adds the cells of a row to the structure: its label, its base where it has one, its amount. */
function rowTags(table: Tag): { label: Tag; base: Tag; amount: Tag } {
  const row = tagIn(table, 'TR')
  return {
    label: tagIn(row, 'TH', { scope: 'Row' }),
    base: tagIn(row, 'TD'),
    amount: tagIn(row, 'TD'),
  }
}

/** Returns the rows from the breakdown to the box with the amount to pay. */
export function totalsRows(paper: InvoicePaper, labels: Labels, accent: string, parent: Tag): Row[] {
  const lines = sumLines(paper, labels)
  const taxes = lines.filter((line) => line.kind === 'tax')
  const widest = (texts: string[]): number =>
    Math.max(56, ...texts.map((text) => textWidth('semibold', text, 9)))
  const baseRight = RIGHT_EDGE - widest(taxes.map(({ amount }) => amount)) - 20
  const baseWidth = widest(taxes.map(({ base }) => base))
  const taxLabelWidth = Math.max(50, baseRight - baseWidth - 12 - LABEL_X)
  const table = tagIn(parent, 'Table')

  const heading = (): Row => {
    const row = tagIn(table, 'TR')
    tagIn(row, 'TD')
    const base = tagIn(row, 'TH', { scope: 'Column' })
    const amount = tagIn(row, 'TH', { scope: 'Column' })
    return {
      height: 16,
      withNext: true,
      draw: (y, page) => {
        new Pen(page, base).writeRight(labels.base, baseRight, y + 9.2, HEADING)
        new Pen(page, amount).writeRight(labels.taxAmount, RIGHT_EDGE, y + 9.2, HEADING)
      },
    }
  }

  const taxRow = (line: Extract<SumLine, { kind: 'tax' }>): Row => {
    const [soft, figure] = line.strong
      ? [BODY_STRONG, BODY_STRONG]
      : [BODY_SOFT, { ...BODY_SOFT, colour: INK }]
    const words = wrap(soft.weight, line.label, soft.size, taxLabelWidth)
    const tags = rowTags(table)
    return {
      height: 3 + words.length * LINE,
      draw: (y, page) => {
        const label = new Pen(page, tags.label)
        words.forEach((text, index) => label.write(text, LABEL_X, y + 10.35 + index * LINE, soft))
        new Pen(page, tags.base).writeRight(line.base, baseRight, y + 10.35, figure)
        new Pen(page, tags.amount).writeRight(line.amount, RIGHT_EDGE, y + 10.35, figure)
      },
    }
  }

  const amountRow = (line: Extract<SumLine, { kind: 'amount' }>): Row => {
    const [soft, figure] = line.strong
      ? [BODY_STRONG, BODY_STRONG]
      : [BODY_SOFT, { ...BODY_SOFT, colour: INK }]
    const room = RIGHT_EDGE - textWidth(figure.weight, line.amount, 9) - 12 - LABEL_X
    const words = wrap(soft.weight, line.label, soft.size, room)
    const tags = rowTags(table)
    return {
      height: 3 + words.length * LINE,
      draw: (y, page) => {
        const label = new Pen(page, tags.label, line.field)
        words.forEach((text, index) => label.write(text, LABEL_X, y + 10.35 + index * LINE, soft))
        new Pen(page, tags.amount, line.field).writeRight(line.amount, RIGHT_EDGE, y + 10.35, figure)
      },
    }
  }

  const boxRow = (line: Extract<SumLine, { kind: 'box' }>): Row => {
    const tags = rowTags(table)
    // A sum of hundreds of millions still fits beside its label.
    const room = RIGHT_EDGE - LABEL_X - textWidth('semibold', line.label, 11) - 16
    const size = [16, 14, 12, 10].find((each) => textWidth('bold', line.amount, each) <= room) ?? 8
    return {
      height: 42,
      draw: (y, page) => {
        new Pen(page, 'Layout').box(
          { x: TOTALS_X, y: y + 6, width: RIGHT - TOTALS_X, height: 34, radius: 4 },
          { fill: WASH },
        )
        new Pen(page, tags.label).write(line.label, LABEL_X + 2, y + 27, BOX_LABEL)
        new Pen(page, tags.amount).writeRight(
          line.amount,
          RIGHT_EDGE - 2,
          y + 23.2 + size * 0.34,
          style(size, 'bold', accent),
        )
      },
    }
  }

  const rows: Row[] = []
  lines.forEach((line, index) => {
    if (line.kind === 'tax') {
      if (!lines.slice(0, index).some(({ kind }) => kind === 'tax')) rows.push(heading())
      rows.push(taxRow(line))
    } else if (line.kind === 'amount') rows.push(amountRow(line))
    else if (line.kind === 'box') rows.push(boxRow(line))
    else rows.push(RULE_ROW)
  })
  return rows
}

const RULE_ROW: Row = {
  height: 7,
  draw: (y, page) => new Pen(page, 'Layout').rule(TOTALS_X, y + 3.5, RIGHT - TOTALS_X),
}
