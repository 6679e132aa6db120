/** Locks, unlocks and records user activity, for the lock page and the shell around the pages. */
import { embedded } from '../../db/embedded/port.ts'
import { listCompanies } from '../../company/index.ts'
import { listBooks } from '../../platform/books/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { inBook } from '../../context.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../context.ts'
import { waitingProposals } from '../approvals/index.ts'
import { waitingApprovals } from '../../sales/invoices/index.ts'
import { readRecoveryCode } from '../../db/embedded/keys/recovery-code.ts'
import { readPreferences } from '../preferences/index.ts'
import { codeKind, hashCode } from './code.ts'
import type { aliveContract, lockContract, LockState, lockStateContract, unlockContract } from './contract.ts'
import type { CodeKind } from './code.ts'
import { hasOwnersCode } from './owner-code.ts'
import { assertCode } from './settings.ts'
import { isLocked, lockOf, sealCode } from './state.ts'

/** Returns the number of proposals in the inbox that wait for a person. */
async function waitingOf(ctx: Ctx): Promise<number> {
  return (await waitingApprovals(ctx)) + (await waitingProposals(ctx))
}

async function stateNow(ctx: Ctx): Promise<LockState> {
  // Applies an expired idle time first, as the routes do.
  await isLocked(ctx.env)
  const lock = await lockOf(ctx.env)
  const { kept, shut } = lock
  const { language, theme, motion, activeBook, notices } = await readPreferences(ctx)
  const companies = kept?.showName ? await listCompanies(ctx.env.store.reader) : []
  const book = notices.approvals
    ? (await listBooks(ctx.env.store.reader)).find(({ publicId }) => publicId === activeBook)
    : undefined
  const company = companies.find(({ books }) => books.some((book) => book.id === activeBook)) ?? companies[0]
  return {
    set: kept !== null,
    locked: shut !== null,
    lockedAt: shut ? new Date(shut.at).toISOString() : null,
    reason: shut?.reason ?? null,
    kind: kept?.kind ?? null,
    idleMinutes: kept?.idleMinutes ?? null,
    withSystem: kept?.withSystem ?? false,
    waitSeconds: lock.waitSeconds(ctx.now().getTime()),
    recovery: await hasOwnersCode(ctx.env),
    companyName: company ? (company.tradeName ?? company.legalName) : null,
    waiting: book ? await waitingOf(inBook(ctx, book)) : 0,
    language,
    theme,
    motion,
  }
}

/** Returns the state of the lock, with the few data its page needs. */
export const getLockState: UseCase<typeof lockStateContract> = async (ctx) => stateNow(ctx)

/** Locks now. Throws `lock_not_set` when no code could unlock it. */
export const lockNow: UseCase<typeof lockContract> = async (ctx, { reason }) => {
  await (await lockOf(ctx.env)).lock(ctx, reason)
  return stateNow(ctx)
}

/**
 * Unlocks with the code, or with the recovery code and a new code in the same step, so that the lock is never without
 * a code.
 */
export const unlock: UseCase<typeof unlockContract> = async (ctx, input) => {
  const lock = await lockOf(ctx.env)
  if (!lock.shut) return stateNow(ctx)
  if ('code' in input) {
    await lock.check(ctx, input.code)
    await lock.open(ctx, { action: 'lock.unlocked' })
    return stateNow(ctx)
  }
  assertCode(input.newCode, 'newCode')
  await enterWithRecovery(ctx, input.recoveryCode)
  const hash = await hashCode(input.newCode)
  await lock.open(ctx, { action: 'lock.recovered' }, () => ({
    code: sealCode(ctx.env.store, hash),
    kind: codeKind(input.newCode),
  }))
  return stateNow(ctx)
}

/** Returns the ways by which a browser without a session can enter. */
export async function loginMethods(
  env: AppEnvironment,
): Promise<{ kind: CodeKind | null; recovery: boolean }> {
  const { kept } = await lockOf(env)
  return { kind: kept?.kind ?? null, recovery: await hasOwnersCode(env) }
}

/** Admits a browser with the lock's code, which also unlocks. Throws like every attempt, and `lock_not_set`. */
export async function enterWithCode(ctx: Ctx, code: string): Promise<void> {
  const lock = await lockOf(ctx.env)
  if (!lock.kept) throw new AppError('lock_not_set')
  await lock.check(ctx, code)
  await lock.open(ctx, { action: 'lock.unlocked' })
}

/**
 * Admits a browser with the recovery code of these books and leaves a lock engaged. Throws `recovery_code_wrong`, and
 * `window_link_spent` when the owner has not seen that code.
 */
export async function enterWithRecovery(ctx: Ctx, text: string): Promise<void> {
  // 128 random bits need no delay between attempts; typing errors fail the check characters and are not logged.
  const recovery = readRecoveryCode(text)
  if (recovery !== null && embedded(ctx.env.store).isRecoveryCode(recovery)) {
    if (await hasOwnersCode(ctx.env)) return
    throw new AppError('window_link_spent')
  }
  if (recovery !== null) await (await lockOf(ctx.env)).reportWrongRecovery(ctx)
  throw new AppError('recovery_code_wrong')
}

/** Records user activity so many seconds ago; returns the shortest idle time of all windows. */
export const recordActivity: UseCase<typeof aliveContract> = async (ctx, { idleSeconds }) => {
  const lock = await lockOf(ctx.env)
  const now = ctx.now().getTime()
  lock.noteLife(now - idleSeconds * 1000)
  return { idleSeconds: lock.idleSeconds(now) }
}
