/** Undo of a deletion: for a day the server restores the same record, with all its links. */
import { call } from '../../call.ts'
import { translate } from '../../i18n.ts'
import { useToasts } from '../../stores/toasts.ts'
import type { ShownGrid } from './optimistic.ts'
import type { BulkKind, BulkRow } from './bulk.ts'
import { useBulk } from './use-bulk.ts'

/** Alternative that was applied to a record that could not be deleted. */
export interface InsteadOfDeletion {
  undo: () => Promise<unknown>
}

interface Deletion {
  id: string
  /** Name of the record, for the notice that it was restored. */
  name: string
  /** Text of the notice. */
  said: string
  /** Identifier of the notice: it replaces one with the same identifier. */
  notice: string
  bookId?: string | undefined
  /** Shows the record once it is restored. */
  then?: () => unknown
}

interface BulkDeletion<Row extends BulkRow> {
  kind: BulkKind
  rows: readonly Row[]
  grid: Pick<ShownGrid, 'leave'> | null
  /** Deletes one; returns the alternative that was applied if it could not be deleted. */
  perform: (row: Row, bookId: string) => Promise<InsteadOfDeletion | null>
  /** Text of the notice that `count` records were restored. */
  restored: (count: number) => string
}

export function useUndoDelete() {
  const toasts = useToasts()
  const bulk = useBulk()

  /** Restores a record, announces and shows it. On an error it only shows the error. */
  async function restore({ id, name, bookId, then }: Omit<Deletion, 'said' | 'notice'>): Promise<void> {
    try {
      await call('bin.restore', { id }, bookId ? { bookId } : {})
      toasts.done(translate('undoDelete.back', { name }), { id: `back-${id}` })
      await then?.()
    } catch (thrown) {
      toasts.failed(thrown)
    }
  }

  /** Restores as many as possible and shows the first error. Returns how many were restored. */
  async function restoreMany(ids: readonly string[], bookId: string): Promise<number> {
    let [restored, refusal]: [number, unknown] = [0, null]
    for (const id of ids)
      try {
        await call('bin.restore', { id }, { bookId })
        restored++
      } catch (thrown) {
        refusal ??= thrown
      }
    if (refusal !== null) toasts.failed(refusal)
    return restored
  }

  /** Announces that a record was deleted, and offers to undo it. */
  function offerUndo({ said, notice, ...record }: Deletion): void {
    toasts.done(said, { id: notice, undo: () => restore(record) })
  }

  /** Deletes many records: their rows disappear at once, and those that failed reappear at the end. */
  function deleteMany<Row extends BulkRow>({ kind, rows, grid, perform, restored }: BulkDeletion<Row>): void {
    const instead = new Map<string, InsteadOfDeletion>()
    const putBack = grid?.leave(rows.map(({ id }) => id))
    bulk.start({
      kind,
      rows,
      settled: ({ done }) => {
        if (done.length < rows.length || instead.size > 0) putBack?.()
      },
      perform: async (row, bookId) => {
        const other = await perform(row, bookId)
        if (other) instead.set(row.id, other)
      },
      undo: async (done, bookId) => {
        for (const other of instead.values()) await other.undo()
        const deleted = done.map(({ id }) => id).filter((id) => !instead.has(id))
        const count = instead.size + (await restoreMany(deleted, bookId))
        if (count > 0) toasts.done(restored(count))
      },
    })
  }

  return { offerUndo, deleteMany, restore }
}
