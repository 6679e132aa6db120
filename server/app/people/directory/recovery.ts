/**
 * A way back in for somebody who has lost all of them. One administrator asks, and a second one confirms; without a
 * second one it waits three days. Until it is used the person sees it on every page of a session that is still open, and
 * refuses it; everybody who may manage people sees it too, and the history names who asked and who confirmed.
 */
import { AppError } from '../../../domain/errors/app-error.ts'
import { recordAction } from './history.ts'
import { activePerson } from './people.ts'
import { hashOf, newSecret } from './sessions.ts'
import type { Directory, DirectoryDb } from './store.ts'

/** Without a second administrator. */
const ALONE_AFTER_MS = 3 * 24 * 3_600_000
const LIVES_MS = 7 * 24 * 3_600_000
/** The link, once it was given out. */
const LINK_LIVES_MS = 24 * 3_600_000

export interface Recovery {
  id: string
  personId: string
  personName: string
  askedBy: string
  askedByName: string
  askedAt: number
  aloneAt: number
  confirmedByName: string | null
  endsAt: number
  state: 'waiting' | 'ready'
}

interface Actor {
  id: string
  name: string
}

function open(db: DirectoryDb, now: number) {
  return db
    .selectFrom('person_recoveries')
    .innerJoin('people', 'people.id', 'person_recoveries.person_id')
    .selectAll('person_recoveries')
    .select('people.name as person_name')
    .where('person_recoveries.state', 'in', ['waiting', 'ready'])
    .where('person_recoveries.ends_at', '>', now)
}

type Row = Awaited<ReturnType<ReturnType<typeof open>['execute']>>[number]

const viewOf = (row: Row): Recovery => ({
  id: row.id,
  personId: row.person_id,
  personName: row.person_name,
  askedBy: row.asked_by,
  askedByName: row.asked_by_name,
  askedAt: row.asked_at,
  aloneAt: row.alone_at,
  confirmedByName: row.confirmed_by_name,
  endsAt: row.ends_at,
  state: row.state === 'ready' ? 'ready' : 'waiting',
})

/** Returns the recoveries of some people that are under way. */
export async function recoveriesOf(
  { reader, now }: Directory,
  personIds: readonly string[],
): Promise<Recovery[]> {
  if (personIds.length === 0) return []
  const rows = await open(reader, now())
    .where('person_recoveries.person_id', 'in', personIds)
    .orderBy('person_recoveries.asked_at')
    .execute()
  return rows.map(viewOf)
}

async function rowOf(db: DirectoryDb, now: number, id: string): Promise<Row> {
  const row = await open(db, now).where('person_recoveries.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/**
 * Asks for a recovery of somebody. Throws `recovery_for_oneself`, `recovery_under_way` if one is, or `role_not_given` for
 * somebody who administers the installation, unless the caller does.
 */
export async function askRecovery(directory: Directory, by: Actor, personId: string): Promise<Recovery> {
  if (by.id === personId) throw new AppError('recovery_for_oneself')
  const now = directory.now()
  const id = directory.newId('rcv')
  await directory.change(async (db) => {
    const person = await activePerson(db, personId)
    if (person.administers === 1 && (await activePerson(db, by.id)).administers !== 1)
      throw new AppError('role_not_given', { details: { role: 'installation' } })
    const under = await open(db, now).where('person_recoveries.person_id', '=', person.id).executeTakeFirst()
    if (under) throw new AppError('recovery_under_way')
    await db
      .insertInto('person_recoveries')
      .values({
        id,
        person_id: person.id,
        asked_by: by.id,
        asked_by_name: by.name,
        asked_at: now,
        alone_at: now + ALONE_AFTER_MS,
        ends_at: now + LIVES_MS,
      })
      .execute()
    await recordAction(db, now, { actor: by, action: 'recovery_asked', personId: person.id })
  })
  directory.changed()
  return viewOf(await rowOf(directory.reader, now, id))
}

/** Confirms as a second administrator. Throws `second_person_needed` for the one who asked, and for the person. */
export async function confirmRecovery(directory: Directory, by: Actor, id: string): Promise<Recovery> {
  const now = directory.now()
  await directory.change(async (db) => {
    const row = await rowOf(db, now, id)
    if (row.asked_by === by.id || row.person_id === by.id) throw new AppError('second_person_needed')
    if (row.state !== 'waiting') return
    await db
      .updateTable('person_recoveries')
      .set({ confirmed_by: by.id, confirmed_by_name: by.name, state: 'ready' })
      .where('id', '=', id)
      .execute()
    await recordAction(db, now, { actor: by, action: 'recovery_confirmed', personId: row.person_id })
  })
  return viewOf(await rowOf(directory.reader, now, id))
}

/**
 * Gives out the link, once: to whoever asked, after a second administrator has confirmed or the wait is over. Throws
 * `recovery_waits` before, with the time.
 */
export async function recoveryToken(directory: Directory, by: Actor, id: string): Promise<string> {
  const now = directory.now()
  const token = newSecret()
  await directory.change(async (db) => {
    const row = await rowOf(db, now, id)
    if (row.asked_by !== by.id && row.confirmed_by !== by.id) throw new AppError('not_found')
    if (row.state === 'waiting' && row.alone_at > now)
      throw new AppError('recovery_waits', { details: { until: new Date(row.alone_at).toISOString() } })
    if (row.hash !== null) throw new AppError('recovery_link_given')
    await db
      .updateTable('person_recoveries')
      .set({ state: 'ready', hash: hashOf(token), ends_at: now + LINK_LIVES_MS })
      .where('id', '=', id)
      .execute()
    await recordAction(db, now, { actor: by, action: 'recovery_link', personId: row.person_id })
  })
  return token
}

/** Refuses a recovery: as the person, or as somebody who may manage people. */
export async function refuseRecovery(directory: Directory, by: Actor, id: string): Promise<void> {
  const now = directory.now()
  await directory.change(async (db) => {
    const row = await rowOf(db, now, id)
    await db.updateTable('person_recoveries').set({ state: 'refused' }).where('id', '=', id).execute()
    await recordAction(db, now, { actor: by, action: 'recovery_refused', personId: row.person_id })
  })
  directory.changed()
}
