/**
 * Transport of one message of the 2025 wire: one per message, over the raw answer, without sessions. Requests are
 * answered as plain JSON; only a call that asked for progress gets a short event stream. The SDK's own transport
 * first creates web requests and streams for both, which costs more than most tools (ADR 0031).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  JSONRPCMessageSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import type { JSONRPCMessage, JSONRPCResponse, RequestId } from '@modelcontextprotocol/sdk/types.js'
import { INTERNAL_ERROR, INVALID_REQUEST, UNSUPPORTED } from './failures.ts'

const STREAM_TYPE = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' }

/** The fault of a request found before its message is parsed: status, code and message. */
type Refusal = [status: number, code: number, message: string]

function refusalOf({ headers }: IncomingMessage, isHandshake: boolean): Refusal | null {
  const accept = headers.accept ?? ''
  if (!accept.includes('application/json') || !accept.includes('text/event-stream'))
    return [406, UNSUPPORTED, 'Accept must name application/json and text/event-stream.']
  const version = headers['mcp-protocol-version']
  if (!isHandshake && version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version)))
    return [
      400,
      UNSUPPORTED,
      `MCP-Protocol-Version must be one of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`,
    ]
  return null
}

interface ExchangeOptions {
  response: ServerResponse
  /** Returns an error that blames the caller instead of the SDK's -32603; null for internal errors. */
  blame: () => JSONRPCResponse | null
}

export class Exchange implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void

  private readonly response: ServerResponse
  private readonly blame: ExchangeOptions['blame']
  private asked: RequestId | null = null

  constructor({ response, blame }: ExchangeOptions) {
    this.response = response
    this.blame = blame
    response.on('close', () => {
      // After the answer there is nothing more to send.
      if (!response.writableFinished) void this.close()
    })
  }

  async start(): Promise<void> {}

  /** Passes the message to the server, which answers through `send`; a notification is answered immediately. */
  take(request: IncomingMessage, body: object): void {
    const { response } = this
    const refusal = refusalOf(request, (body as { method?: unknown }).method === 'initialize')
    if (refusal) {
      const [status, code, message] = refusal
      this.end(status, { jsonrpc: '2.0', error: { code, message }, id: null })
      return
    }
    const read = JSONRPCMessageSchema.safeParse(body)
    if (!read.success) {
      this.end(400, {
        jsonrpc: '2.0',
        error: { code: INVALID_REQUEST, message: 'This is no JSON-RPC message.' },
        id: null,
      })
      return
    }
    if (isJSONRPCRequest(read.data)) this.asked = read.data.id
    else response.writeHead(202).end()
    this.onmessage?.(read.data)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { response } = this
    if (this.asked === null || response.writableEnded || response.destroyed) return
    if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) {
      if (!response.headersSent) response.writeHead(200, STREAM_TYPE)
      this.event(message)
      return
    }
    const blamed = 'error' in message && message.error.code === INTERNAL_ERROR ? this.blame() : null
    if (!response.headersSent) this.end(blamed ? 400 : 200, blamed ?? message)
    else {
      this.event(blamed ?? message)
      response.end()
    }
  }

  async close(): Promise<void> {
    const { onclose } = this
    this.onclose = undefined
    onclose?.()
  }

  private end(status: number, message: object): void {
    // Without `writeHead`, head and text are sent together, with their length.
    this.response.statusCode = status
    this.response.setHeader('content-type', 'application/json').end(JSON.stringify(message))
  }

  private event(message: JSONRPCMessage): void {
    this.response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
  }
}
