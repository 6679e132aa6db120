/**
 * Sessions of people. The cookie has 256 random bits, of which the database has the hash. A session ends 12 hours after
 * the sign-in, 30 minutes after its last use, when somebody ends it, or with the person's account.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Role } from '../../../domain/people.ts'
import { recordAction } from './history.ts'
import type { Directory, DirectoryDb } from './store.ts'

export const SESSION_LIVES_MS = 12 * 3_600_000
const IDLE_MS = 30 * 60_000
/** Use is written at most this often. */
const TOUCH_MS = 60_000
/** Longest use of what was read: a session that another server ended is refused after it at the latest. */
const CACHED_MS = 3_000
const MOST_CACHED = 2_000
/** Of one person; beyond it the oldest ends. */
const MOST_SESSIONS = 20

export type SignInMethod = 'passkey' | 'password' | 'directory' | 'invitation' | 'recovery'

export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Where a request comes from, as it says. */
export interface Origin {
  address: string
  agent: string
}

/** A session that is valid now. */
export interface PersonSession {
  id: string
  personId: string
  name: string
  email: string
  administers: boolean
  method: SignInMethod
  endsAt: number
}

/** What somebody may open. */
export interface Membership {
  roles: readonly Role[]
  mayIssue: boolean
}

interface SessionRow extends PersonSession {
  createdAt: number
  lastUsedAt: number
  address: string
  agent: string
}

/** Opens a session within a change of the directory and returns its cookie. */
export async function openSession(
  db: DirectoryDb,
  { now, newId }: { now: number; newId: Directory['newId'] },
  person: { id: string; name: string },
  method: SignInMethod,
  { address, agent }: Origin,
): Promise<{ cookie: string; id: string; endsAt: number }> {
  const cookie = newSecret()
  const id = newId('ses')
  const endsAt = now + SESSION_LIVES_MS
  await db.deleteFrom('person_sessions').where('ends_at', '<=', now).execute()
  const before = await db
    .selectFrom('person_sessions')
    .select('id')
    .where('person_id', '=', person.id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  const tooMany = before.slice(MOST_SESSIONS - 1).map((row) => row.id)
  if (tooMany.length > 0) await db.deleteFrom('person_sessions').where('id', 'in', tooMany).execute()
  await db
    .insertInto('person_sessions')
    .values({
      id,
      person_id: person.id,
      hash: hashOf(cookie),
      method,
      address: address.slice(0, 64),
      agent: agent.slice(0, 200),
      created_at: now,
      last_used_at: now,
      ends_at: endsAt,
    })
    .execute()
  await recordAction(db, now, {
    actor: person,
    action: 'signed_in',
    personId: person.id,
    details: { method, address, session: id },
  })
  return { cookie, id, endsAt }
}

/** Ends sessions of a person within a change of the directory; returns how many there were. */
export async function endSessions(
  db: DirectoryDb,
  personId: string,
  which: { only: string } | { allBut: string | null },
): Promise<number> {
  let query = db.deleteFrom('person_sessions').where('person_id', '=', personId)
  if ('only' in which) query = query.where('id', '=', which.only)
  else if (which.allBut !== null) query = query.where('id', '<>', which.allBut)
  return Number((await query.executeTakeFirst()).numDeletedRows)
}

/** Returns the sessions of a person that are valid now, the newest first. */
export async function sessionsOf({ reader, now }: Directory, personId: string): Promise<SessionRow[]> {
  const at = now()
  const rows = await reader
    .selectFrom('person_sessions')
    .innerJoin('people', 'people.id', 'person_sessions.person_id')
    .selectAll('person_sessions')
    .select(['people.name', 'people.email', 'people.administers'])
    .where('person_id', '=', personId)
    .where('ends_at', '>', at)
    .where('last_used_at', '>', at - IDLE_MS)
    .orderBy('person_sessions.created_at', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    personId: row.person_id,
    name: row.name,
    email: row.email,
    administers: row.administers === 1,
    method: row.method,
    endsAt: row.ends_at,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    address: row.address,
    agent: row.agent,
  }))
}

