/** A cell changed in place: shown at once, kept with the version that was seen, put back with the reason when it is refused. */
import { useToasts } from '../../stores/toasts.ts'
import { useAtOnce } from './use-at-once.ts'
import type { ShownGrid } from './at-once.ts'

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

export function useCell<Row>(grid: () => ShownGrid<Row> | null) {
  const toasts = useToasts()
  const atOnce = useAtOnce(grid)

  async function change({ key, shown, keep, back, said }: CellChange<Row>): Promise<void> {
    let now: Partial<Row> = {}
    const isKept = await atOnce.show({
      shown: new Map([[key, shown]]),
      keep: async () => (now = await keep()),
    })
    if (!isKept) return
    grid()?.patch(key, now)
    toasts.done(said, {
      id: 'cell',
      undo: () => back(now).then(() => grid()?.refresh(), toasts.failed),
    })
  }

  return { change }
}
