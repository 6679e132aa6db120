/** The columns of a grid: label, width, content, and which go first where there is no room. */

/** A grid less wide than this, in pixels, has its narrow columns. */
export const NARROW_PX = 640

/** A field in place of a cell. */
interface CellEdit<Row> {
  /** What it begins with: text, or a price in millionths. */
  value: (row: Row) => string | number
  maxlength?: number
  /** Nothing typed means nothing changed. */
  required?: boolean
  /** Takes what was typed; null for nothing. */
  keep: (row: Row, typed: string | number | null) => void
}

export interface GridColumn<Row = never> {
  /** Name of the cell's slot. */
  key: string
  label: string
  /** A track of CSS grid: `120px`, `minmax(160px, 1fr)`. */
  width: string
  align?: 'left' | 'right'
  /** Left out while the grid is less wide than this, in pixels. */
  from?: number
  /** Track in its place below `NARROW_PX`. */
  narrowWidth?: string
  /** Below `NARROW_PX` the cells are icons: its head is there for screen readers only. */
  narrowIcon?: true
  /** What the head asks to order by when it is clicked (`@sort`); without it the head is plain text. */
  sort?: string
  /** It can be changed in place: with this field, or with the one in the slot `edit-<key>`. */
  edit?: true | CellEdit<Row>
  /** Text of a cell without a slot; a dash stands for null and ''. Without it: the property of the row with this key. */
  text?: (row: Row) => string | null | undefined
  /** Amount in euros of a cell without a slot. */
  euros?: (row: Row) => number
  /** Classes of that text. */
  tone?: string | ((row: Row) => unknown)
  /** Its tooltip. */
  title?: (row: Row) => string | null | undefined
}

/** Classes that cells share. */
export const TONES = {
  muted: 'text-muted',
  strong: 'font-medium text-highlighted',
  plain: 'text-highlighted',
}
