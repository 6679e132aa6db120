/**
 * The MCP route: one address for both protocols. The server's guard has checked Host and Origin; this route
 * authenticates the key before the body is read and accepts only single JSON-RPC messages.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CHECKER, clientOf, recordClient } from '../../app/assistants/index.ts'
import type { Client } from '../../app/assistants/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { asAppError } from '../../domain/errors/to-app-error.ts'
import type { AppEnvironment, Book, Channel, Ctx, KeyActor } from '../../context.ts'
import { disconnectSignal, countRequest } from '../rate-limits/index.ts'
import type { StoreLimits } from '../rate-limits/index.ts'
import { loadOperations } from '../operations.ts'
import type { OperationEntry } from '../operations.ts'
import { asRequestError, errorMessage } from './failures.ts'
import type { Engine } from './engine.ts'
import type { Call, CallEntry } from './service.ts'
import type { Json } from './schemas.ts'

export const MCP_PATH = '/api/mcp/svc'

interface KnownKey {
  actor: KeyActor
  book: Book
}

/** The parts of the server that this route needs. */
interface McpDeps {
  env: Pick<AppEnvironment, 'version'>
  operations: readonly OperationEntry[]
  gate: {
    /** Throws `unauthorized`, or `rate_limited` after many invalid keys. */
    authenticateKey(request: FastifyRequest): Promise<KnownKey>
    ctxFor(key: KnownKey, channel: Channel, requestId: string): Ctx
  }
  limits: StoreLimits
  log: (entry: CallEntry | { event: string; requestId?: string; error: unknown }) => void
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const MAX_CLIENT_NAME = 80

/** Returns the name that the client gives itself, else that of its HTTP library. For the log only. */
function callerText(request: FastifyRequest, introduced: Client | null): string | null {
  const named = introduced
    ? `${introduced.name}/${introduced.version ?? ''}`
    : headerOf(request, 'user-agent')
  return named?.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_CLIENT_NAME) ?? null
}

/** Copies headers set on the framework's reply to the answer that an SDK writes. */
function handOver(reply: FastifyReply): void {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
}

/** Adds the route to a server. */
export async function registerMcp(app: FastifyInstance, deps: McpDeps): Promise<void> {
  const { gate, limits, log } = deps
  // The SDKs and the tools' schemas take a third of the start time; they are loaded at the first tool request.
  let engine: Promise<Engine> | undefined
  const load = (): Promise<Engine> =>
    (engine ??= import('./engine.ts').then(async ({ createEngine, isOffered }) =>
      createEngine({
        operations: await loadOperations(deps.operations.filter(({ facts }) => isOffered(facts))),
        version: deps.env.version,
        log,
        onRejected: (error) => log({ event: 'mcp_rejected', error: error.message }),
      }),
    ))
  const keys = new WeakMap<FastifyRequest, KnownKey>()

  /** An invalid message counts as a read, so that the number of such messages is limited as well. */
  async function countNonsense(
    request: FastifyRequest,
    reply: FastifyReply,
    error: AppError,
  ): Promise<AppError> {
    const key = keys.get(request)
    if (!key || reply.hasHeader('ratelimit')) return error
    try {
      await countRequest(limits, key.actor.rootId, 'read', reply)
      return error
    } catch (thrown) {
      return asAppError(thrown)
    }
  }

  async function fail(
    request: FastifyRequest,
    reply: FastifyReply,
    failure: AppError,
  ): Promise<FastifyReply> {
    const error = await countNonsense(request, reply, failure)
    reply.code(error.status).header('content-type', 'application/json; charset=utf-8')
    if (error.waitSeconds !== undefined) reply.header('retry-after', String(error.waitSeconds))
    // Names no authorization server: clients would go there and drop the key they were given.
    if (error.status === 401) reply.header('www-authenticate', 'Bearer realm="svc"')
    return reply.send(JSON.stringify(errorMessage(error, request.id)))
  }

  /** Counts the call in its family and passes it to the SDK of its protocol. */
  async function serve(
    request: FastifyRequest,
    reply: FastifyReply,
    key: KnownKey,
    body: Json,
  ): Promise<void> {
    const params = isObject(body.params) ? body.params : {}
    const { familyOf, eraOf, serveCall } = await load()
    await countRequest(limits, key.actor.rootId, familyOf(body.method, params), reply)
    const protocolVersionHeader = headerOf(request, 'mcp-protocol-version')
    const mcpMethodHeader = headerOf(request, 'mcp-method')
    const introduced = clientOf(params)
    const call: Call = {
      ctx: gate.ctxFor(key, 'mcp', request.id),
      enter: (family) => limits.places[family].take(disconnectSignal(reply.raw)),
      keyId: key.actor.id,
      era: eraOf({
        httpMethod: request.method,
        ...(protocolVersionHeader === undefined ? {} : { protocolVersionHeader }),
        ...(mcpMethodHeader === undefined ? {} : { mcpMethodHeader }),
        body,
      }),
      client: callerText(request, introduced),
      introduced,
    }
    // The program's own check of the address is not an assistant of the key.
    if (introduced && introduced.name !== CHECKER) recordClient(call.ctx.env, key.actor, introduced)
    handOver(reply)
    const raw = { request: request.raw, response: reply.raw, body }
    try {
      await serveCall(call, raw)
    } catch (thrown) {
      log({ event: 'bug', requestId: request.id, error: thrown })
      if (reply.raw.headersSent) reply.raw.destroy()
      else
        reply.raw
          .writeHead(500, { 'content-type': 'application/json' })
          .end(JSON.stringify(errorMessage(asAppError(thrown), request.id)))
    }
  }

  await app.register(async (scope) => {
    scope.setErrorHandler((thrown, request, reply) => {
      const error = asRequestError(thrown)
      if (error.code === 'internal') log({ event: 'bug', requestId: request.id, error: thrown })
      return fail(request, reply, error)
    })
    scope.all(MCP_PATH, {
      onRequest: async (request) => {
        keys.set(request, await gate.authenticateKey(request))
      },
      handler: async (request, reply) => {
        const key = keys.get(request)
        if (!key) throw new Error('A keyed route ran without a key.')
        if (request.method !== 'POST')
          return fail(
            request,
            reply.header('allow', 'POST'),
            new AppError('method_not_allowed', { details: { allow: ['POST'] } }),
          )
        // Rejects arrays too: the SDKs would run every message of a batch, bypassing the limit of each.
        if (!isObject(request.body))
          throw new AppError('malformed_request', { details: { why: 'not_one_message' } })
        await serve(request, reply, key, request.body)
        return reply
      },
    })
    scope.addHook('preClose', async () => (await engine)?.close())
  })
}
