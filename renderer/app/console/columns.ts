/** Columns of the console in a wide window. */
import { TONES } from '../../components/grid/grid-columns.ts'
import type { GridColumn } from '../../components/grid/grid-columns.ts'
import { translate } from '../../i18n.ts'
import type { ConsoleRow } from './filter.ts'

interface Column extends Omit<GridColumn<ConsoleRow>, 'label' | 'width' | 'from'> {
  /** Least width in pixels. */
  px: number
  /** Share of the room that is left. */
  share?: number
  /** Place among those that a narrower window lacks: the first is the first to appear. */
  after?: number
}

/** Margins of a row, and what the columns need at least beside them. */
const MARGINS_PX = 54

const COLUMNS: readonly Column[] = [
  { key: 'name', px: 160, share: 1.6, sort: 'name' },
  {
    key: 'assignee',
    px: 112,
    after: 3,
    sort: 'assignee',
    text: (row) => row.assignee?.name,
    tone: TONES.muted,
  },
  { key: 'due', px: 150, share: 1, sort: 'due' },
  { key: 'closing', px: 84, after: 2 },
  { key: 'trouble', px: 76, sort: 'trouble' },
  { key: 'certificate', px: 96, after: 1, sort: 'certificate' },
  { key: 'inbox', px: 68, align: 'right', sort: 'inbox' },
  { key: 'bank', px: 68, align: 'right', sort: 'bank' },
  { key: 'approvals', px: 84, after: 5, align: 'right' },
  { key: 'receipts', px: 76, after: 4, align: 'right' },
  { key: 'note', px: 64, align: 'right' },
]

/** Returns the columns, each from the width at which it fits; only an office assigns companies. */
export function consoleColumns(hasStaff: boolean): GridColumn<ConsoleRow>[] {
  const columns = COLUMNS.filter(({ key }) => hasStaff || key !== 'assignee')
  const roomOf = (last: number): number =>
    columns.reduce((sum, { px, after = 0 }) => (after <= last ? sum + px : sum), MARGINS_PX)
  return columns.map(({ px, share, after, ...column }) => ({
    ...column,
    label: translate(`console.column.${column.key}`),
    width: share === undefined ? `${px}px` : `minmax(${px}px, ${share}fr)`,
    ...(after === undefined ? {} : { from: roomOf(after) }),
  }))
}
