/** The limits reported in every answer to a key, over REST and as a tool, and the behaviour when they are reached. */
import { inEmbedded } from '../../../support/engines.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { familyOf, PLANS } from '../../../../server/domain/contract/rate-limits.ts'
import { limitsOf } from '../../../../server/api/rate-limits/index.ts'
import { EVENT_STREAM } from '../../../../server/domain/contract/define-contract.ts'
import { mcpMessage } from '../../../support/mcp.ts'
import { exampleOf, Furnished, ROUTES, send, urlOf } from '../../../support/examples/index.ts'
import { swept } from '../../../support/sweep.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import type { Answer, World } from '../../../support/world.ts'

const MCP = '/api/mcp/svc'
const STREAMS = { accept: 'application/json, text/event-stream' }

/** Returns the family and plan against which an answer was counted, with the remainder; null if it reports none. */
function told({ headers }: Answer): { name: string; quota: number; left: number; seconds: number } | null {
  const policy = headers['ratelimit-policy']
  const state = headers.ratelimit
  if (policy === undefined && state === undefined) return null
  const [, name, quota] = /^"([a-z-]+)";q=(\d+);w=60$/.exec(String(policy)) ?? []
  const [, again, left, seconds] = /^"([a-z-]+)";r=(\d+);t=(\d+)$/.exec(String(state)) ?? []
  expect([name, again, seconds], `${String(policy)} ${String(state)}`).not.toContain(undefined)
  expect(again).toBe(name)
  return { name: name!, quota: Number(quota), left: Number(left), seconds: Number(seconds) }
}

/** What an answer depends on: the family it counts in, the method, and JSON, a file or a stream as its form. */
const KINDS = ROUTES.map(({ rest, contract }) => {
  const form = contract.media === EVENT_STREAM ? 'stream' : contract.media === undefined ? 'JSON' : 'file'
  return `${familyOf(contract)} ${rest.method} ${form}`
})
/** The first of each kind stands for the others. */
const OF_EACH_KIND = swept(ROUTES, (_, index) => KINDS.indexOf(KINDS[index]!) === index)

describe('over REST', () => {
  let world: World
  let made: Furnished
  let narrow: string
  let draftId: string
  beforeAll(async () => {
    world = await openWorld({ shared: true })
    made = await new Furnished(world).open()
    draftId = (await world.createDraft()).id
    narrow = (await world.makeKey({ scopes: ['keys.read'] })).key
  })
  afterAll(() => world.close())

  test.each(OF_EACH_KIND)('$name reports its limit in every refusal', async ({ rest, contract }) => {
    const expected = `beta-${familyOf(contract)}`
    const url = `/api/v1${rest.path.replace(/:\w+/g, draftId)}`
    const ask = (key: string, query = ''): Promise<Answer> =>
      world.inject({ method: rest.method, url: url + query, headers: { authorization: `Bearer ${key}` } })
    if (contract.access !== 'keys.read') {
      const refused = await ask(narrow)
      expect([refused.status, told(refused)?.name]).toEqual([403, expected])
    }
    // Every operation rejects misspelt input.
    const wrong = await ask(await world.key(), '?nonsense=1')
    expect([wrong.status, told(wrong)?.name]).toEqual([422, expected])
    const unknown = await ask('svc_test_nobody')
    expect([401, 429]).toContain(unknown.status)
    expect(told(unknown)).toBeNull()
  })

  test.each(OF_EACH_KIND)('$name reports its limit in every answer', async ({ name, rest, contract }) => {
    const example = await exampleOf(name, made)
    const expected = `beta-${familyOf(contract)}`
    const url = urlOf(rest, example)
    const refused = await send(world, rest, example, { key: narrow })
    if (contract.access !== 'keys.read') expect(refused.status).toBe(403)
    expect(told(refused)?.name).toBe(expected)
    const fine = await send(world, rest, example)
    expect(fine.status, fine.raw.body.slice(0, 500)).toBe(rest.status ?? 200)
    expect(told(fine)?.name).toBe(expected)
    const wrong = await world.inject({
      method: rest.method,
      url: `${url}${url.includes('?') ? '&' : '?'}nonsense=1`,
      headers: { authorization: `Bearer ${await world.key()}` },
    })
    expect([wrong.status, told(wrong)?.name]).toEqual([422, expected])
  })

  test('unreadable bodies, missing objects, conflicts and unchanged documents report it as well', async () => {
    const unreadable = await world.post('/api/v1/invoices', '{"broken')
    const untyped = await world.post('/api/v1/invoices', '<x/>', { headers: { 'content-type': 'text/xml' } })
    const large = await world.post('/api/v1/invoices', { notes: 'x'.repeat(1_100_000) })
    const missing = await world.get('/api/v1/invoices/inv_0000000000000000')
    const { id } = await world.createDraft()
    const conflict = await world.patch(`/api/v1/invoices/${id}`, { notes: 'x', expectedVersion: 99 })
    const invoice = await made.issued()
    const drawn = await world.get(`/api/v1/invoices/${invoice.id}/pdf`)
    const same = await world.get(`/api/v1/invoices/${invoice.id}/pdf`, {
      headers: { 'if-none-match': String(drawn.headers.etag) },
    })
    const seen = [unreadable, untyped, large, missing, conflict, drawn, same]
    expect(seen.map((answer) => [answer.status, told(answer)?.name])).toEqual([
      [400, 'beta-write'],
      [415, 'beta-write'],
      [413, 'beta-write'],
      [404, 'beta-read'],
      [409, 'beta-write'],
      [200, 'beta-documents'],
      [304, 'beta-documents'],
    ])
  })
})

