/** Messages of both protocols as a client sends them, and helpers for their answers. */
import { expect } from 'vitest'
import { mcpMessage } from '../../../support/mcp.ts'
import type { Answer, World } from '../../../support/world.ts'

export const MCP_PATH = '/api/mcp/svc'
export const ACCEPT = { accept: 'application/json, text/event-stream' }
export const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

/** Creates a request of the 2026 wire, with its required headers. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
): { body: object; headers: Record<string, string> } {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    headers: {
      ...ACCEPT,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    },
  }
}

/** Posts to the MCP route with a valid key and headers, with the given changes. */
export function post(
  world: World,
  body: unknown,
  headers: Record<string, string> = {},
  key?: string,
): Promise<Answer> {
  return world.post(MCP_PATH, body, {
    headers: { ...ACCEPT, ...headers },
    ...(key === undefined ? {} : { key }),
  })
}

/** Returns the JSON-RPC message of an answer on either wire. */
export function messageOf(answer: Answer): any {
  return mcpMessage(answer.raw.body)
}

/** Creates a tool call as the 2025 wire sends it. */
export function call(name: string, args: unknown): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
}

/** Returns the error in a tool's answer. */
export function toldError(answer: Answer): any {
  const { result } = messageOf(answer)
  expect(result.isError).toBe(true)
  return JSON.parse(result.content[0].text).error
}
