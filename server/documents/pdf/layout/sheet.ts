/** Measures of the A4 page, and its columns. All in points. */
import { style } from './marks.ts'
import { INK, SOFT } from './marks.ts'

export const PAGE_WIDTH = 595.28
export const PAGE_HEIGHT = 841.89

export const LEFT = 48
export const RIGHT = 547.28
export const WIDTH = RIGHT - LEFT

/** Top of the flow on every page except the first. */
export const NEXT_PAGE_TOP = 84
/** Space between a cell's text and its edge. */
export const CELL = 8
/** Height of one text line of the body. */
export const LINE = 12
export const TOTALS_X = RIGHT - 270
/** Width left of the totals: for payment, and for content that fits nowhere else. */
export const LEFT_BLOCK_WIDTH = TOTALS_X - LEFT - 28

export const BODY_SOFT = style(9, 'regular', SOFT)
export const BODY_STRONG = style(9, 'semibold', INK)
export const SMALL = style(8.5, 'regular', INK)
export const SMALL_SOFT = style(8.5, 'regular', SOFT)
export const FINE = style(7.5, 'regular', SOFT)
