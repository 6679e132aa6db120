/** Steps between two requests of a sign-in, a registration or a verification: each is used once and soon ends. */
import { AppError } from '../../../domain/errors/app-error.ts'
import { hashOf, newSecret } from '../directory/sessions.ts'
import type { Directory, DirectoryDb } from '../directory/store.ts'

const LIVES_MS = 5 * 60_000

/** What a step is for, with what it remembers. */
export interface StepStates {
  /** Sign-in by passkey. */
  passkey: { challenge: string }
  /** The password was right: the second factor is missing. */
  second: { tries: number }
  /** A passkey that is added by somebody who is signed in. */
  'add-passkey': { challenge: string; name: string }
  /** A password and a second factor that are set by somebody who is signed in. */
  'set-password': { passwordHash: string; sealedSecret: string }
  /** The address was opened with an invitation or a recovery, and its owner has begun to register. */
  register: {
    grant: { invitation: string } | { recovery: string }
    personId: string
    name: string
    challenge: string
  }
  'register-password': {
    grant: { invitation: string } | { recovery: string }
    personId: string
    name: string
    passwordHash: string
    sealedSecret: string
  }
  /** The firm's directory was asked. */
  directory: { verifier: string; nonce: string; state: string }
  /** Whoever is signed in proves to be there, for one operation. */
  verify: { challenge: string; operation: string }
  /** The proof was given: for one call of the operation. */
  verified: { operation: string }
}

interface StepOf {
  personId?: string | null
  sessionId?: string | null
}

interface Step<Kind extends keyof StepStates> {
  personId: string | null
  sessionId: string | null
  state: StepStates[Kind]
}

/** Begins a step and returns its secret, which the page hands back. */
export async function beginStep<Kind extends keyof StepStates>(
  { change, now }: Directory,
  kind: Kind,
  state: StepStates[Kind],
  { personId = null, sessionId = null }: StepOf = {},
): Promise<string> {
  const secret = newSecret()
  await change(async (db) => {
    const at = now()
    await db.deleteFrom('sign_in_steps').where('ends_at', '<=', at).execute()
    await db
      .insertInto('sign_in_steps')
      .values({
        hash: hashOf(secret),
        kind,
        person_id: personId,
        session_id: sessionId,
        state: JSON.stringify(state),
        ends_at: at + LIVES_MS,
      })
      .execute()
  })
  return secret
}

/** Uses up a step within a change of the directory. Throws `sign_in_step_over` if it was used, has ended, or never was. */
export async function takeStep<Kind extends keyof StepStates>(
  db: DirectoryDb,
  now: number,
  kind: Kind,
  secret: string,
): Promise<Step<Kind>> {
  const row = await db
    .deleteFrom('sign_in_steps')
    .where('hash', '=', hashOf(secret))
    .where('kind', '=', kind)
    .returningAll()
    .executeTakeFirst()
  if (!row || row.ends_at <= now) throw new AppError('sign_in_step_over')
  return {
    personId: row.person_id,
    sessionId: row.session_id,
    state: JSON.parse(row.state) as StepStates[Kind],
  }
}

/** Returns a step without using it up. Throws `sign_in_step_over`. */
export async function readStep<Kind extends keyof StepStates>(
  { reader, now }: Directory,
  kind: Kind,
  secret: string,
): Promise<Step<Kind>> {
  const row = await reader
    .selectFrom('sign_in_steps')
    .selectAll()
    .where('hash', '=', hashOf(secret))
    .where('kind', '=', kind)
    .where('ends_at', '>', now())
    .executeTakeFirst()
  if (!row) throw new AppError('sign_in_step_over')
  return {
    personId: row.person_id,
    sessionId: row.session_id,
    state: JSON.parse(row.state) as StepStates[Kind],
  }
}
