/** Showing a deed at once in a page's list, with the reason told when it is refused. */
import { useToasts } from '../../stores/toasts.ts'
import { showOptimistically } from './optimistic.ts'
import type { OptimisticChange, ShownGrid } from './optimistic.ts'

export function useOptimistic<Row>(grid: () => ShownGrid<Row> | null) {
  const toasts = useToasts()

  /** False when it was refused and told. */
  async function show(deed: OptimisticChange<Row, unknown>): Promise<boolean> {
    try {
      await showOptimistically(grid(), deed)
      return true
    } catch (thrown) {
      toasts.failed(thrown)
      // Somebody else's change is what it is now.
      await grid()?.refresh()
      return false
    }
  }

  return { show }
}
