/** The OpenAPI 3.1 document of the REST interface, derived from the contracts without repeating anything by hand. */
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { EVENTS } from '../../platform/events/contract.ts'
import examples from './examples.json' with { type: 'json' }
import { TAGS } from './tags.ts'
import { EVENT_STREAM, hasFieldsInQuery, locationTemplate } from '../../domain/contract/define-contract.ts'
import { StreamAnswer } from '../../domain/contract/fields.ts'
import type { AnyContract, RestBinding } from '../../domain/contract/define-contract.ts'
import { ERRORS } from '../../domain/errors/catalog.ts'
import { english } from '../../domain/errors/messages/en.ts'
import type { ErrorCode } from '../../domain/errors/catalog.ts'
import { familyOf, isCapped } from '../../domain/contract/rate-limits.ts'
import { described } from './descriptions.ts'

type Json = Record<string, unknown>

const REF = '#/$defs/'
const COMPONENT = '#/components/schemas/'

/** Collects named schemas; one name with two shapes (input and output) becomes two components. */
class Components {
  readonly schemas: Json = {}

  /** Returns the schema of a contract's input or output, with its named parts moved to the components. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    const { $defs, $schema: _, ...body } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
    const definitions = ($defs ?? {}) as Record<string, Json>
    const names = new Map<string, string>()
    for (const name of Object.keys(definitions))
      names.set(name, this.nameFor(name, definitions[name] as Json, io))
    for (const [name, definition] of Object.entries(definitions))
      this.schemas[names.get(name) ?? name] ??= rename(definition, names)
    return rename(body, names) as Json
  }

  /** Adds a schema under the given name; one that already has a name keeps it. */
  named(name: string, schema: Json): Json {
    if (typeof schema.$ref === 'string') return schema
    this.schemas[name] ??= schema
    return { $ref: COMPONENT + name }
  }

  private nameFor(name: string, definition: Json, io: 'input' | 'output'): string {
    const seen = this.originals.get(name)
    const text = JSON.stringify(definition)
    if (seen === undefined) {
      this.originals.set(name, text)
      return name
    }
    return seen === text ? name : `${name}${io === 'input' ? 'Input' : 'Output'}`
  }
  private readonly originals = new Map<string, string>()
}

/** Changes references to `$defs` into references to components. */
function rename(value: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === '$ref' && typeof member === 'string' && member.startsWith(REF)) {
        const name = member.slice(REF.length)
        return [key, COMPONENT + (names.get(name) ?? name)]
      }
      return [key, rename(member, names)]
    }),
  )
}

const META: Json = {
  type: 'object',
  properties: {
    requestId: { type: 'string', description: 'Quote it when you report a problem.' },
    timestamp: { type: 'string', format: 'date-time' },
  },
  required: ['requestId', 'timestamp'],
}

const ERROR_ANSWER: Json = {
  type: 'object',
  description: 'A refusal or a failure. Act on code and retry; message and next are for people.',
  properties: {
    ok: { const: false },
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS) },
        message: { type: 'string' },
        field: {
          type: 'string',
          description: 'Dotted path of the first field at fault, such as lines[0].quantity.',
        },
        details: {
          type: 'object',
          properties: { faults: { type: 'array', items: { $ref: `${COMPONENT}Fault` } } },
          additionalProperties: true,
        },
        retry: { type: 'string', enum: ['never', 'backoff', 'after', 'new_token'] },
        next: { type: 'string', description: 'One sentence: the next step.' },
        docs: { type: 'string', description: 'Where the code is explained.' },
      },
      required: ['code', 'message', 'retry', 'next', 'docs'],
    },
    meta: { $ref: `${COMPONENT}Meta` },
  },
  required: ['ok', 'error', 'meta'],
}

function envelopeOf(data: Json): Json {
  return {
    type: 'object',
    properties: { ok: { const: true }, data, meta: { $ref: `${COMPONENT}Meta` } },
    required: ['ok', 'data', 'meta'],
  }
}

