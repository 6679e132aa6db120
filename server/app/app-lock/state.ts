/**
 * App lock of a running Sello. The locked state is on the server, so that every tab sees the same; what must survive
 * a restart is in the store's settings.
 */
import { recordAudit } from '../../platform/audit/index.ts'
import { listBooks } from '../../platform/books/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { whereWritable } from '../../domain/errors/to-app-error.ts'
import { proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import { createSystemCtx, inBook, NO_BOOK } from '../../context.ts'
import type { AppEnvironment, Ctx, ProtectedAction } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import { canOpenSealed } from '../../db/seal.ts'
import type { SealedColumn } from '../../db/sealed-columns.ts'
import type { Store } from '../../db/store.ts'
import { isCode, waitAfterSeconds } from './code.ts'
import type { CodeHash, CodeKind } from './code.ts'
import type { IdleMinutes, LockReason } from './contract.ts'

const SETTING = 'app_lock'
const SEALED_AT = 'settings:app_lock'

/**
 * The page reports activity at most once a minute and locks exactly on time by itself. The server waits this much
 * longer, so that it acts only when no page does.
 */
export const GRACE_MS = 75_000

/** State that survives a restart. */
export interface StoredLock {
  version: 1
  kind: CodeKind
  /** A sealed `CodeHash`. */
  code: string
  idleMinutes: IdleMinutes
  withSystem: boolean
  showName: boolean
  /** Require the code before approving a program's step. Default true. */
  beforeApproval?: boolean
  /** Consecutive; stored before the result is known, so that ending the program in between gains no attempt. */
  wrongTries: number
  /** Unix milliseconds; attempts before it are rejected. */
  waitUntil: number | null
}

/** A change of the stored lock; null means no lock. */
export type LockChange = (kept: StoredLock | null) => StoredLock | null

export const NO_TRIES = { wrongTries: 0, waitUntil: null } as const

async function readStored(db: Db): Promise<StoredLock | null> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', SETTING).executeTakeFirst()
  return row ? (JSON.parse(row.value) as StoredLock) : null
}

