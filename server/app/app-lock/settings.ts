/** Settings of the app lock: code, idle time, and what the lock page shows. Every change requires the current code. */
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { codeFault, codeKind, hashCode } from './code.ts'
import type {
  lockApprovalsContract,
  lockOptionsContract,
  LockSettings,
  lockSettingsContract,
  removeLockContract,
  setLockContract,
} from './contract.ts'
import { hasOwnersCode } from './owner-code.ts'
import { lockOf, NO_TRIES, sealCode } from './state.ts'
import type { StoredLock, LockChange } from './state.ts'

const DEFAULTS = { idleMinutes: 15, withSystem: true, showName: true } as const

const MESSAGES = {
  lock_code_short: 'At least 6 digits or 8 characters.',
  lock_code_plain: 'Anybody would try this one first.',
} as const

/** Throws `validation_failed` for a text that cannot be a code. */
export function assertCode(text: string, field: string): void {
  const fault = codeFault(text)
  if (fault) throw validationFailed([{ code: fault, field, severity: 'error', message: MESSAGES[fault] }])
}

async function settingsOf(ctx: Ctx, kept: StoredLock | null): Promise<LockSettings> {
  const { idleMinutes, withSystem, showName } = kept ?? DEFAULTS
  const recovery = await hasOwnersCode(ctx.env)
  const beforeApproval = kept?.beforeApproval ?? true
  return {
    set: kept !== null,
    kind: kept?.kind ?? null,
    idleMinutes,
    withSystem,
    showName,
    recovery,
    beforeApproval,
  }
}

/** Returns the settings of the lock; while it is off, its defaults. */
export const getLock: UseCase<typeof lockSettingsContract> = async (ctx) =>
  settingsOf(ctx, (await lockOf(ctx.env)).kept)

/**
 * Turns the lock on or changes its code. Requires a recovery code, because a forgotten code would otherwise lock the
 * owner out for good.
 */
export const setLock: UseCase<typeof setLockContract> = async (ctx, { code, current }) => {
  const lock = await lockOf(ctx.env)
  assertCode(code, 'code')
  const before = lock.kept
  const wasSet = before !== null
  if (wasSet && current === undefined)
    throw validationFailed([
      { code: 'required', field: 'current', severity: 'error', message: 'This field is required.' },
    ])
  if (current !== undefined) await lock.check(ctx, current)
  if (!wasSet && !(await hasOwnersCode(ctx.env))) throw new AppError('lock_needs_recovery')
  const hash = await hashCode(code)
  const set: LockChange = (kept) => {
    assertSameCode(kept, before)
    const sealed = sealCode(ctx.env.store, hash)
    return { ...(kept ?? { version: 1, ...DEFAULTS }), kind: codeKind(code), code: sealed, ...NO_TRIES }
  }
  lock.noteLife(ctx.now().getTime())
  return settingsOf(ctx, await lock.keep(ctx, set, { action: wasSet ? 'lock.changed' : 'lock.on' }))
}

/** Throws `lock_code_wrong` when the code changed since `before`: the caller proved the earlier code, not the new one. */
function assertSameCode(kept: StoredLock | null, before: StoredLock | null): void {
  if (kept && kept.code !== before?.code) throw new AppError('lock_code_wrong', { details: { seconds: 0 } })
}

const changed =
  (changes: Partial<StoredLock>): LockChange =>
  (kept) => {
    if (!kept) throw new AppError('lock_not_set')
    return { ...kept, ...changes }
  }

/** Changes the idle time and what the lock page shows. */
export const setLockOptions: UseCase<typeof lockOptionsContract> = async (ctx, input) => {
  const lock = await lockOf(ctx.env)
  if (!lock.kept) throw new AppError('lock_not_set')
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
  return settingsOf(ctx, await lock.keep(ctx, changed(given), { action: 'lock.changed' }))
}

/** Sets whether an approval requires proof of the owner. Changing it in either direction requires that proof. */
export const setLockApprovals: UseCase<typeof lockApprovalsContract> = async (
  ctx,
  { beforeApproval, code },
) => {
  const lock = await lockOf(ctx.env)
  if (!lock.kept) throw new AppError('lock_not_set')
  await lock.prove(ctx, 'setting', code)
  return settingsOf(ctx, await lock.keep(ctx, changed({ beforeApproval }), { action: 'lock.changed' }))
}

/** Turns the lock off; does nothing when it is off. */
export const removeLock: UseCase<typeof removeLockContract> = async (ctx, { current }) => {
  const lock = await lockOf(ctx.env)
  const before = lock.kept
  if (!before) return settingsOf(ctx, null)
  await lock.check(ctx, current)
  const off: LockChange = (kept) => {
    assertSameCode(kept, before)
    return null
  }
  return settingsOf(ctx, await lock.keep(ctx, off, { action: 'lock.off' }))
}
