/**
 * Recovery code: shown once, and stored only after the person proves to have it. Until then it is in memory only, and
 * the earlier code stays valid.
 */
import { embedded } from '../../db/embedded/port.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { writeCodeBesideBackups } from '../backups/index.ts'
import { listBooks } from '../../platform/books/index.ts'
import type { confirmRecoveryContract, keyChangeContract, revealRecoveryContract } from './contract.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import { inBook } from '../../context.ts'
import type { KeyChangeStep } from '../../domain/key-change-steps.ts'
import type { Ctx, KeyChanged, UseCase } from '../../context.ts'
import { recoveryGroups } from '../../db/embedded/keys/recovery-code.ts'
import type { EmbeddedStore } from '../../db/embedded/port.ts'
import type { Store } from '../../db/store.ts'
import { lockOf, NO_TRIES, recordCodeOwner } from '../app-lock/index.ts'

type FreshCode = ReturnType<EmbeddedStore['newRecoveryCode']>

const pending = new WeakMap<Store, FreshCode>()
const MIN_GROUPS = 2

/** Returns false if a recovery code still has to be written down; a store without a file of its own needs none. */
export function hasRecoveryCode(store: Store): boolean {
  return store.engine !== 'sqlite' || embedded(store).hasRecoveryCode()
}

/** Normalizes a typed group: separators removed, letters that look like digits read as those digits. */
function typedGroup(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
}

/** Returns a new code to write down. The earlier one is valid until this one is confirmed. */
export const revealRecovery: UseCase<typeof revealRecoveryContract> = async (ctx) => {
  const fresh = embedded(ctx.env.store).newRecoveryCode()
  pending.set(ctx.env.store, fresh)
  const groups = recoveryGroups(fresh.code)
  return { code: groups.join('-'), groups }
}

/** Stores the last code shown, once two different groups of it were typed correctly. */
export const confirmRecovery: UseCase<typeof confirmRecoveryContract> = async (ctx, input) => {
  const { store } = ctx.env
  if (new Set(input.groups.map((group) => group.index)).size < MIN_GROUPS)
    throw validationFailed([
      {
        code: 'groups_repeated',
        field: 'groups',
        severity: 'error',
        message: 'Two different groups are asked.',
      },
    ])
  const shown = pending.get(store)
  if (!shown) throw new AppError('recovery_code_wrong', { details: { why: 'none_shown' } })
  const groups = recoveryGroups(shown.code)
  const wrong = input.groups
    .filter((group) => typedGroup(group.text) !== groups[group.index])
    .map((group) => group.index)
  if (wrong.length > 0) throw new AppError('recovery_code_wrong', { details: { groups: wrong } })
  const keyChanged = await keepCode(ctx, shown, { ...input, isOwner: true })
  pending.delete(store)
  return { confirmed: true, keyChanged }
}

interface CodeOptions {
  /** Give the books another key, so that the earlier code opens nothing of them. */
  changeKey?: boolean | undefined
  /** Delete the backups with the earlier key. */
  deleteBackups?: boolean | undefined
}

interface RecoveryCodeOptions extends CodeOptions {
  /** The creator of the code has proved to be the owner. */
  isOwner: boolean
}

const changing = new WeakMap<Store, KeyChangeStep>()

/** Returns the current step of a key change; null when none is running. */
export const getKeyChange: UseCase<typeof keyChangeContract> = async ({ env }) => ({
  step: changing.get(env.store) ?? null,
})

async function giveNewKey(
  ctx: Ctx,
  { code }: FreshCode,
  deleteBackups: boolean,
  progress?: (step: KeyChangeStep) => void,
): Promise<KeyChanged> {
  const { env, actor } = ctx
  if (!env.changeKey) throw new AppError('key_change_failed', { details: { why: 'closed' } })
  if (changing.has(env.store)) throw new AppError('key_change_failed', { details: { why: 'under_way' } })
  changing.set(env.store, 'copying')
  try {
    return await env.changeKey({
      code,
      deleteBackups,
      actor,
      progress: (step) => {
        changing.set(env.store, step)
        progress?.(step)
      },
    })
  } finally {
    changing.delete(env.store)
  }
}

/**
 * Replaces the earlier code, also next to the backups. The code opens every book, so every book's audit log records
 * it.
 */
async function keepCode(
  ctx: Ctx,
  fresh: FreshCode,
  { changeKey = false, deleteBackups = false, isOwner }: RecoveryCodeOptions,
  progress?: (step: KeyChangeStep) => void,
): Promise<KeyChanged | null> {
  // Before the code is stored: after a crash in between it must not count as the owner's.
  if (!isOwner) await ctx.transaction((tx) => recordCodeOwner(tx.db, false))
  const changed = changeKey ? await giveNewKey(ctx, fresh, deleteBackups, progress) : null
  if (!changed) {
    fresh.confirm()
    writeCodeBesideBackups(embedded(ctx.env.store).folder)
  }
  await ctx.transaction(async (tx) => {
    if (isOwner) await recordCodeOwner(tx.db, true)
    for (const book of await listBooks(tx.db))
      await recordAudit(inBook(tx, book), { action: 'recovery.confirmed' })
  })
  return changed
}

/**
 * Makes a recovery code for the command line, where the owner does not type it back. While the app lock is on, its
 * code is required, because a recovery code replaces it. Without a lock the code opens no window. Throws
 * `identity_needed`, `lock_code_wrong` or `lock_wait`.
 */
export async function createRecoveryCode(
  ctx: Ctx,
  {
    lockCode,
    progress,
    ...options
  }: CodeOptions & {
    lockCode: string | undefined
    progress?: (step: KeyChangeStep) => void
  },
): Promise<{ code: string; replaced: boolean; keyChanged: KeyChanged | null }> {
  const { env } = ctx
  const lock = await lockOf(env)
  if (lock.kept) {
    if (lockCode === undefined) throw new AppError('identity_needed', { details: { kind: lock.kept.kind } })
    await lock.check(ctx, lockCode)
    await lock.keep(ctx, (kept) => kept && { ...kept, ...NO_TRIES })
  }
  const replaced = hasRecoveryCode(env.store)
  const fresh = embedded(env.store).newRecoveryCode()
  const keyChanged = await keepCode(ctx, fresh, { ...options, isOwner: lock.kept !== null }, progress)
  return { code: recoveryGroups(fresh.code).join('-'), replaced, keyChanged }
}
