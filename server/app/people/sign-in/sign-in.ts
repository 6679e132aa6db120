/**
 * Signing in: with a passkey, or with a password and a second factor. Every refusal says the same, and takes about the
 * same time, so that none tells which account exists or what was wrong.
 */
import { AppError } from '../../../domain/errors/app-error.ts'
import { recordAction } from '../directory/history.ts'
import { activeByEmail, activePerson, emailKey, waysInOf } from '../directory/people.ts'
import { hashOf, openSession, SESSION_LIVES_MS } from '../directory/sessions.ts'
import type { Origin, PersonSession, SignInMethod } from '../directory/sessions.ts'
import type { Directory, DirectoryDb } from '../directory/store.ts'
import { authenticationOptions, checkAuthentication } from './passkeys.ts'
import type { Site } from './passkeys.ts'
import { isPassword } from './passwords.ts'
import { spendSecondFactor } from './second-factor.ts'
import { attemptSucceeded, beginAttempt } from './slow-down.ts'
import { beginStep, readStep, takeStep } from './steps.ts'

/** What a sign-in gives: the value of the cookie. */
export interface SignedIn {
  cookie: string
  endsAt: number
  /** Single-use codes, shown once, where some were just made. */
  codes?: string[]
}

/** Beginnings of one address in a minute: each writes a row. */
const MOST_BEGINNINGS = 60
const MINUTE_MS = 60_000

/** Throws `rate_limited` if an address begins too much. */
export async function countBeginning({ env }: Directory, { address }: Origin): Promise<void> {
  const name = `sign-in of ${address}`
  const counts = await env.servers?.count([{ name, used: 1 }], MINUTE_MS)
  const count = counts?.find((one) => one.name === name)
  if (count && count.used > MOST_BEGINNINGS)
    throw new AppError('rate_limited', {
      retryAfterSeconds: Math.max(1, Math.ceil((MINUTE_MS - count.ageMs) / 1000)),
    })
}

/** Records a refusal, which the person sees in the own history. */
async function recordRefusal(
  { change, now }: Directory,
  personId: string | null,
  method: SignInMethod,
  { address }: Origin,
): Promise<void> {
  // Without a person nobody would read it, and whoever guesses could fill the history.
  if (personId === null) return
  await change((db) =>
    recordAction(db, now(), {
      actor: { id: 'unknown', name: 'unknown' },
      action: 'sign_in_refused',
      personId,
      details: { method, address },
    }),
  )
}

async function openFor(
  directory: Directory,
  db: DirectoryDb,
  personId: string,
  method: SignInMethod,
  origin: Origin,
): Promise<SignedIn> {
  const person = await activePerson(db, personId).catch(() => {
    throw new AppError('sign_in_refused')
  })
  const opened = await openSession(
    db,
    { now: directory.now(), newId: directory.newId },
    person,
    method,
    origin,
  )
  return { cookie: opened.cookie, endsAt: opened.endsAt }
}

/** Begins a sign-in by passkey: any passkey of this address. */
export async function beginPasskey(
  directory: Directory,
  site: Site,
  origin: Origin,
): Promise<{ step: string; options: unknown }> {
  await countBeginning(directory, origin)
  const options = await authenticationOptions(directory, site, null)
  return { step: await beginStep(directory, 'passkey', { challenge: options.challenge }), options }
}

/** Signs in by passkey. Throws `sign_in_step_over` or `sign_in_refused`. */
export async function finishPasskey(
  directory: Directory,
  site: Site,
  given: { step: string; response: unknown },
  origin: Origin,
): Promise<SignedIn> {
  const counted = [{ kind: 'address', name: origin.address }] as const
  await beginAttempt(directory, counted)
  const { challenge } = await directory.change(
    async (db) => (await takeStep(db, directory.now(), 'passkey', given.step)).state,
  )
  const signedIn = await directory.change(async (db) => {
    const personId = await checkAuthentication(db, directory.now(), site, challenge, given.response)
    return openFor(directory, db, personId, 'passkey', origin)
  })
  await attemptSucceeded(directory, counted)
  return signedIn
}

/**
 * Checks a password and begins the second step, which is all that a right one gives. Throws `sign_in_refused` for
 * anything else, and `rate_limited` after several.
 */
export async function beginPassword(
  directory: Directory,
  given: { email: string; password: string },
  origin: Origin,
): Promise<{ step: string }> {
  const counted = [
    { kind: 'account', name: emailKey(given.email) },
    { kind: 'address', name: origin.address },
  ] as const
  await beginAttempt(directory, counted)
  const person = await activeByEmail(directory.reader, given.email)
  const isRight = await isPassword(given.password, person?.password_hash ?? null)
  if (!person || !isRight || person.totp_secret === null) {
    await recordRefusal(directory, person?.id ?? null, 'password', origin)
    throw new AppError('sign_in_refused')
  }
  return { step: await beginStep(directory, 'second', { tries: 0 }, { personId: person.id }) }
}

