/** The A4 sheet: its measures, and the columns everything stands in. All in points. */
import { style } from './marks.ts'
import { INK, SOFT } from './marks.ts'

export const PAGE_WIDTH = 595.28
export const PAGE_HEIGHT = 841.89

export const LEFT = 48
export const RIGHT = 547.28
export const WIDTH = RIGHT - LEFT

/** Where the flow begins on every page but the first. */
export const NEXT_PAGE_TOP = 84
/** Air between a cell's text and its edge. */
export const CELL = 8
/** One text line of the body. */
export const LINE = 12
export const TOTALS_X = RIGHT - 270
/** What is left of the totals: payment, and what finds no other place. */
export const LEFT_BLOCK_WIDTH = TOTALS_X - LEFT - 28

export const BODY = style(9, 'regular', INK)
export const BODY_SOFT = style(9, 'regular', SOFT)
export const BODY_STRONG = style(9, 'semibold', INK)
export const SMALL = style(8.5, 'regular', INK)
export const SMALL_SOFT = style(8.5, 'regular', SOFT)
export const FINE = style(7.5, 'regular', SOFT)
