/**
 * Every route with success and with every failure that a caller can cause: always the common envelope, never an
 * internal error.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENTS } from '../../../../server/platform/events/contract.ts'
import type { EventType } from '../../../../server/platform/events/index.ts'
import { EVENT_STREAM } from '../../../../server/domain/contract/define-contract.ts'
import { StreamAnswer } from '../../../../server/domain/contract/fields.ts'
import type { Scope } from '../../../../server/domain/contract/scopes.ts'
import { ERRORS } from '../../../../server/domain/errors/catalog.ts'
import type { ErrorCode } from '../../../../server/domain/errors/catalog.ts'
import { english } from '../../../../server/domain/errors/messages/en.ts'
import { bodyLimitOf } from '../../../../server/api/http/bodies.ts'
import { exampleOf, Furnished, ROUTES, send as sendExample } from '../../../support/examples/index.ts'
import { Description } from '../../../support/fuzz/described.ts'
import { swept } from '../../../support/sweep.ts'
import { EXAMPLE_DRAFT, openWorld, PORT } from '../../../support/world.ts'
import type { Answer, World } from '../../../support/world.ts'

let world: World
let made: Furnished
let draftId: string
beforeAll(async () => {
  world = await openWorld({ shared: true })
  made = await new Furnished(world).open()
  draftId = (await world.createDraft()).id
})
afterAll(() => world.close())

const description = new Description()
const DESCRIBED = new Map(description.operations.map((operation) => [operation.id, operation]))

/** Checks that the OpenAPI document describes the answer of a route. */
function expectDescribed(name: string, { status, headers, raw }: Answer): void {
  const operation = DESCRIBED.get(name.replace('.', '_'))
  if (operation === undefined) throw new Error(`${name} is not described.`)
  expect(description.complaintAbout(operation, { status, headers, body: raw.rawPayload }), name).toBeNull()
}

/** Checks the common shape of a JSON answer. */
function expectEnvelope(answer: Answer, where: string): void {
  const { body } = answer
  expect(body?.meta?.requestId, where).toMatch(/^req_[0-9a-z]{16}$/)
  expect(Number.isNaN(Date.parse(body.meta.timestamp)), where).toBe(false)
  if (answer.status < 400) {
    expect(Object.keys(body).toSorted(), where).toEqual(['data', 'meta', 'ok'])
    expect(body.ok, where).toBe(true)
    return
  }
  expect(Object.keys(body).toSorted(), where).toEqual(['error', 'meta', 'ok'])
  expect(body.ok, where).toBe(false)
  const { error } = body
  const code = error.code as ErrorCode
  const spec = ERRORS[code]
  expect(spec, `${where}: ${error.code}`).toBeDefined()
  expect(answer.status, where).toBe(spec.status)
  expect(error, where).toMatchObject({
    message: english[code].message,
    retry: spec.retry,
    next: english[code].next,
    docs: `/docs/errors#${error.code}`,
  })
  for (const fault of error.details?.faults ?? [])
    expect(fault, where).toMatchObject({
      code: expect.any(String),
      field: expect.any(String),
      severity: 'error',
      message: expect.any(String),
    })
}

const urlOf = (path: string): string => `/api/v1${path.replace(/:\w+/g, draftId)}`
/** Returns true if a route matches an address; `/received-invoices/:id` also matches `/received-invoices/read`. */
const takes = (route: string, path: string): boolean =>
  new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(path)

/** Keys with a single scope, by scope. */
const narrow = new Map<Scope, string>()
async function keyWith(scope: Scope): Promise<string> {
  let key = narrow.get(scope)
  if (key === undefined) narrow.set(scope, (key = (await world.makeKey({ scopes: [scope] })).key))
  return key
}

/**
 * What happens to a request before its operation is known depends on its method, its largest body, the form of its
 * answer and whether its path has a parameter: the first route of each kind stands for the others.
 */
