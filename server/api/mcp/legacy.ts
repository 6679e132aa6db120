/** The 2025 wire (`initialize`), without sessions: a server and a transport for each request. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { JSONRPCErrorResponse } from '@modelcontextprotocol/sdk/types.js'
import { Exchange } from './exchange.ts'
import { INVALID_PARAMS } from './failures.ts'
import { INSTRUCTIONS, progressTo } from './service.ts'
import type { Call, Service } from './service.ts'

const OPTIONS: ConstructorParameters<typeof Server>[1] = {
  capabilities: { tools: {}, resources: {}, prompts: {} },
  instructions: INSTRUCTIONS,
  // Validates answers to requests that this server never makes; the default compiles a validator for each request.
  jsonSchemaValidator: {
    getValidator: () => {
      throw new Error('This server asks nothing of its clients.')
    },
  },
}

// Creates a server of the low-level class. The SDK recommends its wrapper; this program supplies finished schemas and
// validates input once, with the operation's own contract, so that messages are the same as in REST.
export function legacyServer(service: Service, call: Call): Server {
  const server = new Server(service.info, OPTIONS)
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...service.tools] }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { sendNotification }) =>
    service.callTool(call, {
      name: params.name,
      args: params.arguments,
      onProgress: progressTo(params._meta?.progressToken, sendNotification),
    }),
  )
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: service.resources }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: service.resourceTemplates,
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }) => ({
    contents: [await service.readResource(call, params.uri)],
  }))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: service.prompts }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    service.fillPrompt(params.name, params.arguments),
  )
  return server
}

const WITH_PARAMS = [
  CallToolRequestSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ReadResourceRequestSchema,
]

/**
 * Returns the error for params of the wrong shape, for which the SDK would report an internal error (-32603) with its
 * validator's messages.
 */
function wrongParams(body: object): JSONRPCErrorResponse | null {
  const { id, method } = body as { id?: unknown; method?: unknown }
  const schema = WITH_PARAMS.find((one) => one.shape.method.value === method)
  if (!schema || (typeof id !== 'string' && typeof id !== 'number')) return null
  const read = schema.safeParse(body)
  if (read.success) return null
  const field = read.error.issues[0]?.path.join('.') ?? 'params'
  const error = {
    code: INVALID_PARAMS,
    message: `${field} is missing or not of the type it must be.`,
    data: { field },
  }
  return { jsonrpc: '2.0', id, error }
}

/** Answers one request on the raw objects with its own server; `body` has already been read and parsed. */
export async function serveLegacy(
  server: Server,
  { request, response, body }: { request: IncomingMessage; response: ServerResponse; body: object },
): Promise<void> {
  const exchange = new Exchange({ response, blame: () => wrongParams(body) })
  await server.connect(exchange)
  exchange.take(request, body)
}
