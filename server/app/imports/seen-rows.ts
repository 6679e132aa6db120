/** What the rows of a file have named so far, so that a dry run finds them as the run itself finds what it has written. */
import { searchText } from '../../domain/text.ts'

/**
 * What a row speaks of. Within a group two are the same when their numbers are, and where one of both has none, when
 * their names are.
 */
export interface Identity {
  /** Only what is of one group is compared; null is like nothing else. */
  group: string | null
  number: string | null
  name: string
}

/** What is kept in the store already, as it stands once the row has changed it. */
export interface Known extends Identity {
  rowId: number
  /** Found by its number, which counts before any name. */
  hasSameNumber: boolean
}

/** `rowId` is that of what was there before the file. */
type Entry = Identity & { row: number; rowId: number | null }

const isSame = (one: Identity, other: Identity): boolean =>
  one.number !== null && other.number !== null
    ? one.number === other.number
    : searchText(one.name) === searchText(other.name)

const keyOf = (kind: 'number' | 'name', group: string, word: string): string =>
  JSON.stringify([kind, group, word])

export class Seen {
  private readonly byWord = new Map<string, Entry[]>()
  private readonly changed = new Set<number>()

  /** Notes what a row makes, or what it changes when there is something already. */
  note(row: number, identity: Identity, known: Known | null): void {
    const { group, number, name } = known ?? identity
    const entry: Entry = { group, number, name, row, rowId: known?.rowId ?? null }
    if (known) this.changed.add(known.rowId)
    for (const key of keysOf(entry)) {
      const entries = this.byWord.get(key)
      if (entries) entries.push(entry)
      else this.byWord.set(key, [entry])
    }
  }

  /**
   * What a row speaks of: an earlier row of the file, or one of those that the store knows (`known`, the oldest first),
   * or nothing yet. Of several with the name it is the oldest, and what the file makes is younger than what was there.
   */
  find(identity: Identity, known: readonly Known[]): { earlier: number } | { target: Known } | null {
    const { group, number, name } = identity
    if (group === null) return null
    const numbered = number === null ? undefined : this.byWord.get(keyOf('number', group, number))?.[0]
    if (numbered) return { earlier: numbered.row }
    const target = known.find(({ rowId }) => !this.changed.has(rowId))
    if (target?.hasSameNumber) return { target }
    const [named] = (this.byWord.get(keyOf('name', group, searchText(name))) ?? [])
      .filter((entry) => isSame(entry, identity))
      .toSorted((one, other) => ageOf(one) - ageOf(other) || one.row - other.row)
    if (named && !(target && target.rowId < ageOf(named))) return { earlier: named.row }
    return target ? { target } : null
  }
}

const ageOf = (entry: Entry): number => entry.rowId ?? Number.MAX_SAFE_INTEGER

function* keysOf({ group, number, name }: Entry): Generator<string> {
  if (group === null) return
  if (number !== null) yield keyOf('number', group, number)
  yield keyOf('name', group, searchText(name))
}
