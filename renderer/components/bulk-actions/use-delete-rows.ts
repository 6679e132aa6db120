/**
 * Deletion of records of a list, the open one or the selected ones: their rows disappear at once, and undo restores
 * them.
 */
import { formatCount } from '../../format.ts'
import { translate } from '../../i18n.ts'
import { useSessionStore } from '../../stores/session.ts'
import { useToasts } from '../../stores/toasts.ts'
import type { ShownGrid } from './optimistic.ts'
import type { BulkKind, BulkRow } from './bulk.ts'
import { useOptimistic } from './use-optimistic.ts'
import { useUndoDelete } from './use-undo-delete.ts'
import type { InsteadOfDeletion } from './use-undo-delete.ts'

interface Named {
  id: string
  name: string
}

/** The required part of a list. */
interface DeletingList<Row> {
  readonly path: string
  readonly grid: ShownGrid<Row> | null
  readonly chosen: readonly Row[]
  clearSelection: () => void
  goTo: (id: string) => void
  refresh: () => unknown
}

interface DeleteRowsOptions<Row extends Named> {
  list: DeletingList<Row>
  kind: BulkKind
  /** Identifier of the notice. */
  notice: string
  /** Deletes a record; returns the alternative that was applied if it could not be deleted. */
  perform: (row: Row, bookId: string | undefined) => Promise<InsteadOfDeletion | null>
  /** Text of the notice, for a record that was deleted or handled otherwise. */
  said: (name: string, isDeleted: boolean) => string
}

export function useDeleteRows<Row extends Named>({
  list,
  kind,
  notice,
  perform,
  said,
}: DeleteRowsOptions<Row>) {
  const session = useSessionStore()
  const toasts = useToasts()
  const undoDelete = useUndoDelete()
  const atOnce = useOptimistic<Row>(() => list.grid)

  /** Returns the rows in the form of a bulk action. */
  const bulkRows = (rows: readonly Row[]): BulkRow[] =>
    rows.map(({ id, name }) => ({ id, name, to: `${list.path}/${id}` }))

  function deleteChosen(): void {
    const records = new Map(list.chosen.map((row) => [row.id, row]))
    undoDelete.deleteMany({
      kind,
      rows: bulkRows(list.chosen),
      grid: list.grid,
      perform: ({ id }, bookId) => perform(records.get(id) as Row, bookId),
      restored: (count) => translate('selection.restored', { count: formatCount(count) }, count),
    })
    list.clearSelection()
  }

  /** Closes the record and deletes it; opens it again on an error or undo. */
  async function deleteOpened(row: Row): Promise<void> {
    const { id, name } = row
    const bookId = session.activeBook?.id
    let instead: InsteadOfDeletion | null = null
    list.goTo('')
    const keep = async (): Promise<void> => void (instead = await perform(row, bookId))
    if (!(await atOnce.show({ gone: [id], keep }))) return list.goTo(id)
    const then = () => list.goTo(id)
    const other = instead as InsteadOfDeletion | null
    if (other)
      toasts.done(said(name, false), { id: notice, undo: () => other.undo().then(then, toasts.failed) })
    else undoDelete.offerUndo({ id, name, bookId, said: said(name, true), notice, then })
    void list.refresh()
  }

  return { bulkRows, deleteChosen, deleteOpened }
}
