/** Contracts of the people of an office: only its window has them. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { euros, Instant, line, PathId } from '../../domain/contract/fields.ts'
import { CAPABILITIES, ROLES } from '../../domain/people.ts'
import { MailAddress } from '../../documents/mail/contract.ts'

const Role = z.enum(ROLES)
const Roles = z.array(Role).min(1).max(ROLES.length)
const MayIssue = z.boolean().meta({ description: 'Adds the right to issue to the role `sales`.' })
/** Answers of a browser's authenticator: checked by what verifies them. */
const BrowserAnswer = z.record(z.string().max(60), z.unknown())
const Step = line(64).meta({
  description: 'Of the step before; it is used once and ends after five minutes.',
})

const RecoveryView = z
  .strictObject({
    id: z.string(),
    personId: z.string(),
    personName: z.string(),
    askedByName: z.string(),
    askedByMe: z.boolean(),
    askedAt: Instant,
    aloneAt: Instant.meta({ description: 'From then on it needs no second administrator.' }),
    confirmedByName: z.string().nullable(),
    endsAt: Instant,
    state: z.enum(['waiting', 'ready']),
  })
  .meta({ id: 'PersonRecovery' })

export const meContract = defineContract({
  name: 'people.me',
  summary: 'Who is signed in, and what they may do in this company.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    administers: z.boolean().meta({ description: 'Creates companies.' }),
    roles: z.array(Role),
    capabilities: z.array(z.enum(CAPABILITIES)),
    operations: z
      .array(z.string())
      .meta({ description: 'That they may call here; the window offers no others.' }),
    recoveries: z.array(RecoveryView).meta({ description: 'Of the own account, under way.' }),
  }),
  errors: [],
})

export const changeNameContract = defineContract({
  name: 'people.changeName',
  summary: 'Change the own name, as histories will show it.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({ name: line(120) }),
  output: z.strictObject({ name: z.string() }),
  errors: [],
})

const SessionView = z
  .strictObject({
    id: z.string(),
    method: z.enum(['passkey', 'password', 'directory', 'invitation', 'recovery']),
    address: z.string(),
    agent: z.string(),
    createdAt: Instant,
    lastUsedAt: Instant,
    endsAt: Instant,
    current: z.boolean(),
  })
  .meta({ id: 'PersonSession' })

export const sessionsContract = defineContract({
  name: 'people.sessions',
  summary: 'The own sessions that are open.',
  access: 'person',
  effect: 'read',
  bookless: true,
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(SessionView) }),
  errors: [],
})

export const endSessionContract = defineContract({
  name: 'people.endSession',
  summary: 'End one of the own sessions.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ ended: z.int() }),
  errors: [],
})

export const endOtherSessionsContract = defineContract({
  name: 'people.endOtherSessions',
  summary: 'End all own sessions but this one.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({}),
  output: z.strictObject({ ended: z.int() }),
  errors: [],
})

export const credentialsContract = defineContract({
  name: 'people.credentials',
  summary: 'How the person signs in.',
  access: 'person',
  effect: 'read',
  bookless: true,
  input: z.strictObject({}),
  output: z.strictObject({
    email: z.string(),
    passkeys: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        createdAt: Instant,
        lastUsedAt: Instant.nullable(),
        backedUp: z.boolean().meta({ description: "Synchronised among the person's devices." }),
      }),
    ),
    password: z.boolean().meta({ description: 'A password with a second factor.' }),
    codesLeft: z.int(),
    directory: z.boolean().meta({ description: "Linked to the firm's directory." }),
  }),
  errors: [],
})

export const addPasskeyContract = defineContract({
  name: 'people.addPasskey',
  summary: 'Begin to add a passkey.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({ name: line(60) }),
  output: z.strictObject({ step: z.string(), options: BrowserAnswer }),
  errors: ['passkeys_full'],
})

export const finishPasskeyContract = defineContract({
  name: 'people.finishPasskey',
  summary: 'Add the passkey that the browser has created.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({ step: Step, response: BrowserAnswer }),
  output: z.strictObject({ passkeys: z.int() }),
  errors: ['sign_in_step_over', 'sign_in_refused'],
})

export const removePasskeyContract = defineContract({
  name: 'people.removePasskey',
  summary: 'Remove a passkey. One way to sign in has to stay.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({ id: line(400) }),
  output: z.strictObject({ passkeys: z.int() }),
  errors: ['not_found', 'last_way_in'],
})

