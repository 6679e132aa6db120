/**
 * Optimistic updates of a list, before the server answers: rows that disappear, rows that change. An error restores
 * them. A success is confirmed by its event, as in every other window.
 */

export interface ShownGrid<Row = unknown> {
  /** Changes a row at once; returns the function that restores it. */
  patch: (key: string, changes: Partial<Row>) => () => void
  /** Hides rows at once; returns the function that restores them. */
  leave: (keys: readonly string[]) => () => void
  refresh: () => Promise<void>
}

export interface OptimisticChange<Row, Answer> {
  /** Keys of the rows to hide. */
  gone?: readonly string[]
  /** Changes of the rows meanwhile, by key. */
  shown?: ReadonlyMap<string, Partial<Row>>
  /** Sends the request. */
  keep: () => Promise<Answer>
}

/** Optimistic changes without an answer yet. */
const underWay = new Set<Promise<unknown>>()

/** Returns a promise that resolves when all current changes are answered; null if there are none. */
export function whenAnswered(): Promise<unknown> | null {
  return underWay.size === 0 ? null : Promise.allSettled(underWay)
}

/** Shows the change, sends the request, and restores everything on an error, which it throws. */
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
