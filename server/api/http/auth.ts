/** Authentication: an API key on `/api`, the window's token on `/app`, and never the reverse. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors/app-error.ts'
import type { AppEnvironment, Book, Channel, Ctx, KeyActor, UserActor } from '../../context.ts'
import { createCtx } from '../../context.ts'
import type { OwnAddress } from './guard.ts'
import { BadKeys } from './bad-key-limits.ts'
import type { WindowSessions } from '../window/sessions.ts'

/** A valid API key and its book. */
export interface AuthenticatedKey {
  actor: KeyActor
  book: Book
}

/** Finds a key by its text; null if it is unknown, revoked or expired. */
export type FindKey = (env: AppEnvironment, key: string) => Promise<AuthenticatedKey | null>

const BEARER = /^bearer +([\x21-\x7e]+) *$/i
/** Longer than any key or token of this program. */
const MAX_CREDENTIAL = 200

/** Returns the credential of `Authorization: Bearer …`; null if it is missing or has another form. */
function bearerOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header === undefined || header.length > MAX_CREDENTIAL + 10) return null
  return BEARER.exec(header)?.[1] ?? null
}

export interface KeyGate {
  /** Returns the key of a request. Throws `unauthorized`, or `rate_limited` after many invalid ones. */
  authenticateKey(request: FastifyRequest): Promise<AuthenticatedKey>
  /** Creates a context for the request of a key. */
  ctxFor(key: AuthenticatedKey, channel: Channel, requestId: string): Ctx
}

export function createKeyGate(env: AppEnvironment, findKey: FindKey, badKeys: BadKeys): KeyGate {
  return {
    async authenticateKey(request) {
      const text = bearerOf(request)
      const key = text === null ? null : await findKey(env, text)
      if (!key) throw badKeys.refuse()
      return key
    },
    ctxFor: (key, channel, requestId) =>
      createCtx({ env, book: key.book, actor: key.actor, channel, requestId }),
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Credentials of the window's API. */
interface WindowKeys {
  /** The token of the desktop window in this process: in memory, given to nothing else. */
  windowToken: string
  /** The browser sessions. */
  sessions: WindowSessions
  address: OwnAddress
}

/**
 * Checks the window's token or a browser session; digests are compared, so that neither time nor length reveals
 * anything.
 */
export function createWindowGate(
  { windowToken, sessions, address }: WindowKeys,
  badKeys: BadKeys = new BadKeys(),
): (request: FastifyRequest) => void {
  const expected = digest(windowToken)
  return (request) => {
    const text = bearerOf(request)
    if (text === null) throw badKeys.refuse()
    if (timingSafeEqual(digest(text), expected) || sessions.knows(request, text, address.port)) return
    throw badKeys.refuse()
  }
}

export const PERSON: UserActor = { kind: 'user', id: 'user', name: 'user' }

/** Creates `not_found`, the answer for any book that does not exist. */
export function bookMissing(): AppError {
  return new AppError('not_found', { field: 'sello-book' })
}
