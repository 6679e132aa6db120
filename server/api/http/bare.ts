/** A server with all parts that do not need the books: guard, bodies, failures and the page. It opens no port. */
import type { RequestListener } from 'node:http'
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import type { NewId } from '../../domain/ids.ts'
import { BODY_LIMIT_BYTES, installBodies } from './bodies.ts'
import { installCompression } from '../rest/compress.ts'
import { boundConnections, CONNECTION_BOUNDS } from './connections.ts'
import type { ConnectionBounds } from './connections.ts'
import {
  createRouterFailure,
  createSocketFailure,
  installFailures,
  KnownRoutes,
  pathOf,
  sendNotFound,
} from './failures.ts'
import { installGuard } from './guard.ts'
import type { OwnAddress } from './guard.ts'
import { tlsServer } from './tls.ts'
import type { ServerTls } from './tls.ts'
import { installLanguage } from '../rest/language.ts'
import type { Log } from '../../platform/log.ts'
import { installStatic } from './static.ts'

export interface ServerNetwork {
  /** Returns true for the address of a proxy whose forwarded headers are believed. */
  isProxy: (address: string) => boolean
  /** How long an idle connection stays open, in milliseconds: longer than the proxies keep theirs. */
  keepAliveMs: number
  connections: ConnectionBounds
  /** Paths that answer without a key and under any name, for probes. */
  probes: ReadonlySet<string>
  /** Ends TLS by itself; undefined behind a proxy that does. */
  tls?: ServerTls | undefined
  /** Clients shall come back by TLS only (RFC 6797). */
  isEncrypted?: boolean
}

export interface BareOptions {
  newId: NewId
  now: () => Date
  log: Log
  /** Addresses of this server; the port is set once it is known. */
  address: OwnAddress
  /** Folder of the built page, or null for a server without one. */
  uiDir: string | null
  /** How a server that is not reached from this computer alone is reached. */
  network?: ServerNetwork | undefined
  /** Shorter timeouts, for tests. */
  timeouts?: { headersMs: number; requestMs: number; checkEveryMs: number }
}

const REQUEST_TIMEOUT_MS = 30_000
const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 5_000
/** Interval at which connections are checked for these timeouts: with Node's own 30 s slow ones would stay for 40. */
const CHECK_EVERY_MS = 1_000
const MAX_REQUESTS_PER_SOCKET = 1000
const MAX_PARAM_LENGTH = 100

const refuseSchemas = (): never => {
  throw new Error('A route says what it takes in its contract.')
}
/** Contracts validate input and output, so that Fastify's JSON Schema compilers are never loaded, which takes time. */
const NO_JSON_SCHEMAS = {
  compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas },
}

/** Removes a trailing slash: the address means the same without it. */
function withoutTrailingSlash(url: string): string {
  return url.startsWith('/api/') ? url.replace(/\/(?=\?|$)/, '') : url
}

/** Creates the server without routes. */
export function createBareServer({
  newId,
  now,
  log,
  address,
  uiDir,
  network,
  timeouts,
}: BareOptions): FastifyInstance {
  const bounds = network?.connections ?? CONNECTION_BOUNDS
  const app = Fastify({
    logger: false,
    genReqId: () => newId('req'),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: timeouts?.requestMs ?? REQUEST_TIMEOUT_MS,
    keepAliveTimeout: network?.keepAliveMs ?? KEEP_ALIVE_MS,
    // A proxy sends the requests of many clients over one connection.
    maxRequestsPerSocket: network ? 0 : MAX_REQUESTS_PER_SOCKET,
    ...(network ? { trustProxy: network.isProxy } : {}),
    ...(network?.tls
      ? {
          serverFactory: (handler: RequestListener) =>
            tlsServer(network.tls!, handler, {
              headersTimeout: timeouts?.headersMs ?? HEADERS_TIMEOUT_MS,
              connectionsCheckingInterval: timeouts?.checkEveryMs ?? CHECK_EVERY_MS,
              requestTimeout: timeouts?.requestMs ?? REQUEST_TIMEOUT_MS,
              keepAliveTimeout: network.keepAliveMs,
            }),
        }
      : {}),
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: ({ url }) => withoutTrailingSlash(url ?? '/'),
    // A missing Host is rejected by the guard, in the envelope, instead of by Node with an empty answer.
    http: {
      headersTimeout: timeouts?.headersMs ?? HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: timeouts?.checkEveryMs ?? CHECK_EVERY_MS,
      requireHostHeader: false,
    },
    clientErrorHandler: createSocketFailure(newId, now),
    frameworkErrors: createRouterFailure(log, now, address),
    schemaController: NO_JSON_SCHEMAS,
  })
  // Node closes further connections without an answer; the bounds close slow connections well before.
  app.server.maxConnections = 2 * bounds.total
  boundConnections(app.server, bounds)
  // Node answers `Expect` other than 100-continue by itself, without a body; here such requests pass through the
  // guard like others.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response))

  const known = new KnownRoutes()
  known.watch(app)
  if (network?.isEncrypted)
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('strict-transport-security', 'max-age=31536000')
      done()
    })
  installGuard(app, address, network?.probes)
  installBodies(app)
  installLanguage(app, '/api/v1/')
  installCompression(app, '/api/v1/')
  installFailures(app, { log, now })
  const sendPage = installStatic(app, uiDir)
  // Before the body is read: an unknown address needs none.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    if (sendPage(request, reply, pathOf(request)) === null) sendNotFound(known, request, reply, now())
  })
  app.setNotFoundHandler((request, reply) => sendNotFound(known, request, reply, now()))

  return app
}