describe('the plan', () => {
  test('is beta by default, which rejects no request', async () => {
    const world = await openWorld()
    const { body } = await world.get('/api/v1/limits')
    expect(body.data).toMatchObject({ plan: 'beta', refuses: false })
    expect((await world.run('limits.get', {})).plan).toBe('beta')
  })

  inEmbedded(test)('applies from the next request on, over REST and MCP, and after a restart', async () => {
    const world = await openWorld()
    const { key } = await world.makeKey()
    const one = { key }
    const before = await world.call('limits.set', { plan: 'standard', overrides: { issue: 2, read: 3 } })
    expect([before.status, before.body.data.plan]).toEqual([200, 'standard'])

    const answers = [
      await world.get('/api/v1/keys', one),
      await world.post(MCP, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { ...one, headers: STREAMS }),
      await world.get('/api/v1/keys/nothere', one),
    ]
    expect(answers.map((answer) => told(answer))).toMatchObject([
      { name: 'standard-read', quota: 3, left: 2 },
      { name: 'standard-read', quota: 3, left: 1 },
      null,
    ])
    expect(told(await world.get('/api/v1/invoices/inv_0', one))).toMatchObject({ left: 0 })
    const over = await world.get('/api/v1/keys', one)
    expect([over.status, over.body.error.code, told(over)?.left]).toEqual([429, 'rate_limited', 0])
    expect(Number(over.headers['retry-after'])).toBe(told(over)?.seconds)
    const tool = await world.post(
      MCP,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { ...one, headers: STREAMS },
    )
    expect([tool.status, tool.body.error.data.error.code]).toEqual([429, 'rate_limited'])
    expect(tool.headers['retry-after']).toBe(String(told(tool)?.seconds))
    expect(tool.body.error.data.retryAfterSeconds).toBe(told(tool)?.seconds)

    // Other families, other keys and the window are not affected.
    expect((await world.post('/api/v1/invoices', EXAMPLE_DRAFT, one)).status).toBe(201)
    expect((await world.get('/api/v1/keys')).status).toBe(200)
    expect((await world.call('keys.list')).status).toBe(200)

    await world.restart()
    expect(told(await world.get('/api/v1/keys', one))).toMatchObject({ name: 'standard-read', quota: 3 })
    await world.run('limits.set', { plan: 'beta' })
    expect(told(await world.get('/api/v1/keys', one))).toMatchObject({ name: 'beta-read', quota: 1_000_000 })
    expect((await world.run('limits.get', {})).overrides).toEqual({})
  })

  test('allows a key ten issues per minute, counted over REST and MCP together', async () => {
    const world = await openWorld()
    await world.run('limits.set', { plan: 'standard' })
    const issue = (over: 'rest' | 'tool'): Promise<Answer> =>
      over === 'rest'
        ? world.post('/api/v1/invoices/inv_0/issue', {})
        : world.post(
            MCP,
            {
              jsonrpc: '2.0',
              id: 1,
              method: 'tools/call',
              params: { name: 'svc_issue_registry_invoice', arguments: { id: 'inv_0' } },
            },
            { headers: STREAMS },
          )
    const { issue: allowed } = PLANS.standard.perMinute
    for (let asked = 1; asked <= allowed; asked += 1)
      expect(told(await issue(asked % 2 ? 'rest' : 'tool'))).toMatchObject({
        name: 'standard-issue',
        left: allowed - asked,
      })
    expect((await issue('rest')).status).toBe(429)
    expect((await issue('tool')).status).toBe(429)
  })

  inEmbedded(test)(
    'can be chosen only by a person, and is recorded in the history of every book',
    async () => {
      const world = await openWorld()
      const wrong = await world.call('limits.set', { plan: 'standard', overrides: { read: 0, bytes: 3 } })
      expect(wrong.body.error.details.faults.map(({ field }: { field: string }) => field)).toEqual([
        'overrides.read',
        'overrides.bytes',
      ])
      await world.run('limits.set', { plan: 'standard' })
      for (const book of ['live', 'test'] as const) {
        const { items } = await world.run('audit.list', { action: 'limits.changed' }, { book })
        expect(items).toMatchObject([
          { action: 'limits.changed', target: { type: 'limits', id: 'standard' } },
        ])
      }
      for (const method of ['POST', 'PATCH'] as const)
        expect(
          (
            await world.inject({
              method,
              url: '/api/v1/limits',
              headers: { authorization: `Bearer ${await world.key()}` },
            })
          ).status,
        ).toBe(405)
    },
  )

  test('does not change when the choice fails', async () => {
    const world = await openWorld()
    const run = world.ctx().transaction(async (tx) => {
      const { setLimits } = await import('../../../../server/api/rate-limits/index.ts')
      await setLimits(tx, { plan: 'standard' })
      throw new Error('power cut')
    })
    await expect(run).rejects.toThrow('power cut')
    expect(told(await world.get('/api/v1/keys'))?.name).toBe('beta-read')
    expect((await world.run('limits.get', {})).plan).toBe('beta')
  })
})

