/** The HTTP server: guard, bodies, doors and pages put together. It opens no port; whoever made it does. */
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../core/errors.ts'
import type { AppEnvironment } from '../ctx.ts'
import type { Operation } from '../operations.ts'
import { createKeyGate } from './auth.ts'
import type { FindKey, KeyGate } from './auth.ts'
import { BODY_LIMIT_BYTES, installBodies } from './bodies.ts'
import { installDocs } from './docs.ts'
import { sendOk } from './envelope.ts'
import {
  createRouterFailure,
  createSocketFailure,
  installFailures,
  KnownRoutes,
  pathOf,
  sendNotFound,
} from './failures.ts'
import type { EventFeed } from './feed.ts'
import { installGuard } from './guard.ts'
import type { OwnAddress } from './guard.ts'
import { BadKeys, Limits } from './limits.ts'
import type { Log } from './log.ts'
import { installRest } from './rest.ts'
import { installStatic } from './static.ts'
import { installWindow } from './window.ts'
import type { FindBook } from './window.ts'

/** What the tools' route needs of this server. The guard has run before it, for every request. */
export interface McpDeps {
  env: AppEnvironment
  operations: readonly Operation[]
  gate: KeyGate
  limits: Limits
  log: Log
}

export interface ServerOptions {
  env: AppEnvironment
  operations: readonly Operation[]
  /** Where this server may be called; its port is set when it is known. */
  address: OwnAddress
  windowToken: string
  /** Folder of the built page, or null for a server without one. */
  uiDir: string | null
  findKey: FindKey
  findBook: FindBook
  feed: EventFeed
  log: Log
  /** Adds the tools' route, `/api/mcp/svc`. */
  registerMcp?: (app: FastifyInstance, deps: McpDeps) => void | Promise<void>
  /** The OpenAPI document as JSON text; asked for when it is first read. */
  openApiJson: () => Promise<string>
  limits?: Limits
}

const REQUEST_TIMEOUT_MS = 30_000
const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 5_000
const MAX_CONNECTIONS = 256
const MAX_REQUESTS_PER_SOCKET = 1000
const MAX_PARAM_LENGTH = 100

const refuseSchemas = (): never => {
  throw new Error('A route says what it takes in its contract.')
}
/** Contracts check what comes and goes, so Fastify's own compilers of JSON Schema are never loaded: it takes a while. */
const NO_JSON_SCHEMAS = {
  compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas },
}

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { env, operations, log } = options
  const now = env.now
  const limits = options.limits ?? new Limits()
  const badKeys = new BadKeys()
  const gate = createKeyGate(env, options.findKey, badKeys)

  const app = Fastify({
    logger: false,
    genReqId: () => env.newId('req'),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxRequestsPerSocket: MAX_REQUESTS_PER_SOCKET,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // A missing Host is refused by our guard, in the envelope, instead of by Node with an empty answer.
    http: { headersTimeout: HEADERS_TIMEOUT_MS, requireHostHeader: false },
    clientErrorHandler: createSocketFailure(env.newId, now),
    frameworkErrors: createRouterFailure(log, now),
    schemaController: NO_JSON_SCHEMAS,
  })
  app.server.maxConnections = MAX_CONNECTIONS
  // Node answers `Expect` other than 100-continue by itself, without a body; ours goes through the guard like the rest.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response))

  const known = new KnownRoutes()
  known.watch(app)
  installGuard(app, options.address)
  installBodies(app)
  installFailures(app, { log, now })
  const sendPage = installStatic(app, options.uiDir)
  // Before the body is read: what does not exist needs none.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    if (sendPage(request, reply, pathOf(request)) === null) sendNotFound(known, request, reply, now())
  })
  app.setNotFoundHandler((request, reply) => sendNotFound(known, request, reply, now()))

  app.get('/healthz', async (_request, reply) => sendOk(reply, { status: 'up' }, now()))
  let openApi: Promise<string> | undefined
  app.get('/api/v1/openapi.json', async (_request, reply) => {
    openApi ??= options.openApiJson()
    return reply.header('content-type', 'application/json; charset=utf-8').send(await openApi)
  })
  installRest(app, { operations, gate, limits, now, log })
  installWindow(app, {
    env,
    operations,
    windowToken: options.windowToken,
    findBook: options.findBook,
    badKeys,
    feed: options.feed,
    log,
  })
  installDocs(app)
  // Retired: it says so for every method, and names what replaced it.
  const gone = async (): Promise<never> => {
    throw new AppError('gone')
  }
  app.all('/api/mcp/erp', { onRequest: gone }, gone)
  if (options.registerMcp) await options.registerMcp(app, { env, operations, gate, limits, log })
  return app
}
