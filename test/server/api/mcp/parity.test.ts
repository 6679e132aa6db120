/** Each operation with a route and a tool returns the same document over REST and MCP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { translateMessages } from '../../../../server/domain/errors/spanish.ts'
import { createTools } from '../../../../server/api/mcp/tools.ts'
import { setRegistryStatus } from '../../../../server/sales/invoices/index.ts'
import { loadOperations } from '../../../../server/api/operations.ts'
import { sendBook } from '../../../../server/registry/index.ts'
import { mcpMessage } from '../../../support/mcp.ts'
import { Furnished } from '../../../support/examples/index.ts'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const operations = await loadOperations()

const TOOLS = createTools(operations)

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
  return mcpMessage(answer.raw.body).result
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
    // Tools answer in the owner's language, which is Spanish by default.
    headers: {
      'accept-language': 'es',
      ...(asked.idempotencyKey ? { 'idempotency-key': asked.idempotencyKey } : {}),
    },
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

/**
 * A successful call over REST and MCP for each tool with a REST route. Writes are repeated with one Idempotency-Key:
 * one effect, one answer.
 */
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

/** Errors of the operations themselves. */
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

/** Checks that a tool with omitted fields returns a part of the REST answer. */
function expectSame(tool: string, answers: Both): void {
  const { outputFields, leavesOut } = TOOLS.get(tool)!.facts
  if (outputFields || leavesOut) expect(answers.rest).toMatchObject(answers.tool as object)
  else expect(answers.tool).toEqual(answers.rest)
}

const shared = operations.flatMap(({ contract }) => (contract.tool && contract.rest ? [contract] : []))

describe('the same document over REST and MCP', () => {
  test.each(shared.map((contract) => contract.tool!))('%s', async (tool) => {
    const world = await openWorld()
    const success = SUCCESSES[tool]
    if (!success) throw new Error(`${tool} has no case here.`)
    const answers = await success(world)
    expectSame(tool, answers)
    expect(world.logged.filter((line) => line.includes('"bug"'))).toEqual([])
  })
})

describe('the same error over REST and MCP', () => {
  let world: World
  let narrow: string
  beforeAll(async () => {
    world = await openWorld({ shared: true })
    narrow = (await world.makeKey({ scopes: ['keys.read'] })).key
  })
  afterAll(() => world.close())

  test.each(REFUSALS)('%s %j', async (tool, args, asked) => {
    const answers = await both(world, tool, args, asked)
    expect(answers.rest).toMatchObject({ code: expect.any(String) })
    expect(answers.tool).toEqual(answers.rest)
  })

  test.each(shared.map((contract) => [contract.tool!, contract] as const))(
    '%s without its scope',
    async (tool, { rest, access }) => {
      const asked: Asked = {
        method: rest!.method as 'GET' | 'POST',
        path: `/api/v1${rest!.path.replace(':id', NOBODY)}`,
        ...(rest!.method === 'POST' ? { body: {} } : {}),
      }
      const answers = await both(world, tool, {}, asked, narrow)
      expect(answers.rest).toMatchObject({ code: 'scope_missing', details: { needed: access } })
      expect(answers.tool).toEqual(answers.rest)
    },
  )
})

test('fields that an assistant has sent or does not read are omitted, and all others are returned', async () => {
  const world = await openWorld()
  const issued = await SUCCESSES.svc_issue_registry_invoice!(world)
  const told = issued.tool as Record<string, unknown>
  const leftOut = Object.keys(issued.rest as object).filter((member) => !(member in told))
  expect(leftOut).toEqual(expect.arrayContaining(['lines', 'issuer', 'history', 'contentHash']))
  expect(Object.keys(told)).toEqual(
    expect.arrayContaining(['id', 'number', 'total', 'taxBreakdown', 'registry', 'links']),
  )
  const created = await SUCCESSES.svc_create_invoice_draft!(world)
  expect(created.tool).not.toHaveProperty('lines')
  expect(created.tool).toHaveProperty('assumptions')
  const { rest, tool } = await SUCCESSES.svc_get_registry_status!(world)
  const [inRest] = (rest as { registrations: object[] }).registrations
  const [inTool] = (tool as { registrations: object[] }).registrations
  expect(inRest).toHaveProperty('xml')
  expect({ ...inTool, xml: expect.any(String) }).toEqual(inRest)
})

test.each(['cancel', 'amend'] as const)(
  'the choice to %s belongs to the owner: the tool returns no useless token, and names the alternative',
  async (action) => {
    const world = await openWorld()
    const { id } = await world.createDraft()
    await world.issue(id)
    await sendBook(world.env, world.books.test, setRegistryStatus)
    const changes = action === 'amend' ? { changes: { clientNif: '12345678Z' } } : {}
    const rest = await world.post(`/api/v1/invoices/${id}/validate`, { action, ...changes })
    expect(rest.body.data.confirmation).toMatchObject({ confirmationToken: expect.any(String) })
    const { properties } = TOOLS.get('svc_validate_registry_invoice')!.definition.inputSchema
    expect(properties).not.toHaveProperty('action')
    const refused = await callTool(world, 'svc_validate_registry_invoice', { id, action, ...changes })
    const { error } = JSON.parse(refused.content[0].text)
    expect(error).toMatchObject({ code: 'step_for_the_owner', retry: 'never' })
    expect(error.next).toContain('svc_propose_action')
    // And that alternative works.
    const { structuredContent } = await callTool(world, 'svc_propose_action', {
      action: action === 'cancel' ? 'cancel_registration' : 'correct_invoice',
      targetId: id,
      reason: 'Está mal.',
    })
    expect(structuredContent).toMatchObject({ targetId: id })
  },
)