test('is returned by GET /limits for every family, with the remainder of the calling key only', async () => {
  const world = await openWorld()
  await world.run('limits.set', { plan: 'standard', overrides: { outward: 7 } })
  const { key } = await world.makeKey({ limits: { perDay: 3, eurPerDay: 500 } })
  const { id } = await world.createDraft({}, { key })
  await world.issue(id, { key })
  const { body, headers } = await world.get('/api/v1/limits', { key })
  const { families, ...rest } = body.data
  expect(rest).toEqual({
    plan: 'standard',
    refuses: true,
    key: { perDay: 3, issuedToday: 1, eurPerDay: 500, issuedEurToday: 24.2 },
  })
  const left = Object.fromEntries(
    families.map((one: Record<string, unknown>) => [one.family, [one.quota, one.remaining]]),
  )
  // The draft and its validation are two writes; this query is the one read.
  expect(left).toEqual({
    read: [120, 119],
    write: [120, 118],
    issue: [10, 9],
    documents: [60, 60],
    outward: [7, 7],
  })
  expect(headers.ratelimit).toMatch(/^"standard-read";r=119;/)
  expect(families.find((one: { family: string }) => one.family === 'documents')).toMatchObject({
    policy: 'standard-documents',
    windowSeconds: 60,
    resetSeconds: 60,
    cap: { atOnce: 2, waiting: 16 },
  })
  const other = (await world.get('/api/v1/limits')).body.data
  expect(other.families[1]).toMatchObject({ family: 'write', remaining: 120 })
})