export const setPasswordContract = defineContract({
  name: 'people.setPassword',
  summary: 'Begin to set a password; it needs a second factor.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({ password: z.string().max(400) }),
  output: z.strictObject({
    step: z.string(),
    secret: z.string().meta({ description: 'For an authenticator app, in base 32.' }),
    address: z.string().meta({ description: 'The same as an address for a QR code.' }),
  }),
  errors: ['validation_failed'],
})

export const finishPasswordContract = defineContract({
  name: 'people.finishPassword',
  summary: 'Confirm the second factor with its first code.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({ step: Step, code: line(20) }),
  output: z.strictObject({
    codes: z.array(z.string()).meta({ description: 'Single-use codes in place of the app, shown once.' }),
  }),
  errors: ['sign_in_step_over', 'code_wrong'],
})

export const removePasswordContract = defineContract({
  name: 'people.removePassword',
  summary: 'Remove the password and its second factor. One way to sign in has to stay.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({}),
  output: z.strictObject({ passkeys: z.int() }),
  errors: ['last_way_in'],
})

export const newCodesContract = defineContract({
  name: 'people.newCodes',
  summary: 'Replace the single-use codes.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({}),
  output: z.strictObject({ codes: z.array(z.string()) }),
  errors: ['password_missing'],
})

export const acceptInvitationContract = defineContract({
  name: 'people.acceptInvitation',
  summary: 'Accept an invitation with an account that exists already.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({ token: line(100) }),
  output: z.strictObject({ companyId: z.string(), companyName: z.string() }),
  errors: ['invitation_invalid'],
})

export const actionsContract = defineContract({
  name: 'people.actions',
  summary: 'What happened with the own account: sign-ins, refusals, credentials, recoveries.',
  access: 'person',
  effect: 'read',
  bookless: true,
  input: z.strictObject({ limit: z.int().min(1).max(200).optional() }),
  output: z.strictObject({
    items: z.array(
      z.strictObject({
        at: Instant,
        actor: z.string(),
        action: z.string(),
        details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
      }),
    ),
  }),
  errors: [],
})

export const refuseRecoveryContract = defineContract({
  name: 'people.refuseRecovery',
  summary: 'Refuse a recovery of the own account, which somebody else asked for.',
  access: 'person',
  effect: 'write',
  bookless: true,
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ refused: z.literal(true) }),
  errors: ['not_found'],
})

const MemberView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    roles: z.array(Role),
    mayIssue: z.boolean(),
    since: Instant,
    version: z.int(),
    me: z.boolean(),
  })
  .meta({ id: 'CompanyMember' })

export const membersContract = defineContract({
  name: 'people.members',
  summary: 'Who may open this company, and with which roles.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({
    items: z.array(MemberView),
    giveable: z.array(Role).meta({ description: 'Roles that the caller may give.' }),
    recoveries: z.array(RecoveryView),
  }),
  errors: [],
})

const InvitationView = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    roles: z.array(Role),
    mayIssue: z.boolean(),
    invitedBy: z.string(),
    createdAt: Instant,
    endsAt: Instant,
    state: z.enum(['open', 'accepted', 'withdrawn', 'ended']),
  })
  .meta({ id: 'CompanyInvitation' })

export const invitationsContract = defineContract({
  name: 'people.invitations',
  summary: 'Invitations to this company, the newest first.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(InvitationView) }),
  errors: [],
})

export const inviteContract = defineContract({
  name: 'people.invite',
  summary: 'Invite somebody to this company. The link works once, for three days, and for this address only.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ email: MailAddress, roles: Roles, mayIssue: MayIssue.optional() }),
  output: z.strictObject({
    invitation: InvitationView,
    link: z.string().meta({ description: 'Shown once.' }),
  }),
  errors: ['role_not_given', 'member_already', 'invitations_full'],
})

export const withdrawInvitationContract = defineContract({
  name: 'people.withdrawInvitation',
  summary: 'Withdraw an invitation that is open.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: InvitationView,
  errors: ['not_found'],
})

export const changeRolesContract = defineContract({
  name: 'people.changeRoles',
  summary: 'Give a member other roles.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    personId: PathId,
    roles: Roles,
    mayIssue: MayIssue.optional(),
    expectedVersion: z.int().optional(),
  }),
  output: MemberView,
  errors: ['not_found', 'role_not_given', 'own_roles', 'last_owner', 'version_conflict'],
})

export const removeMemberContract = defineContract({
  name: 'people.removeMember',
  summary: 'End the access of a member to this company. Its keys end with it.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ personId: PathId }),
  output: z.strictObject({ removed: z.literal(true) }),
  errors: ['not_found', 'role_not_given', 'last_owner'],
})

