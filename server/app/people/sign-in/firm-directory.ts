/**
 * Signing in with the firm's own directory, by OpenID Connect: code flow with PKCE. Its groups give roles by a table;
 * what they gave is taken back when somebody is no longer in the group.
 */
import type { Configuration } from 'openid-client'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Role } from '../../../domain/people.ts'
import { recordAction } from '../directory/history.ts'
import { setMembership } from '../directory/memberships.ts'
import { emailKey } from '../directory/people.ts'
import { openSession } from '../directory/sessions.ts'
import type { Origin } from '../directory/sessions.ts'
import type { Directory, DirectoryDb } from '../directory/store.ts'
import type { SignedIn } from './sign-in.ts'
import { countBeginning } from './sign-in.ts'
import { beginStep, takeStep } from './steps.ts'

/** How the firm's directory is reached. */
export interface FirmDirectorySettings {
  /** Such as `https://login.example/realms/firm`. */
  issuer: string
  clientId: string
  clientSecret: string
  /** What the button says. */
  name: string
  /** The claim with the groups. */
  groupsClaim: string
  /** Also signs in somebody who was invited before, by the address that the directory has verified. */
  linkByEmail: boolean
  /** Takes an issuer without TLS on this computer, for tests. */
  allowInsecure?: boolean
}

/** Memberships with this giver are the directory's to change. */
const GIVER = 'directory'
const CALLBACK = '/app/session/directory'

export class FirmDirectory {
  readonly settings: FirmDirectorySettings
  private readonly directory: Directory
  private found: Promise<Configuration> | null = null

  constructor(directory: Directory, settings: FirmDirectorySettings) {
    this.directory = directory
    this.settings = settings
  }

