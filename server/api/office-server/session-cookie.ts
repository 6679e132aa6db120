/** The cookie of a session, and what of a request proves that our own page sent it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Origin, Site } from '../../app/people/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'

/** Browsers take a name with this prefix from an encrypted page only, for its host alone. */
const HOST_PREFIX = '__Host-'
const SESSION = 'sello'
const DIRECTORY_STEP = 'sello-directory'
const LONGEST = 200

const isEncrypted = (site: Site): boolean => site.origins.every((origin) => origin.startsWith('https:'))
const nameOf = (site: Site, name: string): string => (isEncrypted(site) ? `${HOST_PREFIX}${name}` : name)

function read(request: FastifyRequest, name: string): string | null {
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1))
  // Two of one name: another server of this host has added one, and nobody knows which is ours.
  const [value] = values
  return values.length === 1 && value !== undefined && value.length <= LONGEST ? value : null
}

/** Without an age it ends with the browser; the session ends earlier by itself. */
function write(reply: FastifyReply, site: Site, name: string, value: string | null, sameSite: string): void {
  const end = value === null ? '; Max-Age=0' : ''
  const secure = isEncrypted(site) ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${nameOf(site, name)}=${value ?? ''}; Path=/; HttpOnly; SameSite=${sameSite}${secure}${end}`,
  )
}

/** Where the firm's directory sends the browser back. */
export const DIRECTORY_CALLBACK = '/app/session/directory'

export const readSessionCookie = (request: FastifyRequest, site: Site): string | null =>
  read(request, nameOf(site, SESSION))
export const writeSessionCookie = (reply: FastifyReply, site: Site, value: string | null): void =>
  write(reply, site, SESSION, value, 'Strict')

/** The step of the firm's directory: it comes back from another site, so that a strict cookie would not be sent. */
export const readDirectoryStep = (request: FastifyRequest, site: Site): string | null =>
  read(request, nameOf(site, DIRECTORY_STEP))
export const writeDirectoryStep = (reply: FastifyReply, site: Site, value: string | null): void =>
  write(reply, site, DIRECTORY_STEP, value, 'Lax')

/**
 * Throws `origin_not_allowed` unless our own page has sent the request. Browsers name the origin of every POST; a GET of
 * our page has a header that no foreign page may send without being asked first.
 */
export function assertOwnPage(request: FastifyRequest, site: Site): void {
  const { origin } = request.headers
  const isOwn =
    request.method === 'POST'
      ? origin !== undefined && site.origins.includes(origin)
      : request.headers['sello-book'] !== undefined && (origin === undefined || site.origins.includes(origin))
  if (!isOwn) throw new AppError('origin_not_allowed')
}

/** Where a request comes from, for the history and the limits. */
export function originOf(request: FastifyRequest): Origin {
  return { address: request.ip, agent: String(request.headers['user-agent'] ?? '') }
}
