/** What somebody does with the own account: sessions, ways to sign in, and the own history. */
import { AppError } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { CAPABILITIES } from '../../domain/people.ts'
import { operationsOf } from './roles/capabilities.ts'
import { normalizeText } from '../../domain/text.ts'
import type {
  acceptInvitationContract,
  addPasskeyContract,
  changeNameContract,
  credentialsContract,
  actionsContract,
  endOtherSessionsContract,
  endSessionContract,
  finishPasskeyContract,
  finishPasswordContract,
  meContract,
  newCodesContract,
  refuseRecoveryContract,
  removePasskeyContract,
  removePasswordContract,
  sessionsContract,
  setPasswordContract,
} from './contract.ts'
import { actionsOf, recordAction } from './directory/history.ts'
import { activePerson, waysInOf } from './directory/people.ts'
import type { PersonRow } from './directory/people.ts'
import { recoveriesOf, refuseRecovery as refuse } from './directory/recovery.ts'
import { endSessions, sessionsOf } from './directory/sessions.ts'
import type { DirectoryDb } from './directory/store.ts'
import { recordJoined } from './joined.ts'
import { peopleOf } from './people-of-office.ts'
import type { PeopleOfOffice } from './people-of-office.ts'
import { checkRegistration, passkeysOf, registrationOptions, storePasskey } from './sign-in/passkeys.ts'
import type { Site } from './sign-in/passkeys.ts'
import { assertPassword, hashPassword } from './sign-in/passwords.ts'
import { acceptInvitation as accept } from './sign-in/register.ts'
import { newTotpSecret, replaceCodes, stepOfCode, totpAddress, totpPlace } from './sign-in/second-factor.ts'
import { attemptSucceeded, beginAttempt } from './sign-in/slow-down.ts'
import { beginStep, readStep, takeStep } from './sign-in/steps.ts'
import { recoveryView } from './views.ts'

const iso = (at: number): string => new Date(at).toISOString()

/** Returns the site. Throws where none is known: then nobody is signed in either. */
export function siteOf({ site }: PeopleOfOffice): Site {
  if (!site) throw new Error('This server does not know its address.')
  return site
}

function signedIn({ actor }: Ctx): { id: string; name: string; sessionId: string } {
  if (actor.kind !== 'user' || !actor.rights) throw new AppError('not_found')
  return { id: actor.id, name: actor.name, sessionId: actor.rights.sessionId }
}

/** Changes the account of whoever is signed in, and records it in the history. */
async function changeOwn<T>(
  ctx: Ctx,
  action: string,
  work: (db: DirectoryDb, person: PersonRow, now: number) => Promise<T>,
): Promise<T> {
  const me = signedIn(ctx)
  const { directory } = peopleOf(ctx)
  const result = await directory.change(async (db) => {
    const now = directory.now()
    const person = await activePerson(db, me.id)
    const done = await work(db, person, now)
    await recordAction(db, now, { actor: person, action, personId: person.id })
    return done
  })
  directory.changed()
  return result
}

/**
 * Records what the caller did where the history of a company cannot: it is closed by then. Of the command line, which is
 * nobody of the office, nothing is recorded.
 */
export async function recordOwnAction(
  ctx: Ctx,
  action: string,
  details: Readonly<Record<string, string>>,
): Promise<void> {
  if (ctx.actor.kind !== 'user' || !ctx.actor.rights) return
  const { id, name } = ctx.actor
  const { directory } = peopleOf(ctx)
  await directory.change((db) =>
    recordAction(db, directory.now(), { actor: { id, name }, action, personId: id, details }),
  )
}

export const me: UseCase<typeof meContract> = async (ctx) => {
  const { id } = signedIn(ctx)
  const people = peopleOf(ctx)
  const { directory } = people
  const person = await activePerson(directory.reader, id)
  const rights = ctx.actor.kind === 'user' ? ctx.actor.rights : undefined
  return {
    id,
    name: person.name,
    email: person.email,
    administers: person.administers === 1,
    roles: [...(rights?.roles ?? [])],
    capabilities: CAPABILITIES.filter((one) => rights?.capabilities.has(one)),
    operations: operationsOf(rights?.capabilities ?? new Set()),
    recoveries: (await recoveriesOf(directory, [id])).map((one) => recoveryView(one, id)),
  }
}

