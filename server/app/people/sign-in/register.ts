/**
 * The first way in: with an invitation, or with a recovery. Nothing of the office is shown before it: a wrong link, a
 * used one, an old one and one for another address are refused alike.
 */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Role } from '../../../domain/people.ts'
import { recordAction } from '../directory/history.ts'
import { setMembership } from '../directory/memberships.ts'
import { activeByEmail, emailKey } from '../directory/people.ts'
import { endSessions, hashOf, openSession } from '../directory/sessions.ts'
import type { Origin } from '../directory/sessions.ts'
import type { Directory, DirectoryDb } from '../directory/store.ts'
import { rolesToGive } from '../roles/roles.ts'
import { checkRegistration, registrationOptions, storePasskey } from './passkeys.ts'
import type { Site } from './passkeys.ts'
import { assertPassword, hashPassword } from './passwords.ts'
import { newTotpSecret, replaceCodes, stepOfCode, totpAddress, totpPlace } from './second-factor.ts'
import type { SignedIn } from './sign-in.ts'
import { attemptSucceeded, beginAttempt } from './slow-down.ts'
import { beginStep, readStep, takeStep } from './steps.ts'
import type { StepStates } from './steps.ts'

type Grant = StepStates['register']['grant']

const invalid = (): AppError => new AppError('invitation_invalid')

/** Returns an open invitation; undefined if there is none for this address. */
async function openInvitation(db: DirectoryDb, now: number, token: string, email: string) {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('hash', '=', hashOf(token))
    .where('email', '=', emailKey(email))
    .where('state', '=', 'open')
    .where('ends_at', '>', now)
    .executeTakeFirst()
}

async function openRecovery(db: DirectoryDb, now: number, token: string, email: string) {
  return db
    .selectFrom('person_recoveries')
    .innerJoin('people', 'people.id', 'person_recoveries.person_id')
    .select(['person_recoveries.id', 'people.id as person_id', 'people.name', 'people.email'])
    .where('person_recoveries.hash', '=', hashOf(token))
    .where('people.email', '=', emailKey(email))
    .where('people.ended_at', 'is', null)
    .where('person_recoveries.state', '=', 'ready')
    .where('person_recoveries.ends_at', '>', now)
    .executeTakeFirst()
}

/**
 * Begins to register with a link. Throws `invitation_invalid`, or `sign_in_first` if the address has an account already:
 * whoever has it accepts the invitation when signed in.
 */
export async function beginRegistration(
  directory: Directory,
  site: Site,
  given: { token: string; email: string; name: string },
  origin: Origin,
): Promise<{ step: string; options: unknown; name: string }> {
  const counted = [{ kind: 'address', name: origin.address }] as const
  await beginAttempt(directory, counted)
  const { reader } = directory
  const now = directory.now()
  const email = emailKey(given.email)
  const invitation = await openInvitation(reader, now, given.token, email)
  const recovery = invitation ? undefined : await openRecovery(reader, now, given.token, email)
  if (!invitation && !recovery) throw invalid()
  if (invitation && (await activeByEmail(reader, email))) throw new AppError('sign_in_first')
  await attemptSucceeded(directory, counted)
  const person = recovery
    ? { id: recovery.person_id, name: recovery.name, email }
    : { id: directory.newId('per'), name: given.name.trim().normalize('NFC'), email }
  const options = await registrationOptions(directory, site, person)
  const grant: Grant = invitation ? { invitation: invitation.id } : { recovery: recovery!.id }
  const step = await beginStep(directory, 'register', {
    grant,
    personId: person.id,
    name: person.name,
    challenge: options.challenge,
  })
  return { step, options, name: person.name }
}

/** Uses up the invitation or the recovery within a change, and returns who has come in. Throws `invitation_invalid`. */
async function admit(
  directory: Directory,
  db: DirectoryDb,
  { grant, personId, name }: { grant: Grant; personId: string; name: string },
): Promise<{ person: { id: string; name: string; email: string }; method: 'invitation' | 'recovery' }> {
  const now = directory.now()
  if ('recovery' in grant) {
    const used = await db
      .updateTable('person_recoveries')
      .set({ state: 'used' })
      .where('id', '=', grant.recovery)
      .where('state', '=', 'ready')
      .where('ends_at', '>', now)
      .returning('asked_by')
      .executeTakeFirst()
    if (!used) throw invalid()
    await leaveOtherCompanies(db, personId, used.asked_by)
    // What was lost may be in other hands.
    await db.deleteFrom('person_passkeys').where('person_id', '=', personId).execute()
    await db.deleteFrom('person_codes').where('person_id', '=', personId).execute()
    await db
      .updateTable('people')
      .set({ password_hash: null, totp_secret: null, totp_step: null })
      .where('id', '=', personId)
      .execute()
    await endSessions(db, personId, { allBut: null })
    const person = await db
      .selectFrom('people')
      .select(['id', 'name', 'email'])
      .where('id', '=', personId)
      .executeTakeFirstOrThrow()
    return { person, method: 'recovery' }
  }
  const invitation = await db
    .updateTable('invitations')
    .set({ state: 'accepted' })
    .where('id', '=', grant.invitation)
    .where('state', '=', 'open')
    .where('ends_at', '>', now)
    .returningAll()
    .executeTakeFirst()
  if (!invitation || (await activeByEmail(db, invitation.email))) throw invalid()
  await db
    .insertInto('people')
    .values({ id: personId, name, email: invitation.email, created_at: now })
    .execute()
  await setMembership(db, now, {
    companyId: invitation.company_id,
    personId,
    roles: JSON.parse(invitation.roles) as Role[],
    mayIssue: invitation.may_issue === 1,
    givenBy: invitation.invited_by,
  })
  return { person: { id: personId, name, email: invitation.email }, method: 'invitation' }
}