/** Returns the error codes that depend on the form of the request. */
function errorCodesOf(contract: AnyContract, rest: RestBinding): ErrorCode[] {
  const codes: ErrorCode[] = [
    'malformed_request',
    'unauthorized',
    'scope_missing',
    'host_not_allowed',
    'origin_not_allowed',
    'validation_failed',
    'rate_limited',
    'internal',
    ...contract.errors,
  ]
  // An identifier that is too long matches no address.
  if (rest.path.includes(':')) codes.push('not_found')
  // A body is also read with DELETE, to report that its fields do not belong there.
  if (rest.method !== 'GET') codes.push('payload_too_large', 'unsupported_media_type')
  if (rest.method === 'POST' || rest.method === 'DELETE') {
    codes.push('idempotency_mismatch')
    // Within a transaction a repetition waits for the first request; a call to an external service holds no
    // transaction.
    if (contract.external || contract.storesContent) codes.push('idempotency_in_progress')
  }
  if (contract.effect !== 'read') codes.push('store_readonly')
  if (contract.effect === 'irreversible' || contract.bringsNew) codes.push('disk_low', 'company_archived')
  if (isCapped(familyOf(contract))) codes.push('too_busy')
  return [...new Set(codes)]
}

const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` })

const LIMIT_HEADERS: Json = {
  RateLimit: header('RateLimit'),
  'RateLimit-Policy': header('RateLimitPolicy'),
  'X-Request-Id': header('RequestId'),
}

/** Headers of an answer that may precede the check of the key. */
const LIMIT_HEADERS_IF_KNOWN: Json = {
  RateLimit: header('RateLimitIfKnown'),
  'RateLimit-Policy': header('RateLimitPolicyIfKnown'),
  'X-Request-Id': header('RequestId'),
}

/** Codes of errors before authentication: the origin of a request, its address, or too many invalid keys. */
const BEFORE_THE_KEY: ReadonlySet<ErrorCode> = new Set([
  'malformed_request',
  'host_not_allowed',
  'origin_not_allowed',
  'not_found',
  'rate_limited',
  'internal',
])

function limitHeaders(group: readonly ErrorCode[]): Json {
  // Unauthenticated callers get no information about limits.
  if (group.includes('unauthorized')) return { 'X-Request-Id': header('RequestId') }
  return group.some((code) => BEFORE_THE_KEY.has(code)) ? LIMIT_HEADERS_IF_KNOWN : LIMIT_HEADERS
}

/** Returns the `Retry-After` header, which is required if all errors of the group ask to wait. */
function retryHeader(group: readonly ErrorCode[]): Json {
  const waits = (code: ErrorCode): boolean => ERRORS[code].retry === 'after'
  if (!group.some(waits)) return {}
  return { 'Retry-After': header(group.every(waits) ? 'RetryAfter' : 'RetryAfterIfToWait') }
}

/** Defines a header twice: always present under its name, and conditional under the longer one. */
const inEither = (name: string, condition: string, described: Json): Json => ({
  [name]: { ...described, required: true },
  [name + condition]: described,
})

const RETIREMENT_HEADERS: Json = {
  Deprecation: header('Deprecation'),
  Sunset: header('Sunset'),
  Link: header('DeprecationLink'),
}

function errorResponse(group: readonly ErrorCode[]): Json {
  return {
    description: group.map((code) => `\`${code}\`: ${english[code].message}`).join(' '),
    headers: { ...limitHeaders(group), ...retryHeader(group) },
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: `${COMPONENT}ErrorAnswer` },
            {
              type: 'object',
              properties: {
                error: { type: 'object', properties: { code: { type: 'string', enum: group } } },
              },
            },
          ],
        },
      },
    },
  }
}

const RETIRING_HEADERS: Json = {
  Deprecation: {
    description: 'Since when it is better not used: @ and seconds since 1970 (RFC 9745).',
    schema: { type: 'string' },
  },
  Sunset: {
    description: 'From when on it may be gone (RFC 8594).',
    schema: { type: 'string' },
  },
  DeprecationLink: {
    description: 'How long things are kept, and what to use instead.',
    schema: { type: 'string' },
  },
}

/** Converts text to a name in Pascal case: only letters and digits, for generators of classes. */
function pascal(text: string): string {
  return text.replace(/(?:^|[._-])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

const NAME_MOST = 80

/** Returns the name of an error response: its status and codes; for many codes, as many as fit and a hash of all. */
function errorName(status: number, codes: readonly ErrorCode[]): string {
  const name = `Error${status}${codes.map(pascal).join('')}`
  if (name.length <= NAME_MOST) return name
  const mark = hash('sha256', codes.join(), 'hex').slice(0, 6)
  return `${name.slice(0, NAME_MOST - 6)}${mark}`
}

/**
 * Returns the error responses by status; each is a component named by its codes, since most operations share most of
 * them.
 */
function errorResponses(codes: readonly ErrorCode[], shared: Json): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes)
    byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code])
  const responses: Json = {}
  for (const [status, group] of [...byStatus].sort(([a], [b]) => a - b)) {
    const sorted = group.toSorted()
    const name = errorName(status, sorted)
    shared[name] ??= errorResponse(sorted)
    responses[String(status)] = { $ref: `#/components/responses/${name}` }
  }
  return responses
}

