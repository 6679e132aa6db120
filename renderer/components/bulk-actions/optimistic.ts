/**
 * What a list shows at once, before the server has answered: rows that go, rows that change. They come back when it is
 * refused. What went well is told by its event, as to every other window.
 */

export interface ShownGrid<Row = unknown> {
  /** Shows a row otherwise at once; answers the way back. */
  patch: (key: string, changes: Partial<Row>) => () => void
  /** Takes rows out of sight at once; answers the way back. */
  leave: (keys: readonly string[]) => () => void
  refresh: () => Promise<void>
}

export interface OptimisticChange<Row, Answer> {
  /** Keys of the rows that go. */
  gone?: readonly string[]
  /** What rows show meanwhile, by key. */
  shown?: ReadonlyMap<string, Partial<Row>>
  /** Asks the server. */
  keep: () => Promise<Answer>
}

/** Deeds shown and not answered yet. */
const underWay = new Set<Promise<unknown>>()

/** Ends when everything that is shown already is answered too; null when it is. */
export function untilAnswered(): Promise<unknown> | null {
  return underWay.size === 0 ? null : Promise.allSettled(underWay)
}

/** Shows it, asks, and puts everything back when it is refused; throws what was refused. */
export async function showOptimistically<Row, Answer>(
  grid: Pick<ShownGrid<Row>, 'patch' | 'leave'> | null,
  { gone = [], shown = new Map(), keep }: OptimisticChange<Row, Answer>,
): Promise<Answer> {
  const ways = [...shown].map(([key, changes]) => grid?.patch(key, changes))
  if (gone.length > 0) ways.push(grid?.leave(gone))
  const asked = keep()
  underWay.add(asked)
  try {
    return await asked
  } catch (thrown) {
    for (const back of ways.toReversed()) back?.()
    throw thrown
  } finally {
    underWay.delete(asked)
  }
}
