/** The tools as used by real clients: both SDKs, every protocol mode, over a loopback port. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DRAFT, startRunning } from './running.ts'
import type { Running } from './running.ts'

const TOOLS = [
  'svc_get_company_context',
  'svc_list_invoices',
  'svc_get_invoice',
  'svc_create_invoice_draft',
  'svc_validate_registry_invoice',
  'svc_issue_registry_invoice',
  'svc_get_registry_status',
  'svc_get_fiscal_summary',
  'svc_propose_action',
]

let running: Running
let key: string
beforeAll(async () => {
  running = await startRunning()
  key = (await running.makeKey()).key
})
afterAll(() => running.close())

interface Result {
  isError?: boolean
  structuredContent?: any
  content: any[]
}

/** The functions that the tests need of any client. */
interface AnyClient {
  version: string | undefined
  instructions: string | undefined
  capabilities: unknown
  tools(): Promise<any[]>
  call(name: string, args?: Record<string, unknown>): Promise<Result>
  read(uri: string): Promise<any>
  resources(): Promise<any[]>
  templates(): Promise<any[]>
  prompts(): Promise<any[]>
  prompt(name: string, args: Record<string, string>): Promise<any>
  close(): Promise<void>
}

function ask(client: any, version: string | undefined): AnyClient {
  return {
    version,
    instructions: client.getInstructions(),
    capabilities: client.getServerCapabilities(),
    tools: async () => (await client.listTools()).tools,
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
    read: (uri) => client.readResource({ uri }),
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    prompts: async () => (await client.listPrompts()).prompts,
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    close: () => client.close(),
  }
}

const requestInit = (): RequestInit => ({ headers: { authorization: `Bearer ${key}` } })

async function connectLegacy(): Promise<AnyClient> {
  const client = new LegacyClient({ name: 'test-2025', version: '1.0.0' })
  const transport = new LegacyTransport(new URL(running.mcpUrl), { requestInit: requestInit() })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return ask(client, transport.protocolVersion)
}

async function connectModern(options?: ConstructorParameters<typeof ModernClient>[1]): Promise<AnyClient> {
  const client = new ModernClient({ name: 'test-2026', version: '1.0.0' }, options)
  await client.connect(new ModernTransport(new URL(running.mcpUrl), { requestInit: requestInit() }))
  return ask(client, client.getNegotiatedProtocolVersion())
}

const CLIENTS: [string, string, () => Promise<AnyClient>][] = [
  ['the 2025 SDK', '2025-11-25', connectLegacy],
  ['the 2026 SDK by default', '2025-11-25', () => connectModern()],
  [
    'the 2026 SDK left to choose',
    '2026-07-28',
    () => connectModern({ versionNegotiation: { mode: 'auto' } }),
  ],
  [
    'the 2026 SDK held to 2026-07-28',
    '2026-07-28',
    () => connectModern({ versionNegotiation: { mode: { pin: '2026-07-28' } } }),
  ],
]