const PENDING: Json = {
  description: 'Still being drawn; ask again after the seconds in Retry-After.',
  headers: {
    ...LIMIT_HEADERS,
    'Retry-After': header('RetryAfter'),
  },
  content: {
    'application/json': {
      schema: envelopeOf({
        type: 'object',
        properties: { status: { const: 'pending' } },
        required: ['status'],
      }),
    },
  },
}

/**
 * Returns the responses of bytes in the contract's media types. Only rendered documents (PDF) can be delayed and
 * signed; a streamed answer has no hash beforehand.
 */
function bytesResponses({ output, otherMedia = [] }: AnyContract, media: string, headers: Json): Json {
  const isStream = output === StreamAnswer
  const isEndless = media === EVENT_STREAM
  const isDrawn = media === 'application/pdf'
  return {
    '200': {
      description: isEndless ? 'Until one side ends it.' : isDrawn ? 'The document.' : 'The file.',
      headers: {
        ...headers,
        ...(isStream ? {} : { ETag: header('ETag') }),
        ...(isEndless
          ? {}
          : {
              'Content-Disposition': {
                description: 'With a safe file name.',
                required: true,
                schema: { type: 'string' },
              },
            }),
        ...(isDrawn
          ? {
              'X-Pdf-Signature': {
                description: 'Level of the signature.',
                schema: { type: 'string', enum: ['PAdES-B-B', 'none'] },
              },
            }
          : {}),
      },
      content: Object.fromEntries(
        [media, ...otherMedia].map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
      ),
    },
    ...(isDrawn ? { '202': PENDING } : {}),
    ...(isStream ? {} : { '304': { description: 'The caller has these bytes (If-None-Match).', headers } }),
  }
}

const DONE: Readonly<Record<string, string>> = { '201': 'Made.', '202': 'Begun; it goes on.' }

function successResponse(
  contract: AnyContract,
  rest: RestBinding,
  components: Components,
  paths: ReadonlySet<string>,
): Json {
  const status = String(rest.status ?? 200)
  const headers: Json = { ...LIMIT_HEADERS, ...(contract.deprecated ? RETIREMENT_HEADERS : {}) }
  if (contract.media) return bytesResponses(contract, contract.media, headers)
  if (locationTemplate(rest, paths) !== null)
    headers.Location = {
      description: 'Address of what was made.',
      required: true,
      schema: { type: 'string' },
    }
  if (rest.method === 'POST' || rest.method === 'DELETE')
    headers['Idempotency-Replayed'] = {
      description: 'Present when this is the stored answer of an earlier request.',
      schema: { const: 'true' },
    }
  const answer = EXAMPLES[contract.name]?.answer
  const content = {
    'application/json': {
      schema: envelopeOf(
        components.named(`${pascal(contract.name)}Answer`, components.schemaOf(contract.output, 'output')),
      ),
      ...(answer === undefined ? {} : { example: { ok: true, data: answer, meta: META_EXAMPLE } }),
    },
  }
  return {
    [status]: { description: DONE[status] ?? 'Done.', headers, content },
    ...(rest.otherStatus ? { [rest.otherStatus.status]: { description: 'Done.', headers, content } } : {}),
  }
}

const META_EXAMPLE = { requestId: 'req_6tqy0v5cbn2k8w4e', timestamp: '2026-07-01T10:00:00.000+02:00' }

interface ObjectSchema extends Json {
  properties?: Record<string, Json>
  required?: string[]
}

/**
 * A recorded request that works unchanged in a test book, for the interactive reference, and its answer; by
 * operation.
 */
interface RecordedExample {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: Json
  /** The data of the answer; undefined for bytes and streams. */
  answer?: unknown
}
const EXAMPLES = examples as Readonly<Record<string, RecordedExample | undefined>>

