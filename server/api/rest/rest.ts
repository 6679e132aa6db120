/** All routes under `/api/v1`, from the table of operations, without business rules. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { EVENT_STREAM, hasFieldsInQuery, locationTemplate } from '../../domain/contract/define-contract.ts'
import type { AnyContract, ContractFacts, RestBinding } from '../../domain/contract/define-contract.ts'
import type { BytesAnswer, StreamAnswer } from '../../domain/contract/fields.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { familyOf, isCapped } from '../../domain/contract/rate-limits.ts'
import { disconnectSignal, countRequest } from '../rate-limits/index.ts'
import type { StoreLimits } from '../rate-limits/index.ts'
import type { OperationEntry } from '../operations.ts'
import { assertAccess, runOperation } from '../run.ts'
import type { KeyGate, AuthenticatedKey } from '../http/auth.ts'
import { bodyLimitOf } from '../http/bodies.ts'
import { retirementHeaders } from './deprecation.ts'
import { isDocumentPending, sendMedia, sendPending } from '../http/bytes.ts'
import { sendOk } from '../http/envelope.ts'
import type { Log } from '../../platform/log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on authenticated routes once the key is known. */
    key: AuthenticatedKey | null
  }
}

const REST_PREFIX = '/api/v1'

type Convert = (text: unknown) => unknown

const asNumber: Convert = (text) =>
  typeof text === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
const asBoolean: Convert = (text) => (text === 'true' ? true : text === 'false' ? false : text)

function innerType(schema: z.core.$ZodType): string {
  const { def } = schema._zod
  if ('innerType' in def) return innerType(def.innerType as z.core.$ZodType)
  return def.type
}

/**
 * Returns the conversion of each query field to the type of its contract; text that does not fit stays and is
 * rejected.
 */
function conversionsOf(contract: AnyContract): Map<string, Convert> {
  const conversions = new Map<string, Convert>()
  const { def } = contract.input._zod
  if (def.type !== 'object') return conversions
  for (const [field, schema] of Object.entries((def as z.core.$ZodObjectDef).shape)) {
    const type = innerType(schema)
    if (type === 'number') conversions.set(field, asNumber)
    else if (type === 'boolean') conversions.set(field, asBoolean)
  }
  return conversions
}

function unknownField(field: string): Fault {
  return {
    code: 'unknown_field',
    field,
    severity: 'error',
    message: 'There is no such field here.',
    fix: 'Remove it or check its spelling and place.',
  }
}

