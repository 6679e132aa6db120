/** A tool call in either protocol revision, and its answer. */
import type { Era } from '../../server/api/mcp/resources.ts'

export const ERAS: readonly Era[] = ['2025', '2026']
export const MCP_PATH = '/api/mcp/svc'

export interface ToolAnswer {
  /** The HTTP status. */
  status: number
  isError: boolean
  /** Data of a successful call. */
  data: any
  /** Error of a failed call: that of REST, or one of the protocol or the transport. */
  error: any
  isReplay: boolean
  /** The raw answer, as a model or a network sees it. */
  raw: string
  /** Bytes of the text that a client passes to the model: content blocks, or the error. */
  bytesSeen: number
}

const CLIENT = { name: 'test', version: '1' }

/** Returns a request of the protocol, without the key: the headers and the body to post to `MCP_PATH`. */
export function mcpRequest(era: Era, method: string, params: Record<string, unknown> = {}) {
  const named = params.name ?? params.uri
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(era === '2026'
        ? {
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': method,
            ...(typeof named === 'string' ? { 'mcp-name': headerText(named) } : {}),
          }
        : {}),
    } as Record<string, string>,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: era === '2026' ? { ...params, _meta: envelope } : params,
    }),
  }
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Headers contain ASCII; the protocol has an encoding for other characters. */
function headerText(text: string): string {
  return /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** Returns the JSON-RPC message in an answer: alone, or as the last event of a short stream. */
export function mcpMessage(raw: string): any {
  const events = [...raw.matchAll(/^data: (.+)$/gm)]
  return JSON.parse(events.at(-1)?.[1] ?? raw)
}

/** Returns the result of a tool call. */
export function toolAnswer(status: number, raw: string): ToolAnswer {
  const { result, error } = mcpMessage(raw)
  if (!result)
    return {
      status,
      isError: true,
      data: undefined,
      error: error?.data?.error ?? error,
      isReplay: false,
      raw,
      bytesSeen: Buffer.byteLength(JSON.stringify(error)),
    }
  const isError = result.isError === true
  return {
    status,
    isError,
    data: result.structuredContent,
    error: isError ? JSON.parse(result.content[0].text).error : undefined,
    isReplay: result._meta?.['sello/replayed'] === true || result.structuredContent?.replayed === true,
    raw,
    bytesSeen: Buffer.byteLength(JSON.stringify(result.content)),
  }
}

/** Calls a tool over HTTP. */
export async function callOver(
  { url, key, era }: { url: string; key: string; era: Era },
  name: string,
  args: unknown = {},
): Promise<ToolAnswer> {
  const { headers, body } = mcpRequest(era, 'tools/call', { name, arguments: args })
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${key}` },
    body,
  })
  return toolAnswer(response.status, await response.text())
}