  /** Discovers the issuer's addresses, which the end of a sign-in finds known. */
  private async configuration(): Promise<Configuration> {
    this.found ??= (async () => {
      const { allowInsecureRequests, discovery } = await import('openid-client')
      const { issuer, clientId, clientSecret, allowInsecure = false } = this.settings
      return discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: 10,
        ...(allowInsecure ? { execute: [allowInsecureRequests] } : {}),
      })
    })()
    this.found.catch(() => (this.found = null))
    return this.found
  }

  /** Returns where the browser goes, and what it has to bring back in a cookie. Throws `directory_unreachable`. */
  async begin(site: string, origin: Origin): Promise<{ url: string; step: string }> {
    await countBeginning(this.directory, origin)
    const client = await import('openid-client')
    // What was found earlier does not say whether the directory answers now: the browser would end on a dead page.
    this.found = null
    const configuration = await this.reachable(() => this.configuration())
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const nonce = client.randomNonce()
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${site}${CALLBACK}`,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    return { url: url.href, step: await beginStep(this.directory, 'directory', { verifier, nonce, state }) }
  }

  /**
   * Signs in with what the directory answered. Throws `sign_in_step_over`, `sign_in_refused`, `directory_unreachable`, or
   * `directory_not_a_member` for somebody whom no group lets in.
   */
  async finish(site: string, query: string, step: string, origin: Origin): Promise<SignedIn> {
    const { directory } = this
    const { state } = await directory.change((db) => takeStep(db, directory.now(), 'directory', step))
    const client = await import('openid-client')
    const configuration = await this.reachable(() => this.configuration())
    const tokens = await client
      .authorizationCodeGrant(configuration, new URL(`${site}${CALLBACK}${query}`), {
        pkceCodeVerifier: state.verifier,
        expectedState: state.state,
        expectedNonce: state.nonce,
        idTokenExpected: true,
      })
      .catch(() => {
        throw new AppError('sign_in_refused')
      })
    const claims = tokens.claims()
    if (!claims) throw new AppError('sign_in_refused')
    const more = await client
      .fetchUserInfo(configuration, tokens.access_token, claims.sub)
      .catch(() => ({}) as Record<string, unknown>)
    const signedIn = await this.admit({ ...claims, ...more, sub: claims.sub, iss: claims.iss }, origin)
    directory.changed()
    return signedIn
  }

  private async reachable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.directory.env.report('directory', error)
      throw new AppError('directory_unreachable')
    }
  }

  private async admit(claims: Readonly<Record<string, unknown>>, origin: Origin): Promise<SignedIn> {
    const { directory, settings } = this
    const subject = `${String(claims.iss)}|${String(claims.sub)}`
    const email = typeof claims.email === 'string' ? emailKey(claims.email) : null
    const isVerified = claims.email_verified === true
    const name =
      typeof claims.name === 'string' && claims.name.trim() !== '' ? claims.name.trim().slice(0, 120) : email
    const listed = claims[settings.groupsClaim]
    const groups = Array.isArray(listed) ? listed.filter((one): one is string => typeof one === 'string') : []
    return directory.change(async (db) => {
      const now = directory.now()
      const given = await givenByGroups(db, groups)
      const known = await db
        .selectFrom('people')
        .select(['id', 'name', 'ended_at', 'directory_subject'])
        .where((eb) =>
          eb.or([
            eb('directory_subject', '=', subject),
            ...(settings.linkByEmail && isVerified && email !== null ? [eb('email', '=', email)] : []),
          ]),
        )
        .execute()
      const person =
        known.find((one) => one.directory_subject === subject) ??
        known.find((one) => one.directory_subject === null)
      if (person && person.ended_at !== null) throw new AppError('sign_in_refused')
      if (!person && (given.length === 0 || email === null || !isVerified || name === null))
        throw new AppError('directory_not_a_member')
      const id = person?.id ?? directory.newId('per')
      if (!person) {
        const taken = await db
          .selectFrom('people')
          .select('id')
          .where('email', '=', email!)
          .executeTakeFirst()
        if (taken) throw new AppError('directory_not_a_member')
        await db
          .insertInto('people')
          .values({ id, name: name!, email: email!, directory_subject: subject, created_at: now })
          .execute()
        await recordAction(db, now, {
          actor: { id, name: name! },
          action: 'registered',
          personId: id,
          details: { address: origin.address, by: settings.name },
        })
      } else if (person.directory_subject === null) {
        await db.updateTable('people').set({ directory_subject: subject }).where('id', '=', id).execute()
        await recordAction(db, now, { actor: person, action: 'directory_linked', personId: id })
      }
      await applyGroups(db, now, id, given)
      const whole = { id, name: person?.name ?? name! }
      const { cookie, endsAt } = await openSession(
        db,
        { now, newId: directory.newId },
        whole,
        'directory',
        origin,
      )
      return { cookie, endsAt }
    })
  }
}

interface Given {
  companyId: number
  roles: Role[]
  mayIssue: boolean
}

async function givenByGroups(db: DirectoryDb, groups: readonly string[]): Promise<Given[]> {
  if (groups.length === 0) return []
  const rows = await db.selectFrom('directory_groups').selectAll().where('name', 'in', groups).execute()
  const byCompany = new Map<number, Given>()
  for (const row of rows) {
    const known = byCompany.get(row.company_id)
    byCompany.set(row.company_id, {
      companyId: row.company_id,
      roles: [...(known?.roles ?? []), ...(JSON.parse(row.roles) as Role[])],
      mayIssue: (known?.mayIssue ?? false) || row.may_issue === 1,
    })
  }
  return [...byCompany.values()]
}

/** Makes the memberships that the directory gave equal to what the groups give now; those of invitations stay. */
async function applyGroups(
  db: DirectoryDb,
  now: number,
  personId: string,
  given: readonly Given[],
): Promise<void> {
  const before = await db
    .selectFrom('memberships')
    .select(['company_id', 'given_by'])
    .where('person_id', '=', personId)
    .execute()
  for (const { company_id } of before.filter((row) => row.given_by === GIVER))
    if (!given.some((one) => one.companyId === company_id))
      await db
        .deleteFrom('memberships')
        .where('person_id', '=', personId)
        .where('company_id', '=', company_id)
        .execute()
  for (const one of given)
    if (!before.some((row) => row.company_id === one.companyId && row.given_by !== GIVER))
      await setMembership(db, now, { ...one, personId, givenBy: GIVER })
}
