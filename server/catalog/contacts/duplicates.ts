/**
 * Finds contacts that may be duplicates: equal identifiers, equal or nearly equal names. Pure, except for reading
 * them.
 */
import { createCursor, readCursor } from '../../domain/contract/cursor.ts'
import { searchText } from '../../domain/text.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { DuplicateReason, keepApartContract, listDuplicatesContract } from './contract.ts'
import { findContact } from './rows.ts'

const DEFAULT_LIMIT = 50
const LIST = 'contacts.duplicates'
/** A larger group is a chain of shops or a placeholder, such as one mail address for all: its pairs mean nothing. */
const LARGEST_GROUP = 20
const LARGEST_BLOCK = 300
const BLOCK_LETTERS = 4
const SHORTEST_SIMILAR = 6
const LONG_NAME = 12
const FEWEST_PHONE_DIGITS = 9

interface Candidate {
  id: number
  name: string
  nif: string | null
  email: string | null
  phone: string | null
  iban: string | null
}

interface Pair {
  first: number
  second: number
  reasons: DuplicateReason[]
}

const LEGAL_FORMS = new Set([
  ...[
    'sl',
    'slu',
    'sll',
    'slp',
    'slne',
    'sa',
    'sau',
    'sal',
    'sc',
    'scp',
    'scoop',
    'coop',
    'cb',
    'ute',
    'aie',
  ],
  ...['sociedad', 'limitada', 'anonima', 'unipersonal', 'laboral', 'profesional', 'civil', 'cooperativa'],
  ...['gmbh', 'ag', 'ltd', 'limited', 'llc', 'inc', 'sarl', 'sas', 'srl', 'spa', 'lda', 'bv', 'nv'],
])

/**
 * Normalizes a name: without capitals, accents, punctuation and legal form, its words sorted: `PÉREZ, Ana S.L.` is
 * `ana perez`.
 */
export function foldedName(name: string): string {
  const words = searchText(name)
    // S.L. and S. L. are one word.
    .replace(/\b([a-z])\. ?(?=[a-z]\b)/g, '$1')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
  const bare = words.filter((word) => !LEGAL_FORMS.has(word))
  return (bare.length > 0 ? bare : words).toSorted().join(' ')
}

/** Returns the last nine digits: the same telephone with or without the country's prefix. */
function foldedPhone(phone: string | null): string | null {
  const digits = (phone ?? '').replace(/\D/g, '')
  return digits.length >= FEWEST_PHONE_DIGITS ? digits.slice(-FEWEST_PHONE_DIGITS) : null
}

/** Returns true if two texts differ in at most `most` inserted, deleted or replaced letters. */
export function isWithin(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const cost = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
      next.push(cost)
      if (cost < least) least = cost
    }
    if (least > most) return false
    row = next
  }
  return (row[b.length] ?? Infinity) <= most
}

const ORDER: readonly DuplicateReason[] = [
  'same_nif',
  'same_name',
  'same_iban',
  'same_email',
  'same_phone',
  'similar_name',
]

/**
 * Returns pairs with their reasons, the most certain first. Two different NIFs outweigh a merely similar name and a
 * shared telephone or mail: those are colleagues or branches.
 */
export function duplicatePairs(candidates: readonly Candidate[]): Pair[] {
  const pairs = new Map<string, Pair>()
  const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]))
  const add = (a: number, b: number, reason: DuplicateReason): void => {
    const [first, second] = a < b ? [a, b] : [b, a]
    const key = `${first} ${second}`
    const pair = pairs.get(key) ?? { first, second, reasons: [] }
    if (!pair.reasons.includes(reason)) pair.reasons.push(reason)
    pairs.set(key, pair)
  }
  const names = new Map(candidates.map(({ id, name }) => [id, foldedName(name)]))
  const equal = (reason: DuplicateReason, keyOf: (candidate: Candidate) => string | null): void => {
    const groups = new Map<string, number[]>()
    for (const candidate of candidates) {
      const key = keyOf(candidate)
      if (!key) continue
      const group = groups.get(key)
      if (group) group.push(candidate.id)
      else groups.set(key, [candidate.id])
    }
    for (const group of groups.values()) {
      if (group.length > LARGEST_GROUP) continue
      for (const [index, a] of group.entries()) for (const b of group.slice(index + 1)) add(a, b, reason)
    }
  }
  equal('same_nif', ({ nif }) => nif)
  equal('same_name', ({ id }) => names.get(id) ?? null)
  equal('same_iban', ({ iban }) => iban)
  equal('same_email', ({ email }) => email?.toLowerCase() ?? null)
  equal('same_phone', ({ phone }) => foldedPhone(phone))
  for (const [a, b] of similarNames(names)) add(a, b, 'similar_name')
  return [...pairs.values()]
    .filter(({ first, second, reasons }) => {
      const [a, b] = [byId.get(first)?.nif, byId.get(second)?.nif]
      if (!a || !b || a === b) return true
      return reasons.includes('same_name') || reasons.includes('same_iban')
    })
    .map((pair) => ({
      ...pair,
      reasons: pair.reasons.toSorted((x, y) => ORDER.indexOf(x) - ORDER.indexOf(y)),
    }))
    .toSorted(comparePairs)
}

