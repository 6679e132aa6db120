/** Requests that the MCP route rejects, which no correct client sends. */
import { expect, test } from 'vitest'
import { createCtx } from '../../../../server/context.ts'
import { approvalRequired } from '../../../../server/sales/invoices/issue/approvals.ts'
import { authenticate } from '../../../../server/platform/api-keys/index.ts'
import { openWorld, PORT } from '../../../support/world.ts'
import { ACCEPT, call, LIST, MCP_PATH, messageOf, modern, post, toldError } from './wires.ts'

test('without a key no request is answered, and no authorization server is named', async () => {
  const world = await openWorld()
  for (const authorization of [
    undefined,
    'Bearer',
    'Bearer nonsense',
    'Basic dTpw',
    `Bearer ${world.windowToken}`,
  ]) {
    const answer = await world.inject({
      method: 'POST',
      url: MCP_PATH,
      headers: {
        ...ACCEPT,
        'content-type': 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
      },
      payload: JSON.stringify(LIST),
    })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="svc"')
    expect(answer.body).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32600,
        data: { error: { code: 'unauthorized' }, requestId: expect.stringMatching(/^req_/) },
      },
    })
  }
  for (const path of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/api/mcp/svc',
  ])
    expect((await world.inject({ method: 'GET', url: path })).status).toBe(404)
})

test('the key is checked before the body is read', async () => {
  const world = await openWorld()
  const answer = await world.inject({
    method: 'POST',
    url: MCP_PATH,
    headers: { ...ACCEPT, 'content-type': 'application/json' },
    payload: '{"broken',
  })
  expect(answer.status).toBe(401)
})

test('a revoked key is rejected at its next request', async () => {
  const world = await openWorld()
  const { id, key } = await world.makeKey()
  expect((await post(world, LIST, {}, key)).status).toBe(200)
  await world.run('keys.revoke', { id })
  expect((await post(world, LIST, {}, key)).status).toBe(401)
})

test('the word Bearer may be written in any case', async () => {
  const world = await openWorld()
  const answer = await world.inject({
    method: 'POST',
    url: MCP_PATH,
    headers: { ...ACCEPT, 'content-type': 'application/json', authorization: `bearer ${await world.key()}` },
    payload: JSON.stringify(LIST),
  })
  expect(answer.status).toBe(200)
})

test('pages of other origins and other names of this computer are rejected', async () => {
  const world = await openWorld()
  for (const origin of ['https://evil.example', 'null', 'http://localhost:3000', 'http://127.0.0.1'])
    expect((await post(world, LIST, { origin })).body).toMatchObject({
      error: { data: { error: { code: 'origin_not_allowed' } } },
    })
  expect((await post(world, LIST, { origin: 'https://evil.example' })).status).toBe(403)
  const rebound = await post(world, LIST, { host: `evil.example:${PORT}` })
  expect([rebound.status, rebound.raw.body]).toEqual([403, ''])
  const own = await post(world, LIST, { origin: `http://127.0.0.1:${PORT}` })
  expect(own.status).toBe(200)
  for (const name of Object.keys(own.headers)) expect(name).not.toMatch(/^access-control-/)
})

test('only POST is accepted', async () => {
  const world = await openWorld()
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'] as const) {
    const answer = await world.inject({
      method,
      url: MCP_PATH,
      headers: { ...ACCEPT, authorization: `Bearer ${await world.key()}` },
    })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('POST')
    expect(answer.body.error.data.error.code).toBe('method_not_allowed')
  }
})

test('a batch is rejected as a whole, and none of it runs', async () => {
  const world = await openWorld()
  const draft = { clientName: 'Ana', lines: [{ description: 'x', quantity: 1, unitPrice: 1 }] }
  for (const batch of [[LIST, LIST], [call('svc_create_invoice_draft', draft)], []]) {
    const answer = await post(world, batch)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: -32600, data: { error: { code: 'malformed_request' } } })
  }
  expect((await world.run('invoices.list', {})).items).toEqual([])
})