/**
 * Ends the memberships of companies whose people the one who asked for the recovery does not manage: administrators of
 * one company must not come into another one with the account of a member of both.
 */
async function leaveOtherCompanies(db: DirectoryDb, personId: string, askedBy: string): Promise<void> {
  const managed = await db.selectFrom('memberships').selectAll().where('person_id', '=', askedBy).execute()
  const own = await db
    .selectFrom('memberships')
    .select('company_id')
    .where('person_id', '=', personId)
    .execute()
  for (const { company_id } of own) {
    const there = managed.find((row) => row.company_id === company_id)
    if (there && rolesToGive(JSON.parse(there.roles) as Role[]).length > 0) continue
    await db
      .deleteFrom('memberships')
      .where('person_id', '=', personId)
      .where('company_id', '=', company_id)
      .execute()
  }
}

/** Opens the first session within the change that admitted the person. */
async function finish(
  directory: Directory,
  db: DirectoryDb,
  { person, method }: Awaited<ReturnType<typeof admit>>,
  origin: Origin,
): Promise<SignedIn> {
  const now = directory.now()
  await recordAction(db, now, {
    actor: person,
    action: method === 'recovery' ? 'recovered' : 'registered',
    personId: person.id,
    details: { address: origin.address },
  })
  const { cookie, endsAt } = await openSession(db, { now, newId: directory.newId }, person, method, origin)
  return { cookie, endsAt }
}

/** Registers with a passkey and signs in. Throws `sign_in_step_over`, `sign_in_refused` or `invitation_invalid`. */
export async function registerPasskey(
  directory: Directory,
  site: Site,
  given: { step: string; response: unknown; device: string },
  origin: Origin,
): Promise<SignedIn> {
  const { state } = await readStep(directory, 'register', given.step)
  const passkey = await checkRegistration(site, state.challenge, given.response)
  const signedIn = await directory.change(async (db) => {
    await takeStep(db, directory.now(), 'register', given.step)
    const admitted = await admit(directory, db, state)
    await storePasskey(db, directory.now(), admitted.person.id, given.device, passkey)
    return finish(directory, db, admitted, origin)
  })
  directory.changed()
  return signedIn
}

/** What an authenticator app reads, as text and as an address for a QR code. */
interface NewSecondFactor {
  step: string
  secret: string
  address: string
}

/** Takes a password and begins its second factor. Throws `validation_failed` for a weak one, or `sign_in_step_over`. */
export async function registerPassword(
  directory: Directory,
  given: { step: string; email: string; password: string },
): Promise<NewSecondFactor> {
  const { state } = await readStep(directory, 'register', given.step)
  const email = emailKey(given.email)
  assertPassword(given.password, [state.name, email])
  const passwordHash = await hashPassword(given.password)
  const secret = newTotpSecret()
  await directory.change((db) => takeStep(db, directory.now(), 'register', given.step))
  const step = await beginStep(directory, 'register-password', {
    grant: state.grant,
    personId: state.personId,
    name: state.name,
    passwordHash,
    sealedSecret: directory.sealer.seal(secret, totpPlace(state.personId)),
  })
  return { step, secret, address: totpAddress(secret, email) }
}

/** Confirms the second factor with its first code, registers and signs in; returns the single-use codes. */
export async function confirmPassword(
  directory: Directory,
  given: { step: string; code: string },
  origin: Origin,
): Promise<SignedIn> {
  const { state } = await readStep(directory, 'register-password', given.step)
  const secret = directory.sealer.open(state.sealedSecret, totpPlace(state.personId)).toString()
  const counted = [{ kind: 'address', name: origin.address }] as const
  await beginAttempt(directory, counted)
  const totpStep = stepOfCode(secret, given.code, directory.now(), null)
  if (totpStep === null) throw new AppError('code_wrong')
  const signedIn = await directory.change(async (db) => {
    await takeStep(db, directory.now(), 'register-password', given.step)
    const admitted = await admit(directory, db, state)
    await db
      .updateTable('people')
      .set({ password_hash: state.passwordHash, totp_secret: state.sealedSecret, totp_step: totpStep })
      .where('id', '=', admitted.person.id)
      .execute()
    const codes = await replaceCodes(db, admitted.person.id)
    return { ...(await finish(directory, db, admitted, origin)), codes }
  })
  await attemptSucceeded(directory, counted)
  directory.changed()
  return signedIn
}

/** Accepts an invitation as somebody who is signed in. Throws `invitation_invalid`, also for one to another address. */
export async function acceptInvitation(
  directory: Directory,
  person: { id: string; name: string; email: string },
  token: string,
): Promise<{ companyId: number }> {
  const counted = [{ kind: 'account', name: person.email }] as const
  await beginAttempt(directory, counted)
  const companyId = await directory.change(async (db) => {
    const now = directory.now()
    const found = await openInvitation(db, now, token, person.email)
    if (!found) throw invalid()
    await db.updateTable('invitations').set({ state: 'accepted' }).where('id', '=', found.id).execute()
    const before = await db
      .selectFrom('memberships')
      .select(['roles', 'may_issue'])
      .where('company_id', '=', found.company_id)
      .where('person_id', '=', person.id)
      .executeTakeFirst()
    const roles = new Set<Role>([
      ...(JSON.parse(before?.roles ?? '[]') as Role[]),
      ...(JSON.parse(found.roles) as Role[]),
    ])
    await setMembership(db, now, {
      companyId: found.company_id,
      personId: person.id,
      roles: [...roles],
      mayIssue: before?.may_issue === 1 || found.may_issue === 1,
      givenBy: found.invited_by,
    })
    return found.company_id
  })
  await attemptSucceeded(directory, counted)
  directory.changed()
  return { companyId }
}