/** Returns the sort key of a pair: the most certain reason first, then the most reasons, then the older contacts. */
function placeOf({ reasons, first, second }: Pair): [number, number, number, number] {
  return [Math.min(...reasons.map((reason) => ORDER.indexOf(reason))), -reasons.length, first, second]
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  for (const [index, one] of a.entries()) if (one !== b[index]) return one - (b[index] ?? 0)
  return 0
}

const comparePairs = (a: Pair, b: Pair): number => comparePlaces(placeOf(a), placeOf(b))

/**
 * Yields pairs of nearly equal names. Compares only names with the same beginning or end, so that thousands of
 * contacts stay fast.
 */
function* similarNames(names: ReadonlyMap<number, string>): Generator<[number, number]> {
  const blocks = new Map<string, number[]>()
  for (const [id, name] of names) {
    if (name.length < SHORTEST_SIMILAR) continue
    for (const key of [`^${name.slice(0, BLOCK_LETTERS)}`, `${name.slice(-BLOCK_LETTERS)}$`]) {
      const block = blocks.get(key)
      if (block) block.push(id)
      else blocks.set(key, [id])
    }
  }
  for (const block of blocks.values()) {
    if (block.length > LARGEST_BLOCK) continue
    for (const [index, a] of block.entries())
      for (const b of block.slice(index + 1)) {
        const [one, other] = [names.get(a) ?? '', names.get(b) ?? '']
        // Numbers distinguish branches and homes: Nave 1 and Nave 2 are different.
        if (one === other || one.replace(/\D/g, '') !== other.replace(/\D/g, '')) continue
        if (isWithin(one, other, one.length >= LONG_NAME ? 2 : 1)) yield [a, b]
      }
  }
}

/** Returns the pairs of the book, except those that a person marked as different. */
export const listDuplicates: UseCase<typeof listDuplicatesContract> = async (
  ctx,
  { limit = DEFAULT_LIMIT, cursor },
) => {
  const after = cursor === undefined ? null : readCursor(cursor, LIST, {}).map(Number)
  const rows = await ctx.db
    .selectFrom('contacts')
    .select(['id', 'public_id', 'name', 'nif', 'email', 'phone', 'iban', 'city'])
    .where('book_id', '=', ctx.book.id)
    .where('merged_into', 'is', null)
    .where('blocked_at', 'is', null)
    .orderBy('id')
    .execute()
  const apart = await apartPairs(ctx)
  const pairs = duplicatePairs(rows).filter(({ first, second }) => !apart.has(`${first} ${second}`))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const view = (id: number) => {
    const row = orNotFound(byId.get(id))
    return { id: row.public_id, name: row.name, nif: row.nif, email: row.email, city: row.city }
  }
  const rest = after === null ? pairs : pairs.filter((pair) => comparePlaces(placeOf(pair), after) > 0)
  const shown = rest.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(({ first, second, reasons }) => ({
      first: view(first),
      second: view(second),
      reasons,
    })),
    nextCursor: last && rest.length > limit ? createCursor(LIST, {}, placeOf(last)) : null,
    count: pairs.length,
  }
}

async function apartPairs(ctx: Ctx): Promise<Set<string>> {
  const rows = await ctx.db
    .selectFrom('contacts_apart')
    .innerJoin('contacts', 'contacts.id', 'contacts_apart.first_id')
    .select(['first_id', 'second_id'])
    .where('contacts.book_id', '=', ctx.book.id)
    .execute()
  return new Set(rows.map((row) => `${row.first_id} ${row.second_id}`))
}

/** Marks two similar contacts as different, or removes that mark. */
export const keepApart: UseCase<typeof keepApartContract> = (ctx, { id, otherId, apart = true }) =>
  ctx.transaction(async (tx) => {
    const one = orNotFound(await findContact(tx, id)).id
    const other = orNotFound(await findContact(tx, otherId)).id
    if (one === other) return { apart: false }
    const pair = { first_id: Math.min(one, other), second_id: Math.max(one, other) }
    if (apart)
      await tx.db
        .insertInto('contacts_apart')
        .values(pair)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    else
      await tx.db
        .deleteFrom('contacts_apart')
        .where('first_id', '=', pair.first_id)
        .where('second_id', '=', pair.second_id)
        .execute()
    await emitEvent(tx, 'contact.changed', { contactId: id })
    return { apart }
  })
