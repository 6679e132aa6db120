/**
 * Sends all failures in the envelope: errors of this program and of the framework, unknown addresses, unreadable
 * requests.
 */
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors/app-error.ts'
import type { ErrorCode } from '../../domain/errors/catalog.ts'
import { asAppError } from '../../domain/errors/to-app-error.ts'
import type { NewId } from '../../domain/ids.ts'
import { errorEnvelope, JSON_TYPE, SECURITY_HEADERS, sendError } from './envelope.ts'
import { guard } from './guard.ts'
import type { OwnAddress } from './guard.ts'
import type { Log } from '../../platform/log.ts'

/** Errors of the framework that are caused by the caller. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_request',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'unsupported_media_type',
  ECONNRESET: 'malformed_request',
}

/** Converts any thrown value to an error for the caller. A bug is logged completely and answered as `internal`. */
function failureOf(
  thrown: unknown,
  log: Log,
  request?: { requestId: string; route?: string | undefined },
): AppError {
  const context = request
    ? { requestId: request.requestId, ...(request.route ? { route: request.route } : {}) }
    : {}
  const refused = FRAMEWORK_CODES[(thrown as { code?: string } | null)?.code ?? '']
  if (refused && !(thrown instanceof AppError)) return new AppError(refused)
  const failure = asAppError(thrown)
  const { code, status, cause } = failure
  const event = thrown !== failure && code === 'internal' ? 'bug' : 'failure'
  if (status >= 500 && cause !== undefined) log({ event, code, status, error: cause, ...context })
  return failure
}

interface FailureOptions {
  log: Log
  now: () => Date
}

/** Sets the handler for everything that routes and hooks throw. */
export function installFailures(app: FastifyInstance, { log, now }: FailureOptions): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error, log, { requestId: request.id, route: request.routeOptions.url })
    return sendError(reply, failure, now())
  })
}

/** The registered routes with their methods, for 405 and its `Allow`. */
export class KnownRoutes {
  private readonly routes: { pattern: RegExp; methods: string[] }[] = []

  /** Records the routes as they are added. */
  watch(app: FastifyInstance): void {
    const byUrl = new Map<string, string[]>()
    app.addHook('onRoute', ({ url, method }) => {
      // A wildcard matches any address, so that it says nothing about one.
      if (url.includes('*')) return
      let methods = byUrl.get(url)
      if (!methods) {
        methods = []
        byUrl.set(url, methods)
        const source = url
          .split('/')
          .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
        this.routes.push({ pattern: new RegExp(`^${source.join('/')}$`), methods })
      }
      methods.push(...[method].flat())
    })
  }

  /**
   * Returns the methods of all routes that match: `/received-invoices/read` is a route of its own and also matches an
   * identifier.
   */
  methodsOf(path: string): string[] {
    const fitting = this.routes.filter((route) => route.pattern.test(path))
    return [...new Set(fitting.flatMap(({ methods }) => methods))]
  }
}

/** Sends 405 with `Allow` if the address exists, else 404. */
export function sendNotFound(
  known: KnownRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
): FastifyReply {
  const methods = known.methodsOf(pathOf(request))
  if (methods.length === 0) return sendError(reply, new AppError('not_found'), now)
  return sendError(
    reply.header('allow', methods.join(', ')),
    new AppError('method_not_allowed', { details: { allow: methods } }),
    now,
  )
}

/** Returns the path of a request without its query. */
export function pathOf(request: FastifyRequest): string {
  const { url } = request
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}

const PARSER_STATUS: Readonly<Record<string, { status: number; code: ErrorCode }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'malformed_request' },
  HPE_HEADER_OVERFLOW: { status: 431, code: 'malformed_request' },
}

/** Answers a request that could not be parsed, directly on its socket, in the same envelope. */
export function createSocketFailure(newId: NewId, now: () => Date) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy()
      return
    }
    const { status, code } = PARSER_STATUS[error.code ?? ''] ?? {
      status: 400,
      code: 'malformed_request' as const,
    }
    const requestId = newId('req')
    const body = JSON.stringify(errorEnvelope(new AppError(code), requestId, now()))
    const headers = {
      ...SECURITY_HEADERS,
      'x-request-id': requestId,
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.end(`HTTP/1.1 ${status} Bad Request\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  }
}

/**
 * Answers errors inside the router (an address that cannot be decoded). No hook has run, so that it calls the guard
 * itself.
 */
export function createRouterFailure(log: Log, now: () => Date, address: OwnAddress) {
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    const verdict = guard(request, reply, address)
    if (verdict === 'answered') return
    sendError(reply, verdict ?? failureOf(error, log, { requestId: request.id }), now())
  }
}