function parametersAndBody(contract: AnyContract, rest: RestBinding, components: Components): Json {
  const input = components.schemaOf(contract.input, 'input') as ObjectSchema
  // A named input is a reference; its fields are in the component.
  const shape = (
    typeof input.$ref === 'string' ? components.schemas[input.$ref.slice(COMPONENT.length)] : input
  ) as ObjectSchema
  const recorded = EXAMPLES[contract.name]
  const inPath = [...rest.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const fields = Object.entries(shape.properties ?? {})
  const parameter = (name: string, place: 'path' | 'query', schema: Json): Json => {
    const { description, ...rest } = schema
    const required = place === 'path' || (shape.required ?? []).includes(name)
    // Optional parameters have no example: an interactive page would send it.
    const example =
      place === 'path' ? recorded?.params?.[name] : required ? recorded?.query?.[name] : undefined
    return {
      name,
      in: place,
      required,
      ...(description ? { description } : {}),
      schema: rest,
      ...(example === undefined ? {} : { example }),
    }
  }
  const parameters: Json[] = fields
    .filter(([name]) => inPath.includes(name))
    .map(([name, schema]) => parameter(name, 'path', schema))
  const others = fields.filter(([name]) => !inPath.includes(name))
  if (rest.method === 'POST' || rest.method === 'DELETE')
    parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  if ('expectedVersion' in (shape.properties ?? {}))
    parameters.push({ $ref: '#/components/parameters/IfMatch' })
  for (const [field, header] of Object.entries(rest.headers ?? {}))
    parameters.push({
      name: header.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()),
      in: 'header',
      required: false,
      description: `The same as ${field}.`,
      schema: { type: 'string' },
    })
  if (hasFieldsInQuery(rest)) {
    parameters.push(...others.map(([name, schema]) => parameter(name, 'query', schema)))
    return parameters.length > 0 ? { parameters } : {}
  }
  const required = (shape.required ?? []).filter((name) => !inPath.includes(name))
  const body =
    inPath.length === 0
      ? input
      : {
          ...shape,
          properties: Object.fromEntries(others),
          ...(required.length > 0 ? { required } : { required: undefined }),
        }
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    requestBody: {
      required: required.length > 0,
      content: {
        'application/json': {
          schema: components.named(`${pascal(contract.name)}Body`, withoutUndefined(body)),
          ...(recorded?.body ? { example: recorded.body } : {}),
        },
      },
    },
  }
}

function withoutUndefined(value: Json): Json {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}

/** Returns the section of the reference of an operation. Throws if its slice has none. */
export function tagOf({ name }: AnyContract): string {
  const slice = name.split('.')[0] ?? ''
  const tag = TAGS.find(({ of }) => of.includes(slice))
  if (!tag) throw new Error(`${name} belongs to no part of the reference.`)
  return tag.name
}

function retirementNotice({ deprecated }: AnyContract): string | null {
  if (!deprecated) return null
  const { since, sunset, replacedBy } = deprecated
  const instead = replacedBy === undefined ? '' : ` Use \`${replacedBy.replace('.', '_')}\` instead.`
  return `Deprecated since ${since}; it may be gone from ${sunset} on.${instead}`
}

const WEBHOOK_HEADERS: readonly Json[] = [
  ['webhook-id', "This message's identifier, the same in every attempt."],
  ['webhook-timestamp', 'Seconds since 1970, of this attempt.'],
  ['webhook-signature', 'One or more signatures after Standard Webhooks, separated by blanks.'],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}))

/** Returns the webhook messages by event type, without progress events. */
function webhooks(components: Components, events: Partial<typeof EVENTS>): Json {
  const told = Object.entries(events).filter(([, spec]) => !('isStep' in spec))
  return Object.fromEntries(
    told.map(([type, { summary, data, example }]) => {
      const message = components.named(`${pascal(type)}Event`, {
        type: 'object',
        description: summary,
        properties: {
          id: { type: 'string', description: 'Identifier of the event, the same wherever it is told.' },
          type: { const: type },
          createdAt: { type: 'string', format: 'date-time', description: 'When it happened.' },
          mode: { type: 'string', enum: ['live', 'test'], description: 'Of the book.' },
          data: components.schemaOf(data, 'output'),
        },
        required: ['id', 'type', 'createdAt', 'mode', 'data'],
      })
      const sample = {
        id: 'evt_05yz4kc5f9m2q8wd_481',
        type,
        createdAt: '2026-10-30T09:00:00.000Z',
        mode: 'test',
        data: example,
      }
      const post = {
        operationId: `event_${type.replaceAll('.', '_')}`,
        summary,
        tags: ['Webhooks'],
        security: [],
        parameters: WEBHOOK_HEADERS,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: message, example: sample } },
        },
        responses: {
          '2XX': { description: 'Taken. Anything else, or no answer in time, is tried again.' },
          '4XX': { description: 'Not taken; it is tried again. 410 switches the webhook off.' },
        },
      }
      return [type, { post }]
    }),
  )
}

