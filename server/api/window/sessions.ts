/**
 * Browser sessions of the window. A link works once and for a short time; the browser that uses it gets a session of
 * two halves that are stored apart: a cookie that scripts cannot read, and a pass that the page stores for its own
 * origin. Cookies are sent to every port of this computer and the page's storage is in the browser's files, so that
 * neither half is sufficient alone. All of it is in memory and ends with the program.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Long enough to follow a printed link, too short to use one that is found later. */
/** Time in which a link admits a browser. */
export const LINK_LIVES_MS = 10 * 60_000
/** Browsers of one person; beyond it the oldest session is removed. */
const MOST_SESSIONS = 64
const MOST_LINKS = 16

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
const secret = (): string => randomBytes(32).toString('base64url')

/** The two halves of a new session. */
interface Admission {
  cookie: string
  pass: string
}

/** Returns the cookie's name: browsers store one list for all ports of an address. */
export const sessionCookieName = (port: number): string => `sello_${port}`

/** Returns all values of a cookie: a server at another port of this computer can add one of the same name. */
function cookiesOf(request: FastifyRequest, name: string): string[] {
  return (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1))
}

export class WindowSessions {
  private readonly monotonicMs: () => number
  /** Digests of links with their expiry. */
  private readonly links = new Map<string, number>()
  /** Digests of cookies with those of their passes. */
  private readonly sessions = new Map<string, string>()

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.monotonicMs = monotonicMs
  }

  /** Creates a link and returns its secret. */
  newLink(): string {
    const link = secret()
    this.links.set(digestOf(link), this.monotonicMs() + LINK_LIVES_MS)
    for (const oldest of this.links.keys()) if (this.links.size > MOST_LINKS) this.links.delete(oldest)
    return link
  }

  /** Uses up a link; returns false if it is unknown, used or expired. */
  spend(link: string): boolean {
    const digest = digestOf(link)
    const until = this.links.get(digest)
    this.links.delete(digest)
    return until !== undefined && this.monotonicMs() < until
  }

  /** Admits a browser. */
  admit(): Admission {
    const admission = { cookie: secret(), pass: secret() }
    this.sessions.set(digestOf(admission.cookie), digestOf(admission.pass))
    for (const oldest of this.sessions.keys())
      if (this.sessions.size > MOST_SESSIONS) this.sessions.delete(oldest)
    return admission
  }

  /** Returns true if a request has both halves of one session. Digests are compared, so that the time reveals nothing. */
  knows(request: FastifyRequest, pass: string, port: number): boolean {
    const expected = digestOf(pass)
    return cookiesOf(request, sessionCookieName(port)).some(
      (cookie) => this.sessions.get(digestOf(cookie)) === expected,
    )
  }
}
