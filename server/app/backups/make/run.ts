/** Backups of a running Sello: one at a time, with audit entries in every book, and the schedule. */
import type { Store } from '../../../db/store.ts'
import { embedded } from '../../../db/embedded/port.ts'
import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listBooks } from '../../../platform/books/index.ts'
import { createSystemCtx, inBook, NO_BOOK } from '../../../context.ts'
import type { AppEnvironment, Ctx } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { STORE_FILE } from '../../../db/embedded/keys/keyring.ts'
import type { BackupFaultReason } from '../contract.ts'
import type { BackupReason } from './reasons.ts'
import { asBackupFault } from './fault.ts'
import type { BackupFault } from './fault.ts'
import { makeAndRecordBackup } from './lifecycle.ts'
import type { BackedUpBooks } from './lifecycle.ts'
import { BROKEN, listFolder } from './names.ts'
import type { BackupFile } from './names.ts'
import { changeState, defaultFolder, readState } from '../state.ts'
import type { BackupState } from '../state.ts'
import { inThread } from './thread.ts'

const DAY_MS = 24 * 3_600_000
const WEEK_MS = 7 * DAY_MS
/** After a failure, the next attempt comes sooner than the next day. */
const RETRY_MS = 3_600_000
/** Longest backup on closing; the desktop allows fifteen seconds for the whole shutdown. */
const QUIT_AT_MOST_MS = 8_000
/** Bytes copied and verified per millisecond, the estimate before the first backup; also the rate of a slow disk. */
const BYTES_IN_A_MS = 10_000
/** Faults found by a drill that concern the backup itself; all others concern the place of the drill. */
const SPOILED: readonly BackupFaultReason[] = ['differs', 'broken_chain', 'disk_failed']

type Drill = NonNullable<BackupState['drill']>

/** Returns true when a drill found the backup itself invalid. */
const isSpoiled = (drill: Drill | null): drill is Drill =>
  drill !== null && drill.why !== null && SPOILED.includes(drill.why)

const underWay = new WeakMap<Store, Promise<unknown>>()
/** `store.changes()` when the newest backup of this run started. */
const backedUp = new WeakMap<Store, number>()

const booksOf = ({ store, now }: AppEnvironment): BackedUpBooks => ({
  folder: embedded(store).folder,
  storeId: store.storeId,
  copyOfKey: () => embedded(store).copyOfKey(),
  now,
})

function systemCtx(env: AppEnvironment): Ctx {
  return createSystemCtx(env, NO_BOOK)
}

/** Runs `work` when no other backup or drill of these books is running. */
export async function runExclusively<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const turn = (underWay.get(store) ?? Promise.resolve()).then(work)
  underWay.set(
    store,
    turn.catch(() => undefined),
  )
  return turn
}

/** Returns false while there is no company and so nothing to lose. */
export async function hasBooks(env: AppEnvironment): Promise<boolean> {
  return (await listBooks(env.store.reader)).length > 0
}

/**
 * Writes an audit entry to every book about a new fault, or its end. Books that cannot be written still have the note
 * beside them.
 */
async function recordOutcome(
  env: AppEnvironment,
  fault: BackupFault | null,
  before: string | null,
): Promise<void> {
  if ((fault?.why ?? null) === before) return
  try {
    await systemCtx(env).transaction(async (tx) => {
      for (const book of await listBooks(tx.db)) {
        const ctx = inBook(tx, book)
        if (fault === null) await emitEvent(ctx, 'backup.recovered', {})
        else await emitEvent(ctx, 'backup.failed', { reason: fault.why })
      }
    })
  } catch (error) {
    env.report('backups', error)
  }
}

