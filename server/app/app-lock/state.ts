/**
 * The app lock of a running Sello: whether it is shut lives here, on the server, so that every tab and every restart
 * finds it the same; what has to outlast a restart stands in the store's settings.
 */
import { recordAudit } from '../../platform/audit/index.ts'
import { listBooks } from '../../platform/books/index.ts'
import { AppError } from '../../domain/errors/catalog.ts'
import { whereWritable } from '../../domain/errors/to-app-error.ts'
import { proofOver } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import { createCtx, inBook, NO_BOOK } from '../../context.ts'
import type { AppEnvironment, Ctx, ProtectedAction } from '../../context.ts'
import type { Db } from '../../db/query.ts'
import { opens } from '../../db/keys/seal.ts'
import type { SealedColumn } from '../../db/keys/sealed-columns.ts'
import type { Store } from '../../db/store.ts'
import { isCode, waitAfterSeconds } from './code.ts'
import type { CodeHash, CodeKind } from './code.ts'
import type { IdleMinutes, LockReason } from './contract.ts'

const SETTING = 'app_lock'
const SEALED_AT = 'settings:app_lock'

/**
 * The page tells of life at most once a minute, and locks to the second by itself. The server waits this much longer, so
 * that it only acts where no page does any more.
 */
export const GRACE_MS = 75_000

/** What outlasts a restart. */
export interface StoredLock {
  version: 1
  kind: CodeKind
  /** A `CodeHash`, sealed. */
  code: string
  idleMinutes: IdleMinutes
  withSystem: boolean
  showName: boolean
  /** Asked for again before a step that a program wants is approved. Left out: yes. */
  beforeApproval?: boolean
  /** In a row, counted before the answer is known: ending the program in between wins no try. */
  wrongTries: number
  /** Unix milliseconds; no try is looked at before. */
  waitUntil: number | null
}

/** What becomes of the lock; null: there is none. */
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

export interface LockEvent {
  action: 'lock.on' | 'lock.changed' | 'lock.off' | 'lock.locked' | 'lock.unlocked' | 'lock.recovered'
  outcome?: 'refused'
  code?: 'lock_code_wrong' | 'recovery_code_wrong'
  reason?: LockReason
}

/** The lock stands before every book, so every book's history tells of it; never of the code. */
async function recordLockChange(tx: Ctx, { action, reason, ...event }: LockEvent): Promise<void> {
  for (const book of await listBooks(tx.db))
    await recordAudit(inBook(tx, book), {
      action,
      ...event,
      ...(reason ? { target: { type: 'lock', id: reason } } : {}),
    })
}

export class AppLock {
  kept: StoredLock | null
  shut: { at: number; reason: LockReason } | null
  private aliveAt: number
  private working = 0
  private turn: Promise<unknown> = Promise.resolve()

  constructor(kept: StoredLock | null, now: number) {
    this.kept = kept
    // Whoever starts Sello has not shown the code yet.
    this.shut = kept ? { at: now, reason: 'start' } : null
    this.aliveAt = now
  }

  /** Counts what changes something, from its beginning to its end: no lock falls by itself in the middle of it. */
  async whileWorking<T>(work: () => Promise<T>): Promise<T> {
    this.working += 1
    try {
      return await work()
    } finally {
      this.working -= 1
    }
  }

  /** Seconds since somebody was last seen at any window. */
  idleSeconds(now: number): number {
    // A clock that was put back counts from where it stands now.
    this.aliveAt = Math.min(this.aliveAt, now)
    return (now - this.aliveAt) / 1000
  }

  noteLife(at: number): void {
    this.aliveAt = Math.max(this.aliveAt, at)
  }

  /** True when the time without a sign of life is over and nobody has locked yet. */
  isOverdue(now: number): boolean {
    if (!this.kept || this.shut || this.working > 0) return false
    return this.idleSeconds(now) * 1000 >= this.kept.idleMinutes * 60_000 + GRACE_MS
  }

  waitSeconds(now: number): number {
    const until = this.kept?.waitUntil ?? null
    if (until === null) return 0
    // A clock that was put back must not lengthen the wait beyond the longest there is.
    const longest = waitAfterSeconds(Number.MAX_SAFE_INTEGER)
    return Math.min(Math.max(0, Math.ceil((until - now) / 1000)), longest)
  }

  /** Shuts at once, then tells the history. Shut already, it stays as it was. */
  async lock(ctx: Ctx, reason: LockReason): Promise<void> {
    if (!this.kept) throw new AppError('lock_not_set')
    if (this.shut) return
    this.shut = { at: ctx.now().getTime(), reason }
    // A disk that takes no more writing must neither keep Sello open nor keep its owner out.
    await whereWritable(ctx.transaction((tx) => recordLockChange(tx, { action: 'lock.locked', reason })))
  }