async function writeStored(db: Db, kept: StoredLock | null): Promise<void> {
  if (!kept) {
    await db.deleteFrom('settings').where('name', '=', SETTING).execute()
    return
  }
  const value = JSON.stringify(kept)
  await db
    .insertInto('settings')
    .values({ name: SETTING, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

interface LockEvent {
  action: 'lock.on' | 'lock.changed' | 'lock.off' | 'lock.locked' | 'lock.unlocked' | 'lock.recovered'
  outcome?: 'refused'
  code?: 'lock_code_wrong' | 'recovery_code_wrong'
  reason?: LockReason
}

/** Writes the event to the audit log of every book, because the lock applies to all books. The code is never logged. */
async function recordLockChange(tx: Ctx, { action, reason, ...event }: LockEvent): Promise<void> {
  for (const book of await listBooks(tx.db))
    await recordAudit(inBook(tx, book), {
      action,
      ...event,
      ...(reason ? { target: { type: 'lock', id: reason } } : {}),
    })
}

class AppLock {
  kept: StoredLock | null
  shut: { at: number; reason: LockReason } | null
  private aliveAt: number
  private working = 0
  private turn: Promise<unknown> = Promise.resolve()

  constructor(kept: StoredLock | null, now: number) {
    this.kept = kept
    // The person who starts Sello has not entered the code yet.
    this.shut = kept ? { at: now, reason: 'start' } : null
    this.aliveAt = now
  }

  /** Runs a change; the lock does not engage by idle time before it ends. */
  async whileWorking<T>(work: () => Promise<T>): Promise<T> {
    this.working += 1
    try {
      return await work()
    } finally {
      this.working -= 1
    }
  }

  /** Returns the seconds since the last user activity in any window. */
  idleSeconds(now: number): number {
    // After the clock is set back, idle time counts from the new time.
    this.aliveAt = Math.min(this.aliveAt, now)
    return (now - this.aliveAt) / 1000
  }

  noteLife(at: number): void {
    this.aliveAt = Math.max(this.aliveAt, at)
  }

  /** Returns true when the idle time has passed and Sello is not locked. */
  isOverdue(now: number): boolean {
    if (!this.kept || this.shut || this.working > 0) return false
    return this.idleSeconds(now) * 1000 >= this.kept.idleMinutes * 60_000 + GRACE_MS
  }

  waitSeconds(now: number): number {
    const until = this.kept?.waitUntil ?? null
    if (until === null) return 0
    // A clock set back must not extend the wait beyond the longest one.
    const longest = waitAfterSeconds(Number.MAX_SAFE_INTEGER)
    return Math.min(Math.max(0, Math.ceil((until - now) / 1000)), longest)
  }

  /** Locks at once, then writes the audit entry. Does nothing when locked. */
  async lock(ctx: Ctx, reason: LockReason): Promise<void> {
    if (!this.kept) throw new AppError('lock_not_set')
    if (this.shut) return
    this.shut = { at: ctx.now().getTime(), reason }
    // A full disk must neither keep Sello unlocked nor lock its owner out.
    await whereWritable(ctx.transaction((tx) => recordLockChange(tx, { action: 'lock.locked', reason })))
  }

  /**
   * Applies `change` to the stored lock and writes the audit entry in one transaction; the state in memory follows
   * after the commit. The stored lock is read again, because another request may have changed it while a code was
   * checked. Returns the stored lock.
   */
  async keep(ctx: Ctx, change: LockChange, event?: LockEvent): Promise<StoredLock | null> {
    return ctx.transaction(async (tx) => {
      const next = change(await readStored(tx.db))
      await writeStored(tx.db, next)
      if (event) await recordLockChange(tx, event)
      tx.afterCommit(() => {
        this.kept = next
      })
      return next
    })
  }

  /**
   * Unlocks, clears the wrong attempts, and restarts the idle time. `changesOf` runs in the transaction, so that it
   * seals under the key in force.
   */
  async open(ctx: Ctx, event: LockEvent, changesOf?: () => Partial<StoredLock>): Promise<void> {
    let changes: Partial<StoredLock> = {}
    const opened: LockChange = (kept) => kept && { ...kept, ...changes, ...NO_TRIES }
    const change: LockChange = (before) => {
      changes = changesOf?.() ?? {}
      return opened(before)
    }
    const kept = this.keep(ctx, change, event)
    // A new code that could not be stored is not in force.
    await (changesOf ? kept : whereWritable(kept))
    // Also when the attempts could not be cleared on disk.
    this.kept = opened(this.kept)
    this.shut = null
    this.noteLife(ctx.now().getTime())
  }

  /**
   * Throws `lock_wait` or `lock_code_wrong` unless `text` is the code. Attempts run one after another, so that
   * parallel ones gain nothing.
   */
  async check(ctx: Ctx, text: string): Promise<void> {
    const mine = this.turn.then(() => this.checkAlone(ctx, text))
    this.turn = mine.catch(() => undefined)
    return mine
  }

  private async checkAlone(ctx: Ctx, text: string): Promise<void> {
    if (ctx.inTransaction) throw new Error('A try that can be rolled back is not counted.')
    const { kept } = this
    if (!kept) return
    const now = ctx.now().getTime()
    const wait = this.waitSeconds(now)
    if (wait > 0) throw new AppError('lock_wait', { retryAfterSeconds: wait, details: { seconds: wait } })
    const wrongTries = kept.wrongTries + 1
    const seconds = waitAfterSeconds(wrongTries)
    const tries = { wrongTries, waitUntil: seconds > 0 ? now + seconds * 1000 : null }
    const counted: LockChange = (before) => before && { ...before, ...tries }
    this.kept = counted(kept)
    // Opened before the write, which waits during a key change: the code just read is sealed under the current key.
    const hash = JSON.parse(ctx.env.store.sealer.open(kept.code, SEALED_AT).toString('utf8')) as CodeHash
    await whereWritable(this.keep(ctx, counted))
    // The caller writes next and clears the attempts with it.
    if (await isCode(text, hash)) return
    await whereWritable(
      ctx.transaction((tx) =>
        recordLockChange(tx, { action: 'lock.unlocked', outcome: 'refused', code: 'lock_code_wrong' }),
      ),
    )
    throw new AppError('lock_code_wrong', { details: { seconds } })
  }

  /**
   * Throws unless the caller is the owner: by the code when given, else by the system's authentication. Throws
   * `identity_needed` when that is not available or was not confirmed, and `lock_code_wrong` and `lock_wait` like
   * every attempt.
   */
  async prove(ctx: Ctx, deed: ProtectedAction, code: string | undefined): Promise<void> {
    // Without a code set, a typed one proves nothing.
    if (code !== undefined && this.kept) {
      await this.check(ctx, code)
      await whereWritable(this.keep(ctx, (kept) => kept && { ...kept, ...NO_TRIES }))
      return
    }
    const { person } = ctx.env
    if (person?.available() && (await person.ask(deed))) return
    throw new AppError('identity_needed', { details: { kind: this.kept?.kind ?? null } })
  }

  /** Writes an audit entry for a valid recovery code of other books. */
  async reportWrongRecovery(ctx: Ctx): Promise<void> {
    await whereWritable(
      ctx.transaction((tx) =>
        recordLockChange(tx, { action: 'lock.recovered', outcome: 'refused', code: 'recovery_code_wrong' }),
      ),
    )
  }
}

/** Returns the sealed hash of a code; call it in the transaction that stores it, because the key may change before. */
export function sealCode(store: Store, hash: CodeHash): string {
  return store.sealer.seal(JSON.stringify(hash), SEALED_AT)
}

/** Verifies that the stored hash of the code can be opened. */
export async function verifyLock({ store }: AppEnvironment): Promise<Proof> {
  const kept = await readStored(store.reader)
  return proveRows(kept === null ? [] : [kept], ({ code }) =>
    canOpenSealed(store.sealer, code, SEALED_AT) ? null : 'The code of the app lock does not open.',
  )
}

/** Column of the sealed code, for a key change. */
export const SEALED_LOCK_CODE: SealedColumn = {
  table: 'settings',
  column: 'value',
  key: ['name'],
  rows: `name = '${SETTING}'`,
  place: () => SEALED_AT,
  within: {
    read: (cell) => (JSON.parse(cell) as StoredLock).code,
    write: (cell, code) => JSON.stringify({ ...(JSON.parse(cell) as StoredLock), code }),
  },
}

/** Reloads the code after a key change; the locked state stays as it is. */
export async function rereadLock(env: AppEnvironment): Promise<void> {
  const lock = await lockOf(env)
  lock.kept = await readStored(env.store.reader)
}

const locks = new WeakMap<Store, Promise<AppLock>>()

/** Returns the lock of an open store; loaded on first use. */
export function lockOf(env: AppEnvironment): Promise<AppLock> {
  const known = locks.get(env.store)
  if (known) return known
  const read = readStored(env.store.reader).then((kept) => new AppLock(kept, env.now().getTime()))
  locks.set(env.store, read)
  // A failed read is repeated on the next call.
  read.catch(() => locks.delete(env.store))
  return read
}

/** Returns true while Sello is locked. Locks first when the pages have reported no activity for too long. */
export async function isLocked(env: AppEnvironment): Promise<boolean> {
  const lock = await lockOf(env)
  if (lock.isOverdue(env.now().getTime())) {
    await lock.lock(createSystemCtx(env, NO_BOOK), 'idle')
  }
  return lock.shut !== null
}
