/**
 * The first look at every request: only programs on this computer, asking for this server by name, come through. A page of
 * another site can reach a local port too, by its own name (DNS rebinding) or across origins; both are refused here.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../core/errors.ts'
import { SECURITY_HEADERS } from './envelope.ts'

/** Where this server may be called: changes once, when the port is known. */
export class OwnAddress {
  hosts: ReadonlySet<string> = new Set()
  origins: ReadonlySet<string> = new Set()

  constructor(port: number) {
    this.setPort(port)
  }

  setPort(port: number): void {
    const names = ['127.0.0.1', 'localhost', '[::1]']
    this.hosts = new Set(names.map((name) => `${name}:${port}`))
    // `app://app` is the page inside the desktop window; no web page can have that origin.
    this.origins = new Set([...names.map((name) => `http://${name}:${port}`), 'app://app'])
  }
}

function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1
}

/** Throws what is wrong with where a request comes from or goes to. */
export function checkProvenance(request: FastifyRequest, address: OwnAddress): void {
  const { raw } = request
  const { headers } = raw
  if (!hasOneHost(raw.rawHeaders) || !raw.url?.startsWith('/')) throw new AppError('malformed_request')
  if (headers['transfer-encoding'] !== undefined && headers['content-length'] !== undefined)
    throw new AppError('malformed_request')
  if (!address.hosts.has(headers.host ?? '')) throw new AppError('host_not_allowed')
  const { origin } = headers
  if (origin !== undefined) {
    if (!address.origins.has(origin)) throw new AppError('origin_not_allowed')
    return
  }
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') throw new AppError('origin_not_allowed')
}

/** Puts the guard before every route, whether it exists or not. */
export function installGuard(app: FastifyInstance, address: OwnAddress): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS)
    try {
      checkProvenance(request, address)
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  })
}
