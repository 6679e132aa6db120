/** The 2026-07-28 wire: no handshake; each request is independent and names its protocol in its own envelope. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import type { AuthInfo } from '@modelcontextprotocol/server'
import { INSTRUCTIONS, progressTo } from './service.ts'
import type { Call, Service } from './service.ts'

/**
 * Streams that wait for changes of lists; these lists never change, so that a few open streams are enough for all
 * clients.
 */
const MAX_SUBSCRIPTIONS = 32

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

export function modernServer(service: Service, call: Call): Server {
  const server = new Server(service.info, OPTIONS)
  server.setRequestHandler('tools/list', () => ({ tools: [...service.tools] }))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    service.callTool(call, {
      name: params.name,
      args: params.arguments,
      onProgress: progressTo(mcpReq._meta?.progressToken, mcpReq.notify),
    }),
  )
  server.setRequestHandler('resources/list', () => ({ resources: service.resources }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: service.resourceTemplates,
  }))
  server.setRequestHandler('resources/read', async ({ params }) => ({
    contents: [await service.readResource(call, params.uri)],
  }))
  server.setRequestHandler('prompts/list', () => ({ prompts: service.prompts }))
  server.setRequestHandler('prompts/get', ({ params }) => service.fillPrompt(params.name, params.arguments))
  return server
}

/** Returns the form in which the caller passes through the SDK, without the key itself. */
function authInfoOf(call: Call): AuthInfo {
  const { actor } = call.ctx
  return {
    token: 'redacted',
    clientId: call.keyId,
    scopes: actor.kind === 'key' ? [...actor.scopes] : [],
    extra: { call },
  }
}

interface Modern {
  serve(call: Call, raw: { request: IncomingMessage; response: ServerResponse; body: unknown }): Promise<void>
  /** Ends all open requests. */
  close(): Promise<void>
}

const JSON_TYPE = 'application/json'

/**
 * Returns the part of the request that the SDK reads: its body has been parsed already, and creating a complete
 * request costs more than most tools.
 */
function webRequest({ headers, url }: IncomingMessage, signal: AbortSignal): Request {
  const get = (name: string): string | null => {
    const value = headers[name.toLowerCase()]
    return value === undefined ? null : String(value)
  }
  return { method: 'POST', url, headers: { get }, signal } as unknown as Request
}

/** Writes the SDK's answer: complete, or piece by piece if it is a stream. */
async function sendAnswer(answer: Response, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const { body, headers, status } = answer
  response.statusCode = status
  for (const [name, value] of headers) response.setHeader(name, value)
  // Head and text are sent together, with their length.
  if (body === null || headers.get('content-type') === JSON_TYPE)
    return void response.end(await answer.text())
  try {
    await pipeline(body, response, { signal })
  } catch (error) {
    // A disconnected caller is not an error.
    if (!signal.aborted) throw error
  }
}

/** Creates the handler; `serverOf` creates the server of one call. */
export function createModern(serverOf: (call: Call) => Server, onError: (error: Error) => void): Modern {
  // Its `fetch` opens no connection: it answers a request.
  const { fetch: answerTo, close } = createMcpHandler(
    ({ authInfo }) => {
      const call = authInfo?.extra?.call
      if (!call) throw new Error('A request came past the door.')
      return serverOf(call as Call)
    },
    { legacy: 'reject', maxSubscriptions: MAX_SUBSCRIPTIONS, onerror: onError },
  )
  return {
    async serve(call, { request, response, body }) {
      const gone = new AbortController()
      response.on('close', () => {
        if (!response.writableFinished) gone.abort()
      })
      const { signal } = gone
      const asked = webRequest(request, signal)
      const answer = await answerTo(asked, { authInfo: authInfoOf(call), parsedBody: body })
      await sendAnswer(answer, response, signal)
    },
    close,
  }
}
