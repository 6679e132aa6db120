/** What whoever operates an office does with its people, from the command line. */
import { z } from 'zod'
import { createCtx } from '../../context.ts'
import type { Actor, AppEnvironment } from '../../context.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { ROLES } from '../../domain/people.ts'
import type { Role } from '../../domain/people.ts'
import { booksOfCompany } from '../../platform/books/index.ts'
import { recordAction } from './directory/history.ts'
import { inOrder } from './directory/memberships.ts'
import { activeByEmail } from './directory/people.ts'
import type { PersonRow } from './directory/people.ts'
import { endSessions } from './directory/sessions.ts'
import type { DirectoryDb } from './directory/store.ts'
import { inviteContract } from './contract.ts'
import { peopleOf } from './people-of-office.ts'
import type { PeopleOfOffice } from './people-of-office.ts'
import { invite } from './team.ts'
import { faultsOf } from '../../domain/contract/define-contract.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'

/** Invites somebody to a company, and returns the link. Throws `not_found`, or an error of `people.invite`. */
export async function inviteFromOutside(
  env: AppEnvironment,
  actor: Actor,
  { company, email, roles, site }: { company: string; email: string; roles: Role[]; site: string },
): Promise<{ link: string; endsAt: string }> {
  const row = await env.store.reader
    .selectFrom('companies')
    .select('id')
    .where('public_id', '=', company)
    .executeTakeFirst()
  const books = row ? await booksOfCompany(env.store.reader, row.id) : []
  const book = books.find((one) => one.mode === 'live') ?? books[0]
  if (!book) throw new AppError('not_found', { field: 'company' })
  const parsed = inviteContract.input.safeParse({ email, roles }, { reportInput: true })
  if (!parsed.success) throw validationFailed(faultsOf(parsed.error))
  peopleOf({ env }).site = { id: new URL(site).hostname, origins: [site] }
  const ctx = createCtx({ env, book, actor, channel: 'system', requestId: env.newId('req') })
  const { link, invitation } = await invite(ctx, parsed.data)
  return { link, endsAt: invitation.endsAt }
}

/** Lists everybody with companies and roles. */
export async function listPeople({ directory }: PeopleOfOffice): Promise<object[]> {
  const { reader } = directory
  const people = await reader
    .selectFrom('people')
    .select(['id', 'name', 'email', 'administers', 'ended_at'])
    .orderBy('email')
    .execute()
  const memberships = await reader
    .selectFrom('memberships')
    .innerJoin('companies', 'companies.id', 'memberships.company_id')
    .select(['memberships.person_id', 'companies.public_id', 'memberships.roles'])
    .orderBy('companies.public_id')
    .execute()
  return people.map((one) => ({
    id: one.id,
    name: one.name,
    email: one.email,
    administers: one.administers === 1,
    ended: one.ended_at !== null,
    companies: memberships
      .filter((row) => row.person_id === one.id)
      .map((row) => ({ id: row.public_id, roles: JSON.parse(row.roles) as Role[] })),
  }))
}

const Groups = z
  .array(
    z.strictObject({
      group: z.string().min(1).max(200),
      company: z.string().min(1).max(40),
      roles: z.array(z.enum(ROLES)).min(1),
      mayIssue: z.boolean().default(false),
    }),
  )
  .max(5_000)

/**
 * Replaces what groups of the firm's directory give, and returns how many rows there are. It holds from the next sign-in
 * of each person. Throws `validation_failed`, or `not_found` for a company that does not exist.
 */
export async function setGroups({ directory }: PeopleOfOffice, by: Actor, written: unknown): Promise<number> {
  const parsed = Groups.safeParse(written, { reportInput: true })
  if (!parsed.success) throw validationFailed(faultsOf(parsed.error))
  await directory.change(async (db) => {
    const companies = await db.selectFrom('companies').select(['id', 'public_id']).execute()
    const ids = new Map(companies.map((one) => [one.public_id, one.id]))
    await db.deleteFrom('directory_groups').execute()
    for (const [index, { group, company, roles, mayIssue }] of parsed.data.entries()) {
      const company_id = ids.get(company)
      if (company_id === undefined) throw new AppError('not_found', { field: `[${index}].company` })
      await db
        .insertInto('directory_groups')
        .values({
          name: group,
          company_id,
          roles: JSON.stringify(inOrder(roles)),
          may_issue: mayIssue ? 1 : 0,
        })
        .execute()
    }
    await recordAction(db, directory.now(), {
      actor: by,
      action: 'groups_set',
      personId: null,
      details: { rows: parsed.data.length },
    })
  })
  return parsed.data.length
}

async function changePerson(
  { directory }: PeopleOfOffice,
  by: Actor,
  email: string,
  action: string,
  work: (db: DirectoryDb, person: PersonRow, now: number) => Promise<void>,
): Promise<boolean> {
  const isDone = await directory.change(async (db) => {
    const person = await activeByEmail(db, email)
    if (!person) return false
    const now = directory.now()
    await work(db, person, now)
    await recordAction(db, now, { actor: by, action, personId: person.id })
    return true
  })
  directory.changed()
  return isDone
}

/** Lets somebody administer the installation, or ends that; false if there is nobody with this address. */
export const administer = (
  people: PeopleOfOffice,
  by: Actor,
  email: string,
  isOn: boolean,
): Promise<boolean> =>
  changePerson(people, by, email, isOn ? 'administers' : 'administers_no_more', async (db, { id }) => {
    await db
      .updateTable('people')
      .set({ administers: isOn ? 1 : 0 })
      .where('id', '=', id)
      .execute()
  })

/** Ends an account: its sessions, memberships and ways to sign in go, its name stays in the histories. */
export const endPerson = (people: PeopleOfOffice, by: Actor, email: string): Promise<boolean> =>
  changePerson(people, by, email, 'account_ended', async (db, { id }, now) => {
    await endSessions(db, id, { allBut: null })
    for (const table of ['person_passkeys', 'person_codes', 'memberships'] as const)
      await db.deleteFrom(table).where('person_id', '=', id).execute()
    await db
      .updateTable('people')
      .set({
        ended_at: now,
        password_hash: null,
        totp_secret: null,
        directory_subject: null,
        // The address is free for another account.
        email: `${id}@ended.invalid`,
      })
      .where('id', '=', id)
      .execute()
  })
