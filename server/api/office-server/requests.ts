/** The open requests of a server: counted, measured, and refused once the server ends. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OfficeMetrics } from '../../app/office/index.ts'
import { EVENT_STREAM } from '../../domain/contract/define-contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Log } from '../../platform/log.ts'
import { MCP_PATH } from '../mcp/route.ts'
import type { OperationEntry } from '../operations.ts'

/** A client that is refused tries again at another server. */
const RETRY_AFTER_SECONDS = 1

interface WatchOptions {
  operations: readonly OperationEntry[]
  /** Paths of probes: answered to the end, and not measured. */
  probes: ReadonlySet<string>
  metrics: OfficeMetrics | null
  /** Logs every request if set. */
  log: Log | null
}

export interface WatchedRequests {
  /** Asks clients not to keep their connections. */
  leave(): void
  /** Refuses requests that come from now on. */
  refuse(): void
  /** Resolves with the number of requests still open: when there is none, or after a time. */
  whenEnded(withinMs: number): Promise<number>
}

interface Known {
  operation: string
  requestId: string
  route: string | undefined
  isStream: boolean
}

/** Watches the requests of a server that does not listen yet. */
export function watchRequests(
  app: FastifyInstance,
  { operations, probes, metrics, log }: WatchOptions,
): WatchedRequests {
  const names = new Map<string, { operation: string; isStream: boolean }>()
  for (const { facts } of operations)
    if (facts.rest)
      names.set(`${facts.rest.method} /api/v1${facts.rest.path}`, {
        operation: facts.name,
        isStream: facts.media === EVENT_STREAM,
      })
  const known = new WeakMap<IncomingMessage, Known>()
  let open = 0
  let isLeaving = false
  let isRefusing = false
  let allEnded = (): void => {}

  const describe = (request: FastifyRequest): Known => {
    const route = request.routeOptions.url
    const named = names.get(`${request.method} ${route ?? ''}`)
    const operation = named?.operation ?? (route === MCP_PATH ? 'mcp' : 'other')
    return { operation, route, requestId: request.id, isStream: named?.isStream ?? false }
  }

  const ended = (request: IncomingMessage, response: ServerResponse, cameAt: number): void => {
    open -= 1
    if (open === 0) allEnded()
    const { operation, route, requestId, isStream } = known.get(request) ?? {
      operation: 'other',
      route: undefined,
      requestId: '',
      isStream: false,
    }
    if (probes.has(request.url ?? '')) return
    const ms = performance.now() - cameAt
    const isWhole = response.writableFinished
    metrics?.answered({
      operation,
      status: isWhole ? String(response.statusCode) : 'aborted',
      seconds: isStream ? null : ms / 1000,
    })
    log?.({
      event: 'request',
      requestId,
      ...(route === undefined ? {} : { route: `${request.method ?? ''} ${route}` }),
      status: isWhole ? response.statusCode : 499,
      ms: Math.round(ms),
    })
  }

  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const cameAt = performance.now()
    open += 1
    response.once('close', () => ended(request, response, cameAt))
  })
  app.addHook('onRequest', (request, reply, done) => {
    known.set(request.raw, describe(request))
    if (isLeaving) reply.header('connection', 'close')
    if (!isRefusing || probes.has(request.url)) return done()
    done(new AppError('office_server_ending', { retryAfterSeconds: RETRY_AFTER_SECONDS }))
  })
  return {
    leave: () => {
      isLeaving = true
    },
    refuse: () => {
      isRefusing = true
    },
    whenEnded: (withinMs) =>
      new Promise((resolve) => {
        if (open === 0) return resolve(0)
        const timer = setTimeout(() => resolve(open), withinMs)
        allEnded = () => {
          clearTimeout(timer)
          resolve(0)
        }
      }),
  }
}
