/** Assistants behind a proxy: every message of a client may reach another server. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished, test } from 'vitest'
import { openOfficeOf } from '../../../support/postgres/office.ts'
import { EXAMPLE_DRAFT } from '../../../support/world.ts'

const PROXY = 'http://office.example/api/mcp/svc'

test.each(['2025-11-25', '2026-07-28'])(
  'a client of %s issues an invoice over two servers in turn',
  async (version) => {
    const office = await openOfficeOf(2)
    const { test: book } = await office.company()
    const { key } = await office.key(book)
    const bases = await Promise.all(office.servers.map((server) => server.listen()))
    const asked = [0, 0]
    let next = 0
    const viaProxy = (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const at = (next += 1) % 2
      asked[at]! += 1
      return fetch(new URL(new URL(url as string | URL).pathname, bases[at]), init)
    }
    const options = { requestInit: { headers: { authorization: `Bearer ${key}` } }, fetch: viaProxy }
    let client: any
    if (version === '2025-11-25') {
      const transport = new LegacyTransport(new URL(PROXY), options)
      client = new LegacyClient({ name: 'test', version: '1' })
      await client.connect(transport)
      expect([transport.protocolVersion, transport.sessionId]).toEqual([version, undefined])
    } else {
      client = new ModernClient(
        { name: 'test', version: '1' },
        { versionNegotiation: { mode: { pin: version } } },
      )
      await client.connect(new ModernTransport(new URL(PROXY), options))
    }
    onTestFinished(() => client.close())
    const call = async (name: string, args: object, onprogress?: (step: unknown) => void): Promise<any> => {
      const answer = await client.callTool(
        { name, arguments: args },
        ...(onprogress ? (version === '2025-11-25' ? [undefined, { onprogress }] : [{ onprogress }]) : []),
      )
      expect(answer.isError, JSON.stringify(answer.content)).toBeFalsy()
      return answer.structuredContent
    }
    expect((await client.listTools()).tools).toHaveLength(9)
    const draft = await call('svc_create_invoice_draft', { ...EXAMPLE_DRAFT, idempotencyKey: 'draft-0001' })
    // The repetition reaches the other server.
    const same = await call('svc_create_invoice_draft', { ...EXAMPLE_DRAFT, idempotencyKey: 'draft-0001' })
    expect(same.id).toBe(draft.id)
    const { confirmation } = await call('svc_validate_registry_invoice', { id: draft.id })
    const steps: unknown[] = []
    const { confirmationToken } = confirmation
    const issued = await call('svc_issue_registry_invoice', { id: draft.id, confirmationToken }, (step) =>
      steps.push(step),
    )
    expect(issued).toMatchObject({ state: 'issued', number: expect.any(String) })
    expect(steps).toHaveLength(2)
    for (let round = 0; round < 2; round += 1) {
      expect((await call('svc_list_invoices', {})).items.map(({ id }: { id: string }) => id)).toEqual([
        draft.id,
      ])
      expect(
        await client.readResource({ uri: 'svc://company' }).catch(() => client.listResources()),
      ).toBeTruthy()
    }
    expect(Math.min(...asked)).toBeGreaterThanOrEqual(4)
    for (const { logged } of office.servers)
      expect(logged.filter((line) => line.includes('"bug"'))).toEqual([])
  },
)
