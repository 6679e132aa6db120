/**
 * How a browser gets into the window's door. A link works once and for a short time; the browser that brings it gets a
 * session of two halves, kept apart: a cookie that no script can read, and a pass that the page keeps for its own origin.
 * Cookies are sent to every port of this computer and the page's storage lies in the browser's files, so neither half
 * is worth anything alone. All of it lives in memory and ends with the program.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Long enough to follow a link that was printed, not to find one later. */
const LINK_LIVES_MS = 10 * 60_000
/** Browsers of one person; beyond it the oldest is forgotten. */
const MOST_SESSIONS = 64
const MOST_LINKS = 16

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
const secret = (): string => randomBytes(32).toString('base64url')

/** The two halves of a session, as they are handed out. */
export interface Admission {
  cookie: string
  pass: string
}

/** The cookie's name: browsers keep one list for all ports of an address. */
export const sessionCookieName = (port: number): string => `sello_${port}`

/** All values of a cookie: a server at another port of this computer can add one of the same name. */
function cookiesOf(request: FastifyRequest, name: string): string[] {
  return (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1))
}

export class WindowSessions {
  private readonly monotonicMs: () => number
  /** Digests of links, and until when each works. */
  private readonly links = new Map<string, number>()
  /** Digests of cookies, and of the pass that belongs to each. */
  private readonly sessions = new Map<string, string>()

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.monotonicMs = monotonicMs
  }

  /** A new link's secret. */
  newLink(): string {
    const link = secret()
    this.links.set(digestOf(link), this.monotonicMs() + LINK_LIVES_MS)
    for (const oldest of this.links.keys()) if (this.links.size > MOST_LINKS) this.links.delete(oldest)
    return link
  }

  /** Spends a link; false when it is unknown, spent or too old. */
  spend(link: string): boolean {
    const digest = digestOf(link)
    const until = this.links.get(digest)
    this.links.delete(digest)
    return until !== undefined && this.monotonicMs() < until
  }

  /** Lets a browser in. */
  admit(): Admission {
    const admission = { cookie: secret(), pass: secret() }
    this.sessions.set(digestOf(admission.cookie), digestOf(admission.pass))
    for (const oldest of this.sessions.keys())
      if (this.sessions.size > MOST_SESSIONS) this.sessions.delete(oldest)
    return admission
  }

  /** Whether a request brings both halves of one session. Digests are compared, so time tells nothing. */
  knows(request: FastifyRequest, pass: string, port: number): boolean {
    const expected = digestOf(pass)
    return cookiesOf(request, sessionCookieName(port)).some(
      (cookie) => this.sessions.get(digestOf(cookie)) === expected,
    )
  }
}
