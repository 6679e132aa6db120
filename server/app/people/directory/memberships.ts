/** Who may open a company, and with which roles. */
import { ROLES } from '../../../domain/people.ts'
import type { Role } from '../../../domain/people.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { rolesToGive } from '../roles/roles.ts'
import type { DirectoryDb } from './store.ts'

export interface Member {
  personId: string
  name: string
  email: string
  roles: Role[]
  mayIssue: boolean
  since: number
  version: number
}

/** Reads a stored list of roles. */
export const rolesIn = (text: string): Role[] => JSON.parse(text) as Role[]

/** Returns the members of a company by name. */
export async function membersOf(db: DirectoryDb, companyId: number): Promise<Member[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select([
      'people.id',
      'people.name',
      'people.email',
      'memberships.roles',
      'memberships.may_issue',
      'memberships.since',
      'memberships.version',
    ])
    .where('memberships.company_id', '=', companyId)
    .where('people.ended_at', 'is', null)
    .orderBy('people.name')
    .orderBy('people.id')
    .execute()
  return rows.map((row) => ({
    personId: row.id,
    name: row.name,
    email: row.email,
    roles: rolesIn(row.roles),
    mayIssue: row.may_issue === 1,
    since: row.since,
    version: row.version,
  }))
}

/** Puts roles into the order of the list, each once. */
export const inOrder = (roles: readonly Role[]): Role[] => ROLES.filter((role) => roles.includes(role))

/**
 * Throws `role_not_given` unless somebody with the roles `own` may replace the roles `before` of another person by
 * `after`: only owners touch owners, and nobody gives what he may not.
 */
export function assertMayGive(own: readonly Role[], before: readonly Role[], after: readonly Role[]): void {
  const may = rolesToGive(own)
  const beyond = [...before, ...after].find((role) => !may.includes(role))
  if (beyond !== undefined) throw new AppError('role_not_given', { details: { role: beyond } })
}

/** Throws `last_owner` if the company would have no owner without this person being one. */
export async function assertOtherOwner(db: DirectoryDb, companyId: number, personId: string): Promise<void> {
  const others = await membersOf(db, companyId)
  if (!others.some((one) => one.personId !== personId && one.roles.includes('owner')))
    throw new AppError('last_owner')
}

/** Sets the roles of somebody in a company; the first ones make a member. */
export async function setMembership(
  db: DirectoryDb,
  now: number,
  given: { companyId: number; personId: string; roles: readonly Role[]; mayIssue: boolean; givenBy: string },
): Promise<void> {
  const roles = JSON.stringify(inOrder(given.roles))
  const may_issue = given.mayIssue ? 1 : 0
  await db
    .insertInto('memberships')
    .values({
      company_id: given.companyId,
      person_id: given.personId,
      roles,
      may_issue,
      since: now,
      given_by: given.givenBy,
    })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'person_id']).doUpdateSet((eb) => ({
        roles,
        may_issue,
        given_by: given.givenBy,
        version: eb('memberships.version', '+', 1),
      })),
    )
    .execute()
}