export const changeName: UseCase<typeof changeNameContract> = (ctx, input) => {
  const name = normalizeText(input.name)
  return changeOwn(ctx, 'name_changed', async (db, person) => {
    await db.updateTable('people').set({ name }).where('id', '=', person.id).execute()
    return { name }
  })
}

export const listSessions: UseCase<typeof sessionsContract> = async (ctx) => {
  const { id, sessionId } = signedIn(ctx)
  const rows = await sessionsOf(peopleOf(ctx).directory, id)
  return {
    items: rows.map((row) => ({
      id: row.id,
      method: row.method,
      address: row.address,
      agent: row.agent,
      createdAt: iso(row.createdAt),
      lastUsedAt: iso(row.lastUsedAt),
      endsAt: iso(row.endsAt),
      current: row.id === sessionId,
    })),
  }
}

export const endSession: UseCase<typeof endSessionContract> = (ctx, input) =>
  changeOwn(ctx, 'session_ended', async (db, { id }) => ({
    ended: await endSessions(db, id, { only: input.id }),
  }))

export const endOtherSessions: UseCase<typeof endOtherSessionsContract> = (ctx) => {
  const { sessionId } = signedIn(ctx)
  return changeOwn(ctx, 'sessions_ended', async (db, { id }) => ({
    ended: await endSessions(db, id, { allBut: sessionId }),
  }))
}

export const credentials: UseCase<typeof credentialsContract> = async (ctx) => {
  const { id } = signedIn(ctx)
  const { reader } = peopleOf(ctx).directory
  const [person, passkeys, ways] = await Promise.all([
    activePerson(reader, id),
    passkeysOf(reader, id),
    waysInOf(reader, id),
  ])
  return {
    email: person.email,
    passkeys: passkeys.map((one) => ({
      id: one.id,
      name: one.name,
      createdAt: iso(one.createdAt),
      lastUsedAt: one.lastUsedAt === null ? null : iso(one.lastUsedAt),
      backedUp: one.backedUp,
    })),
    password: ways.password,
    codesLeft: ways.codesLeft,
    directory: ways.directory,
  }
}

export const addPasskey: UseCase<typeof addPasskeyContract> = async (ctx, { name }) => {
  const { id, sessionId } = signedIn(ctx)
  const people = peopleOf(ctx)
  const { directory } = people
  const person = await activePerson(directory.reader, id)
  const options = await registrationOptions(directory, siteOf(people), person)
  const state = { challenge: options.challenge, name: normalizeText(name) }
  const step = await beginStep(directory, 'add-passkey', state, { personId: id, sessionId })
  return { step, options: { ...options } }
}

export const finishPasskey: UseCase<typeof finishPasskeyContract> = async (ctx, { step, response }) => {
  const { sessionId } = signedIn(ctx)
  const people = peopleOf(ctx)
  const begun = await readStep(people.directory, 'add-passkey', step)
  if (begun.sessionId !== sessionId) throw new AppError('sign_in_step_over')
  const passkey = await checkRegistration(siteOf(people), begun.state.challenge, response)
  return changeOwn(ctx, 'passkey_added', async (db, person, now) => {
    await takeStep(db, now, 'add-passkey', step)
    await storePasskey(db, now, person.id, begun.state.name, passkey)
    return { passkeys: (await waysInOf(db, person.id)).passkeys }
  })
}

/** Throws `last_way_in` if nothing is left to sign in with. */
async function assertWayIn(db: DirectoryDb, personId: string): Promise<number> {
  const ways = await waysInOf(db, personId)
  if (ways.passkeys === 0 && !ways.password && !ways.directory) throw new AppError('last_way_in')
  return ways.passkeys
}

