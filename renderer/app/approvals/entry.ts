/** Entry of the inbox's list, common to all kinds of items; each kind fills in its own texts. */

/** A new kind is added here and in the page's list of kinds, and needs a card of its own. */
type EntryKind = 'approval' | 'proposal'

export interface Entry {
  id: string
  kind: EntryKind
  /** True while it waits for a decision; false once it was decided or expired. */
  waiting: boolean
  title: string
  /** Person concerned: text from outside. */
  about: string | null
  /** Euros. */
  amount: number | null
  /** Requester of a waiting entry; result of a decided one. */
  note: string
  /** Time of arrival, or of the decision. */
  at: string
}

/**
 * Sorts entries of all kinds: waiting ones oldest first, with those that expire within minutes before the others;
 * decided ones newest first.
 */
export function inOrder(entries: readonly Entry[]): Record<'waiting' | 'decided', Entry[]> {
  const byTime = entries.toSorted((one, other) => one.at.localeCompare(other.at))
  return {
    waiting: byTime
      .filter(({ waiting }) => waiting)
      .toSorted((one, other) => Number(other.kind === 'approval') - Number(one.kind === 'approval')),
    decided: byTime.filter(({ waiting }) => !waiting).toReversed(),
  }
}
