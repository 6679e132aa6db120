/** Each operation with both doors answers the same document over REST and as a tool. */
import { describe, expect, test } from 'vitest'
import { setRegistryStatus } from '../../../server/invoices/index.ts'
import { operations } from '../../../server/operations.ts'
import { sendBook } from '../../../server/registry/index.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../support/world.ts'
import type { World } from '../../support/world.ts'

interface Both {
  rest: unknown
  tool: unknown
}

interface Asked {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  idempotencyKey?: string
}

async function callTool(world: World, name: string, args: unknown, key?: string): Promise<any> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const answer = await world.post('/api/mcp/svc', message, {
    headers: { accept: 'application/json, text/event-stream' },
    ...(key ? { key } : {}),
  })
  return JSON.parse(/^data: (.+)$/m.exec(answer.raw.body)![1]!).result
}

async function both(
  world: World,
  tool: string,
  args: Record<string, unknown>,
  asked: Asked,
  key?: string,
): Promise<Both> {
  const asking = {
    ...(key ? { key } : {}),
    ...(asked.idempotencyKey ? { headers: { 'idempotency-key': asked.idempotencyKey } } : {}),
  }
  const rest = await (asked.method === 'GET'
    ? world.get(asked.path, asking)
    : world.post(asked.path, asked.body, asking))
  const result = await callTool(
    world,
    tool,
    { ...args, ...(asked.idempotencyKey ? { idempotencyKey: asked.idempotencyKey } : {}) },
    key,
  )
  if (rest.status >= 400) {
    expect(result.isError).toBe(true)
    return { rest: rest.body.error, tool: JSON.parse(result.content[0].text).error }
  }
  expect(result.isError).toBeUndefined()
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
  return { rest: rest.body.data, tool: result.structuredContent }
}

/** For each tool with a REST twin, a success through both doors. Writes are repeated with one Idempotency-Key: one effect, one answer. */
const SUCCESSES: Record<string, (world: World) => Promise<Both>> = {
  svc_get_company_context: (world) =>
    both(world, 'svc_get_company_context', {}, { method: 'GET', path: '/api/v1/companies/current' }),
  svc_list_invoices: async (world) => {
    await world.createDraft()
    await world.createDraft({ clientName: 'Otra' })
    return both(
      world,
      'svc_list_invoices',
      { limit: 1, state: 'draft' },
      { method: 'GET', path: '/api/v1/invoices?limit=1&state=draft&totals=true' },
    )
  },
  svc_get_invoice: async (world) => {
    const { id } = await world.createDraft()
    const { number } = await world.issue(id)
    return both(
      world,
      'svc_get_invoice',
      { id: number },
      { method: 'GET', path: `/api/v1/invoices/${number}` },
    )
  },
  svc_create_invoice_draft: (world) =>
    both(
      world,
      'svc_create_invoice_draft',
      { ...EXAMPLE_DRAFT },
      { method: 'POST', path: '/api/v1/invoices', body: EXAMPLE_DRAFT, idempotencyKey: 'the-same-draft' },
    ),
  svc_validate_registry_invoice: async (world) => {
    const { id } = await world.createDraft()
    return both(
      world,
      'svc_validate_registry_invoice',
      { id },
      { method: 'POST', path: `/api/v1/invoices/${id}/validate`, body: {}, idempotencyKey: 'the-same-check' },
    )
  },
  svc_issue_registry_invoice: async (world) => {
    const { id } = await world.createDraft()
    const validated = await world.post(`/api/v1/invoices/${id}/validate`, {})
    const { confirmationToken } = validated.body.data.confirmation
    const path = `/api/v1/invoices/${id}/issue`
    return both(
      world,
      'svc_issue_registry_invoice',
      { id, confirmationToken },
      { method: 'POST', path, body: { confirmationToken }, idempotencyKey: 'the-same-issue' },
    )
  },
  svc_get_registry_status: async (world) => {
    const { id } = await world.createDraft()
    await world.issue(id)
    return both(
      world,
      'svc_get_registry_status',
      { invoiceId: id },
      { method: 'GET', path: `/api/v1/registry/status?invoiceId=${id}` },
    )
  },
  svc_get_fiscal_summary: async (world) => {
    await world.issue((await world.createDraft()).id)
    return both(
      world,
      'svc_get_fiscal_summary',
      { year: 2026, quarter: 3 },
      { method: 'GET', path: '/api/v1/fiscal/summary?year=2026&quarter=3' },
    )
  },
}

const NOBODY = 'inv_0000000000000000'

