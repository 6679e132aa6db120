/** Locking, opening and signs of life: what the page of the lock and the shell around the pages ask. */
import { listCompanies } from '../../company/index.ts'
import { listBooks } from '../../platform/books/index.ts'
import { AppError } from '../../domain/errors/catalog.ts'
import { inBook } from '../../context.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../context.ts'
import { waitingProposals } from '../approvals/index.ts'
import { waitingApprovals } from '../../sales/invoices/index.ts'
import { readRecoveryCode } from '../../db/keys/recovery-code.ts'
import { readPreferences } from '../preferences/index.ts'
import { codeKind, hashCode } from './code.ts'
import type { aliveContract, lockContract, LockState, lockStateContract, unlockContract } from './contract.ts'
import type { CodeKind } from './code.ts'
import { hasOwnersCode } from './owner-code.ts'
import { assertCode } from './settings.ts'
import { isLocked, lockOf, sealCode } from './state.ts'

/** What waits for a person in the inbox. */
async function waitingOf(ctx: Ctx): Promise<number> {
  return (await waitingApprovals(ctx)) + (await waitingProposals(ctx))
}

async function stateNow(ctx: Ctx): Promise<LockState> {
  // Asks first, so that a time that has run out is seen here as at the door.
  await isLocked(ctx.env)
  const lock = await lockOf(ctx.env)
  const { kept, shut } = lock
  const { language, theme, motion, activeBook, notices } = await readPreferences(ctx.env.store.reader)
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

/** How the lock stands, with the little that its page needs. */
export const getLockState: UseCase<typeof lockStateContract> = async (ctx) => stateNow(ctx)

/** Locks now. Throws `lock_not_set` where no code could open it again. */
export const lockNow: UseCase<typeof lockContract> = async (ctx, { reason }) => {
  await (await lockOf(ctx.env)).lock(ctx, reason)
  return stateNow(ctx)
}

/** Opens with the code, or with the recovery code and a new code in the same step: it never stands open without one. */
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

/** What a browser without a session may be opened with. */
export async function waysIn(env: AppEnvironment): Promise<{ kind: CodeKind | null; recovery: boolean }> {
  const { kept } = await lockOf(env)
  return { kind: kept?.kind ?? null, recovery: await hasOwnersCode(env) }
}

/** Lets a browser in with the lock's code, which opens the lock too. Throws as every try, and `lock_not_set`. */
export async function enterWithCode(ctx: Ctx, code: string): Promise<void> {
  const lock = await lockOf(ctx.env)
  if (!lock.kept) throw new AppError('lock_not_set')
  await lock.check(ctx, code)
  await lock.open(ctx, { action: 'lock.unlocked' })
}

/**
 * Throws `recovery_code_wrong` unless `text` is the recovery code of these books, and `window_link_spent` where the owner has
 * not seen that code; lets a browser in, and leaves a lock shut.
 */
export async function enterWithRecovery(ctx: Ctx, text: string): Promise<void> {
  // 128 random bits need no wait between tries; slips are caught by their check characters and told to nobody.
  const recovery = readRecoveryCode(text)
  if (recovery !== null && ctx.env.store.isRecoveryCode(recovery)) {
    if (await hasOwnersCode(ctx.env)) return
    throw new AppError('window_link_spent')
  }
  if (recovery !== null) await (await lockOf(ctx.env)).tellWrongRecovery(ctx)
  throw new AppError('recovery_code_wrong')
}

/** Somebody was at a window so many seconds ago; answers the shortest such time of all windows. */
export const noteAlive: UseCase<typeof aliveContract> = async (ctx, { idleSeconds }) => {
  const lock = await lockOf(ctx.env)
  const now = ctx.now().getTime()
  lock.noteLife(now - idleSeconds * 1000)
  return { idleSeconds: lock.idleSeconds(now) }
}