interface CachedSession {
  session: PersonSession | null
  lastUsedAt: number
  /** By company. */
  memberships: Map<number, Membership | null>
  until: number
}

/** The valid sessions as requests need them, read again after seconds, and at once when this or another server says so. */
export class Sessions {
  private readonly directory: Directory
  private readonly monotonicMs: () => number
  private readonly cached = new Map<string, CachedSession>()
  private generation = 0

  constructor(directory: Directory, monotonicMs: () => number = () => performance.now()) {
    this.directory = directory
    this.monotonicMs = monotonicMs
  }

  forget(): void {
    this.generation += 1
    this.cached.clear()
  }

  /**
   * Returns the session of a cookie; null if it is unknown, has ended, or was not used for too long. `isUse` if the
   * person did something: a page that refreshes itself does not keep a session open.
   */
  async find(cookie: string, isUse: boolean): Promise<PersonSession | null> {
    const key = hashOf(cookie).toString('base64url')
    const known = await this.read(key)
    const { session } = known
    const now = this.directory.now()
    if (!session || session.endsAt <= now || known.lastUsedAt + IDLE_MS <= now) return null
    if (isUse && now - known.lastUsedAt >= TOUCH_MS) {
      known.lastUsedAt = now
      void this.touch(session.id, now)
    }
    return session
  }

  /** Returns what the person of a session may open of a company; null if nothing. */
  async membership(cookie: string, companyId: number): Promise<Membership | null> {
    const known = await this.read(hashOf(cookie).toString('base64url'))
    if (!known.session) return null
    const found = known.memberships.get(companyId)
    if (found !== undefined) return found
    const membership = await readMembership(this.directory.reader, known.session.personId, companyId)
    known.memberships.set(companyId, membership)
    return membership
  }

  private async read(key: string): Promise<CachedSession> {
    const now = this.monotonicMs()
    const known = this.cached.get(key)
    if (known && now < known.until) return known
    const { generation } = this
    const row = await this.directory.reader
      .selectFrom('person_sessions')
      .innerJoin('people', 'people.id', 'person_sessions.person_id')
      .select([
        'person_sessions.id',
        'person_sessions.person_id',
        'person_sessions.method',
        'person_sessions.last_used_at',
        'person_sessions.ends_at',
        'people.name',
        'people.email',
        'people.administers',
      ])
      .where('person_sessions.hash', '=', Buffer.from(key, 'base64url'))
      .where('people.ended_at', 'is', null)
      .executeTakeFirst()
    const fresh: CachedSession = {
      session: row
        ? {
            id: row.id,
            personId: row.person_id,
            name: row.name,
            email: row.email,
            administers: row.administers === 1,
            method: row.method,
            endsAt: row.ends_at,
          }
        : null,
      lastUsedAt: Math.max(row?.last_used_at ?? 0, known?.session ? known.lastUsedAt : 0),
      memberships: new Map(),
      until: now + CACHED_MS,
    }
    if (generation !== this.generation) return fresh
    if (this.cached.size >= MOST_CACHED) this.cached.clear()
    this.cached.set(key, fresh)
    return fresh
  }

  /** The request does not wait for it. */
  private async touch(id: string, now: number): Promise<void> {
    await this.directory
      .change(async (db) => {
        await db.updateTable('person_sessions').set({ last_used_at: now }).where('id', '=', id).execute()
      })
      .catch((error: unknown) => this.directory.env.report('sessions', error))
  }
}

/** Returns what a person may open of a company; null if nothing, or if the account has ended. */
export async function readMembership(
  reader: DirectoryDb,
  personId: string,
  companyId: number,
): Promise<Membership | null> {
  const row = await reader
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select(['memberships.roles', 'memberships.may_issue'])
    .where('memberships.person_id', '=', personId)
    .where('memberships.company_id', '=', companyId)
    .where('people.ended_at', 'is', null)
    .executeTakeFirst()
  return row ? { roles: JSON.parse(row.roles) as Role[], mayIssue: row.may_issue === 1 } : null
}
