/** Columns of a grid: label, width, content, and which are hidden first in narrow grids. */

/** A grid narrower than this, in pixels, uses its narrow columns. */
export const NARROW_PX = 640

/** Field that replaces a cell. */
interface CellEdit<Row> {
  /** Initial value: text, or a price in millionths. */
  value: (row: Row) => string | number
  maxlength?: number
  /** True if an empty text means no change. */
  required?: boolean
  /** Saves the typed value; null for none. */
  keep: (row: Row, typed: string | number | null) => void
}

export interface GridColumn<Row = never> {
  /** Name of the cell's slot. */
  key: string
  label: string
  /** CSS grid track at normal text size: `120px`, `minmax(160px, 1fr)`. */
  width: string
  align?: 'left' | 'right'
  /** Hidden while the grid is narrower than this, in pixels. */
  from?: number
  /** Track used below `NARROW_PX`. */
  narrowWidth?: string
  /** Below `NARROW_PX` the cells are icons: the heading is for screen readers only. */
  narrowIcon?: true
  /** Order requested by a click on the heading (`@sort`); without it the heading is plain text. */
  sort?: string
  /** True if it can be edited in place: with this field, or with the one in the slot `edit-<key>`. */
  edit?: true | CellEdit<Row>
  /** Text of a cell without a slot; a dash is shown for null and ''. Default: the property of the row with this key. */
  text?: (row: Row) => string | null | undefined
  /** Amount in euros of a cell without a slot. */
  euros?: (row: Row) => number
  /** CSS classes of that text. */
  tone?: string | ((row: Row) => unknown)
  /** Tooltip of the text. */
  title?: (row: Row) => string | null | undefined
}

/** CSS classes shared by cells. */
export const TONES = {
  muted: 'text-muted',
  strong: 'font-medium text-highlighted',
  plain: 'text-highlighted',
}