const NOT_AN_OBJECT: Fault = {
  code: 'wrong_type',
  field: '',
  severity: 'error',
  message: 'The body must be a JSON object.',
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const IF_MATCH = /^(?:W\/)?"(\d{1,15})"$/

/**
 * Reads `If-Match` as `expectedVersion`. Returns its fault: if the operation has no version, a caller that relies on
 * the check must be told.
 */
function readIfMatch(sent: string, contract: AnyContract, raw: Record<string, unknown>): Fault | null {
  const fault = (message: string, fix: string): Fault => ({
    code: 'if_match',
    field: 'If-Match',
    severity: 'error',
    message,
    fix,
  })
  const { def } = contract.input._zod
  const isGuarded = def.type === 'object' && 'expectedVersion' in (def as z.core.$ZodObjectDef).shape
  if (!isGuarded) return fault('This request knows no versions.', 'Leave the header out.')
  if (sent === '*') return null
  const version = IF_MATCH.exec(sent)?.[1]
  if (version === undefined) return fault('This is no version.', 'Send the version in quotes: "3".')
  if (raw.expectedVersion !== undefined && raw.expectedVersion !== Number(version))
    return fault('It differs from expectedVersion.', 'Send the version once.')
  raw.expectedVersion = Number(version)
  return null
}

interface GatheredInput {
  raw: Record<string, unknown>
  /** Fields in the wrong place. */
  faults: Fault[]
}

/**
 * Creates the input reader of a route. It reads each field from its own place only: path parameters from the path,
 * the rest from the query (GET, DELETE, and a POST declared so) or the body (POST, PATCH), so that a body cannot name
 * another invoice than the path.
 */
function createInputReader(
  rest: NonNullable<ContractFacts['rest']>,
): (request: FastifyRequest, contract: AnyContract) => GatheredInput {
  const inPath = new Set([...rest.path.matchAll(/:(\w+)/g)].map((match) => match[1]))
  const fromQuery = hasFieldsInQuery(rest)
  const headers = Object.entries(rest.headers ?? {})
  let conversions: Map<string, Convert> | undefined
  return (request, contract) => {
    conversions ??= conversionsOf(contract)
    const raw: Record<string, unknown> = { ...(request.params as Record<string, unknown>) }
    const faults: Fault[] = []
    const query = request.query as Record<string, unknown>
    for (const field in query) {
      if (!fromQuery || inPath.has(field) || field === '__proto__') faults.push(unknownField(field))
      else raw[field] = conversions.get(field)?.(query[field]) ?? query[field]
    }
    const { body } = request
    if (body !== undefined) {
      if (!isPlainObject(body)) faults.push(NOT_AN_OBJECT)
      else
        for (const field of Object.keys(body)) {
          if (fromQuery || inPath.has(field)) faults.push(unknownField(field))
          else raw[field] = body[field]
        }
    }
    for (const [field, header] of headers) {
      const sent = request.headers[header]
      if (typeof sent === 'string' && raw[field] === undefined) raw[field] = sent
    }
    const match = request.headers['if-match']
    const fault = match === undefined || rest.method === 'GET' ? null : readIfMatch(match, contract, raw)
    if (fault) faults.push(fault)
    return { raw, faults: faults.slice(0, 100) }
  }
}

/** Calls `look` every second until the returned function is called. */
function everySecond(look: () => void): () => void {
  const timer = setInterval(look, 1_000)
  timer.unref()
  return () => clearInterval(timer)
}

interface RestOptions {
  /** True if other servers may revoke a key. */
  isShared: boolean
  operations: readonly OperationEntry[]
  gate: KeyGate
  limits: StoreLimits
  now: () => Date
  log: Log
}

function isStream(data: unknown): boolean {
  return isPlainObject(data) && 'stream' in data
}

/** Returns the member of an answer at a dotted name. */
function memberOf(data: unknown, name: string): unknown {
  let member = data
  for (const part of name.split('.')) member = isPlainObject(member) ? member[part] : undefined
  return member
}

/**
 * Returns the version of the object that is the answer, or that it contains next to its warnings; null if there is
 * none.
 */
function versionIn(data: unknown): number | null {
  if (!isPlainObject(data)) return null
  const versions = [data, ...Object.values(data)].flatMap((each) =>
    isPlainObject(each) && Number.isSafeInteger(each.version) ? [Number(each.version)] : [],
  )
  return versions[0] ?? null
}

/** Returns the address of a new object; null if it has none. */
function locationOf(template: string | null, data: unknown): string | null {
  let isWhole = true
  const path = template?.replace(/\{([\w.]+)\}/g, (_, name: string) => {
    const member = memberOf(data, name)
    if (typeof member !== 'string') isWhole = false
    return encodeURIComponent(String(member))
  })
  return path && isWhole ? REST_PREFIX + path : null
}

/**
 * Passes the pieces on while the key is valid: a stream outlives the request that opened it. `watch` calls its argument
 * from time to time until the function that it returns is called: a stream without pieces ends as well.
 */
function whileAllowed(
  pieces: AsyncIterable<Uint8Array>,
  check: () => Promise<unknown>,
  watch: (look: () => void) => () => void,
): AsyncIterable<Uint8Array> {
  const inner = pieces[Symbol.asyncIterator]()
  const over: IteratorResult<Uint8Array> = { done: true, value: undefined }
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    stop?.()
    await inner.return?.()
    return over
  }
  let stop: (() => void) | undefined
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    stop ??= watch(() => void check().catch(() => end()))
    const piece = await inner.next()
    if (piece.done) return end()
    try {
      await check()
    } catch (error) {
      if (error instanceof AppError) return end()
      throw error
    }
    return piece
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}