test("bodies that are not one plain JSON message are rejected in JSON-RPC's terms", async () => {
  const world = await openWorld()
  const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"svc_get_invoice","arguments":{"id":${'['.repeat(50_000)}${']'.repeat(50_000)}}}}`
  const cases: [string, number, number][] = [
    ['{"broken', 400, -32700],
    ['"text"', 400, -32600],
    ['null', 400, -32600],
    ['', 400, -32600],
    [deep, 400, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call"}', 400, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","__proto__":{"x":1}}', 400, -32600],
    [JSON.stringify({ ...LIST, params: { _meta: { filler: 'x'.repeat(1024 * 1024) } } }), 413, -32600],
  ]
  for (const [body, status, code] of cases) {
    const answer = await post(world, body, { 'content-type': 'application/json' })
    expect([body.slice(0, 40), answer.status, answer.body?.error?.code]).toEqual([
      body.slice(0, 40),
      status,
      code,
    ])
  }
  const typed = await post(world, '<x/>', { 'content-type': 'text/xml' })
  expect([typed.status, typed.body.error.data.error.code]).toEqual([415, 'unsupported_media_type'])
  expect((await post(world, LIST)).status).toBe(200)
})

test("params of the wrong shape are the caller's fault, with their place", async () => {
  const world = await openWorld()
  for (const [method, params, field] of [
    ['tools/call', undefined, 'params'],
    ['tools/call', { name: 5 }, 'params.name'],
    ['tools/call', { name: 'svc_get_invoice', arguments: 'x' }, 'params.arguments'],
    ['resources/read', {}, 'params.uri'],
    ['initialize', {}, 'params.protocolVersion'],
  ] as const) {
    const { error } = messageOf(await post(world, { jsonrpc: '2.0', id: 7, method, params }))
    expect(error).toMatchObject({ code: -32602, data: { field } })
  }
})

test('both protocols require a client that accepts both forms of answer', async () => {
  const world = await openWorld()
  for (const accept of ['application/json', 'text/event-stream', 'text/html'])
    expect((await post(world, LIST, { accept })).status).toBe(406)
})

test('unknown and contradictory protocol versions are rejected', async () => {
  const world = await openWorld()
  expect((await post(world, LIST, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400)
  const { body, headers } = modern('tools/list')
  expect((await post(world, body, { ...headers, 'mcp-method': 'tools/call' })).body.error.code).toBe(-32020)
  expect((await post(world, LIST, headers)).status).toBe(400)
})

test('unknown tools are a protocol error on both wires', async () => {
  const world = await openWorld()
  const { body, headers } = modern('tools/call', { name: 'svc_nothing', arguments: {} })
  for (const answer of [await post(world, call('svc_nothing', {})), await post(world, body, headers)])
    expect(messageOf(answer).error).toMatchObject({
      code: -32602,
      data: { tools: expect.arrayContaining(['svc_get_invoice']) },
    })
})

test('invalid arguments are reported as faults, and nothing is written', async () => {
  const world = await openWorld()
  const line = { description: 'x', quantity: 1, unitPrice: 1 }
  const cases: [string, unknown, string][] = [
    ['svc_create_invoice_draft', { clientName: 'Ana' }, 'lines'],
    [
      'svc_create_invoice_draft',
      { clientName: 'Ana', lines: [{ ...line, quantity: '1' }] },
      'lines[0].quantity',
    ],
    ['svc_create_invoice_draft', { clientName: 'Ana\u202egnp.exe', lines: [line] }, 'clientName'],
    [
      'svc_create_invoice_draft',
      { clientName: 'Ana', lines: [line], idempotencyKey: 'short' },
      'idempotencyKey',
    ],
    ['svc_get_invoice', { id: 'x', idempotencyKey: 'long-enough-key' }, 'idempotencyKey'],
    ['svc_list_invoices', { limit: 101 }, 'limit'],
    ['svc_get_company_context', { extra: true }, 'extra'],
  ]
  for (const [tool, args, field] of cases) {
    const error = toldError(await post(world, call(tool, args)))
    expect([tool, error.code, error.field]).toEqual([tool, 'validation_failed', field])
  }
  expect((await world.run('invoices.list', {})).items).toEqual([])
})

test('a missing scope is reported at the call, while the list is the same for every key', async () => {
  const world = await openWorld()
  const { key } = await world.makeKey({ scopes: ['company.read'] })
  expect(messageOf(await post(world, LIST, {}, key)).result.tools).toHaveLength(9)
  const error = toldError(
    await post(
      world,
      call('svc_issue_registry_invoice', { id: 'inv_0000000000000000', confirmationToken: 'x' }),
      {},
      key,
    ),
  )
  expect(error).toMatchObject({ code: 'scope_missing', details: { needed: 'invoices.issue' } })
  const history = await world.run('audit.list', { action: 'invoices.issue' })
  expect(history.items[0]).toMatchObject({ channel: 'mcp', outcome: 'refused', code: 'scope_missing' })
})

test('a key sees only its own book: an invoice of the other one does not exist', async () => {
  const world = await openWorld()
  const draft = await world.createDraft()
  const live = await world.key('live')
  expect(toldError(await post(world, call('svc_get_invoice', { id: draft.id }), {}, live)).code).toBe(
    'not_found',
  )
})

test('a live issue through a tool waits for a person even with a key that needs no approval', async () => {
  const world = await openWorld()
  const { key } = await world.makeKey({ mode: 'live', approval: 'never' })
  const known = await authenticate(world.env.store.reader, key, world.env.now())
  const through = (channel: 'rest' | 'mcp') =>
    createCtx({ env: world.env, ...known!, channel, requestId: 'req' })
  expect([approvalRequired(through('rest')), approvalRequired(through('mcp'))]).toEqual([false, true])
})

test('a live draft that may not be issued gets no token, and issuing it is rejected', async () => {
  const world = await openWorld()
  const key = await world.key('live')
  const draft = await world.createDraft({}, { key })
  const { structuredContent } = messageOf(
    await post(world, call('svc_validate_registry_invoice', { id: draft.id }), {}, key),
  ).result
  expect(structuredContent).toMatchObject({ valid: false })
  expect(structuredContent.confirmation).toBeUndefined()
  expect(
    toldError(
      await post(
        world,
        call('svc_issue_registry_invoice', { id: draft.id, confirmationToken: 'svct_guessed' }),
        {},
        key,
      ),
    ).code,
  ).toBe('confirmation_invalid')
  expect((await world.run('invoices.list', { state: 'issued' }, { book: 'live' })).items).toEqual([])
})

test('many invalid keys are slowed down without affecting the valid one', async () => {
  const world = await openWorld()
  const statuses = []
  for (let asked = 0; asked < 22; asked += 1)
    statuses.push((await post(world, LIST, {}, 'svc_test_wrong')).status)
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401))
  const refused = await post(world, LIST, {}, 'svc_test_wrong')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await post(world, LIST)).status).toBe(200)
})

test('every answer has the limits and the security headers', async () => {
  const world = await openWorld()
  const { body, headers } = modern('tools/list')
  for (const answer of [await post(world, LIST), await post(world, body, headers)]) {
    expect(answer.headers.ratelimit).toMatch(/^"beta-read";r=\d+;t=\d+$/)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  }
  const issue = await post(world, call('svc_issue_registry_invoice', { id: 'inv_0000000000000000' }))
  expect(issue.headers.ratelimit).toMatch(/^"beta-issue"/)
})

test('the removed address names its replacement', async () => {
  const world = await openWorld()
  for (const method of ['GET', 'POST'] as const) {
    const answer = await world.inject({ method, url: '/api/mcp/erp' })
    expect([answer.status, answer.body.error.code]).toEqual([410, 'gone'])
    expect(answer.body.error.next).toContain('/api/mcp/svc')
  }
})
