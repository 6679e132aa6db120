/**
 * Change of a record in a cell of its list: shown at once, saved with the version that was shown, restored with the
 * reason on an error.
 */
import { useToasts } from '../../stores/toasts.ts'
import { useOptimistic } from './use-optimistic.ts'
import type { ShownGrid } from './optimistic.ts'

interface Versioned {
  id: string
  version: number
}

interface CellOptions<Row extends Versioned, Changes> {
  grid: () => ShownGrid<Row> | null
  /** Saves; returns the current values of the row, including its version. */
  update: (input: Changes & { id: string; expectedVersion: number }) => Promise<Partial<Row>>
  /** Text of the notice. */
  said: () => string
}

/** Returns the function that changes a row. */
export function useCell<Row extends Versioned, Changes extends Partial<Row>>({
  grid,
  update,
  said,
}: CellOptions<Row, Changes>) {
  const toasts = useToasts()
  const atOnce = useOptimistic(grid)

  return async function change(row: Row, changes: Changes): Promise<void> {
    const { id, version } = row
    const before = Object.fromEntries(
      Object.keys(changes).map((key) => [key, row[key as keyof Row]]),
    ) as Changes
    let now: Partial<Row> = {}
    const isSaved = await atOnce.show({
      shown: new Map([[id, changes]]),
      keep: async () => (now = await update({ id, ...changes, expectedVersion: version })),
    })
    if (!isSaved) return
    grid()?.patch(id, now)
    toasts.done(said(), {
      id: 'cell',
      undo: () =>
        update({ id, ...before, expectedVersion: now.version ?? version + 1 }).then(
          () => grid()?.refresh(),
          toasts.failed,
        ),
    })
  }
}