export function installRest(
  app: FastifyInstance,
  { isShared, operations, gate, limits, now, log }: RestOptions,
): void {
  app.decorateRequest('key', null)
  const paths = new Set(operations.flatMap(({ facts }) => facts.rest?.path ?? []))
  for (const entry of operations) {
    const { facts } = entry
    const { rest, media } = facts
    if (!rest) continue
    const readInput = createInputReader(rest)
    const whereMade = locationTemplate(rest, paths)
    const family = familyOf(facts)
    const places = isCapped(family) ? limits.places[family] : null
    const retiring = retirementHeaders(facts, operations)
    const takesIdempotencyKey = rest.method === 'POST' || rest.method === 'DELETE'

    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { key } = request
      if (!key) throw new Error('A keyed route ran without a key.')
      const ctx = gate.ctxFor(key, 'rest', request.id)
      const operation = await entry.load()
      const { contract } = operation
      const { raw, faults } = readInput(request, contract)
      if (faults.length > 0) {
        assertAccess(contract, ctx)
        throw validationFailed(faults)
      }
      const idempotencyKey = takesIdempotencyKey ? request.headers['idempotency-key'] : undefined
      const place: { leave?: () => void } = {}
      let isStreaming = false
      try {
        const data = await runOperation(operation, ctx, raw, {
          idempotencyKey: Array.isArray(idempotencyKey) ? idempotencyKey.join(', ') : idempotencyKey,
          onReplay: () => void reply.header('idempotency-replayed', 'true'),
          ...(places
            ? { beforeWork: async () => void (place.leave = await places.take(disconnectSignal(reply.raw))) }
            : {}),
        })
        isStreaming = isStream(data)
        return sendAnswer(request, reply, data, contract.rest)
      } finally {
        // A streamed answer holds its slot until it has been sent.
        if (place.leave && isStreaming) reply.raw.once('close', place.leave)
        else place.leave?.()
      }
    }

    const sendAnswer = (
      request: FastifyRequest,
      reply: FastifyReply,
      data: unknown,
      { status = 200, otherStatus }: Partial<RestBinding> = {},
    ): FastifyReply => {
      if (media === EVENT_STREAM) {
        const { stream } = data as StreamAnswer
        const watch = isShared ? everySecond : () => () => {}
        const allowed = { stream: whileAllowed(stream, () => gate.authenticateKey(request), watch) }
        return sendMedia(request, reply, allowed, media, log)
      }
      if (media) return sendMedia(request, reply, data as BytesAnswer | StreamAnswer, media, log)
      const location = locationOf(whereMade, data)
      if (location) reply.header('location', location)
      // Returned to be sent back as `If-Match`.
      const version = versionIn(data)
      if (version !== null) reply.header('etag', `"${version}"`)
      return sendOk(reply.code(otherStatus?.when(data) ? otherStatus.status : status), data, now())
    }

    app.route({
      method: rest.method,
      url: REST_PREFIX + rest.path,
      bodyLimit: bodyLimitOf(facts),
      // An endless stream has no length to report.
      ...(rest.method === 'GET' && media !== EVENT_STREAM ? { exposeHeadRoute: true } : {}),
      onRequest: async (request, reply) => {
        request.key = await gate.authenticateKey(request)
        if (retiring) reply.headers(retiring)
        await countRequest(limits, request.key.actor.rootId, family, reply)
      },
      handler: media
        ? async (request, reply) => {
            try {
              return await answer(request, reply)
            } catch (error) {
              if (isDocumentPending(error)) return sendPending(reply, now())
              throw error
            }
          }
        : answer,
    })
  }
}
