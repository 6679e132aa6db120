/** Call log of a key's assistant: through both protocols, bounded, and never in another book. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STORED_CALLS, recordCall, pruneCalls, writeCalls } from '../../../../server/app/assistants/calls.ts'
import type { KeyActor } from '../../../../server/context.ts'
import { DRAFT, startRunning } from '../../api/mcp/running.ts'
import type { Running } from '../../api/mcp/running.ts'

let running: Running
beforeAll(async () => {
  running = await startRunning()
})
afterAll(() => running.close())

const list = (keyId: string, more = {}) => running.run('assistants.calls', { keyId, ...more })

async function connected(key: string, era: '2025' | '2026'): Promise<LegacyClient> {
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  const url = new URL(running.mcpUrl)
  if (era === '2025') {
    const client = new LegacyClient({ name: 'old assistant', version: '1.2' })
    await client.connect(new LegacyTransport(url, { requestInit }) as Parameters<typeof client.connect>[0])
    return client
  }
  const client = new ModernClient(
    { name: 'new assistant', version: '3' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new ModernTransport(url, { requestInit }))
  return client as unknown as LegacyClient
}

describe.each([
  ['2025', 'old assistant', '1.2'],
  ['2026', 'new assistant', '3'],
] as const)('an assistant of %s', (era, name, version) => {
  test('has its calls listed in order, with the invoices it saw and without its tokens', async () => {
    const made = await running.makeKey()
    const client = await connected(made.key, era)
    const call = async (tool: string, args: Record<string, unknown>): Promise<any> =>
      client.callTool({ name: tool, arguments: args })
    const { structuredContent: draft } = await call('svc_create_invoice_draft', {
      ...DRAFT,
      idempotencyKey: 'chat-7-draft-1',
    })
    const { structuredContent: checked } = await call('svc_validate_registry_invoice', { id: draft.id })
    const { confirmationToken } = checked.confirmation
    const { structuredContent: issued } = await call('svc_issue_registry_invoice', {
      id: draft.id,
      confirmationToken,
    })
    await call('svc_get_invoice', { id: 'inv_none' })
    await call('svc_list_invoices', { text: issued.number })
    await client.readResource({ uri: `svc://invoices/${draft.id}/pdf` }).catch(() => {})
    await call('svc_no_such_tool', { secret: 'of nobody' }).catch(() => {})
    await client.close()

    const { items, count } = await list(made.id)
    expect(items.map(({ tool, outcome, code }) => [tool, outcome, code]).toReversed()).toEqual([
      ['svc_create_invoice_draft', 'ok', null],
      ['svc_validate_registry_invoice', 'ok', null],
      ['svc_issue_registry_invoice', 'ok', null],
      ['svc_get_invoice', 'refused', 'not_found'],
      ['svc_list_invoices', 'ok', null],
      ['resources/read', expect.any(String), expect.toSatisfy(() => true)],
      ['unknown', 'refused', 'not_found'],
    ])
    expect(count).toBe(7)
    const [unknown, document, listed, , issue] = items
    expect(unknown?.arguments).toEqual([])
    expect(document?.invoice).toMatchObject({ id: draft.id })
    expect(listed?.seen).toEqual([{ id: draft.id, number: issued.number }])
    expect(issue).toMatchObject({
      client: `${name} ${version}`,
      invoice: { id: draft.id, number: issued.number },
      requestId: expect.stringMatching(/^req_/),
    })
    expect(issue?.answer).toContainEqual({ name: 'total', value: '24.2' })
    const text = JSON.stringify(items)
    for (const secret of [confirmationToken, made.key, 'chat-7-draft-1', 'of nobody'])
      expect(text).not.toContain(secret)

    const { items: clients } = await running.run('assistants.clients', {})
    expect(clients.find(({ keyId }) => keyId === made.id)).toMatchObject({ name, version, calls: 7 })
    expect((await list(made.id, { outcome: 'refused' })).items.map(({ tool }) => tool)).toContain('unknown')
    const shown = await list(made.id, { invoiceId: draft.id })
    expect(shown.items.map(({ tool }) => tool).toReversed()).toEqual([
      'svc_create_invoice_draft',
      'svc_validate_registry_invoice',
      'svc_issue_registry_invoice',
      'svc_list_invoices',
      'resources/read',
    ])
    // Live and test are separate.
    await expect(running.run('assistants.calls', { keyId: made.id }, 'live')).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

test('erasing a person removes their calls too, including those not written yet', async () => {
  const made = await running.makeKey()
  const client = await connected(made.key, '2026')
  const drafted = (clientName: string): Promise<any> =>
    client.callTool({
      name: 'svc_create_invoice_draft',
      arguments: { clientName, lines: [{ description: 'Corte', quantity: 1, unitPrice: 10 }] },
    })
  const contact = await running.run('contacts.create', { name: 'Rosalía Peñafiel' })
  await drafted('Rosalía Peñafiel')
  await drafted('Otra Persona')
  await client.close()
  const subject = { contactId: contact.id }
  const { hash } = await running.run('privacy.preview', { subject })
  await running.run('privacy.erase', { subject, hash })
  const { items } = await list(made.id)
  expect(JSON.stringify(items)).not.toContain('Peñafiel')
  expect(items).toHaveLength(1)
})

describe('bounds', () => {
  async function actorOf(): Promise<{ id: string; actor: KeyActor }> {
    const { id } = await running.makeKey()
    const row = await running.sello.env.store.reader
      .selectFrom('api_keys')
      .selectAll()
      .where('public_id', '=', id)
      .executeTakeFirstOrThrow()
    const actor: KeyActor = {
      kind: 'key',
      companyId: 1,
      rowId: row.id,
      id,
      rootId: id,
      name: row.name,
      prefix: row.prefix,
      scopes: [],
      approval: 'always',
      assistant: true,
      expiresAt: null,
      perDay: null,
      centsPerDay: null,
    }
    return { id, actor }
  }

  const noteMany = async (actor: KeyActor, count: number): Promise<void> => {
    const { env } = running.sello
    for (let made = 0; made < count; made++) {
      recordCall(env, {
        actor,
        client: null,
        tool: 'svc_list_invoices',
        args: { text: `n${made}` },
        outcome: 'ok',
        code: undefined,
        answer: { items: [], totals: { count: made } },
        ms: 3,
        requestId: `req_${made}`,
      })
      if (made % 400 === 399) await writeCalls(env)
    }
    await writeCalls(env)
  }

  test(
    'keep the last two thousand calls of each of six keys out of ten thousand, and return any range quickly',
    { timeout: 60_000 },
    async () => {
      const busy = await actorOf()
      await noteMany(busy.actor, STORED_CALLS + 1_000)
      for (let others = 0; others < 4; others++) await noteMany((await actorOf()).actor, STORED_CALLS)
      const startedAt = performance.now()
      const first = await list(busy.id, { limit: 50 })
      const last = await list(busy.id, { offset: STORED_CALLS - 50, limit: 200 })
      expect(performance.now() - startedAt).toBeLessThan(1_000)
      expect(first.count).toBe(STORED_CALLS)
      expect(first.items[0]?.arguments).toEqual([{ name: 'text', value: `n${STORED_CALLS + 999}` }])
      expect(last.items.at(-1)?.arguments).toEqual([{ name: 'text', value: 'n1000' }])
      expect(last.items).toHaveLength(50)
    },
  )

  test('delete calls after thirty days', async () => {
    const { env } = running.sello
    const { id, actor } = await actorOf()
    await noteMany(actor, 3)
    const now = env.now
    const later = (days: number) => () => new Date(Date.now() + days * 24 * 3_600_000)
    try {
      env.now = later(29)
      await pruneCalls(env)
      expect((await list(id)).count).toBe(3)
      env.now = later(31)
      await pruneCalls(env)
      expect((await list(id)).count).toBe(0)
    } finally {
      env.now = now
    }
  })
})
