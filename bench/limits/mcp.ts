/**
 * The limit of `mcp.*`: both SDKs mounted as in the product (Fastify, hijacked reply, a server and a transport per
 * request) around one empty tool. No key, store, limits or checks.
 */
import { toNodeHandler } from '@modelcontextprotocol/node'
import { Server as LegacyServer } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { classifyInboundRequest, createMcpHandler, Server } from '@modelcontextprotocol/server'
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'

const INFO = { name: 'limit', version: '1.0.0' }
const TOOLS = [{ name: 'svc_get_company_context', inputSchema: { type: 'object' as const } }]
const ANSWER = { content: [{ type: 'text' as const, text: '{}' }], structuredContent: {} }
// Neither sends requests to its clients; the default compiles a validator for each request.
const OPTIONS = {
  capabilities: { tools: {} },
  jsonSchemaValidator: {
    getValidator: () => {
      throw new Error('The limit asks nothing.')
    },
  },
}

function legacyServer(): LegacyServer {
  const server = new LegacyServer(INFO, OPTIONS)
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }))
  server.setRequestHandler(CallToolRequestSchema, () => ANSWER)
  return server
}

function modernServer(): Server {
  const server = new Server(INFO, OPTIONS)
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS }))
  server.setRequestHandler('tools/call', () => ANSWER)
  return server
}

/** Creates the server at the same address as the product's. */
export function createMcpLimit(path: string): FastifyInstance {
  const app = Fastify()
  const modern = toNodeHandler(createMcpHandler(modernServer, { legacy: 'reject' }))
  app.post(path, async (request, reply) => {
    const version = request.headers['mcp-protocol-version']
    const method = request.headers['mcp-method']
    const { kind } = classifyInboundRequest({
      httpMethod: 'POST',
      ...(typeof version === 'string' ? { protocolVersionHeader: version } : {}),
      ...(typeof method === 'string' ? { mcpMethodHeader: method } : {}),
      body: request.body,
    })
    reply.hijack()
    if (kind !== 'legacy') return modern(request.raw, reply.raw, request.body)
    const server = legacyServer()
    const transport = new StreamableHTTPServerTransport()
    reply.raw.on('close', () => {
      void transport.close()
      void server.close()
    })
    await server.connect(transport as Parameters<LegacyServer['connect']>[0])
    await transport.handleRequest(request.raw, reply.raw, request.body)
  })
  return app
}