export const removePasskey: UseCase<typeof removePasskeyContract> = (ctx, input) =>
  changeOwn(ctx, 'passkey_removed', async (db, { id }) => {
    const done = await db
      .deleteFrom('person_passkeys')
      .where('person_id', '=', id)
      .where('id', '=', input.id)
      .executeTakeFirst()
    if (Number(done.numDeletedRows) === 0) throw new AppError('not_found')
    return { passkeys: await assertWayIn(db, id) }
  })

export const setPassword: UseCase<typeof setPasswordContract> = async (ctx, { password }) => {
  const { id, sessionId } = signedIn(ctx)
  const { directory } = peopleOf(ctx)
  const person = await activePerson(directory.reader, id)
  assertPassword(password, [person.name, person.email])
  const secret = newTotpSecret()
  const step = await beginStep(
    directory,
    'set-password',
    {
      passwordHash: await hashPassword(password),
      sealedSecret: directory.sealer.seal(secret, totpPlace(id)),
    },
    { personId: id, sessionId },
  )
  return { step, secret, address: totpAddress(secret, person.email) }
}

export const finishPassword: UseCase<typeof finishPasswordContract> = async (ctx, { step, code }) => {
  const { id, sessionId } = signedIn(ctx)
  const { directory } = peopleOf(ctx)
  const begun = await readStep(directory, 'set-password', step)
  if (begun.sessionId !== sessionId) throw new AppError('sign_in_step_over')
  const { email } = await activePerson(directory.reader, id)
  const counted = [{ kind: 'account', name: email }] as const
  await beginAttempt(directory, counted)
  const { passwordHash, sealedSecret } = begun.state
  const secret = directory.sealer.open(sealedSecret, totpPlace(id)).toString()
  const totpStep = stepOfCode(secret, code, directory.now(), null)
  if (totpStep === null) throw new AppError('code_wrong')
  const result = await changeOwn(ctx, 'password_set', async (db, person, now) => {
    await takeStep(db, now, 'set-password', step)
    await db
      .updateTable('people')
      .set({ password_hash: passwordHash, totp_secret: sealedSecret, totp_step: totpStep })
      .where('id', '=', person.id)
      .execute()
    // Whoever had the earlier password is out.
    await endSessions(db, person.id, { allBut: sessionId })
    return { codes: await replaceCodes(db, person.id) }
  })
  await attemptSucceeded(directory, counted)
  return result
}

export const removePassword: UseCase<typeof removePasswordContract> = (ctx) =>
  changeOwn(ctx, 'password_removed', async (db, { id }) => {
    await db
      .updateTable('people')
      .set({ password_hash: null, totp_secret: null, totp_step: null })
      .where('id', '=', id)
      .execute()
    await db.deleteFrom('person_codes').where('person_id', '=', id).execute()
    return { passkeys: await assertWayIn(db, id) }
  })

export const newCodes: UseCase<typeof newCodesContract> = (ctx) =>
  changeOwn(ctx, 'codes_made', async (db, person) => {
    if (person.totp_secret === null) throw new AppError('password_missing')
    return { codes: await replaceCodes(db, person.id) }
  })

export const acceptInvitation: UseCase<typeof acceptInvitationContract> = async (ctx, { token }) => {
  const { id } = signedIn(ctx)
  const { directory } = peopleOf(ctx)
  const person = await activePerson(directory.reader, id)
  const { companyId } = await accept(directory, person, token)
  const company = await recordJoined(ctx.env, companyId, person)
  return { companyId: company.id, companyName: company.name }
}

export const actions: UseCase<typeof actionsContract> = async (ctx, { limit }) => {
  const { id } = signedIn(ctx)
  const entries = await actionsOf(peopleOf(ctx).directory, id, limit ?? 50)
  return {
    items: entries.map(({ at, actor, action, details }) => ({
      at: iso(at),
      actor: actor.name,
      action,
      details,
    })),
  }
}

export const refuseOwnRecovery: UseCase<typeof refuseRecoveryContract> = async (ctx, { id }) => {
  const person = signedIn(ctx)
  const { directory } = peopleOf(ctx)
  const own = await recoveriesOf(directory, [person.id])
  if (!own.some((one) => one.id === id)) throw new AppError('not_found')
  await refuse(directory, person, id)
  return { refused: true }
}
