/** Backups of a running Sello: one at a time, told to every book, and whether one is due. */
import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listBooks } from '../../../platform/books/index.ts'
import { createCtx, inBook, NO_BOOK } from '../../../context.ts'
import type { AppEnvironment, Ctx } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { STORE_FILE } from '../../../db/keys/keyring.ts'
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
/** After a failure the next try comes sooner than the next day. */
const RETRY_MS = 3_600_000
/** On closing nobody waits longer for one: the desktop gives the whole of it fifteen seconds. */
const QUIT_AT_MOST_MS = 8_000
/** Bytes of the books that are copied and proved in a millisecond, where no backup has told yet; a slow disk takes as long. */
const BYTES_IN_A_MS = 10_000
/** What a trial can find wrong with the backup itself; anything else is about where it was tried. */
const SPOILED: readonly BackupFaultReason[] = ['differs', 'broken_chain', 'disk_failed']

type Store = AppEnvironment['store']
type Drill = NonNullable<BackupState['drill']>

/** Whether a trial found the backup itself to be bad. */
const isSpoiled = (drill: Drill | null): drill is Drill =>
  drill !== null && drill.why !== null && SPOILED.includes(drill.why)

const underWay = new WeakMap<Store, Promise<unknown>>()
/** `store.changes()` as it was when the newest backup of this run began. */
const backedUp = new WeakMap<Store, number>()

const booksOf = ({ store, now }: AppEnvironment): BackedUpBooks => ({
  folder: store.folder,
  storeId: store.storeId,
  copyOfKey: () => store.copyOfKey(),
  now,
})

function systemCtx(env: AppEnvironment): Ctx {
  return createCtx({
    env,
    book: NO_BOOK,
    actor: { kind: 'system', id: 'system', name: 'Sello' },
    channel: 'system',
    requestId: env.newId('req'),
  })
}

/** Runs `work` when no other backup or trial of these books is under way. */
export async function inTurn<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const turn = (underWay.get(store) ?? Promise.resolve()).then(work)
  underWay.set(
    store,
    turn.catch(() => undefined),
  )
  return turn
}

/** Nothing of anybody is lost while there is no company. */
export async function hasBooks(env: AppEnvironment): Promise<boolean> {
  return (await listBooks(env.store.reader)).length > 0
}

/** Tells every book of a new fault, or that one is over. Books that cannot be written still have the note beside them. */
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

/** Makes a backup, whose turn it is; answers whether there is one. */
async function make(env: AppEnvironment, reason: BackupReason): Promise<boolean> {
  const { store } = env
  const before = readState(store.folder).fault?.why ?? null
  const changes = store.changes()
  const begun = performance.now()
  const fault = await makeAndRecordBackup(booksOf(env), reason)
  if (fault === null) {
    backedUp.set(store, changes)
    changeState(store.folder, { tookMs: Math.round(performance.now() - begun), owed: false })
  } else env.report('backups', fault)
  await recordOutcome(env, fault, before)
  return fault === null
}

/** Makes a backup after the one under way. A failure is noted and told; answers whether there is a backup. */
export async function runBackup(env: AppEnvironment, reason: BackupReason): Promise<boolean> {
  return inTurn(env.store, () => make(env, reason))
}

/** Makes the day's backup when it is due; one that was made meanwhile, whatever for, is it. */
export async function backUpWhenDue(env: AppEnvironment): Promise<void> {
  await inTurn(env.store, async () => {
    if (nextBackupAt(env) <= env.now()) await make(env, 'daily')
  })
}

/**
 * On closing: a backup when something was committed since the last one, or since the books were opened. Of books so large
 * that it would hold up the closing, or be cut off by it, the next start makes it.
 */
export async function backUpOnQuit(env: AppEnvironment, changesAtStart: number): Promise<void> {
  const { store } = env
  if (store.changes() === (backedUp.get(store) ?? changesAtStart) || !(await hasBooks(env))) return
  // Noted first: the computer may be shut down in the middle of it.
  changeState(store.folder, { owed: true })
  const expectedMs =
    readState(store.folder).tookMs ?? statSync(join(store.folder, STORE_FILE)).size / BYTES_IN_A_MS
  if (expectedMs <= QUIT_AT_MOST_MS) await runBackup(env, 'quit')
}

/** When the next backup is due; now or earlier means at once. */
export function nextBackupAt(env: AppEnvironment): Date {
  const { store, now } = env
  const { fault, drill, owed } = readState(store.folder)
  // What was noted in the future is of a clock that was wrong then or is now: nothing waits for it.
  if (fault) return new Date(fault.at) > now() ? now() : new Date(new Date(fault.at).getTime() + RETRY_MS)
  const [newest] = listFolder(defaultFolder(store.folder))
  if (owed || !newest || newest.at > now() || (isSpoiled(drill) && drill.at > newest.at.toISOString()))
    return now()
  return new Date(newest.at.getTime() + DAY_MS)
}

/** When the next trial is due. One that failed is tried again with the backup made since, or in a while. */
function nextDrillAt(drill: Drill | null, newest: BackupFile, now: Date): number {
  if (drill === null || new Date(drill.at) > now) return 0
  const at = new Date(drill.at).getTime()
  if (drill.why === null) return at + WEEK_MS
  return isSpoiled(drill) && newest.at.getTime() >= at ? 0 : at + RETRY_MS
}

/**
 * Tries the newest backup once a week. One that does not hold is put aside under another name, so that it does not count
 * as the last one, and the next is due at once.
 */
export async function drillWhenDue(env: AppEnvironment): Promise<void> {
  const { store, now } = env
  const dataDir = store.folder
  const folder = defaultFolder(dataDir)
  // What is the newest is looked at when its turn has come: the backup before it may have put that one out of date.
  await inTurn(store, async () => {
    const { drill } = readState(dataDir)
    const [newest] = listFolder(folder)
    if (!newest || nextDrillAt(drill, newest, now()) > now().getTime()) return
    const { name } = newest
    const job = { kind: 'try', from: folder, name, masterKey: store.copyOfKey() } as const
    const fault = await inThread(job).then(() => null, asBackupFault)
    changeState(dataDir, { drill: { at: now().toISOString(), name, why: fault?.why ?? null } })
    await recordOutcome(env, fault, drill?.why ?? null)
    if (fault === null) return
    env.report('backups', fault)
    if (SPOILED.includes(fault.why)) renameSync(join(folder, name), join(folder, `${name}${BROKEN}`))
  })
}