describe.each(CLIENTS)('%s', (name, version, connect) => {
  test('finds the nine tools in their order, and the description of the server', async () => {
    const client = await connect()
    expect(client.version).toBe(version)
    expect((await client.tools()).map((tool) => tool.name)).toEqual(TOOLS)
    expect(client.instructions?.length).toBeLessThanOrEqual(1200)
    expect(client.capabilities).toEqual({ tools: {}, resources: {}, prompts: {} })
    await client.close()
  })

  test('drafts, validates, issues, reads and lists an invoice', async () => {
    const client = await connect()
    await client.tools()
    const draft = await client.call('svc_create_invoice_draft', DRAFT)
    expect(draft.isError).toBeFalsy()
    expect(JSON.parse(draft.content[0].text)).toEqual(draft.structuredContent)
    const { id } = draft.structuredContent
    const validated = await client.call('svc_validate_registry_invoice', { id })
    expect(validated.structuredContent).toMatchObject({
      valid: true,
      confirmation: { approval: { required: false } },
    })
    const { confirmationToken } = validated.structuredContent.confirmation
    const issued = await client.call('svc_issue_registry_invoice', { id, confirmationToken })
    expect(issued.structuredContent).toMatchObject({
      id,
      state: 'issued',
      total: 24.2,
      registry: { simulated: true },
    })
    const { number } = issued.structuredContent
    expect(issued.content[1]).toMatchObject({
      type: 'resource_link',
      uri: `svc://invoices/${id}/pdf`,
      name: `${number}.pdf`,
      mimeType: 'application/pdf',
    })
    const again = await client.call('svc_issue_registry_invoice', { id, confirmationToken })
    expect(again.structuredContent).toMatchObject({ number, replayed: true })
    const read = await client.call('svc_get_invoice', { id: number })
    expect(read.structuredContent).toMatchObject({ id, number, state: 'issued' })
    expect(read.content[1]).toMatchObject({ type: 'resource_link' })
    const list = await client.call('svc_list_invoices', { text: number })
    expect(list.structuredContent).toMatchObject({ items: [{ id }], totals: { count: 1, total: 24.2 } })
    await client.close()
  })

  test('gets errors as results that a model can act on', async () => {
    const client = await connect()
    await client.tools()
    const wrong = await client.call('svc_create_invoice_draft', {
      clientName: 'Ana',
      lines: [{ description: 'x', quantity: 1.1234567, unitPrice: 1 }],
      colour: 'red',
    })
    expect(wrong.isError).toBe(true)
    expect(wrong.structuredContent).toBeUndefined()
    const told = JSON.parse(wrong.content[0].text)
    expect(told.requestId).toMatch(/^req_/)
    expect(told.error).toMatchObject({ code: 'validation_failed', retry: 'never' })
    expect(
      told.error.details.faults.map((fault: { field: string; code: string }) => [fault.field, fault.code]),
    ).toEqual([
      ['lines[0].quantity', 'too_many_decimals'],
      ['colour', 'unknown_field'],
    ])
    const missing = await client.call('svc_get_invoice', { id: 'inv_0000000000000000' })
    expect(JSON.parse(missing.content[0].text).error.code).toBe('not_found')
    const early = await client.call('svc_issue_registry_invoice', { id: 'inv_0000000000000000' })
    expect(early.isError).toBe(true)
    await client.close()
  })

  test('gets an error for an unknown tool, prompt or resource', async () => {
    const client = await connect()
    await expect(client.call('svc_drop_everything')).rejects.toMatchObject({ code: -32602 })
    await expect(client.prompt('svc_nothing', {})).rejects.toMatchObject({ code: -32602 })
    // The 2026 SDK converts the older code to the newer one.
    const code = name === 'the 2025 SDK' ? -32002 : -32602
    await expect(client.read('svc://nothing')).rejects.toMatchObject({ code })
    await expect(client.read('svc://invoices/inv_0000000000000000/pdf')).rejects.toMatchObject({ code })
    await client.close()
  })

  test('reads the company and the documents of an invoice', async () => {
    const client = await connect()
    expect((await client.resources()).map((resource) => resource.uri)).toEqual(['svc://company'])
    expect((await client.templates()).map((template) => template.uriTemplate)).toEqual([
      'svc://invoices/{id}/pdf',
      'svc://invoices/{id}/facturae',
      'svc://invoices/{id}/ubl',
      'svc://invoices/{id}/cii',
      'svc://invoices/{id}/ubl25',
      'svc://invoices/{id}/peppol',
    ])
    const company = await client.read('svc://company')
    expect(JSON.parse(company.contents[0].text)).toMatchObject({
      legalName: 'Talleres Ejemplo, S.L.',
      mode: 'test',
    })
    const draft = await client.call('svc_create_invoice_draft', DRAFT)
    const { contents } = await client.read(`svc://invoices/${draft.structuredContent.id}/pdf`)
    expect(contents[0].mimeType).toBe('application/pdf')
    expect(Buffer.from(contents[0].blob, 'base64').subarray(0, 5).toString()).toBe('%PDF-')
    await expect(client.read(`svc://invoices/${draft.structuredContent.id}/ubl`)).rejects.toMatchObject({
      code: -32602,
    })
    const { confirmation } = (
      await client.call('svc_validate_registry_invoice', { id: draft.structuredContent.id })
    ).structuredContent
    await client.call('svc_issue_registry_invoice', {
      id: draft.structuredContent.id,
      confirmationToken: confirmation.confirmationToken,
    })
    const ubl = await client.read(`svc://invoices/${draft.structuredContent.id}/ubl`)
    expect(ubl.contents[0]).toMatchObject({
      mimeType: 'application/xml',
      text: expect.stringContaining('urn:oasis:names:specification:ubl:schema:xsd:Invoice-2') as string,
    })
    await client.close()
  })

  test('fills in prompts, and gets an error for invalid arguments', async () => {
    const client = await connect()
    expect((await client.prompts()).map((prompt) => prompt.name)).toEqual([
      'svc_new_invoice',
      'svc_quarter_review',
      'svc_month_close',
    ])
    const filled = await client.prompt('svc_quarter_review', { year: '2026', quarter: '3' })
    expect(filled.messages[0].content.text).toContain('svc_get_fiscal_summary with year 2026 and quarter 3')
    await expect(client.prompt('svc_quarter_review', { year: '2026', quarter: '5' })).rejects.toMatchObject({
      code: -32602,
    })
    await expect(
      client.prompt('svc_new_invoice', { client: 'Ana\u202e', concept: 'x', amount: '1' }),
    ).rejects.toMatchObject({ code: -32602 })
    await client.close()
  })
})

test('calls are logged with caller, tool and duration, and without their content', async () => {
  const client = await connectModern({ versionNegotiation: { mode: 'auto' } })
  await client.call('svc_create_invoice_draft', { ...DRAFT, clientName: 'Nombre Que No Sale' })
  await client.call('svc_get_invoice', { id: 'inv_0000000000000000' })
  await client.close()
  const entries = running.logged
    .map((line) => JSON.parse(line))
    .filter((entry) => entry.event === 'mcp' && entry.client === 'test-2026/1.0.0')
  expect(entries.at(-2)).toMatchObject({
    era: '2026',
    tool: 'svc_create_invoice_draft',
    outcome: 'ok',
    requestId: expect.stringMatching(/^req_/),
    keyId: expect.stringMatching(/^key_/),
    argsHash: expect.stringMatching(/^[0-9a-f]{16}$/),
    ms: expect.any(Number),
  })
  expect(entries.at(-1).argsHash).not.toBe(entries.at(-2).argsHash)
  expect(entries.at(-1)).toMatchObject({ tool: 'svc_get_invoice', outcome: 'refused', code: 'not_found' })
  expect(running.logged.join('\n')).not.toContain('Nombre Que No Sale')
  expect(running.logged.join('\n')).not.toContain(key)
  expect(running.logged.filter((line) => line.includes('"bug"'))).toEqual([])
})

test('a client that waits for changes does not delay the end of the app', async () => {
  const other = await startRunning()
  const headers = {
    authorization: `Bearer ${(await other.makeKey()).key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta },
  })
  const response = await fetch(other.mcpUrl, { method: 'POST', headers, body })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const reader = response.body!.getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('subscriptions')
  // The client is still waiting: awaiting it here would never end.
  await other.close()
  await reader.cancel().catch(() => undefined)
})
