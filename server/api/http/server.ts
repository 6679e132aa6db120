/** The HTTP server with guard, bodies, APIs and pages. It opens no port; the caller does. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors/app-error.ts'
import type { AppEnvironment } from '../../context.ts'
import { endStreams } from '../../platform/events/index.ts'
import { loadLimits } from '../rate-limits/index.ts'
import type { StoreLimits } from '../rate-limits/index.ts'
import type { OperationEntry } from '../operations.ts'
import { createKeyGate } from './auth.ts'
import type { FindKey, KeyGate } from './auth.ts'
import { createBareServer } from './bare.ts'
import type { ServerNetwork } from './bare.ts'
import { installDocs } from './docs.ts'
import { sendOk } from './envelope.ts'
import type { EventFeed } from '../window/feed.ts'
import type { OwnAddress } from './guard.ts'
import { BadKeys } from './bad-key-limits.ts'
import type { Log } from '../../platform/log.ts'
import { installRest } from '../rest/rest.ts'
import { installWindow } from '../window/window.ts'
import { WindowSessions } from '../window/sessions.ts'
import { installCalls } from '../window/calls.ts'
import type { FindBook, WindowGate } from '../window/calls.ts'

/** The parts of this server that the MCP route needs. The guard runs before it for every request. */
interface McpDeps {
  env: AppEnvironment
  operations: readonly OperationEntry[]
  gate: KeyGate
  limits: StoreLimits
  log: Log
}

/** The window of an office: its gate, and the routes before it. */
export interface OfficeWindow {
  gate: WindowGate
  install(app: FastifyInstance): void
}

interface ServerOptions {
  env: AppEnvironment
  operations: readonly OperationEntry[]
  /** Addresses of this server; the port is set once it is known. */
  address: OwnAddress
  /** The token of a desk's window; null for a server without one. */
  windowToken: string | null
  /** The window of an office, whose people sign in. */
  officeWindow?: OfficeWindow | undefined
  /** The browser sessions; without them no browser is admitted. */
  sessions?: WindowSessions
  /** Folder of the built page, or null for a server without one. */
  uiDir: string | null
  /** Folder of the pages of the documentation, if it is another one. */
  docsDir?: string | null | undefined
  network?: ServerNetwork | undefined
  findKey: FindKey
  findBook: FindBook
  feed: EventFeed
  log: Log
  /** Adds the MCP route, `/api/mcp/svc`. */
  registerMcp?: (app: FastifyInstance, deps: McpDeps) => void | Promise<void>
  /** Returns the OpenAPI document as JSON text; called at its first request. */
  openApiJson: () => Promise<string>
}

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { env, operations, log } = options
  const now = env.now
  const { limits, stop: stopLimits } = await loadLimits(env)
  const badKeys = new BadKeys(undefined, limits.shared)
  const gate = createKeyGate(env, options.findKey, badKeys)

  const app = createBareServer({ ...options, newId: env.newId, now })
  app.get('/healthz', { exposeHeadRoute: true }, async (_request, reply) =>
    sendOk(reply, { status: 'up' }, now()),
  )
  let openApi: Promise<string> | undefined
  app.get('/api/v1/openapi.json', { exposeHeadRoute: true }, async (_request, reply) => {
    openApi ??= options.openApiJson()
    return reply.header('content-type', 'application/json; charset=utf-8').send(await openApi)
  })
  app.addHook('preClose', async () => endStreams(env))
  app.addHook('onClose', async () => {
    stopLimits()
    await limits.shared?.flush()
  })
  installRest(app, { isShared: env.servers !== null, operations, gate, limits, now, log })
  const { windowToken, officeWindow, findBook, feed } = options
  if (windowToken !== null)
    installWindow(app, {
      env,
      operations,
      windowToken,
      sessions: options.sessions ?? new WindowSessions(),
      address: options.address,
      findBook,
      badKeys,
      feed,
      log,
    })
  if (officeWindow) {
    installCalls(app, { env, operations, gate: officeWindow.gate, findBook, feed, log })
    officeWindow.install(app)
  }
  installDocs(app, options.docsDir ?? options.uiDir)
  // Removed: answers every method with an error that names its replacement.
  const gone = async (): Promise<never> => {
    throw new AppError('gone')
  }
  app.all('/api/mcp/erp', { onRequest: gone }, gone)
  if (options.registerMcp) await options.registerMcp(app, { env, operations, gate, limits, log })
  return app
}
