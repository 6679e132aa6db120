/** How the window sees people, invitations and recoveries. */
import type { z } from 'zod'
import type { Role } from '../../domain/people.ts'
import type { changeRolesContract, inviteContract, askRecoveryContract } from './contract.ts'
import type { Member } from './directory/memberships.ts'
import type { Recovery } from './directory/recovery.ts'

type MemberView = z.output<(typeof changeRolesContract)['output']>
type InvitationView = z.output<(typeof inviteContract)['output']>['invitation']
type RecoveryView = z.output<(typeof askRecoveryContract)['output']>

const iso = (at: number): string => new Date(at).toISOString()

export function recoveryView(recovery: Recovery, callerId: string): RecoveryView {
  const { id, personId, personName, askedByName, confirmedByName, state } = recovery
  return {
    id,
    personId,
    personName,
    askedByName,
    askedByMe: recovery.askedBy === callerId,
    askedAt: iso(recovery.askedAt),
    aloneAt: iso(recovery.aloneAt),
    confirmedByName,
    endsAt: iso(recovery.endsAt),
    state,
  }
}

export function memberView(member: Member, callerId: string): MemberView {
  const { personId, name, email, roles, mayIssue, since, version } = member
  return { id: personId, name, email, roles, mayIssue, since: iso(since), version, me: personId === callerId }
}

interface InvitationRow {
  id: string
  email: string
  roles: string
  may_issue: 0 | 1
  invited_by_name: string
  created_at: number
  ends_at: number
  state: 'open' | 'accepted' | 'withdrawn'
}

export function invitationView(row: InvitationRow, now: number): InvitationView {
  return {
    id: row.id,
    email: row.email,
    roles: JSON.parse(row.roles) as Role[],
    mayIssue: row.may_issue === 1,
    invitedBy: row.invited_by_name,
    createdAt: iso(row.created_at),
    endsAt: iso(row.ends_at),
    state: row.state === 'open' && row.ends_at <= now ? 'ended' : row.state,
  }
}
