/**
 * The first check of every request: accepts only programs on this computer that address this server by name. A page
 * of another site can also reach a local port, by its own name (DNS rebinding) or across origins; both are rejected
 * here.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors/app-error.ts'
import { SECURITY_HEADERS } from './envelope.ts'

/** The addresses of this server; they change once, when the port is known. */
export class OwnAddress {
  hosts: ReadonlySet<string> = new Set()
  origins: ReadonlySet<string> = new Set()
  /** Paths to which a browser may be sent from anywhere. */
  entrances: ReadonlySet<string> = new Set(['/'])
  port = 0

  constructor(port: number) {
    this.setPort(port)
  }

  setPort(port: number): void {
    this.port = port
    const names = ['127.0.0.1', 'localhost', '[::1]']
    this.hosts = new Set(names.map((name) => `${name}:${port}`))
    // `app://app` is the page inside the desktop window; no web page can have that origin.
    this.origins = new Set([...names.map((name) => `http://${name}:${port}`), 'app://app'])
  }
}

/** Values of `Sec-Fetch-Site` for requests of the person or of our own page. */
const OWN_SITES: ReadonlySet<unknown> = new Set(['none', 'same-origin'])
/** Hosts that no page can bind to this computer: addresses, and the name that always means it. */
const NOBODYS_NAME = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1
}

/**
 * Returns true for navigation to the page from anywhere, such as the file that opens the browser. The page alone
 * reveals nothing, cannot be framed, and gets no credential this way; nor does the other entrance, at which the firm's
 * directory sends a browser back that has begun to sign in.
 */
function opensThePage(
  { method, url, headers }: FastifyRequest['raw'],
  entrances: ReadonlySet<string>,
): boolean {
  const path = url?.split('?', 1)[0] ?? ''
  return (
    method === 'GET' &&
    entrances.has(path) &&
    (path !== '/' || url === '/') &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  )
}

/** Returns the fault in the origin or target of a request; null if there is none. */
function faultOf(request: FastifyRequest, address: OwnAddress): AppError | null {
  const { raw } = request
  const { headers } = raw
  if (!hasOneHost(raw.rawHeaders) || !raw.url?.startsWith('/')) return new AppError('malformed_request')
  if (headers['transfer-encoding'] !== undefined && headers['content-length'] !== undefined)
    return new AppError('malformed_request')
  // Behind a trusted proxy the framework takes the name from what the proxy forwards; else it is the header.
  if (!address.hosts.has(request.host)) return new AppError('host_not_allowed')
  const { origin } = headers
  if (origin !== undefined) return address.origins.has(origin) ? null : new AppError('origin_not_allowed')
  const site = headers['sec-fetch-site']
  return site === undefined || OWN_SITES.has(site) || opensThePage(raw, address.entrances)
    ? null
    : new AppError('origin_not_allowed')
}

/**
 * Returns the error of a rejected request, or null to accept it. `answered` if it was rejected without a body: a page
 * whose name was bound to this computer has the same origin and could read any answer.
 */
export function guard(
  request: FastifyRequest,
  reply: FastifyReply,
  address: OwnAddress,
): AppError | null | 'answered' {
  reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
  const fault = faultOf(request, address)
  if (fault?.code !== 'host_not_allowed' || NOBODYS_NAME.test(request.host)) return fault
  reply.code(fault.status).send()
  return 'answered'
}

/** Adds the guard before every route, existing or not; the paths in `open` answer under any name. */
export function installGuard(
  app: FastifyInstance,
  address: OwnAddress,
  open: ReadonlySet<string> = new Set(),
): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (open.has(request.url)) {
      reply.headers(SECURITY_HEADERS)
      return done()
    }
    const verdict = guard(request, reply, address)
    if (verdict !== 'answered') done(verdict ?? undefined)
  })
}
