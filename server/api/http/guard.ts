/**
 * The first look at every request: only programs on this computer, asking for this server by name, come through. A page of
 * another site can reach a local port too, by its own name (DNS rebinding) or across origins; both are refused here.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors/catalog.ts'
import { SECURITY_HEADERS } from './envelope.ts'

/** Where this server may be called: changes once, when the port is known. */
export class OwnAddress {
  hosts: ReadonlySet<string> = new Set()
  origins: ReadonlySet<string> = new Set()
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

/** `Sec-Fetch-Site` of what a browser asks for itself, for a person or for our own page. */
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
 * A person following a link to the page from anywhere, such as the file that opens the browser. The page alone says nothing,
 * cannot be framed, and gets no credential with it.
 */
function opensThePage({ method, url, headers }: FastifyRequest['raw']): boolean {
  return (
    method === 'GET' &&
    url === '/' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  )
}

/** What is wrong with where a request comes from or goes to; null for nothing. */
function faultOf(request: FastifyRequest, address: OwnAddress): AppError | null {
  const { raw } = request
  const { headers } = raw
  if (!hasOneHost(raw.rawHeaders) || !raw.url?.startsWith('/')) return new AppError('malformed_request')
  if (headers['transfer-encoding'] !== undefined && headers['content-length'] !== undefined)
    return new AppError('malformed_request')
  if (!address.hosts.has(headers.host ?? '')) return new AppError('host_not_allowed')
  const { origin } = headers
  if (origin !== undefined) return address.origins.has(origin) ? null : new AppError('origin_not_allowed')
  const site = headers['sec-fetch-site']
  return site === undefined || OWN_SITES.has(site) || opensThePage(raw)
    ? null
    : new AppError('origin_not_allowed')
}

/**
 * What a request is to be refused with, null to let it through. `answered` when it has been refused without a word: a page
 * whose name was bound to this computer counts as of one origin with it, and could read whatever it was told.
 */
export function guard(
  request: FastifyRequest,
  reply: FastifyReply,
  address: OwnAddress,
): AppError | null | 'answered' {
  reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
  const fault = faultOf(request, address)
  if (fault?.code !== 'host_not_allowed' || NOBODYS_NAME.test(request.headers.host ?? '')) return fault
  reply.code(fault.status).send()
  return 'answered'
}

/** Puts the guard before every route, whether it exists or not. */
export function installGuard(app: FastifyInstance, address: OwnAddress): void {
  app.addHook('onRequest', (request, reply, done) => {
    const verdict = guard(request, reply, address)
    if (verdict !== 'answered') done(verdict ?? undefined)
  })
}
