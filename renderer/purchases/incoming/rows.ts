/** Rows of the list of incoming documents: their marks, and the list after something has changed. Pure. */
import type { OutputOf } from '../../../server/api/contracts.ts'
import { icons } from '../../icons.ts'
import type { IconName } from '../../icons.ts'

export type IncomingList = OutputOf<'incoming.list'>
export type IncomingRow = IncomingList['items'][number]
export type IncomingState = IncomingRow['state']
export type IncomingFilter = IncomingState | 'open'

/** States in which a person still has to decide. */
const OPEN_STATES: readonly IncomingState[] = [
  'queued',
  'reading',
  'ready',
  'doubtful',
  'duplicate',
  'not_invoice',
  'failed',
]

/** Filters in the order of the list. */
export const FILTERS: readonly IncomingFilter[] = [
  'open',
  'ready',
  'doubtful',
  'duplicate',
  'not_invoice',
  'failed',
  'reading',
  'queued',
  'entered',
  'rejected',
]

export const isOpen = ({ state }: Pick<IncomingRow, 'state'>): boolean => OPEN_STATES.includes(state)
/** The reader has not finished with it. */
export const isWaiting = ({ state }: Pick<IncomingRow, 'state'>): boolean =>
  state === 'queued' || state === 'reading'

const fits = (row: IncomingRow, filter: IncomingFilter): boolean =>
  filter === 'open' ? isOpen(row) : row.state === filter

/** Returns how many documents a filter has. */
export function countOf(counts: IncomingList['counts'], filter: IncomingFilter): number {
  return filter === 'open'
    ? OPEN_STATES.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
    : (counts[filter] ?? 0)
}

interface Mark {
  icon: IconName
  tone: string
  /** Key below `incoming.state`, and what fills it. */
  word: string
  args: Record<string, number>
  count?: number
}

/** Fields that one look decides together. */
const LOOKED_AT: Readonly<Record<string, string>> = { total: 'taxLines' }

/** Returns the fields of a form to look at, each once. */
export function targetsOf(doubts: readonly string[]): string[] {
  return [...new Set(doubts.map((field) => LOOKED_AT[field] ?? field))]
}

/** Returns the mark of a document's state. */
export function markOf(row: Pick<IncomingRow, 'state' | 'doubts' | 'pagesRead' | 'pageCount'>): Mark {
  const { state } = row
  const plain = (icon: IconName, tone: string): Mark => ({ icon, tone, word: state, args: {} })
  if (state === 'queued') return plain(icons.queued, 'text-muted')
  if (state === 'reading') {
    const pages = row.pageCount ?? 0
    if (pages < 2) return plain(icons.drawing, 'text-info')
    const page = Math.min(pages, row.pagesRead + 1)
    return { icon: icons.drawing, tone: 'text-info', word: 'readingPage', args: { page, pages } }
  }
  if (state === 'doubtful') {
    const count = targetsOf(row.doubts).length
    const mark = plain(icons.warning, 'text-warning')
    return count === 0 ? mark : { ...mark, word: 'doubtfulFields', args: { count }, count }
  }
  if (state === 'duplicate') return plain(icons.duplicate, 'text-warning')
  if (state === 'not_invoice') return plain(icons.cancelled, 'text-warning')
  if (state === 'failed') return plain(icons.error, 'text-error')
  if (state === 'entered') return plain(icons.received, 'text-muted')
  if (state === 'rejected') return plain(icons.remove, 'text-muted')
  return plain(icons.ok, 'text-success')
}

/** Returns what a document is called in the list. */
export const titleOf = (row: Pick<IncomingRow, 'supplierName' | 'name'>): string =>
  row.supplierName ?? row.name

/** Returns the rows with one of them as it is now: changed in place, or gone if the filter no longer fits. */
export function patched(
  rows: readonly IncomingRow[],
  row: IncomingRow,
  filter: IncomingFilter,
): readonly IncomingRow[] {
  const at = rows.findIndex(({ id }) => id === row.id)
  if (at === -1) return rows
  return fits(row, filter) ? rows.with(at, row) : rows.toSpliced(at, 1)
}

/** Returns the rows with the progress of one that is being read. */
export function progressed(
  rows: readonly IncomingRow[],
  { documentId, pagesRead, pages }: { documentId: string; pagesRead: number; pages: number | null },
): readonly IncomingRow[] {
  const at = rows.findIndex(({ id }) => id === documentId)
  const row = rows[at]
  return row
    ? rows.with(at, { ...row, state: 'reading', pagesRead, pageCount: pages ?? row.pageCount })
    : rows
}

/**
 * Returns the rows after their first page was loaded again. Rows behind it stay as they are; if the page no longer
 * reaches them, they are unknown, and null is returned.
 */
export function rejoined(
  rows: readonly IncomingRow[],
  first: readonly IncomingRow[],
): readonly IncomingRow[] | null {
  const last = first.at(-1)
  if (!last) return null
  const at = rows.findIndex(({ id }) => id === last.id)
  if (at === -1) return null
  const shown = new Set(first.map(({ id }) => id))
  return [...first, ...rows.slice(at + 1).filter(({ id }) => !shown.has(id))]
}

/** Returns the row to look at after one is decided: the next that is read, else the one before it. */
export function nextOf(rows: readonly IncomingRow[], id: string): IncomingRow | null {
  const at = rows.findIndex((row) => row.id === id)
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at)).toReversed()]
  return others.find((row) => isOpen(row) && !isWaiting(row)) ?? others.find(isOpen) ?? others[0] ?? null
}