/** Makes a backup; the caller holds the lock. Returns true when there is one. */
async function make(env: AppEnvironment, reason: BackupReason): Promise<boolean> {
  const { store } = env
  const before = readState(embedded(store).folder).fault?.why ?? null
  const changes = embedded(store).changes()
  const begun = performance.now()
  const fault = await makeAndRecordBackup(booksOf(env), reason)
  if (fault === null) {
    backedUp.set(store, changes)
    changeState(embedded(store).folder, { tookMs: Math.round(performance.now() - begun), owed: false })
  } else env.report('backups', fault)
  await recordOutcome(env, fault, before)
  return fault === null
}

/** Makes a backup after the running one. Records and reports a failure; returns true when there is a backup. */
export async function runBackup(env: AppEnvironment, reason: BackupReason): Promise<boolean> {
  return runExclusively(env.store, () => make(env, reason))
}

/** Makes the daily backup when it is due; any backup made meanwhile counts as it. */
export async function backUpWhenDue(env: AppEnvironment): Promise<void> {
  await runExclusively(env.store, async () => {
    if (nextBackupAt(env) <= env.now()) await make(env, 'daily')
  })
}

/**
 * Makes a backup on closing when something was committed since the last one, or since the books were opened. For
 * books so large that it would delay the closing or be cut off, the next start makes it.
 */
export async function backUpOnQuit(env: AppEnvironment, changesAtStart: number): Promise<void> {
  const { store } = env
  if (embedded(store).changes() === (backedUp.get(store) ?? changesAtStart) || !(await hasBooks(env))) return
  // Recorded first, because the computer may shut down before the backup ends.
  changeState(embedded(store).folder, { owed: true })
  const expectedMs =
    readState(embedded(store).folder).tookMs ??
    statSync(join(embedded(store).folder, STORE_FILE)).size / BYTES_IN_A_MS
  if (expectedMs <= QUIT_AT_MOST_MS) await runBackup(env, 'quit')
}

/** Returns when the next backup is due; now or earlier means at once. */
export function nextBackupAt(env: AppEnvironment): Date {
  const { store, now } = env
  const { fault, drill, owed } = readState(embedded(store).folder)
  // An instant in the future comes from a clock that was wrong then or is wrong now, so it delays nothing.
  if (fault) return new Date(fault.at) > now() ? now() : new Date(new Date(fault.at).getTime() + RETRY_MS)
  const [newest] = listFolder(defaultFolder(embedded(store).folder))
  if (owed || !newest || newest.at > now() || (isSpoiled(drill) && drill.at > newest.at.toISOString()))
    return now()
  return new Date(newest.at.getTime() + DAY_MS)
}

/** Returns when the next drill is due. A failed one is repeated with a newer backup, or after a delay. */
function nextDrillAt(drill: Drill | null, newest: BackupFile, now: Date): number {
  if (drill === null || new Date(drill.at) > now) return 0
  const at = new Date(drill.at).getTime()
  if (drill.why === null) return at + WEEK_MS
  return isSpoiled(drill) && newest.at.getTime() >= at ? 0 : at + RETRY_MS
}

/**
 * Tries the newest backup once a week. An invalid one is renamed, so that it no longer counts as the last one and the
 * next backup is due at once.
 */
export async function drillWhenDue(env: AppEnvironment): Promise<void> {
  const { store, now } = env
  const dataDir = embedded(store).folder
  const folder = defaultFolder(dataDir)
  // The newest backup is determined inside the lock, because the backup before may have replaced it.
  await runExclusively(store, async () => {
    const { drill } = readState(dataDir)
    const [newest] = listFolder(folder)
    if (!newest || nextDrillAt(drill, newest, now()) > now().getTime()) return
    const { name } = newest
    const job = { kind: 'try', from: folder, name, masterKey: embedded(store).copyOfKey() } as const
    const fault = await inThread(job).then(() => null, asBackupFault)
    changeState(dataDir, { drill: { at: now().toISOString(), name, why: fault?.why ?? null } })
    await recordOutcome(env, fault, drill?.why ?? null)
    if (fault === null) return
    env.report('backups', fault)
    if (SPOILED.includes(fault.why)) renameSync(join(folder, name), join(folder, `${name}${BROKEN}`))
  })
}
