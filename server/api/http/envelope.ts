/** The common shape of all JSON answers, and the headers of every answer. */
import type { FastifyReply } from 'fastify'
import type { AppError, ErrorBody } from '../../domain/errors/app-error.ts'

interface Meta {
  requestId: string
  timestamp: string
}

interface OkEnvelope {
  ok: true
  data: unknown
  meta: Meta
}

interface ErrorEnvelope {
  ok: false
  error: ErrorBody
  meta: Meta
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Prohibits loading, framing, sniffing, caching and reading by other origins; pages of the UI and docs set their own
 * policy.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

function okEnvelope(data: unknown, requestId: string, at: Date): OkEnvelope {
  return { ok: true, data, meta: { requestId, timestamp: at.toISOString() } }
}

export function errorEnvelope(error: AppError, requestId: string, at: Date): ErrorEnvelope {
  return { ok: false, error: error.toBody(), meta: { requestId, timestamp: at.toISOString() } }
}

/** Sends data. */
export function sendOk(reply: FastifyReply, data: unknown, at: Date): FastifyReply {
  return reply.header('content-type', JSON_TYPE).send(JSON.stringify(okEnvelope(data, reply.request.id, at)))
}

/** Sends an error with its status and, if it has one, `Retry-After`. */
export function sendError(reply: FastifyReply, error: AppError, at: Date): FastifyReply {
  reply.code(error.status).header('content-type', JSON_TYPE)
  if (error.waitSeconds !== undefined) reply.header('retry-after', String(error.waitSeconds))
  if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="svc"')
  return reply.send(JSON.stringify(errorEnvelope(error, reply.request.id, at)))
}
