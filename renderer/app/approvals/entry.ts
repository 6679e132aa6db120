/** What the inbox's list needs to know of an item, whatever kind it is: each kind says it in its own words. */

/** A new kind is added here, in the page's list of kinds, and with a card of its own. */
type EntryKind = 'approval' | 'proposal'

export interface Entry {
  id: string
  kind: EntryKind
  /** Waits for a decision; else it was decided, or ran out. */
  waiting: boolean
  title: string
  /** Whom it is about: text from outside. */
  about: string | null
  /** Euros. */
  amount: number | null
  /** Of one that waits, who asks; of a decided one, what came of it. */
  note: string
  /** When it came, or was decided. */
  at: string
}

/** Waiting ones oldest first, those that run out within minutes before the others; decided ones newest first, of all kinds. */
export function inOrder(entries: readonly Entry[]): Record<'waiting' | 'decided', Entry[]> {
  const byTime = entries.toSorted((one, other) => one.at.localeCompare(other.at))
  return {
    waiting: byTime
      .filter(({ waiting }) => waiting)
      .toSorted((one, other) => Number(other.kind === 'approval') - Number(one.kind === 'approval')),
    decided: byTime.filter(({ waiting }) => !waiting).toReversed(),
  }
}