test('a draft created twice with one key over REST and MCP is one draft', async () => {
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

test('the tool without a REST route stores a proposal for the owner', async () => {
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

/** Creates a quarter with sales of several kinds, a credit, a purchase, a payment and an annulment. */
async function filledBook(): Promise<{ world: World; rectifyingId: string }> {
  const world = await openWorld()
  const made = await new Furnished(world).open()
  const line = { description: 'Obra', quantity: 1, unitPrice: 1000 }
  const original = await made.issued({ lines: [line, { ...line, vatRate: 10 }], withholdingPct: 15 })
  await made.issued({ currency: 'USD', fxRate: 1.25, lines: [{ ...line, discountAmount: 100 }] })
  await made.issued({ lines: [{ ...line, taxTreatment: 'E1' }], discountPct: 10 })
  await made.ticket()
  const draft = await world.run('invoices.rectify', { id: original.id, cause: 'returned_goods', percent: 40 })
  const rectifying = await world.issue(draft.id)
  const wrong = await made.accepted()
  const { body } = await made.confirmed(wrong, 'cancel')
  await world.post(`/api/v1/invoices/${wrong}/cancel`, body)
  await made.received()
  await made.paidInvoice()
  await made.draft()
  return { world, rectifyingId: rectifying.id }
}

test('window, REST and tools return the same totals of a filled book', async () => {
  const { world, rectifyingId } = await filledBook()
  const through = async (operation: string, tool: string, input: Record<string, unknown>, path: string) => {
    const inWindow = await world.call(operation, input)
    expect(inWindow.status, inWindow.raw.body).toBe(200)
    const { rest, tool: answer } = await both(world, tool, input, { method: 'GET', path })
    expect(answer).toEqual(rest)
    expect(await translateMessages(inWindow.body.data)).toEqual(rest)
    return inWindow.body.data
  }
  const quotas: number[] = []
  for (const [input, query] of [
    [{ year: 2026, quarter: 3 }, 'year=2026&quarter=3'],
    [{ year: 2026, month: 8 }, 'year=2026&month=8'],
    [{ year: 2026 }, 'year=2026'],
  ] as const) {
    const summary = await through(
      'fiscal.summary',
      'svc_get_fiscal_summary',
      input,
      `/api/v1/fiscal/summary?${query}`,
    )
    // The purchase of July: 100 at 21 %.
    expect(summary.input).toMatchObject(
      'month' in input ? { deductible: 0, invoices: 0 } : { deductible: 21, invoices: 1 },
    )
    quotas.push(summary.output.quota)
  }
  const [ofQuarter, , ofYear] = quotas
  expect(ofYear).toBe(ofQuarter)
  const { boxes } = (await world.get('/api/v1/fiscal/models/303?year=2026&quarter=3')).body.data
  const box = (number: string) => boxes.find((one: { box: string }) => one.box === number)?.amount
  expect([box('27'), box('45')]).toEqual([ofQuarter, 21])
  const { totals } = await through(
    'invoices.list',
    'svc_list_invoices',
    { state: 'issued', totals: true, limit: 2 },
    '/api/v1/invoices?state=issued&totals=true&limit=2',
  )
  expect(totals.count).toBeGreaterThan(6)
  const rectifying = await through(
    'invoices.get',
    'svc_get_invoice',
    { id: rectifyingId },
    `/api/v1/invoices/${rectifyingId}`,
  )
  // 40 % of 1,000 at 21 % and 1,000 at 10 %.
  expect(rectifying).toMatchObject({ kind: 'R1', base: -800, tax: -124, total: -924, rectifies: [{}] })
  expect(rectifying.rectification).toMatchObject({ method: 'I' })
})

test('a tool creates a draft with every field of an invoice as REST does', async () => {
  const world = await openWorld()
  const { id, number } = await world.issue((await world.createDraft()).id)
  const rich = {
    ...EXAMPLE_DRAFT,
    kind: 'R4',
    rectifies: [{ id: number }],
    rectification: { method: 'I', cause: 'wrong_amount', reason: 'Importe corregido' },
    lines: [{ description: 'Diferencia', quantity: 1, unitPrice: -5, discountAmount: 1, account: '705' }],
    discountPct: 10,
    currency: 'USD',
    fxRate: 1.25,
    fxDate: '2026-06-30',
    fxSource: 'BCE',
    paymentMethod: 'transfer',
    language: 'en',
  }
  const answers = await both(world, 'svc_create_invoice_draft', rich, {
    method: 'POST',
    path: '/api/v1/invoices',
    body: rich,
    idempotencyKey: 'a-rich-draft',
  })
  expectSame('svc_create_invoice_draft', answers)
  expect(answers.rest).toMatchObject({
    kind: 'R4',
    currency: 'USD',
    rectifies: [{ id }],
    rectification: { method: 'I', cause: 'wrong_amount' },
  })
})
