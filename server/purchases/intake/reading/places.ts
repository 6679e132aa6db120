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
}

/** In heights of the row: how far above its value a heading may stand. */
const REACH = 4.5
const MIN_CONFIDENCE = 80

/** Returns the nearest cell above a box; `skip` passes over cells that cannot be a heading. */
function cellAbove(
  box: Box,
  row: Row,
  rows: readonly Row[],
  skip: (cell: Cell) => boolean = () => false,
): Cell | null {
  for (let index = row.index - 1; index >= 0; index--) {
    const above = rows[index]
    if (!above || above.page !== row.page) return null
    if (row.box[1] - above.box[1] > REACH * Math.max(row.height, above.height)) return null
    const cell = above.cells.find(({ box: [x0, , x1] }) => x0 < box[2] && x1 > box[0])
    if (cell && !skip(cell)) return cell
  }
  return null
}

/** Returns the place of a part of a cell. */
export function placeOf(rows: readonly Row[], row: Row, cell: Cell, from: number, to: number): Place {
  const before = cell.text.slice(0, from).trim()
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
    above: before === '' ? (cellAbove(box, row, rows)?.text ?? '') : '',
    isUncertain:
      row.source === 'ocr' && words.some(({ conf, alt }) => alt !== undefined || conf < MIN_CONFIDENCE),
  }
}
