/** Optimistic change of a page's list, with the reason shown on an error. */
import { useToasts } from '../../stores/toasts.ts'
import { showOptimistically } from './optimistic.ts'
import type { OptimisticChange, ShownGrid } from './optimistic.ts'

export function useOptimistic<Row>(grid: () => ShownGrid<Row> | null) {
  const toasts = useToasts()

  /** Returns false if it failed and the error was shown. */
  async function show(deed: OptimisticChange<Row, unknown>): Promise<boolean> {
    try {
      await showOptimistically(grid(), deed)
      return true
    } catch (thrown) {
      toasts.failed(thrown)
      // Another client's change is the current state.
      await grid()?.refresh()
      return false
    }
  }

  return { show }
}
