/** The transport of a 2025 message, and its distinction from one of 2026. */
import { classifyInboundRequest } from '@modelcontextprotocol/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { eraOf } from '../../../../server/api/mcp/engine.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'
import { call, post } from './wires.ts'

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const FULL = {
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

describe('the protocol revision of a message', () => {
  const metas = [undefined, {}, FULL, { [VERSION]: 7 }, { [VERSION]: '2025-06-18', ...FULL }].concat([
    { [VERSION]: '2026-07-28' },
    { [VERSION]: '2026-07-28', ...FULL },
  ] as never[])
  const versions = [undefined, '2025-06-18', '2025-11-25', '2026-07-28', ' 2026-07-28', '1999-01-01', 'x']
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'tools/call' },
    { jsonrpc: '2.0', id: 'a', method: 'initialize' },
    { jsonrpc: '2.0', id: 1, method: 'server/discover' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled' },
  ]

  test('is the one that the SDK finds, for every way to name a version or none', () => {
    let compared = 0
    for (const message of messages)
      for (const _meta of metas)
        for (const protocolVersionHeader of versions)
          for (const mcpMethodHeader of [undefined, message.method, 'tools/list']) {
            const asked = {
              httpMethod: 'POST',
              ...(protocolVersionHeader === undefined ? {} : { protocolVersionHeader }),
              ...(mcpMethodHeader === undefined ? {} : { mcpMethodHeader }),
              body: { ...message, params: { name: 'x', ...(_meta ? { _meta } : {}) } },
            }
            const found = classifyInboundRequest(asked).kind === 'legacy' ? '2025' : '2026'
            expect([asked, eraOf(asked)]).toEqual([asked, found])
            compared += 1
          }
    expect(compared).toBe(735)
  })
})

describe('a message of 2025', () => {
  let world: World
  beforeEach(async () => {
    world = await openWorld()
  })

  test('is answered as plain JSON', async () => {
    const { raw, status } = await post(world, call('svc_get_company_context', {}))
    expect([status, raw.headers['content-type']]).toEqual([200, 'application/json'])
    expect(JSON.parse(raw.body)).toMatchObject({ jsonrpc: '2.0', id: 1, result: { structuredContent: {} } })
  })

  test('that is a notification is accepted without an answer', async () => {
    const { raw, status } = await post(world, { jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([status, raw.body]).toEqual([202, ''])
  })

  test.each([
    ['no message', { hello: 'there' }, -32600],
    ['an answer to nothing', { jsonrpc: '2.0', id: 1 }, -32600],
    ['another protocol', { jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
    ['an identifier that is none', { jsonrpc: '2.0', id: { a: 1 }, method: 'ping' }, -32600],
    ['a call of nothing', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }, -32602],
    [
      'arguments that are none',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: 7 } },
      -32602,
    ],
    [
      'a document without an address',
      { jsonrpc: '2.0', id: 1, method: 'resources/read', params: {} },
      -32602,
    ],
  ])('that is %s is rejected as the caller’s fault', async (_, body, code) => {
    const { body: answer, status } = await post(world, body)
    expect([status, answer.error.code]).toEqual([400, code])
  })

  test('in an unknown version gets a list of the known ones', async () => {
    const { body, status } = await post(world, call('svc_list_invoices', {}), {
      'mcp-protocol-version': '1999-01-01',
    })
    expect([status, body.error.code]).toEqual([400, -32000])
    expect(body.error.message).toContain('2025-11-25')
  })

  test('with an unknown method is not a transport error', async () => {
    const { body, status } = await post(world, { jsonrpc: '2.0', id: 9, method: 'tools/dance' })
    expect([status, body.id, body.error.code]).toEqual([200, 9, -32601])
  })

  test('that asks for progress where there is none is answered as JSON', async () => {
    const message = call('svc_list_invoices', {}) as { params: object }
    const { raw } = await post(world, {
      ...message,
      params: { ...message.params, _meta: { progressToken: 1 } },
    })
    expect(raw.headers['content-type']).toBe('application/json')
  })
})
