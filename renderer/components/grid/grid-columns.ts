/** The columns of a grid: what they are called, how wide they are, and which go first where there is no room. */

/** A grid less wide than this, in pixels, has its narrow columns. */
export const NARROW_PX = 640

export interface GridColumn {
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
  /** It can be changed in place. */
  edit?: true
}
