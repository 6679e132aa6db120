/** The people of one company: its members, their roles, invitations and recoveries. */
import { AppError } from '../../domain/errors/app-error.ts'
import type { Role } from '../../domain/people.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type {
  askRecoveryContract,
  changeRolesContract,
  confirmRecoveryContract,
  invitationsContract,
  inviteContract,
  membersContract,
  recoveryLinkContract,
  removeMemberContract,
  withdrawInvitationContract,
} from './contract.ts'
import {
  assertMayGive,
  assertOtherOwner,
  inOrder,
  membersOf,
  setMembership,
} from './directory/memberships.ts'
import type { Member } from './directory/memberships.ts'
import { emailKey } from './directory/people.ts'
import {
  askRecovery as ask,
  confirmRecovery as confirm,
  recoveriesOf,
  recoveryToken,
} from './directory/recovery.ts'
import { hashOf, newSecret } from './directory/sessions.ts'
import { directoryOf } from './directory/store.ts'
import type { DirectoryDb } from './directory/store.ts'
import { siteOf } from './own.ts'
import { peopleOf } from './people-of-office.ts'
import { rolesToGive } from './roles/roles.ts'
import { invitationView, memberView, recoveryView } from './views.ts'

const INVITATION_LIVES_MS = 3 * 24 * 3_600_000
const MOST_OPEN = 50
const LISTED = 100

/** The roles of the caller; the command line and the owner of a desk have all. */
function ownRoles({ actor }: Ctx): readonly Role[] {
  return actor.kind === 'user' && actor.rights ? actor.rights.roles : ['owner']
}

/** Names of members: people are of no company, so that only work for the whole installation reads them. */
const members = (ctx: Ctx): Promise<Member[]> => membersOf(peopleOf(ctx).directory.reader, ctx.book.companyId)

async function memberOf(ctx: Ctx, personId: string): Promise<Member> {
  const found = (await members(ctx)).find((one) => one.personId === personId)
  if (!found) throw new AppError('not_found')
  return found
}

/** Changes the members of the company in its own transaction, with its history, and then tells all servers. */
async function recordTeamChange<T>(
  ctx: Ctx,
  action: string,
  target: { type: string; id: string; label: string },
  work: (db: DirectoryDb, tx: Ctx) => Promise<T>,
): Promise<T> {
  const { directory } = peopleOf(ctx)
  return ctx.transaction(async (tx) => {
    const result = await work(directoryOf(tx.db), tx)
    await recordAudit(tx, { action, target })
    await emitEvent(tx, 'people.changed', target.type === 'person' ? { personId: target.id } : {})
    tx.afterCommit(() => directory.changed())
    return result
  })
}

export const listMembers: UseCase<typeof membersContract> = async (ctx) => {
  const all = await members(ctx)
  const { directory } = peopleOf(ctx)
  const seesRecoveries = ctx.may('people.manage')
  const recoveries = seesRecoveries
    ? await recoveriesOf(
        directory,
        all.map((one) => one.personId),
      )
    : []
  return {
    items: all.map((one) => memberView(one, ctx.actor.id)),
    giveable: [...rolesToGive(ownRoles(ctx))],
    recoveries: recoveries.map((one) => recoveryView(one, ctx.actor.id)),
  }
}

export const listInvitations: UseCase<typeof invitationsContract> = async (ctx) => {
  const rows = await directoryOf(ctx.db)
    .selectFrom('invitations')
    .selectAll()
    .where('company_id', '=', ctx.book.companyId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute()
  return { items: rows.map((row) => invitationView(row, ctx.now().getTime())) }
}

export const invite: UseCase<typeof inviteContract> = async (ctx, input) => {
  assertMayGive(ownRoles(ctx), [], input.roles)
  const people = peopleOf(ctx)
  const email = emailKey(input.email)
  if ((await members(ctx)).some((one) => one.email === email)) throw new AppError('member_already')
  const token = newSecret()
  const id = ctx.newId('ivt')
  const { companyId } = ctx.book
  const row = await recordTeamChange(
    ctx,
    'people.invited',
    { type: 'invitation', id, label: email },
    async (db, tx) => {
      const now = tx.now().getTime()
      const open = await db
        .selectFrom('invitations')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('company_id', '=', companyId)
        .where('state', '=', 'open')
        .where('ends_at', '>', now)
        .executeTakeFirstOrThrow()
      if (open.count >= MOST_OPEN) throw new AppError('invitations_full')
      // One open invitation for each address: an earlier link stops working.
      await db
        .updateTable('invitations')
        .set({ state: 'withdrawn' })
        .where('company_id', '=', companyId)
        .where('email', '=', email)
        .where('state', '=', 'open')
        .execute()
      return db
        .insertInto('invitations')
        .values({
          id,
          company_id: companyId,
          hash: hashOf(token),
          email,
          roles: JSON.stringify(inOrder(input.roles)),
          may_issue: input.mayIssue === true ? 1 : 0,
          invited_by: ctx.actor.id,
          invited_by_name: ctx.actor.name,
          created_at: now,
          ends_at: now + INVITATION_LIVES_MS,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
    },
  )
  return {
    invitation: invitationView(row, row.created_at),
    link: `${siteOf(people).origins[0]}/#invitation=${token}`,
  }
}

export const withdrawInvitation: UseCase<typeof withdrawInvitationContract> = async (ctx, { id }) => {
  const label = async (db: DirectoryDb) =>
    db
      .selectFrom('invitations')
      .select('email')
      .where('company_id', '=', ctx.book.companyId)
      .where('id', '=', id)
      .where('state', '=', 'open')
      .executeTakeFirst()
  const found = await label(directoryOf(ctx.db))
  if (!found) throw new AppError('not_found')
  const row = await recordTeamChange(
    ctx,
    'people.invitation_withdrawn',
    { type: 'invitation', id, label: found.email },
    (db) =>
      db
        .updateTable('invitations')
        .set({ state: 'withdrawn' })
        .where('company_id', '=', ctx.book.companyId)
        .where('id', '=', id)
        .where('state', '=', 'open')
        .returningAll()
        .executeTakeFirst(),
  )
  if (!row) throw new AppError('not_found')
  return invitationView(row, ctx.now().getTime())
}

/** Withdraws what somebody has given who may not give it any more. */
async function withdrawInvitationsBy(db: DirectoryDb, companyId: number, personId: string): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ state: 'withdrawn' })
    .where('company_id', '=', companyId)
    .where('invited_by', '=', personId)
    .where('state', '=', 'open')
    .execute()
}

