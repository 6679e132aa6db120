/** Words around a value: before it in its row, and above it in its column. */
import type { Box } from '../pages/page.ts'
import { boxOfPart, wordsIn } from './rows.ts'
import type { Cell, Row } from './rows.ts'

export interface Place {
  row: Row
  cell: Cell
  from: number
  to: number
  box: Box
  /** Text of the cell before the value. */
  before: string
  /** Text of the nearest cell to the left; empty when the value does not begin its cell. */
  left: string
  /** Text of the nearest cell above that overlaps the value; empty when the value does not begin its cell. */
  above: string
  /** True when two readings of the value differ, or a word of it is uncertain. */
  isUncertain: boolean
  /** Lowest confidence of its words, 0 to 100. */
  conf: number
}

/** In heights of the row: how far above its value a heading may stand. */
const REACH = 4.5
const MIN_CONFIDENCE = 80

const middle = ([x0, , x1]: Box): number => (x0 + x1) / 2

/** Returns the text of a heading over a value: of a cell that spans several values, the words nearest to this one. */
function textOver(above: Cell, box: Box, row: Row): string {
  const isOver = (other: Box, wide: Box): boolean => other[0] < wide[2] && other[2] > wide[0]
  const under = row.cells.flatMap(({ words }) => words).filter((word) => isOver(word.box, above.box))
  const others = under.filter((word) => !isOver(word.box, box))
  // One value, or the words of a single text below.
  if (others.length === 0 || under.filter(({ t }) => /\d/.test(t)).length < 2) return above.text
  const mine = above.words.filter((word) => {
    const distance = (other: Box): number => Math.abs(middle(other) - middle(word.box))
    return others.every((each) => distance(each.box) >= distance(box))
  })
  return mine.length === 0 ? above.text : mine.map(({ t }) => t).join(' ')
}

/** In heights of the row: how far beside its column a heading may stand. */
const ASIDE = 8

interface Heading {
  cell: Cell
  text: string
}

/**
 * Returns the heading of a row over a box: of as many headings as there are values below, the one at the same position,
 * though centred headings and values at the left may overlap otherwise.
 */
export function headingIn(above: Row, box: Box, row: Row): Heading | null {
  const over = above.cells.find(({ box: [x0, , x1] }) => x0 < box[2] && x1 > box[0])
  if (!over) return null
  const at = row.cells.findIndex((cell) => cell.box[0] <= box[0] && cell.box[2] >= box[2])
  const same = above.cells.length === row.cells.length && !/\d/.test(above.text) ? above.cells[at] : undefined
  if (same && Math.max(same.box[0] - box[2], box[0] - same.box[2]) < row.height * ASIDE)
    return { cell: same, text: same.text }
  return { cell: over, text: textOver(over, box, row) }
}

/** Returns the text of the nearest cell above a box. */
function textAbove(box: Box, row: Row, rows: readonly Row[]): string {
  for (let index = row.index - 1; index >= 0; index--) {
    const above = rows[index]
    if (!above || above.page !== row.page) return ''
    if (row.box[1] - above.box[1] > REACH * Math.max(row.height, above.height)) return ''
    const heading = headingIn(above, box, row)
    if (heading) return heading.text
  }
  return ''
}

/** Returns the place of a part of a cell. */
export function placeOf(rows: readonly Row[], row: Row, cell: Cell, from: number, to: number): Place {
  // A stain or a sign before the value is no label.
  const lead = cell.text.slice(0, from).trim()
  const before = /[\p{L}\p{N}]/u.test(lead) ? lead : ''
  const box = boxOfPart(cell, from, to)
  const at = row.cells.indexOf(cell)
  const words = wordsIn(cell, from, to)
  return {
    row,
    cell,
    from,
    to,
    box,
    before,
    left: before === '' ? (row.cells[at - 1]?.text ?? '') : '',
    above: before === '' ? textAbove(box, row, rows) : '',
    isUncertain:
      row.source === 'ocr' && words.some(({ conf, alt }) => alt !== undefined || conf < MIN_CONFIDENCE),
    conf: Math.min(...words.map(({ conf }) => conf), 100),
  }
}
