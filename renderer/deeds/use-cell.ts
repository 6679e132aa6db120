/** A cell changed in place: shown at once, kept with the version that was seen, put back with the reason when it is refused. */
import { useToasts } from '../stores/toasts.ts'

export interface PatchableGrid<Row> {
  patch: (key: string, changes: Partial<Row>) => () => void
  refresh: () => Promise<void>
}

export interface CellChange<Row> {
  key: string
  /** What the row shows meanwhile. */
  shown: Partial<Row>
  /** Asks the server; answers the row as it is now. */
  keep: () => Promise<Partial<Row>>
  /** Puts it back, with the version it has by then. */
  back: (now: Partial<Row>) => Promise<unknown>
  /** What its notice says. */
  said: string
}

export function useCell<Row>(grid: () => PatchableGrid<Row> | null) {
  const toasts = useToasts()

  async function change({ key, shown, keep, back, said }: CellChange<Row>): Promise<void> {
    const putBack = grid()?.patch(key, shown)
    try {
      const now = await keep()
      grid()?.patch(key, now)
      toasts.done(said, {
        id: 'cell',
        undo: () => back(now).then(() => grid()?.refresh(), toasts.failed),
      })
    } catch (thrown) {
      putBack?.()
      toasts.failed(thrown)
      // Somebody else's change is what it is now.
      await grid()?.refresh()
    }
  }

  return { change }
}
