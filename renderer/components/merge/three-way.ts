/**
 * Three-way merge of two changes of one form: what only one side changed is taken, what both changed differently is
 * chosen. Every change of either side is in the result or among the differences. Pure.
 */

export type Side = 'mine' | 'theirs'

/** How a form is compared. */
export interface MergeSpec<Form extends object> {
  /** Fields that are merged as one value each. */
  fields: readonly (keyof Form & string)[]
  /** Fields that are lists, merged row by row. */
  rows?: readonly (keyof Form & string)[]
  /** Returns the content of a value or a row, without what belongs to the page alone. */
  contentOf?: (value: unknown, field: string) => unknown
  /** Returns a row of theirs as it is shown where the page has `mine` of it, for example with its identity. */
  withIdentity?: (theirs: unknown, mine: unknown) => unknown
}

/** A field, or a row of a list, that at least one side changed. A row is undefined where it does not exist. */
export interface Difference {
  id: string
  field: string
  /** Position of a row among those of the result, from 1; null for a field. */
  row: number | null
  changedBy: Side | 'both'
  before: unknown
  mine: unknown
  theirs: unknown
}

export interface Merge<Form extends object> {
  /** All of them, in the order of the fields. */
  differences: readonly Difference[]
  /** Those that both sides changed differently. */
  conflicts: readonly Difference[]
  /** Returns the merged form. A conflict without a choice is as on this page. */
  build(choices?: ReadonlyMap<string, Side>): Form
}

/** What one side made of a row. */
interface Fate {
  /** Undefined: it was removed. */
  row: unknown
  isChanged: boolean
}

interface Alignment {
  /** By position in the common ancestor. */
  fates: readonly Fate[]
  /** New rows after each row of the ancestor; index 0: before the first. */
  added: readonly (readonly unknown[])[]
}

type Key = (value: unknown) => string

/** Returns the pairs of equal rows of a longest common subsequence. */
function equalPairs(before: readonly string[], after: readonly string[]): [number, number][] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  const at = (one: number, other: number): number => lengths[one]?.[other] ?? 0
  for (let one = before.length - 1; one >= 0; one--)
    for (let other = after.length - 1; other >= 0; other--)
      lengths[one]![other] =
        before[one] === after[other]
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1))
  const pairs: [number, number][] = []
  for (let one = 0, other = 0; one < before.length && other < after.length;)
    if (before[one] === after[other]) pairs.push([one++, other++])
    else if (at(one + 1, other) >= at(one, other + 1)) one++
    else other++
  return pairs
}

/** Returns what became of each row: between equal rows those at the same place are one row that was changed. */
function alignRows(before: readonly unknown[], after: readonly unknown[], key: Key): Alignment {
  const fates: Fate[] = before.map(() => ({ row: undefined, isChanged: true }))
  const added: unknown[][] = Array.from({ length: before.length + 1 }, () => [])
  let [one, other] = [0, 0]
  const pairs: [number, number][] = [
    ...equalPairs(before.map(key), after.map(key)),
    [before.length, after.length],
  ]
  for (const [equalBefore, equalAfter] of pairs) {
    while (one < equalBefore && other < equalAfter) fates[one++] = { row: after[other++], isChanged: true }
    while (other < equalAfter) added[one]!.push(after[other++])
    one = equalBefore
    if (equalBefore < before.length) fates[one++] = { row: after[other++], isChanged: false }
  }
  return { fates, added }
}

/** One place of the merged list: a row of the ancestor, or one that is new. */
interface Place {
  row: unknown
  difference: Difference | null
}

interface RowsOf {
  mineBefore: readonly unknown[]
  mine: readonly unknown[]
  theirsBefore: readonly unknown[]
  theirs: readonly unknown[]
}

