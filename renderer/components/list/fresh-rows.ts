/**
 * Rows that others add to a list while somebody reads it. They would move what is under the cursor, so that they wait
 * until they are asked for; rows that change do so in place. Only in an office does somebody else work in the books.
 */
import { ref, shallowReactive } from 'vue'
import type { WindowEvent } from '../../events.ts'
import { inOffice, usePersonStore } from '../../stores/person.ts'

interface Stretch {
  offset: number
  limit: number
}

/** Returns whether somebody else did it. */
export function isOfOthers({ actor }: Pick<WindowEvent, 'actor'>): boolean {
  return inOffice() && actor !== undefined && actor?.id !== usePersonStore().me?.id
}

export function useFreshRows<Row extends { id: string }>(isShown: (id: string) => boolean) {
  /** Records that others changed and that are not shown: some of them may be new. */
  const candidates = new Set<string>()
  /** Rows that wait, with their place in the list of the server. */
  const waiting = shallowReactive(new Map<string, number>())
  /** Offsets that were loaded before: rows that appear there are new, and would move others. */
  const loaded = new Set<number>()
  /** Increases when other rows wait: pages behind them are at another place. */
  const moves = ref(0)

  /** Notes what an event is about. */
  function note(event: WindowEvent, isEmpty: boolean): void {
    // An empty list has nothing that could move.
    if (isEmpty || !isOfOthers(event)) return
    for (const value of Object.values(event.data))
      if (typeof value === 'string' && !isShown(value)) candidates.add(value)
  }

  /** Returns the place in the list of the server of a row that the list shows at `offset`. */
  function placeOf(offset: number): number {
    let place = offset
    for (const each of [...waiting.values()].toSorted((a, b) => a - b)) if (each < place) place += 1
    return place
  }

  /** Loads rows as the list shows them, without those that wait. */
  async function load(
    { offset, limit }: Stretch,
    ask: (stretch: Stretch) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const isAgain = loaded.has(offset)
    loaded.add(offset)
    const before = waiting.size
    const from = placeOf(offset)
    const found = new Set<string>()
    const rows: Row[] = []
    let at = from
    for (let isMore = true; isMore && rows.length < limit;) {
      const wanted = limit - rows.length
      const part = await ask({ offset: at, limit: wanted })
      for (const [place, row] of part.entries()) {
        found.add(row.id)
        if (isAgain && candidates.has(row.id) && !isShown(row.id)) waiting.set(row.id, at + place)
        // Reached by scrolling: it moves nothing.
        else candidates.delete(row.id)
        if (!waiting.has(row.id)) rows.push(row)
      }
      at += part.length
      isMore = part.length === wanted
    }
    // What was deleted again waits no longer.
    for (const [id, place] of waiting) if (place >= from && place < at && !found.has(id)) waiting.delete(id)
    if (waiting.size !== before) moves.value += 1
    return rows
  }

  /** Forgets everything: another list is shown, or all rows are asked for. */
  function forget(): void {
    candidates.clear()
    waiting.clear()
    loaded.clear()
  }

  return { waiting, moves, note, load, forget }
}
