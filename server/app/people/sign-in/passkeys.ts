/** Passkeys (WebAuthn level 3): each proves the device and the person, and none works at another address. */
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Directory, DirectoryDb } from '../directory/store.ts'

/** The address at which people sign in: passkeys are bound to it. */
export interface Site {
  /** The name of the host. */
  id: string
  /** Such as `https://office.example`. */
  origins: readonly string[]
}

const MOST = 10

interface Passkey {
  id: string
  name: string
  createdAt: number
  lastUsedAt: number | null
  /** Synchronised among the person's devices. */
  backedUp: boolean
}

export async function passkeysOf(reader: DirectoryDb, personId: string): Promise<Passkey[]> {
  const rows = await reader
    .selectFrom('person_passkeys')
    .select(['id', 'name', 'created_at', 'last_used_at', 'backed_up'])
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    backedUp: row.backed_up === 1,
  }))
}

/** Returns what the browser needs to create a passkey. Throws `passkeys_full`. */
export async function registrationOptions(
  { reader }: Directory,
  site: Site,
  person: { id: string; name: string; email: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const known = await reader
    .selectFrom('person_passkeys')
    .select('id')
    .where('person_id', '=', person.id)
    .execute()
  if (known.length >= MOST) throw new AppError('passkeys_full')
  return generateRegistrationOptions({
    rpName: 'Sello',
    rpID: site.id,
    userID: Buffer.from(person.id),
    userName: person.email,
    userDisplayName: person.name,
    attestationType: 'none',
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

const refused = (): AppError => new AppError('sign_in_refused')

/** Checks a new passkey. Throws `sign_in_refused`. */
export async function checkRegistration(
  site: Site,
  challenge: string,
  response: unknown,
): Promise<{ id: string; publicKey: Uint8Array; counter: number; transports: string; backedUp: boolean }> {
  const result = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: [...site.origins],
    expectedRPID: site.id,
    requireUserVerification: true,
  }).catch(() => null)
  if (!result?.verified) throw refused()
  const { credential, credentialBackedUp } = result.registrationInfo
  return {
    id: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: JSON.stringify(credential.transports ?? []),
    backedUp: credentialBackedUp,
  }
}

/** Stores a checked passkey within a change of the directory. */
export async function storePasskey(
  db: DirectoryDb,
  now: number,
  personId: string,
  name: string,
  passkey: Awaited<ReturnType<typeof checkRegistration>>,
): Promise<void> {
  const there = await db
    .selectFrom('person_passkeys')
    .select('id')
    .where('id', '=', passkey.id)
    .executeTakeFirst()
  if (there) throw refused()
  await db
    .insertInto('person_passkeys')
    .values({
      id: passkey.id,
      person_id: personId,
      name,
      public_key: Buffer.from(passkey.publicKey),
      counter: passkey.counter,
      transports: passkey.transports,
      backed_up: passkey.backedUp ? 1 : 0,
      created_at: now,
      last_used_at: null,
    })
    .execute()
}

/** Returns what the browser needs to ask for a passkey: any of this address, or one of a person. */
export async function authenticationOptions(
  { reader }: Directory,
  site: Site,
  personId: string | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const own =
    personId === null
      ? []
      : await reader
          .selectFrom('person_passkeys')
          .select(['id', 'transports'])
          .where('person_id', '=', personId)
          .execute()
  return generateAuthenticationOptions({
    rpID: site.id,
    userVerification: 'required',
    ...(personId === null
      ? {}
      : {
          allowCredentials: own.map(({ id, transports }) => ({
            id,
            transports: JSON.parse(transports) as AuthenticatorTransport[],
          })),
        }),
  })
}

/**
 * Checks the use of a passkey within a change of the directory; returns the person's identifier. Throws
 * `sign_in_refused`, whatever was wrong.
 */
export async function checkAuthentication(
  db: DirectoryDb,
  now: number,
  site: Site,
  challenge: string,
  response: unknown,
): Promise<string> {
  const given = response as AuthenticationResponseJSON
  const row =
    typeof given.id === 'string'
      ? await db.selectFrom('person_passkeys').selectAll().where('id', '=', given.id).executeTakeFirst()
      : undefined
  if (!row) throw refused()
  const result = await verifyAuthenticationResponse({
    response: given,
    expectedChallenge: challenge,
    expectedOrigin: [...site.origins],
    expectedRPID: site.id,
    requireUserVerification: true,
    credential: {
      id: row.id,
      publicKey: new Uint8Array(row.public_key),
      counter: row.counter,
      transports: JSON.parse(row.transports) as AuthenticatorTransport[],
    },
  }).catch(() => null)
  if (!result?.verified) throw refused()
  const { newCounter, credentialBackedUp } = result.authenticationInfo
  await db
    .updateTable('person_passkeys')
    .set({ counter: newCounter, backed_up: credentialBackedUp ? 1 : 0, last_used_at: now })
    .where('id', '=', row.id)
    .execute()
  return row.person_id
}
