/** The second factor of a password: codes by time (TOTP, RFC 6238) or single-use codes. */
import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { hashOf } from '../directory/sessions.ts'
import type { Directory, DirectoryDb } from '../directory/store.ts'

const PERIOD_S = 30
/** A code of the period before or after is taken: clocks differ. */
const WINDOW = 1
const CODES = 10
/** Without letters that are confused. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'

function totpOf(secret: string, account: string): TOTP {
  return new TOTP({
    issuer: 'Sello',
    label: account,
    secret: Secret.fromBase32(secret),
    period: PERIOD_S,
    digits: 6,
  })
}

/** Returns a new secret in base 32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** Returns the address that an authenticator app reads from a QR code. */
export const totpAddress = (secret: string, account: string): string => totpOf(secret, account).toString()

/** Returns the time step of a valid code; null if it is none, or one of a step up to `after` that was taken already. */
export function stepOfCode(secret: string, code: string, nowMs: number, after: number | null): number | null {
  const totp = totpOf(secret, 'x')
  const delta = totp.validate({ token: code.replaceAll(/\s/g, ''), timestamp: nowMs, window: WINDOW })
  if (delta === null) return null
  const step = Math.floor(nowMs / 1000 / PERIOD_S) + delta
  return after !== null && step <= after ? null : step
}

/** Returns where the secret of a person is sealed. */
export const totpPlace = (personId: string): string => `people|totp_secret|${personId}`

const normalized = (code: string): string => code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

function newCode(): string {
  const letters = Array.from({ length: 12 }, () => ALPHABET.charAt(randomInt(ALPHABET.length)))
  return [letters.slice(0, 4), letters.slice(4, 8), letters.slice(8)].map((part) => part.join('')).join('-')
}

/** Replaces the single-use codes of a person within a change of the directory, and returns the new ones. */
export async function replaceCodes(db: DirectoryDb, personId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  await db.deleteFrom('person_codes').where('person_id', '=', personId).execute()
  await db
    .insertInto('person_codes')
    .values(codes.map((code) => ({ person_id: personId, hash: hashOf(normalized(code)) })))
    .execute()
  return codes
}

/** Uses up a single-use code within a change of the directory; false if it is none of the person's. */
async function spendCode(db: DirectoryDb, personId: string, code: string): Promise<boolean> {
  const done = await db
    .deleteFrom('person_codes')
    .where('person_id', '=', personId)
    .where('hash', '=', hashOf(normalized(code)))
    .executeTakeFirst()
  return Number(done.numDeletedRows) === 1
}

/** Uses up a code by time or a single-use code within a change of the directory; false if it is neither. */
export async function spendSecondFactor(
  { sealer, now }: Pick<Directory, 'sealer' | 'now'>,
  db: DirectoryDb,
  person: { id: string; totp_secret: string | null; totp_step: number | null },
  code: string,
): Promise<boolean> {
  if (/^\s*(?:\d\s*){6}$/.test(code)) {
    if (person.totp_secret === null) return false
    const secret = sealer.open(person.totp_secret, totpPlace(person.id)).toString()
    const step = stepOfCode(secret, code, now(), person.totp_step)
    if (step === null) return false
    await db.updateTable('people').set({ totp_step: step }).where('id', '=', person.id).execute()
    return true
  }
  return spendCode(db, person.id, code)
}