export const changeRoles: UseCase<typeof changeRolesContract> = async (ctx, input) => {
  const member = await memberOf(ctx, input.personId)
  // Whoever could change the own roles would only need one of them.
  if (member.personId === ctx.actor.id) throw new AppError('own_roles')
  assertMayGive(ownRoles(ctx), member.roles, input.roles)
  const { companyId } = ctx.book
  const { reader } = peopleOf(ctx).directory
  if (!input.roles.includes('owner')) await assertOtherOwner(reader, companyId, member.personId)
  await recordTeamChange(
    ctx,
    'people.roles_changed',
    { type: 'person', id: member.personId, label: `${member.name}: ${inOrder(input.roles).join(', ')}` },
    async (db, tx) => {
      const current = await db
        .selectFrom('memberships')
        .select(['version', 'roles'])
        .where('company_id', '=', companyId)
        .where('person_id', '=', member.personId)
        .executeTakeFirst()
      if (!current) throw new AppError('not_found')
      if (input.expectedVersion !== undefined && input.expectedVersion !== current.version)
        throw new AppError('version_conflict', { details: { version: current.version } })
      await setMembership(db, tx.now().getTime(), {
        companyId,
        personId: member.personId,
        roles: input.roles,
        mayIssue: input.mayIssue === true,
        givenBy: ctx.actor.id,
      })
      await assertOwnerLeft(db, companyId)
      if (!rolesToGive(input.roles).length) await withdrawInvitationsBy(db, companyId, member.personId)
    },
  )
  return memberView(await memberOf(ctx, input.personId), ctx.actor.id)
}

/** Throws `last_owner` if the transaction leaves the company without an owner: two may have left at the same time. */
async function assertOwnerLeft(db: DirectoryDb, companyId: number): Promise<void> {
  const rows = await db
    .selectFrom('memberships')
    .select('roles')
    .where('company_id', '=', companyId)
    .execute()
  if (!rows.some((row) => (JSON.parse(row.roles) as Role[]).includes('owner')))
    throw new AppError('last_owner')
}

export const removeMember: UseCase<typeof removeMemberContract> = async (ctx, { personId }) => {
  const member = await memberOf(ctx, personId)
  const isMe = personId === ctx.actor.id
  if (!isMe) assertMayGive(ownRoles(ctx), member.roles, [])
  const { companyId } = ctx.book
  await assertOtherOwner(peopleOf(ctx).directory.reader, companyId, personId)
  await recordTeamChange(
    ctx,
    'people.removed',
    { type: 'person', id: personId, label: member.name },
    async (db) => {
      await db
        .deleteFrom('memberships')
        .where('company_id', '=', companyId)
        .where('person_id', '=', personId)
        .execute()
      await assertOwnerLeft(db, companyId)
      await withdrawInvitationsBy(db, companyId, personId)
    },
  )
  return { removed: true }
}

export const askRecovery: UseCase<typeof askRecoveryContract> = async (ctx, { personId }) => {
  const member = await memberOf(ctx, personId)
  // Only an owner opens the account of an owner.
  assertMayGive(ownRoles(ctx), member.roles, [])
  const recovery = await ask(peopleOf(ctx).directory, ctx.actor, personId)
  await recordRecovery(ctx, 'people.recovery_asked', member)
  return recoveryView(recovery, ctx.actor.id)
}

async function recordRecovery(ctx: Ctx, action: string, { personId, name }: Member): Promise<void> {
  await recordTeamChange(ctx, action, { type: 'person', id: personId, label: name }, async () => {})
}

/** Returns the member of a recovery under way. Throws `not_found` unless it is one of this company. */
async function memberOfRecovery(ctx: Ctx, id: string): Promise<Member> {
  const all = await members(ctx)
  const recoveries = await recoveriesOf(
    peopleOf(ctx).directory,
    all.map((one) => one.personId),
  )
  const recovery = recoveries.find((one) => one.id === id)
  const member = all.find((one) => one.personId === recovery?.personId)
  if (!member) throw new AppError('not_found')
  return member
}

export const confirmRecovery: UseCase<typeof confirmRecoveryContract> = async (ctx, { id }) => {
  const member = await memberOfRecovery(ctx, id)
  assertMayGive(ownRoles(ctx), member.roles, [])
  const recovery = await confirm(peopleOf(ctx).directory, ctx.actor, id)
  await recordRecovery(ctx, 'people.recovery_confirmed', member)
  return recoveryView(recovery, ctx.actor.id)
}

export const recoveryLink: UseCase<typeof recoveryLinkContract> = async (ctx, { id }) => {
  const member = await memberOfRecovery(ctx, id)
  const people = peopleOf(ctx)
  const token = await recoveryToken(people.directory, ctx.actor, id)
  await recordRecovery(ctx, 'people.recovery_link', member)
  return { link: `${siteOf(people).origins[0]}/#recovery=${token}` }
}