describe.each(swept(['2025', '2026'] as const, (era) => era === '2026'))('as tools of %s', (era) => {
  function ask(world: World, method: string, params: Record<string, unknown> = {}): Promise<Answer> {
    const message = { jsonrpc: '2.0', id: 1, method }
    if (era === '2025') return world.post(MCP, { ...message, params }, { headers: STREAMS })
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const name = params.name ?? params.uri
    return world.post(
      MCP,
      { ...message, params: { ...params, _meta } },
      {
        headers: {
          ...STREAMS,
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
        },
      },
    )
  }

  test('every answer reports its limit, in the family of the called operation', async () => {
    const world = await openWorld()
    const { id } = await world.issue((await world.createDraft()).id)
    const call = (name: string, args: object = {}): Promise<Answer> =>
      ask(world, 'tools/call', { name, arguments: args })
    const seen: [Answer, string][] = [
      [await ask(world, 'tools/list'), 'read'],
      [await call('svc_get_company_context'), 'read'],
      [await call('svc_create_invoice_draft', EXAMPLE_DRAFT), 'write'],
      [await call('svc_create_invoice_draft', { nonsense: 1 }), 'write'],
      [await call('svc_issue_registry_invoice', { id }), 'issue'],
      [await call('svc_nothing'), 'read'],
      [await ask(world, 'nothing/at-all'), 'read'],
      [await ask(world, 'resources/read', { uri: `svc://invoices/${id}/pdf` }), 'documents'],
      [await ask(world, 'resources/read', { uri: 'svc://company' }), 'read'],
      [await ask(world, 'resources/read', { uri: 'svc://nothing' }), 'read'],
      [await world.post(MCP, '{"broken', { headers: STREAMS }), 'read'],
      [await world.post(MCP, [], { headers: STREAMS }), 'read'],
      [await world.get(MCP), 'read'],
    ]
    for (const [index, [answer, family]] of seen.entries())
      expect([index, told(answer)?.name], answer.raw.body.slice(0, 300)).toEqual([index, `beta-${family}`])
    const stranger = await world.post(MCP, {}, { key: 'svc_test_nobody', headers: STREAMS })
    expect([stranger.status, told(stranger)]).toEqual([401, null])
  })

  test('a document waits for a slot as over REST, and the caller is notified if there is none', async () => {
    const world = await openWorld()
    const { id } = await world.issue((await world.createDraft()).id)
    const { documents } = limitsOf(world.env).places
    const leaving = [await documents.take(), await documents.take()]
    const crowd = Array.from({ length: 16 }, () => documents.take())
    const read = (): Promise<Answer> => ask(world, 'resources/read', { uri: `svc://invoices/${id}/pdf` })
    const over = await read()
    const { error } = mcpMessage(over.raw.body)
    expect(error.data).toMatchObject({ error: { code: 'too_busy', retry: 'after' }, retryAfterSeconds: 5 })
    // Operations that need no slot are not affected.
    expect((await ask(world, 'tools/list')).status).toBe(200)
    for (const leave of leaving) leave()
    for (const one of crowd) (await one)()
    const fine = await read()
    expect(fine.raw.body).toContain('application/pdf')
    expect(documents.counts).toEqual({ atWork: 0, waiting: 0 })
  })

  test('invalid messages are counted too', async () => {
    const world = await openWorld()
    await world.run('limits.set', { plan: 'standard', overrides: { read: 2 } })
    await world.key()
    expect((await world.get(MCP)).status).toBe(405)
    expect((await world.post(MCP, '{"broken', { headers: STREAMS })).status).toBe(400)
    const over = await world.post(MCP, '{"broken', { headers: STREAMS })
    expect([over.status, over.body.error.data.error.code]).toEqual([429, 'rate_limited'])
    expect(over.headers['retry-after']).toBe(String(told(over)?.seconds))
  })
})