const KINDS = ROUTES.map(({ rest, contract }) =>
  [rest.method, bodyLimitOf(contract), contract.media === undefined, contract.media === EVENT_STREAM]
    .concat(rest.path.includes(':'))
    .join(' '),
)
const OF_EACH_KIND = new Set(swept(ROUTES, (_, index) => KINDS.indexOf(KINDS[index]!) === index))

test('the table contains the ten endpoints of the interface', () => {
  const addresses = ROUTES.map(({ rest }) => `${rest.method} ${rest.path}`)
  expect(addresses).toEqual(
    expect.arrayContaining([
      'GET /companies/current',
      'GET /invoices',
      'POST /invoices',
      'GET /invoices/:id',
      'GET /invoices/:id/pdf',
      'POST /invoices/:id/issue',
      'GET /registry/status',
      'GET /audit/events',
      'GET /keys',
      'POST /keys',
    ]),
  )
})

test.each(ROUTES)('$name returns a success in the envelope', async ({ name, contract, rest }) => {
  const answer = await sendExample(world, rest, await exampleOf(name, made))
  expect(answer.status, answer.raw.body.slice(0, 2_000)).toBe(rest.status ?? 200)
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  if (contract.media) {
    expect([contract.media, ...(contract.otherMedia ?? [])]).toContain(answer.headers['content-type'])
    // A streamed answer has no hash beforehand.
    if (contract.output === StreamAnswer) expect(answer.headers).not.toHaveProperty('etag')
    else expect(answer.headers.etag).toMatch(/^"[0-9a-f]{64}"$/)
    // An endless stream is not stored.
    if (contract.media === EVENT_STREAM) return
    expectDescribed(name, answer)
    const kept = contract.media === 'application/pdf' ? 'inline' : 'attachment'
    expect(answer.headers['content-disposition']).toMatch(
      new RegExp(`^${kept}; filename="[A-Za-z0-9_][A-Za-z0-9._-]*"(; filename\\*=UTF-8''\\S+)?$`),
    )
    expect(answer.raw.rawPayload.length).toBeGreaterThan(0)
    // The receipt of a return is the tax agency's document: nothing is said of its signature.
    expect(answer.headers['x-pdf-signature'] !== undefined).toBe(
      contract.media === 'application/pdf' && name !== 'fiscal.filingDocument',
    )
    return
  }
  expectEnvelope(answer, name)
  expectDescribed(name, answer)
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('conflicts with changes in the meantime have the codes of the catalogue', async () => {
  const told = await world.env.store.reader.selectFrom('events').select(['type', 'data']).execute()
  expect(new Set(told.map(({ type }) => type)).size).toBeGreaterThan(20)
  const wrong = told.flatMap(({ type, data }) => {
    const fault = EVENTS[type as EventType]?.data.safeParse(JSON.parse(data)).error
    return fault === undefined && type in EVENTS ? [] : [`${type} ${data}`]
  })
  expect(wrong).toEqual([])
})

describe.each(ROUTES)('$name', (route) => {
  const { contract, rest } = route
  const takesBody = rest.method !== 'GET'
  const isOfEachKind = OF_EACH_KIND.has(route)
  const send = (options: {
    headers?: Record<string, string>
    payload?: string | Buffer
    url?: string
    key?: string | null
  }): Promise<Answer> => {
    const authorization: Record<string, string> =
      options.key === null ? {} : { authorization: `Bearer ${options.key ?? ''}` }
    return world.inject({
      method: rest.method,
      url: options.url ?? urlOf(rest.path),
      headers: { ...authorization, ...options.headers },
      ...(options.payload === undefined ? {} : { payload: options.payload }),
    })
  }

  test('rejects a missing and a wrong key', async () => {
    for (const key of [null, 'svc_test_wrong']) {
      const answer = await send({ key })
      expectEnvelope(answer, 'bad key')
      expect(['unauthorized', 'rate_limited']).toContain(answer.body.error.code)
    }
  })

  test('rejects a key without its scope before it reads the input', async () => {
    const other = contract.access === 'company.read' ? 'audit.read' : 'company.read'
    const key = await keyWith(other)
    const answer = await send({
      key,
      headers: rest.method === 'GET' ? {} : { 'content-type': 'application/json' },
      ...(rest.method === 'GET' ? {} : { payload: '{"nonsense":1}' }),
    })
    expectEnvelope(answer, 'scope')
    expectDescribed(route.name, answer)
    expect(answer.body.error).toMatchObject({ code: 'scope_missing', details: { needed: contract.access } })
  })

  if (isOfEachKind)
    test('rejects foreign hosts and origins', async () => {
      const key = await world.key()
      const cases: [Record<string, string>, string][] = [
        [{ host: `127.0.0.1:${PORT + 1}` }, 'host_not_allowed'],
        [{ origin: 'https://evil.example' }, 'origin_not_allowed'],
        [{ origin: 'null' }, 'origin_not_allowed'],
        [{ 'sec-fetch-site': 'cross-site' }, 'origin_not_allowed'],
        [{ 'sec-fetch-site': 'same-site' }, 'origin_not_allowed'],
      ]
      for (const [headers, code] of cases) {
        const answer = await send({ key, headers })
        expectEnvelope(answer, JSON.stringify(headers))
        expect(answer.body.error.code, JSON.stringify(headers)).toBe(code)
        expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      }
      const unheard = await send({ key, headers: { host: `evil.example:${PORT}` } })
      expect([unheard.status, unheard.raw.body]).toEqual([403, ''])
    })

  test('names an unknown field', async () => {
    const key = await world.key()
    const inQuery = await send({ key, url: `${urlOf(rest.path)}?surprise=1` })
    expectEnvelope(inQuery, 'query')
    expectDescribed(route.name, inQuery)
    expect(inQuery.body.error.code).toBe('validation_failed')
    expect(inQuery.body.error.details.faults).toContainEqual(
      expect.objectContaining({ code: 'unknown_field', field: 'surprise' }),
    )
    if (!takesBody) return
    const inBody = await send({
      key,
      headers: { 'content-type': 'application/json' },
      payload: '{"surprise":1}',
    })
    expectEnvelope(inBody, 'body')
    expect(inBody.body.error.details.faults).toContainEqual(
      expect.objectContaining({ code: 'unknown_field', field: 'surprise' }),
    )
  })

  if (takesBody && rest.path.includes(':id') && isOfEachKind)
    test('takes a path parameter from the path only', async () => {
      const answer = await send({
        key: await world.key(),
        headers: { 'content-type': 'application/json' },
        payload: '{"id":"inv_other"}',
      })
      expect(answer.body.error.details.faults).toContainEqual(
        expect.objectContaining({ code: 'unknown_field', field: 'id' }),
      )
    })

  if (takesBody && isOfEachKind)
    test('rejects bodies that are not well-formed JSON', async () => {
      const key = await world.key()
      const json = { 'content-type': 'application/json' }
      const cases: [string, Record<string, string>, string | Buffer, string][] = [
        ['cut short', json, '{"clientName":', 'malformed_request'],
        ['not UTF-8', json, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'malformed_request'],
        ['a member twice', json, '{"notes":"a","notes":"b"}', 'malformed_request'],
        ['a member twice, once escaped', json, '{"notes":"a","\\u006eotes":"b"}', 'malformed_request'],
        ['__proto__', json, '{"__proto__":{"admin":true}}', 'malformed_request'],
        ['too deep', json, '['.repeat(5000) + ']'.repeat(5000), 'malformed_request'],
        ['an array', json, '[1]', 'validation_failed'],
        ['text', json, '"text"', 'validation_failed'],
        ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1', 'unsupported_media_type'],
        ['plain text', { 'content-type': 'text/plain' }, '{}', 'unsupported_media_type'],
        ['no type', {}, '{}', 'unsupported_media_type'],
        [
          'another charset',
          { 'content-type': 'application/json; charset=latin1' },
          '{}',
          'unsupported_media_type',
        ],
        ['compressed', { ...json, 'content-encoding': 'gzip' }, '{}', 'unsupported_media_type'],
        ['too large', json, `{"notes":"${'x'.repeat(bodyLimitOf(contract))}"}`, 'payload_too_large'],
      ]
      for (const [what, headers, payload, code] of cases) {
        const answer = await send({ key, headers, payload })
        expectEnvelope(answer, what)
        expect(answer.body.error.code, what).toBe(code)
      }
    })

  if (isOfEachKind)
    test('rejects other methods at its address', async () => {
      const allowed = [
        ...new Set(
          ROUTES.filter((route) => takes(route.rest.path, rest.path)).flatMap((route) =>
            route.rest.method === 'GET' && route.contract.media !== EVENT_STREAM
              ? ['GET', 'HEAD']
              : [route.rest.method],
          ),
        ),
      ]
      const key = await world.key()
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const) {
        if ((allowed as string[]).includes(method)) continue
        const answer = await world.inject({
          method,
          url: urlOf(rest.path),
          headers: { authorization: `Bearer ${key}` },
        })
        expect(answer.status, method).toBe(405)
        expect(String(answer.headers.allow).split(', ').toSorted(), method).toEqual([...allowed].toSorted())
        if (method !== 'HEAD') expectEnvelope(answer, method)
      }
    })
})

describe('the fields of a draft', () => {
  const line = EXAMPLE_DRAFT.lines[0]
  const cases: [string, object | string, string, string][] = [
    [
      'a number as text',
      { ...EXAMPLE_DRAFT, lines: [{ ...line, quantity: '2' }] },
      'wrong_type',
      'lines[0].quantity',
    ],
    [
      'null for a number',
      { ...EXAMPLE_DRAFT, lines: [{ ...line, quantity: null }] },
      'wrong_type',
      'lines[0].quantity',
    ],
    [
      'too many decimals',
      { ...EXAMPLE_DRAFT, lines: [{ ...line, unitPrice: 0.12345678 }] },
      'too_many_decimals',
      'lines[0].unitPrice',
    ],
    [
      'an infinite number',
      JSON.stringify(EXAMPLE_DRAFT).replace('"unitPrice":10', '"unitPrice":1e400'),
      'wrong_type',
      'lines[0].unitPrice',
    ],
    [
      'a huge number',
      { ...EXAMPLE_DRAFT, lines: [{ ...line, quantity: 1e300 }] },
      'too_big',
      'lines[0].quantity',
    ],
    ['a NUL', { ...EXAMPLE_DRAFT, clientName: 'Ana\u0000' }, 'control_character', 'clientName'],
    [
      'text that turns the direction',
      { ...EXAMPLE_DRAFT, clientName: 'Ana\u202egpj' },
      'hidden_character',
      'clientName',
    ],
    [
      'half a character',
      JSON.stringify(EXAMPLE_DRAFT).replace('Ana', '\\ud800'),
      'broken_unicode',
      'clientName',
    ],
    ['501 lines', { ...EXAMPLE_DRAFT, lines: Array.from({ length: 501 }, () => line) }, 'too_big', 'lines'],
    ['no lines', { ...EXAMPLE_DRAFT, lines: [] }, 'too_small', 'lines'],
    ['lines as an object', { ...EXAMPLE_DRAFT, lines: { 0: line } }, 'wrong_type', 'lines'],
    ['a missing name', { clientNif: '12345678Z', lines: [line] }, 'required', 'clientName'],
    [
      'a missing description',
      { ...EXAMPLE_DRAFT, lines: [{ quantity: 1, unitPrice: 1 }] },
      'required',
      'lines[0].description',
    ],
    [
      'an unknown field in a line',
      { ...EXAMPLE_DRAFT, lines: [{ ...line, price: 1 }] },
      'unknown_field',
      'lines[0].price',
    ],
    [
      'a day that does not exist',
      { ...EXAMPLE_DRAFT, operationDate: '2026-02-30' },
      'not_a_date',
      'operationDate',
    ],
    [
      'a treatment that does not exist',
      { ...EXAMPLE_DRAFT, lines: [{ ...line, taxTreatment: 'S9' }] },
      'not_allowed',
      'lines[0].taxTreatment',
    ],
  ]
  test.each(cases)('%s is rejected by name', async (_what, body, code, field) => {
    const answer = await world.post('/api/v1/invoices', body)
    expectEnvelope(answer, field)
    expect(answer.status).toBe(422)
    expect(answer.body.error.details.faults).toContainEqual(
      expect.objectContaining({ code, field, severity: 'error' }),
    )
  })

  test('all faults are reported at once', async () => {
    const answer = await world.post('/api/v1/invoices', {
      clientName: 7,
      lines: [{ description: 'x', quantity: 'a', unitPrice: 'b' }],
    })
    expect(answer.body.error.details.faults.map((fault: { field: string }) => fault.field)).toEqual([
      'clientName',
      'lines[0].quantity',
      'lines[0].unitPrice',
    ])
    expect(answer.body.error.field).toBe('clientName')
  })
})

describe('query fields', () => {
  test('are read as the type of the contract', async () => {
    const answer = await world.get('/api/v1/invoices?limit=1&totals=true')
    expect(answer.status).toBe(200)
    expect(answer.body.data.items).toHaveLength(1)
    expect(answer.body.data.totals.count).toBeGreaterThan(0)
    expect((await world.get('/api/v1/invoices?totals=false')).body.data.totals).toBeUndefined()
  })

  test.each([
    ['limit=ten', 'limit', 'wrong_type'],
    ['limit=1e1', 'limit', 'wrong_type'],
    ['limit=0x10', 'limit', 'wrong_type'],
    ['limit=', 'limit', 'wrong_type'],
    ['limit=1.5', 'limit', 'wrong_type'],
    ['limit=101', 'limit', 'too_big'],
    ['limit=1&limit=2', 'limit', 'wrong_type'],
    ['totals=yes', 'totals', 'wrong_type'],
    ['state=paid', 'state', 'not_allowed'],
    ['from=yesterday', 'from', 'not_a_date'],
    ['cursor=made-up', 'cursor', 'cursor_invalid'],
    ['__proto__=1', '__proto__', 'unknown_field'],
  ])('%s is rejected', async (query, field, code) => {
    const answer = await world.get(`/api/v1/invoices?${query}`)
    expectEnvelope(answer, query)
    expect(answer.body.error.details.faults).toContainEqual(expect.objectContaining({ field, code }))
  })
})

test('unknown addresses are answered with 404 in the envelope, whatever the request contains', async () => {
  for (const url of [
    '/api/v1/nothing',
    '/api',
    '/api/v2/invoices',
    '/app/nothing',
    '/docs/nothing',
    '/nothing',
    '/api/v1/invoices/a/b/c',
  ])
    for (const method of ['GET', 'POST'] as const) {
      const answer = await world.inject({
        method,
        url,
        ...(method === 'POST' ? { payload: '{broken', headers: { 'content-type': 'application/json' } } : {}),
      })
      expectEnvelope(answer, `${method} ${url}`)
      expect(answer.body.error.code, `${method} ${url}`).toBe('not_found')
    }
})

test('invalid addresses are rejected in the envelope', async () => {
  const broken = await world.inject({ method: 'GET', url: '/api/v1/invoices/%zz' })
  expectEnvelope(broken, '%zz')
  expect(broken.body.error.code).toBe('malformed_request')
  expect(broken.headers['x-content-type-options']).toBe('nosniff')
  for (const id of ['%00', '%0a', '..%2f..%2fetc', 'a'.repeat(90), 'ñ']) {
    const answer = await world.get(`/api/v1/invoices/${id.includes('%') ? id : encodeURIComponent(id)}`)
    expectEnvelope(answer, id)
    expect([404, 422], id).toContain(answer.status)
  }
  expect((await world.get(`/api/v1/invoices/${'a'.repeat(500)}`)).body.error.code).toBe('not_found')
})

test('none of these requests caused an internal error', () => {
  expect(world.logged).toEqual([])
})
