/**
 * The history of the directory: sign-ins, credentials, recoveries, and what else belongs to no company. Each row has the
 * hash of the one before, so that a missing or changed one shows.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import type { Proof } from '../../../domain/proof.ts'
import type { Directory, DirectoryDb } from './store.ts'

interface PersonAction {
  actor: { id: string; name: string }
  /** Such as `sign-in.done`. */
  action: string
  /** Whom it is about. */
  personId: string | null
  /** Small facts without secrets, such as the method and the address. */
  details?: Readonly<Record<string, string | number | null>>
}

interface HashedAction {
  sequence: number
  at: number
  actor: { id: string; name: string }
  action: string
  personId: string | null
  details: string
}

function hashOf(done: HashedAction, previous: Uint8Array | null): Buffer {
  const hash = createHash('sha256')
  if (previous) hash.update(previous)
  return hash.update(canonicalJson({ ...done })).digest()
}

/** Appends to the history within a change of the directory. */
export async function recordAction(
  db: DirectoryDb,
  now: number,
  { actor, action, personId, details = {} }: PersonAction,
): Promise<void> {
  const last = await db
    .selectFrom('directory_history')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  const done: HashedAction = {
    sequence: (last?.sequence ?? 0) + 1,
    at: now,
    actor: { id: actor.id, name: actor.name },
    action,
    personId,
    details: canonicalJson(details),
  }
  await db
    .insertInto('directory_history')
    .values({
      sequence: done.sequence,
      at: now,
      actor_id: actor.id,
      actor_name: actor.name,
      action,
      person_id: personId,
      details: done.details,
      hash: hashOf(done, last?.hash ?? null),
    })
    .execute()
}

interface DirectoryEntry {
  at: number
  actor: { id: string; name: string }
  action: string
  details: Record<string, string | number | null>
}

/** Returns what was done about a person, newest first. */
export async function actionsOf(
  { reader }: Pick<Directory, 'reader'>,
  personId: string,
  limit: number,
): Promise<DirectoryEntry[]> {
  const rows = await reader
    .selectFrom('directory_history')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    at: row.at,
    actor: { id: row.actor_id, name: row.actor_name },
    action: row.action,
    details: JSON.parse(row.details) as DirectoryEntry['details'],
  }))
}

const PAGE = 1_000

/** Proves that no entry of the history is missing or was changed. */
export async function proveHistory(reader: DirectoryDb): Promise<Proof> {
  let previous: Uint8Array | null = null
  for (let sequence = 0; ;) {
    const rows = await reader
      .selectFrom('directory_history')
      .selectAll()
      .where('sequence', '>', sequence)
      .orderBy('sequence')
      .limit(PAGE)
      .execute()
    for (const row of rows) {
      const faulty = (fault: string): Proof => ({ checked: sequence, faults: [fault] })
      if (row.sequence !== sequence + 1)
        return faulty(`The history of the directory lacks entry ${sequence + 1}.`)
      const { at, action, details } = row
      const actor = { id: row.actor_id, name: row.actor_name }
      const wanted = hashOf(
        { sequence: row.sequence, at, actor, action, personId: row.person_id, details },
        previous,
      )
      if (Buffer.compare(wanted, row.hash) !== 0)
        return faulty(`Entry ${row.sequence} of the history of the directory was changed.`)
      previous = row.hash
      sequence = row.sequence
    }
    if (rows.length < PAGE) return { checked: sequence, faults: [] }
  }
}
