/** Showing a deed at once in a page's list, with the reason told when it is refused. */
import { useToasts } from '../../stores/toasts.ts'
import { showAtOnce } from './at-once.ts'
import type { AtOnce, ShownGrid } from './at-once.ts'

export function useAtOnce<Row>(grid: () => ShownGrid<Row> | null) {
  const toasts = useToasts()

  /** False when it was refused and told. */
  async function show(deed: AtOnce<Row, unknown>): Promise<boolean> {
    try {
      await showAtOnce(grid(), deed)
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