function mergeRows(
  field: string,
  { mineBefore, mine, theirsBefore, theirs }: RowsOf,
  key: Key,
  withIdentity: (theirs: unknown, mine: unknown) => unknown,
): Place[] {
  // The server holds the rows that the page had: by position. Otherwise both are compared with what the server held.
  const isSame = mineBefore.length === theirsBefore.length
  const here = alignRows(isSame ? mineBefore : theirsBefore, mine, key)
  const there = alignRows(theirsBefore, theirs, key)
  const places: Place[] = []
  const put = (row: unknown, difference: Omit<Difference, 'id' | 'field' | 'row'> | null): void => {
    const number = places.filter((place) => place.row !== undefined).length + 1
    places.push({
      row,
      difference: difference && { id: `${field} ${places.length}`, field, row: number, ...difference },
    })
  }
  for (let at = 0; at <= theirsBefore.length; at++) {
    const mineNew = [...(here.added[at] ?? [])]
    for (const row of there.added[at] ?? []) {
      // The same new row on both sides is one: both said the same.
      const twin = mineNew.findIndex((own) => key(own) === key(row))
      if (twin >= 0) put(mineNew.splice(twin, 1)[0], null)
      else put(row, { changedBy: 'theirs', before: undefined, mine: undefined, theirs: row })
    }
    for (const row of mineNew)
      put(row, { changedBy: 'mine', before: undefined, mine: row, theirs: undefined })
    if (at === theirsBefore.length) break
    const before = theirsBefore[at]
    const [own, other] = [here.fates[at]!, there.fates[at]!]
    const both = { before, mine: own.row, theirs: other.row }
    const isEqual =
      own.row === undefined || other.row === undefined
        ? own.row === other.row
        : key(own.row) === key(other.row)
    if (!own.isChanged)
      put(
        other.row === undefined ? undefined : withIdentity(other.row, own.row),
        other.isChanged ? { changedBy: 'theirs', ...both } : null,
      )
    else if (!other.isChanged || isEqual) put(own.row, isEqual ? null : { changedBy: 'mine', ...both })
    else put(own.row, { changedBy: 'both', ...both })
  }
  return places
}

/**
 * Merges `mine` and `theirs`, which both come from `before`. `theirsBefore` is the same as the server returned it, if it
 * writes some values in another way than the page; by default `before`.
 */
export function mergeForms<Form extends object>(
  {
    before,
    mine,
    theirs,
    theirsBefore = before,
  }: Record<'before' | 'mine' | 'theirs', Form> & {
    theirsBefore?: Form
  },
  { fields, rows = [], contentOf = (value) => value, withIdentity = (row) => row }: MergeSpec<Form>,
): Merge<Form> {
  const keyOf =
    (field: string): Key =>
    (value) =>
      JSON.stringify(contentOf(value, field) ?? null)
  const differences: Difference[] = []
  const merged: Partial<Record<string, unknown>> = { ...mine }
  for (const field of fields) {
    const key = keyOf(field)
    const values = { before: before[field], mine: mine[field], theirs: theirs[field] }
    const isMine = key(before[field]) !== key(mine[field])
    const isTheirs = key(theirsBefore[field]) !== key(theirs[field])
    if (!isMine) merged[field] = theirs[field]
    if ((!isMine && !isTheirs) || key(mine[field]) === key(theirs[field])) continue
    const changedBy = isMine && isTheirs ? 'both' : isMine ? 'mine' : 'theirs'
    differences.push({ id: field, field, row: null, changedBy, ...values })
  }
  const lists = new Map<string, Place[]>()
  for (const field of rows) {
    const list = (form: Form): unknown[] => form[field] as unknown[]
    const places = mergeRows(
      field,
      {
        mineBefore: list(before),
        mine: list(mine),
        theirsBefore: list(theirsBefore),
        theirs: list(theirs),
      },
      keyOf(field),
      withIdentity,
    )
    lists.set(field, places)
    differences.push(...places.flatMap(({ difference }) => difference ?? []))
  }
  return {
    differences,
    conflicts: differences.filter(({ changedBy }) => changedBy === 'both'),
    build(choices = new Map()) {
      const built = { ...merged }
      for (const { id, field, changedBy, row, theirs: other } of differences)
        if (row === null && changedBy === 'both' && choices.get(id) === 'theirs') built[field] = other
      for (const [field, places] of lists)
        built[field] = places
          .map(({ row, difference }) =>
            difference?.changedBy === 'both' && choices.get(difference.id) === 'theirs'
              ? difference.theirs
              : row,
          )
          .filter((row) => row !== undefined)
      return built as Form
    },
  }
}