/** Signs in with the second factor: a code by time, or a single-use one. Throws as `beginPassword`. */
export async function finishPassword(
  directory: Directory,
  given: { step: string; code: string },
  origin: Origin,
): Promise<SignedIn> {
  const { personId } = await readStep(directory, 'second', given.step)
  if (personId === null) throw new AppError('sign_in_step_over')
  const person = await activePerson(directory.reader, personId).catch(() => {
    throw new AppError('sign_in_refused')
  })
  const counted = [
    { kind: 'account', name: person.email },
    { kind: 'address', name: origin.address },
  ] as const
  await beginAttempt(directory, counted)
  const signedIn = await directory.change(async (db) => {
    const current = await activePerson(db, personId)
    if (!(await spendSecondFactor(directory, db, current, given.code))) return null
    await takeStep(db, directory.now(), 'second', given.step)
    return openFor(directory, db, personId, 'password', origin)
  })
  if (!signedIn) {
    await recordRefusal(directory, personId, 'password', origin)
    throw new AppError('sign_in_refused')
  }
  await attemptSucceeded(directory, counted)
  return signedIn
}

/** Ways in which somebody who is signed in can prove to be there. */
interface VerificationWays {
  passkey: boolean
  password: boolean
}

/** Begins the proof for one operation. Throws `verification_impossible` for a person without a passkey and a password. */
export async function beginVerification(
  directory: Directory,
  site: Site,
  session: PersonSession,
  operation: string,
): Promise<{ step: string; options: unknown; ways: VerificationWays }> {
  const person = await activePerson(directory.reader, session.personId)
  const options = await authenticationOptions(directory, site, session.personId)
  const ways = {
    passkey: (options.allowCredentials?.length ?? 0) > 0,
    password: person.password_hash !== null && person.totp_secret !== null,
  }
  if (!ways.passkey && !ways.password) throw new AppError('verification_impossible')
  const step = await beginStep(
    directory,
    'verify',
    { challenge: options.challenge, operation },
    { personId: session.personId, sessionId: session.id },
  )
  return { step, options: ways.passkey ? options : null, ways }
}

/** The proof that somebody is there. */
type Proof = { response: unknown } | { password: string; code: string }

/**
 * Takes the proof and returns what one call of the operation hands in. Throws `sign_in_refused`, `sign_in_step_over`, or
 * `rate_limited`.
 */
export async function finishVerification(
  directory: Directory,
  site: Site,
  session: PersonSession,
  given: { step: string } & Proof,
): Promise<{ verification: string }> {
  const { state, sessionId } = await readStep(directory, 'verify', given.step)
  if (sessionId !== session.id) throw new AppError('sign_in_step_over')
  const counted = [{ kind: 'account', name: session.email }] as const
  await beginAttempt(directory, counted)
  const isPasswordRight =
    'password' in given &&
    (await isPassword(given.password, (await activePerson(directory.reader, session.personId)).password_hash))
  const isProved = await directory.change(async (db) => {
    await takeStep(db, directory.now(), 'verify', given.step)
    if ('response' in given) {
      const personId = await checkAuthentication(
        db,
        directory.now(),
        site,
        state.challenge,
        given.response,
      ).catch((error: unknown) => {
        if (error instanceof AppError) return null
        throw error
      })
      return personId === session.personId
    }
    const person = await activePerson(db, session.personId)
    return isPasswordRight && (await spendSecondFactor(directory, db, person, given.code))
  })
  if (!isProved) throw new AppError('sign_in_refused')
  await attemptSucceeded(directory, counted)
  return {
    verification: await beginStep(
      directory,
      'verified',
      { operation: state.operation },
      { personId: session.personId, sessionId: session.id },
    ),
  }
}

/** Give somebody a way to prove to be there. */
const FIRST_WAYS: ReadonlySet<string> = new Set(['people.addPasskey', 'people.setPassword'])
/** The firm's directory has just asked who it is. */
const JUST_SIGNED_IN_MS = 10 * 60_000

/**
 * Returns whether the operation gives a first way to prove to be there to somebody who has just signed in with the firm's
 * directory: without this exception such a person could never get one.
 */
async function isFirstWay(
  { reader, now }: Directory,
  session: PersonSession,
  operation: string,
): Promise<boolean> {
  if (!FIRST_WAYS.has(operation) || session.method !== 'directory') return false
  if (now() - (session.endsAt - SESSION_LIVES_MS) > JUST_SIGNED_IN_MS) return false
  const ways = await waysInOf(reader, session.personId)
  return ways.passkeys === 0 && !ways.password
}

/** Uses up the proof for a call. Throws `verification_needed` unless it is for this operation and this session. */
export async function spendVerification(
  directory: Directory,
  session: PersonSession,
  operation: string,
  verification: string | undefined,
): Promise<void> {
  const needed = (): AppError => new AppError('verification_needed', { details: { operation } })
  if (verification === undefined && (await isFirstWay(directory, session, operation))) return
  if (verification === undefined) throw needed()
  await directory.change(async (db) => {
    const step = await takeStep(db, directory.now(), 'verified', verification).catch(() => {
      throw needed()
    })
    if (step.sessionId !== session.id || step.state.operation !== operation) throw needed()
  })
}

/** Ends the session of a cookie, if there is one. */
export async function signOut(directory: Directory, cookie: string): Promise<void> {
  const ended = await directory.change(async (db) => {
    const row = await db
      .deleteFrom('person_sessions')
      .where('hash', '=', hashOf(cookie))
      .returning(['id', 'person_id'])
      .executeTakeFirst()
    if (!row) return false
    const person = await db
      .selectFrom('people')
      .select(['id', 'name'])
      .where('id', '=', row.person_id)
      .executeTakeFirstOrThrow()
    await recordAction(db, directory.now(), {
      actor: person,
      action: 'signed_out',
      personId: person.id,
      details: { session: row.id },
    })
    return true
  })
  if (ended) directory.changed()
}
