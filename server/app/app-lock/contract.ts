/** Contracts of the app lock for the window: state, locking, unlocking, user activity, and settings. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { Instant } from '../../domain/contract/fields.ts'

/** Minutes without user activity after which Sello locks. */
const IDLE_MINUTES = [1, 5, 15, 30, 60] as const
const IdleMinutes = z.union(IDLE_MINUTES.map((minutes) => z.literal(minutes)))
export type IdleMinutes = (typeof IDLE_MINUTES)[number]

const CodeKind = z.enum(['pin', 'passphrase'])
const LockReason = z.enum(['person', 'idle', 'system', 'start'])
export type LockReason = z.infer<typeof LockReason>

/** Longer than any passphrase; bounded because the check is slow on purpose. */
const Code = z.string().min(1).max(200)

export const LockState = z
  .strictObject({
    set: z.boolean().meta({ description: 'False when Sello asks for no code; then it is never locked.' }),
    locked: z.boolean(),
    lockedAt: Instant.nullable(),
    reason: LockReason.nullable(),
    kind: CodeKind.nullable(),
    idleMinutes: IdleMinutes.nullable(),
    withSystem: z
      .boolean()
      .meta({ description: "Locks when the computer's session does, or when it sleeps." }),
    waitSeconds: z.int().meta({ description: 'Until the next try may be made; 0 when it may be made now.' }),
    recovery: z.boolean().meta({ description: 'A recovery code was kept, so it can open this lock.' }),
    companyName: z.string().nullable().meta({ description: 'Null when the lock is not to show it.' }),
    waiting: z.int().meta({
      description:
        'Proposals of the book last open that wait for a decision; 0 when the owner wants no notice of them.',
    }),
    language: z.enum(['es', 'en']),
    theme: z.enum(['light', 'dark', 'system']),
    motion: z.enum(['system', 'less']),
  })
  .meta({ id: 'LockState' })
export type LockState = z.infer<typeof LockState>

export const LockSettings = z
  .strictObject({
    set: z.boolean(),
    kind: CodeKind.nullable(),
    idleMinutes: IdleMinutes,
    withSystem: z.boolean(),
    showName: z.boolean().meta({ description: "Shows the company's name while locked." }),
    recovery: z.boolean(),
    beforeApproval: z.boolean().meta({
      description: 'Whoever approves what a program asks has to show that they are the owner.',
    }),
  })
  .meta({ id: 'LockSettings' })
export type LockSettings = z.infer<typeof LockSettings>

const ofThePerson = { access: 'person', bookless: true } as const

export const lockStateContract = defineContract({
  name: 'session.lockState',
  summary: 'Whether Sello is locked; answered while it is.',
  ...ofThePerson,
  effect: 'read',
  desk: true,
  input: z.strictObject({}),
  output: LockState,
  errors: [],
})

export const unlockContract = defineContract({
  name: 'session.unlock',
  summary: 'Open the lock with its code, or with the recovery code and a new one.',
  ...ofThePerson,
  effect: 'write',
  desk: true,
  input: z.union([
    z.strictObject({ code: Code }),
    z.strictObject({ recoveryCode: z.string().min(1).max(100), newCode: Code }),
  ]),
  output: LockState,
  errors: ['lock_code_wrong', 'lock_wait', 'recovery_code_wrong'],
})

export const lockContract = defineContract({
  name: 'session.lock',
  summary: 'Lock Sello now.',
  ...ofThePerson,
  effect: 'write',
  desk: true,
  input: z.strictObject({ reason: LockReason.exclude(['start']) }),
  output: LockState,
  errors: ['lock_not_set'],
})

export const aliveContract = defineContract({
  name: 'session.alive',
  summary: 'Tell when somebody was last seen at this window, and learn when at any.',
  ...ofThePerson,
  effect: 'write',
  desk: true,
  input: z.strictObject({ idleSeconds: z.number().min(0).max(86_400) }),
  output: z.strictObject({ idleSeconds: z.number() }),
  errors: [],
})

export const lockSettingsContract = defineContract({
  name: 'lock.get',
  summary: 'How the app lock is set.',
  ...ofThePerson,
  effect: 'read',
  desk: true,
  input: z.strictObject({}),
  output: LockSettings,
  errors: [],
})

export const setLockContract = defineContract({
  name: 'lock.set',
  summary: 'Turn the app lock on, or change its code.',
  ...ofThePerson,
  effect: 'write',
  desk: true,
  input: z.strictObject({
    code: Code,
    current: Code.optional().meta({ description: 'The code in force; needed when there is one.' }),
  }),
  output: LockSettings,
  errors: ['lock_code_wrong', 'lock_wait', 'lock_needs_recovery'],
})

export const lockOptionsContract = defineContract({
  name: 'lock.options',
  summary: 'When Sello locks by itself and what it shows then.',
  ...ofThePerson,
  effect: 'write',
  desk: true,
  input: z.strictObject({
    idleMinutes: IdleMinutes.optional(),
    withSystem: z.boolean().optional(),
    showName: z.boolean().optional(),
  }),
  output: LockSettings,
  errors: ['lock_not_set'],
})

export const removeLockContract = defineContract({
  name: 'lock.remove',
  summary: 'Turn the app lock off.',
  ...ofThePerson,
  effect: 'write',
  desk: true,
  input: z.strictObject({ current: Code }),
  output: LockSettings,
  errors: ['lock_code_wrong', 'lock_wait'],
})

export const lockApprovalsContract = defineContract({
  name: 'lock.approvals',
  summary: 'Whether whoever approves has to show that they are the owner; changed only by the owner.',
  description:
    'The computer asks where it can (a finger on its sensor); otherwise, and whenever `code` is given, the lock code counts.',
  ...ofThePerson,
  effect: 'write',
  desk: true,
  input: z.strictObject({ beforeApproval: z.boolean(), code: Code.optional() }),
  output: LockSettings,
  errors: ['lock_not_set', 'lock_code_wrong', 'lock_wait', 'identity_needed'],
})