  /**
   * Keeps what `change` makes of the lock as it is kept then, and tells it, in one transaction; only then it holds here too.
   * Others may have changed it while a code was tried, and neither change is to undo the other. Answers what is kept.
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
   * Opens, forgets the wrong tries, and starts counting idleness again. `changesOf` is asked in the transaction: what it seals
   * is sealed under the key of then.
   */
  async open(ctx: Ctx, event: LockEvent, changesOf?: () => Partial<StoredLock>): Promise<void> {
    let changes: Partial<StoredLock> = {}
    const opened: LockChange = (kept) => kept && { ...kept, ...changes, ...NO_TRIES }
    const change: LockChange = (before) => {
      changes = changesOf?.() ?? {}
      return opened(before)
    }
    const kept = this.keep(ctx, change, event)
    // A new code that could not be kept is none.
    await (changesOf ? kept : whereWritable(kept))
    // Also where the tries could not be taken back on the disk.
    this.kept = opened(this.kept)
    this.shut = null
    this.noteLife(ctx.now().getTime())
  }

  /** Throws `lock_wait` or `lock_code_wrong` unless `text` is the code. Tries queue up: together they win nothing. */
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
    // Before the writing, which waits for a change of the key: the code that was read is sealed under the key of now.
    const hash = JSON.parse(ctx.env.store.sealer.open(kept.code, SEALED_AT).toString('utf8')) as CodeHash
    await whereWritable(this.keep(ctx, counted))
    // Whoever asked goes on to write what it opens or changes, and forgets the tries with it.
    if (await isCode(text, hash)) return
    await whereWritable(
      ctx.transaction((tx) =>
        recordLockChange(tx, { action: 'lock.unlocked', outcome: 'refused', code: 'lock_code_wrong' }),
      ),
    )
    throw new AppError('lock_code_wrong', { details: { seconds } })
  }

  /**
   * Throws unless whoever asks is the owner: by the code where one is given, else by what the computer asks. Throws
   * `identity_needed` when it cannot ask or was not answered, `lock_code_wrong` and `lock_wait` as every try of the code.
   */
  async prove(ctx: Ctx, deed: ProtectedAction, code: string | undefined): Promise<void> {
    // Where there is no code, whatever was typed proves nothing.
    if (code !== undefined && this.kept) {
      await this.check(ctx, code)
      await whereWritable(this.keep(ctx, (kept) => kept && { ...kept, ...NO_TRIES }))
      return
    }
    const { person } = ctx.env
    if (person?.available() && (await person.ask(deed))) return
    throw new AppError('identity_needed', { details: { kind: this.kept?.kind ?? null } })
  }

  /** Tells of a recovery code that was one, but not of these books. */
  async tellWrongRecovery(ctx: Ctx): Promise<void> {
    await whereWritable(
      ctx.transaction((tx) =>
        recordLockChange(tx, { action: 'lock.recovered', outcome: 'refused', code: 'recovery_code_wrong' }),
      ),
    )
  }
}

/** The hash of a code as it is kept; in the transaction that keeps it, as the key may change before. */
export function sealCode(store: Store, hash: CodeHash): string {
  return store.sealer.seal(JSON.stringify(hash), SEALED_AT)
}

/** The kept hash of the code opens, so that the code can be tried at all. */
export async function verifyLock({ store }: AppEnvironment): Promise<Proof> {
  const kept = await readStored(store.reader)
  return proofOver(kept === null ? [] : [kept], ({ code }) =>
    opens(store.sealer, code, SEALED_AT) ? null : 'The code of the app lock does not open.',
  )
}

/** The sealed code of the app lock, for a change of the key. */
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

/** Reads the code of the lock again, sealed under another key meanwhile; shut or open, it stays as it is. */
export async function rereadLock(env: AppEnvironment): Promise<void> {
  const lock = await lockOf(env)
  lock.kept = await readStored(env.store.reader)
}

const locks = new WeakMap<Store, Promise<AppLock>>()

/** The lock of an open store; read when it is first asked for. */
export function lockOf(env: AppEnvironment): Promise<AppLock> {
  const known = locks.get(env.store)
  if (known) return known
  const read = readStored(env.store.reader).then((kept) => new AppLock(kept, env.now().getTime()))
  locks.set(env.store, read)
  // A reading that failed is tried again, rather than taken for an answer.
  read.catch(() => locks.delete(env.store))
  return read
}

/** Whether Sello is locked now. Where the pages have fallen silent for too long it locks first. */
export async function isLocked(env: AppEnvironment): Promise<boolean> {
  const lock = await lockOf(env)
  if (lock.isOverdue(env.now().getTime())) {
    const actor = { kind: 'system', id: 'system', name: 'Sello' } as const
    const requestId = env.newId('req')
    await lock.lock(createCtx({ env, book: NO_BOOK, actor, channel: 'system', requestId }), 'idle')
  }
  return lock.shut !== null
}