/** Creates the document of all operations with a REST route, and of the events sent to webhooks. `version` is Sello's. */
export function openApiDocument(
  version: string,
  list: readonly AnyContract[],
  events: Partial<typeof EVENTS> = {},
): Json {
  const components = new Components()
  components.schemas.Meta = META
  components.schemas.ErrorAnswer = ERROR_ANSWER
  const errors: Json = {}
  const paths: Record<string, Json> = {}
  const addresses = new Set(list.flatMap(({ rest }) => rest?.path ?? []))
  for (const contract of list) {
    const { rest } = contract
    if (!rest) continue
    const path = `/api/v1${rest.path.replace(/:(\w+)/g, '{$1}')}`
    const operation: Json = {
      operationId: contract.name.replace('.', '_'),
      summary: contract.summary,
      description: [contract.description, retirementNotice(contract), `Scope: \`${contract.access}\`.`]
        .filter(Boolean)
        .join('\n\n'),
      ...(contract.deprecated ? { deprecated: true } : {}),
      tags: [tagOf(contract)],
      security: [{ apiKey: [] }],
      'x-scope': contract.access,
      'x-effect': contract.effect,
      'x-family': familyOf(contract),
      ...(contract.tool ? { 'x-tool': contract.tool } : {}),
      ...parametersAndBody(contract, rest, components),
      responses: {
        ...successResponse(contract, rest, components, addresses),
        ...errorResponses(errorCodesOf(contract, rest), errors),
      },
    }
    paths[path] = { ...paths[path], [rest.method.toLowerCase()]: operation }
  }
  paths['/healthz'] = {
    get: {
      operationId: 'health',
      summary: 'Whether the server is up. Needs no key.',
      tags: ['Service'],
      security: [],
      responses: {
        '200': {
          description: 'Up.',
          content: {
            'application/json': {
              schema: envelopeOf({
                type: 'object',
                properties: { status: { const: 'up' } },
                required: ['status'],
              }),
            },
          },
        },
        ...errorResponses(['malformed_request', 'host_not_allowed', 'origin_not_allowed'], errors),
      },
    },
  }
  const told = webhooks(components, events)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sello',
      version,
      summary: 'Invoices, their issue and their registration with the tax authority.',
      description:
        'Amounts are JSON numbers in euros; days are YYYY-MM-DD in Spain; instants are ISO 8601. Input is never coerced: unknown fields and wrong types are refused. Lists page by cursor.',
    },
    servers: [{ url: '/', description: 'This installation; it listens on this computer only.' }],
    security: [{ apiKey: [] }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths: described(paths),
    webhooks: described(told),
    components: {
      schemas: described(
        Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      ),
      responses: Object.fromEntries(Object.entries(errors).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: svc_live_… acts on real data, svc_test_… on simulated data.',
        },
      },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'Makes a repetition safe: the same key with the same request answers what the first one did, for seven days. A secret in that answer is left out after ten minutes.',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
        },
        IfMatch: {
          name: 'If-Match',
          in: 'header',
          required: false,
          description:
            'The same as `expectedVersion`: the `ETag` of the answer it was read with, such as "3". Another version is answered with 409 `version_conflict`.',
          schema: { type: 'string' },
        },
      },
      headers: {
        ...inEither('RateLimit', 'IfKnown', {
          description:
            'What is left of the limit this request counted against: "policy";r=requests;t=seconds. In every answer to a known key.',
          schema: { type: 'string' },
        }),
        ...inEither('RateLimitPolicy', 'IfKnown', {
          description: 'The limit of the plan: "policy";q=requests;w=seconds.',
          schema: { type: 'string' },
        }),
        ...inEither('RetryAfter', 'IfToWait', {
          description: 'Seconds until a repetition makes sense.',
          schema: { type: 'string', pattern: '^\\d+$' },
        }),
        RequestId: {
          description: 'The same as `meta.requestId`. Quote it when you report a problem.',
          required: true,
          schema: { type: 'string' },
        },
        ETag: {
          description: 'SHA-256 of the bytes.',
          required: true,
          schema: { type: 'string', pattern: '^"[0-9a-f]{64}"$' },
        },
        // Unreferenced components would be faults of the document.
        ...(list.some(({ deprecated }) => deprecated) ? RETIRING_HEADERS : {}),
      },
    },
  }
}
