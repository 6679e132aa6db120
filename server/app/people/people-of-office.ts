/** The people of an office as the servers need them: sessions, rights, names and settings. */
import type { AppEnvironment, Ctx, People } from '../../context.ts'
import type { Capability, Colleague, PersonRights } from '../../domain/people.ts'
import { canOpenSealed } from '../../db/seal.ts'
import { combineProofs, proveRows } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import { proveHistory } from './directory/history.ts'
import { totpPlace } from './sign-in/second-factor.ts'
import { membersOf, rolesIn } from './directory/memberships.ts'
import { readMembership, Sessions } from './directory/sessions.ts'
import type { Membership, PersonSession } from './directory/sessions.ts'
import { directoryOf } from './directory/store.ts'
import type { Directory } from './directory/store.ts'
import { capabilityFor, capabilityForEvent } from './roles/capabilities.ts'
import { capabilitiesOf, capabilitiesWithoutCompany } from './roles/roles.ts'
import { FirmDirectory } from './sign-in/firm-directory.ts'
import type { FirmDirectorySettings } from './sign-in/firm-directory.ts'
import { assertEnoughPeople } from './second-person/requests.ts'
import type { Perform } from './second-person/steps.ts'
import type { Site } from './sign-in/passkeys.ts'

/** Rights of keys are read again after this time: a person who lost a role loses it there too. */
const CACHED_MS = 3_000
const MOST_CACHED = 2_000

function rightsOf(membership: Membership, sessionId: string): PersonRights {
  const { roles, mayIssue } = membership
  return { roles, capabilities: capabilitiesOf(roles, mayIssue), sessionId }
}

interface CachedOwner {
  owner: { name: string; rights: PersonRights } | null
  until: number
}

export class PeopleOfOffice implements People {
  readonly directory: Directory
  readonly sessions: Sessions
  /** Set once the server knows its own address; without one nobody signs in. */
  site: Site | null = null
  firmDirectory: FirmDirectory | null = null
  onPresence: (companyId: number | null) => void = () => {}
  /** Runs an operation within the request of another one; set by whoever has the table of operations. */
  perform: Perform = async () => {
    throw new Error('No operations are known.')
  }
  private readonly owners = new Map<string, CachedOwner>()
  private readonly monotonicMs: () => number

  constructor(env: AppEnvironment, monotonicMs: () => number = () => performance.now()) {
    const { store } = env
    this.monotonicMs = monotonicMs
    this.directory = {
      env,
      reader: directoryOf(store.reader),
      sealer: store.sealer,
      newId: env.newId,
      now: () => env.now().getTime(),
      change: (work) => store.transaction(null, (db) => work(directoryOf(db))),
      changed: () => {
        this.forget()
        env.servers?.tell('people')
      },
    }
    this.sessions = new Sessions(this.directory, monotonicMs)
  }

  useFirmDirectory(settings: FirmDirectorySettings): void {
    this.firmDirectory = new FirmDirectory(this.directory, settings)
  }

  /** Forgets what was read: this or another server has changed it. */
  forget(): void {
    this.sessions.forget()
    this.owners.clear()
  }

  async colleagues(companyId: number): Promise<readonly Colleague[]> {
    const members = await membersOf(this.directory.reader, companyId)
    return members.map(({ personId, name, roles, mayIssue }) => ({
      id: personId,
      name,
      roles,
      capabilities: capabilitiesOf(roles, mayIssue),
    }))
  }

  async companiesOf(personId: string, capability?: Capability): Promise<ReadonlySet<number>> {
    const rows = await this.directory.reader
      .selectFrom('memberships')
      .select(['company_id', 'roles', 'may_issue'])
      .where('person_id', '=', personId)
      .execute()
    const has = ({ roles, may_issue }: (typeof rows)[number]): boolean =>
      capability === undefined || capabilitiesOf(rolesIn(roles), may_issue === 1).has(capability)
    return new Set(rows.filter(has).map(({ company_id }) => company_id))
  }

  async readSetting(personId: string, name: string): Promise<unknown> {
    const row = await this.directory.reader
      .selectFrom('person_settings')
      .select('value')
      .where('person_id', '=', personId)
      .where('name', '=', name)
      .executeTakeFirst()
    return row ? (JSON.parse(row.value) as unknown) : null
  }

  async saveSetting(tx: Ctx, name: string, value: string): Promise<void> {
    await directoryOf(tx.db)
      .insertInto('person_settings')
      .values({ person_id: tx.actor.id, name, value })
      .onConflict((conflict) => conflict.columns(['person_id', 'name']).doUpdateSet({ value }))
      .execute()
  }

  capabilityFor(operation: string): Capability | null {
    return capabilityFor(operation)
  }

  assertEnoughPeople(ctx: Ctx, operation: string, input: unknown): Promise<void> {
    return assertEnoughPeople(ctx, operation, input)
  }

  capabilityForEvent(type: string): Capability | null {
    return capabilityForEvent(type)
  }

  async verify(): Promise<Proof> {
    const { reader, sealer } = this.directory
    const people = await reader
      .selectFrom('people')
      .select(['id', 'totp_secret'])
      .where('totp_secret', 'is not', null)
      .execute()
    return combineProofs(
      await proveHistory(reader),
      proveRows(people, ({ id, totp_secret }) =>
        canOpenSealed(sealer, totp_secret ?? '', totpPlace(id))
          ? null
          : `The second factor of ${id} does not open.`,
      ),
    )
  }

  /**
   * Returns the rights of a session in a company; null if its person is no member. Without a company those for the
   * person's own affairs and the installation's.
   */
  async rightsOf(
    cookie: string,
    session: PersonSession,
    companyId: number | null,
  ): Promise<PersonRights | null> {
    if (companyId === null)
      return {
        roles: [],
        capabilities: capabilitiesWithoutCompany(session.administers),
        sessionId: session.id,
      }
    const membership = await this.sessions.membership(cookie, companyId)
    return membership ? rightsOf(membership, session.id) : null
  }

  async rightsOfOwner(
    personId: string,
    companyId: number,
  ): Promise<{ name: string; rights: PersonRights } | null> {
    const key = `${personId} ${companyId}`
    const now = this.monotonicMs()
    const known = this.owners.get(key)
    if (known && now < known.until) return known.owner
    const { reader } = this.directory
    const [membership, person] = await Promise.all([
      readMembership(reader, personId, companyId),
      reader.selectFrom('people').select('name').where('id', '=', personId).executeTakeFirst(),
    ])
    const owner = membership && person ? { name: person.name, rights: rightsOf(membership, '') } : null
    if (this.owners.size >= MOST_CACHED) this.owners.clear()
    this.owners.set(key, { owner, until: now + CACHED_MS })
    return owner
  }
}

/** Returns the people of the office that a context works in. */
export function peopleOf({ env }: Pick<Ctx, 'env'>): PeopleOfOffice {
  if (env.people instanceof PeopleOfOffice) return env.people
  throw new Error('Only an office has people.')
}