/** A refusal by the operation itself, where it has one. */
const REFUSALS: [string, Record<string, unknown>, Asked][] = [
  ['svc_list_invoices', { limit: 1000 }, { method: 'GET', path: '/api/v1/invoices?limit=1000' }],
  [
    'svc_list_invoices',
    { cursor: 'nonsense', totals: false },
    { method: 'GET', path: '/api/v1/invoices?cursor=nonsense' },
  ],
  ['svc_get_invoice', { id: NOBODY }, { method: 'GET', path: `/api/v1/invoices/${NOBODY}` }],
  [
    'svc_create_invoice_draft',
    { clientName: 'Ana', lines: [] },
    { method: 'POST', path: '/api/v1/invoices', body: { clientName: 'Ana', lines: [] } },
  ],
  [
    'svc_validate_registry_invoice',
    { id: NOBODY },
    { method: 'POST', path: `/api/v1/invoices/${NOBODY}/validate`, body: {} },
  ],
  [
    'svc_issue_registry_invoice',
    { id: NOBODY },
    { method: 'POST', path: `/api/v1/invoices/${NOBODY}/issue`, body: {} },
  ],
  [
    'svc_get_registry_status',
    { invoiceId: NOBODY },
    { method: 'GET', path: `/api/v1/registry/status?invoiceId=${NOBODY}` },
  ],
  [
    'svc_get_fiscal_summary',
    { year: 2026, quarter: 5 },
    { method: 'GET', path: '/api/v1/fiscal/summary?year=2026&quarter=5' },
  ],
]

const shared = operations.flatMap(({ contract }) => (contract.tool && contract.rest ? [contract] : []))

describe('the same document through both doors', () => {
  test.each(shared.map((contract) => contract.tool!))('%s', async (tool) => {
    const world = await openWorld()
    const success = SUCCESSES[tool]
    if (!success) throw new Error(`${tool} has no case here.`)
    const answers = await success(world)
    expect(answers.tool).toEqual(answers.rest)
    expect(world.logged.filter((line) => line.includes('"bug"'))).toEqual([])
  })
})

describe('the same refusal through both doors', () => {
  test.each(REFUSALS)('%s %j', async (tool, args, asked) => {
    const answers = await both(await openWorld(), tool, args, asked)
    expect(answers.rest).toMatchObject({ code: expect.any(String) })
    expect(answers.tool).toEqual(answers.rest)
  })

  test.each(shared.map((contract) => [contract.tool!, contract] as const))(
    '%s without its scope',
    async (tool, { rest, access }) => {
      const world = await openWorld()
      const { key } = await world.makeKey({ scopes: ['keys.read'] })
      const asked: Asked = {
        method: rest!.method as 'GET' | 'POST',
        path: `/api/v1${rest!.path.replace(':id', NOBODY)}`,
        ...(rest!.method === 'POST' ? { body: {} } : {}),
      }
      const answers = await both(world, tool, {}, asked, key)
      expect(answers.rest).toMatchObject({ code: 'scope_missing', details: { needed: access } })
      expect(answers.tool).toEqual(answers.rest)
    },
  )
})

test.each([
  ['cancel', {}],
  ['amend', { changes: { clientNif: '12345678Z', breakdown: [{ index: 0, regimeKey: '07' }] } }],
  [
    'amend',
    { changes: { clientIdType: '03', clientCountry: 'US', clientNif: 'P1', operationDate: '2026-06-01' } },
  ],
] as const)('checking to %s %j is the same through both doors', async (action, more) => {
  const world = await openWorld()
  const { id } = await world.createDraft()
  const check = (idempotencyKey: string) =>
    both(
      world,
      'svc_validate_registry_invoice',
      { id, action, ...more },
      { method: 'POST', path: `/api/v1/invoices/${id}/validate`, body: { action, ...more }, idempotencyKey },
    )
  const early = await check('before-its-issue')
  expect(early.rest).toMatchObject({ code: 'invoice_not_issued' })
  expect(early.tool).toEqual(early.rest)
  await world.issue(id)
  const waiting = await check('before-its-answer')
  expect(waiting.rest).toMatchObject({ code: 'registry_pending', retry: 'backoff' })
  expect(waiting.tool).toEqual(waiting.rest)
  await sendBook(world.env, world.books.test, setRegistryStatus)
  const answers = await check('the-same-check')
  expect(answers.rest).toMatchObject({ valid: true, confirmation: { confirmationToken: expect.any(String) } })
  expect(answers.tool).toEqual(answers.rest)
})

test('a draft made twice with one key through two doors is one draft', async () => {
  const world = await openWorld()
  await SUCCESSES.svc_create_invoice_draft!(world)
  expect((await world.run('invoices.list', {})).items).toHaveLength(1)
  const other = await callTool(world, 'svc_create_invoice_draft', {
    ...EXAMPLE_DRAFT,
    clientName: 'Otra',
    idempotencyKey: 'the-same-draft',
  })
  expect(JSON.parse(other.content[0].text).error.code).toBe('idempotency_mismatch')
  const again = await callTool(world, 'svc_create_invoice_draft', {
    ...EXAMPLE_DRAFT,
    idempotencyKey: 'the-same-draft',
  })
  expect(again._meta['sello/replayed']).toBe(true)
})

test('the tool without a REST twin keeps a proposal for the owner', async () => {
  const world = await openWorld()
  const { id } = await world.createDraft()
  const { structuredContent } = await callTool(world, 'svc_propose_action', {
    action: 'issue_invoice',
    targetId: id,
    reason: 'El cliente la espera.',
  })
  expect(structuredContent).toMatchObject({ status: 'pending_user', blockers: [] })
  expect((await world.run('inbox.list', {})).waiting).toMatchObject([
    { proposalId: structuredContent.proposalId, reason: 'El cliente la espera.' },
  ])
  expect((await world.run('invoices.get', { id })).state).toBe('draft')
})
