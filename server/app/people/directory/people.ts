/** The people of the directory. */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { DirectoryDb } from './store.ts'

/** The row of a person as a sign-in needs it. */
export interface PersonRow {
  id: string
  name: string
  email: string
  administers: 0 | 1
  password_hash: string | null
  totp_secret: string | null
  totp_step: number | null
  ended_at: number | null
}

const COLUMNS = [
  'id',
  'name',
  'email',
  'administers',
  'password_hash',
  'totp_secret',
  'totp_step',
  'ended_at',
] as const

/** An address as it is compared: without spaces around it, in lower case. */
export const emailKey = (email: string): string => email.trim().normalize('NFKC').toLowerCase()

/** Returns somebody who may sign in. */
export async function activeByEmail(db: DirectoryDb, email: string): Promise<PersonRow | undefined> {
  return db
    .selectFrom('people')
    .select(COLUMNS)
    .where('email', '=', emailKey(email))
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

/** Returns somebody who may sign in. Throws `not_found`. */
export async function activePerson(db: DirectoryDb, id: string): Promise<PersonRow> {
  const row = await db
    .selectFrom('people')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** The ways in which somebody can sign in. */
interface WaysIn {
  passkeys: number
  /** With a second factor: there is no other. */
  password: boolean
  codesLeft: number
  directory: boolean
}

export async function waysInOf(db: DirectoryDb, personId: string): Promise<WaysIn> {
  const [person, passkeys, codes] = await Promise.all([
    db
      .selectFrom('people')
      .select(['password_hash', 'totp_secret', 'directory_subject'])
      .where('id', '=', personId)
      .executeTakeFirst(),
    db
      .selectFrom('person_passkeys')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('person_id', '=', personId)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('person_codes')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('person_id', '=', personId)
      .executeTakeFirstOrThrow(),
  ])
  return {
    passkeys: passkeys.count,
    password: person?.password_hash !== null && person?.totp_secret !== null,
    codesLeft: codes.count,
    directory: (person?.directory_subject ?? null) !== null,
  }
}