export const askRecoveryContract = defineContract({
  name: 'people.askRecovery',
  summary: 'Ask for a way back in for a member who lost all of them.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ personId: PathId }),
  output: RecoveryView,
  errors: ['not_found', 'recovery_for_oneself', 'recovery_under_way', 'role_not_given'],
})

export const confirmRecoveryContract = defineContract({
  name: 'people.confirmRecovery',
  summary: 'Confirm, as a second administrator, that the person has lost all ways in.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: RecoveryView,
  errors: ['not_found', 'second_person_needed'],
})

export const recoveryLinkContract = defineContract({
  name: 'people.recoveryLink',
  summary: 'The link with which the person registers again. It is shown once and works for a day.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({ id: PathId }),
  output: z.strictObject({ link: z.string() }),
  errors: ['not_found', 'recovery_waits', 'recovery_link_given'],
})

const SecondPersonRules = z
  .strictObject({
    issueAbove: euros('Invoices whose total is above it are issued by two.').nullable(),
    closing: z.boolean().meta({ description: 'Locking periods, closing and reopening years.' }),
    bankAccounts: z.boolean().meta({ description: "The company's account and its bank accounts." }),
    version: z.int(),
  })
  .meta({ id: 'SecondPersonRules' })

export const secondPersonRulesContract = defineContract({
  name: 'people.secondPersonRules',
  summary: 'What a second person has to confirm in this company.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({}),
  output: SecondPersonRules,
  errors: [],
})

export const setSecondPersonRulesContract = defineContract({
  name: 'people.setSecondPersonRules',
  summary: 'Decide what a second person has to confirm. Asking for less needs a second person too.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    issueAbove: z.number().min(0).max(999_999_999).nullable(),
    closing: z.boolean(),
    bankAccounts: z.boolean(),
    expectedVersion: z.int().optional(),
  }),
  output: SecondPersonRules,
  errors: ['version_conflict', 'second_person_missing', 'second_person_asked'],
})

const FactValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

const SecondPersonRequest = z
  .strictObject({
    id: z.string(),
    operation: z.string(),
    kind: z.enum(['issue', 'cancel', 'amend', 'closing', 'bank_account', 'rules']),
    subject: z.string(),
    amount: euros('Of what would be issued.').nullable(),
    targetId: z.string().nullable(),
    facts: z
      .array(z.strictObject({ name: z.string(), before: FactValue.optional(), value: FactValue }))
      .meta({ description: 'All that would be written; with `before` in place of what. Amounts in euros.' }),
    rule: z
      .strictObject({
        name: z.enum(['issue_above', 'closing', 'bank_accounts', 'looser']),
        above: euros('Of invoices.').optional(),
      })
      .meta({ description: 'The rule that asks for a second person.' }),
    input: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What would be done, as it was asked for.' }),
    seen: z.string().meta({ description: 'Of what is shown, to be sent along with a yes.' }),
    askedBy: z.string(),
    askedByMe: z.boolean(),
    mayDecide: z.boolean(),
    decidedBy: z.string().nullable(),
    status: z.enum(['pending', 'approved', 'denied', 'withdrawn', 'expired']),
    note: z.string().nullable(),
    createdAt: Instant,
    expiresAt: Instant,
    decidedAt: Instant.nullable(),
  })
  .meta({ id: 'SecondPersonRequest' })

export const requestsContract = defineContract({
  name: 'people.requests',
  summary: 'Steps that wait for a second person, and those that were decided.',
  access: 'person',
  effect: 'read',
  input: z.strictObject({ limit: z.int().min(1).max(200).optional() }),
  output: z.strictObject({ waiting: z.array(SecondPersonRequest), decided: z.array(SecondPersonRequest) }),
  errors: [],
})

export const decideRequestContract = defineContract({
  name: 'people.decideRequest',
  summary: 'Confirm or refuse the step of somebody else, or withdraw the own one. A yes performs it at once.',
  access: 'person',
  effect: 'write',
  input: z.strictObject({
    id: PathId,
    decision: z.enum(['approve', 'deny', 'withdraw']),
    note: line(300, 0).optional(),
    seen: z.string().max(64).optional().meta({ description: 'Of the request as it was shown.' }),
  }),
  output: SecondPersonRequest,
  errors: ['not_found', 'approval_closed', 'second_person_needed', 'second_person_stale'],
})
