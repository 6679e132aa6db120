/** Identities in the rows of a file so far, so that a dry run matches them as the import matches what it has written. */
import { searchText } from '../../domain/text.ts'

/**
 * Identity of a row. Within a group, two are equal when their numbers are, or when one has no number and their names
 * are equal.
 */
export interface Identity {
  /** Only identities of one group are compared; null equals nothing. */
  group: string | null
  number: string | null
  name: string
}

/** A stored record with its values after the row's change. */
export interface Known extends Identity {
  rowId: number
  /** Matched by number, which takes precedence over names. */
  hasSameNumber: boolean
}

/** `rowId` identifies the record that existed before the import. */
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

  /** Records what a row creates, or changes when the record exists. */
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
   * Returns the match of a row: an earlier row of the file, a stored record (`known`, oldest first), or nothing.
   * Among several with the same name the oldest wins; rows of the file are newer than stored records.
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
