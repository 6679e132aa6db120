/**
 * The tools, prompts and resources that the protocol's conformance suite expects, by its own names, in place of the
 * product's tools: the same route and wires, with other servers behind them. It tests the transport of requests, not
 * the product's handling of them.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { Server as LegacyServer } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  MissingRequiredClientCapabilityError,
  Server,
} from '@modelcontextprotocol/server'
import type { InputRequests, ServerContext } from '@modelcontextprotocol/server'
import { eraOf } from '../../../../server/api/mcp/engine.ts'
import type { Engine, EngineOptions } from '../../../../server/api/mcp/engine.ts'
import { INVALID_PARAMS, ProtocolFailure } from '../../../../server/api/mcp/failures.ts'
import { serveLegacy } from '../../../../server/api/mcp/legacy.ts'
import { createModern } from '../../../../server/api/mcp/modern.ts'

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** A header without audio. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const PAUSE_MS = 20
const INFO = { name: 'conformance-fixture', version: '1.0.0' }

const text = (value: string) => ({ type: 'text' as const, text: value })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
const said = (value: string) => ({ content: [text(value)] })
const json = (uri: string, value: unknown) => ({
  uri,
  mimeType: 'application/json',
  text: JSON.stringify(value),
})

/** Reports the progress of a call to a caller that asked for it. */
type Progress = (progress: number) => Promise<void>

/** Tools of both revisions. */
const PLAIN: Record<string, (progress: Progress) => Promise<object> | object> = {
  test_simple_text: () => said('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'Embedded.' },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      { type: 'resource', resource: json('test://mixed-content-resource', { test: 'data', value: 123 }) },
    ],
  }),
  test_error_handling: () => ({ ...said('This tool intentionally fails.'), isError: true }),
  test_tool_with_progress: async (progress) => {
    for (const value of [0, 50, 100]) {
      await progress(value)
      await wait(PAUSE_MS)
    }
    return said('Done.')
  },
  json_schema_2020_12_tool: () => said('ok'),
}

const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

function listed(names: readonly string[]) {
  return names.map((name) => ({
    name,
    description: `For the conformance suite: ${name}.`,
    inputSchema: name === 'json_schema_2020_12_tool' ? SCHEMA_2020_12 : { type: 'object' as const },
  }))
}

function plainTool(name: string): (typeof PLAIN)[string] {
  const tool = PLAIN[name]
  if (!tool) throw new ProtocolFailure(INVALID_PARAMS, 'There is no such tool.')
  return tool
}

const RESOURCES = ['test://static-text', 'test://static-binary'].map((uri) => ({ uri, name: uri.slice(7) }))
const RESOURCE_TEMPLATES = [{ uriTemplate: 'test://template/{id}/data', name: 'template' }]

function readResource(uri: string) {
  if (uri === 'test://static-text') return { contents: [{ uri, mimeType: 'text/plain', text: 'Static.' }] }
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id === undefined) throw new ProtocolFailure(INVALID_PARAMS, 'There is no such resource.', { uri })
  return { contents: [json(uri, { id, templateTest: true, data: `Data for ID: ${id}` })] }
}

const prompt = (name: string, args: readonly string[] = []) => ({
  name,
  description: `For the conformance suite: ${name}.`,
  arguments: args.map((each) => ({ name: each, description: `The ${each}.`, required: true })),
})
const PROMPTS = [
  prompt('test_simple_prompt'),
  prompt('test_prompt_with_arguments', ['arg1', 'arg2']),
  prompt('test_prompt_with_embedded_resource', ['resourceUri']),
  prompt('test_prompt_with_image'),
]

const user = <Content>(content: Content) => ({ role: 'user' as const, content })

function getPrompt(name: string, values: Record<string, string> = {}) {
  switch (name) {
    case 'test_simple_prompt':
      return { messages: [user(text('This is a simple prompt for testing.'))] }
    case 'test_prompt_with_arguments':
      return { messages: [user(text(`arg1='${values.arg1}', arg2='${values.arg2}'`))] }
    case 'test_prompt_with_embedded_resource':
      return {
        messages: [
          user({
            type: 'resource' as const,
            resource: { uri: values.resourceUri ?? '', mimeType: 'text/plain', text: 'Embedded.' },
          }),
        ],
      }
    case 'test_prompt_with_image':
      return { messages: [user(image), user(text('Please look at the image above.'))] }
  }
  throw new ProtocolFailure(INVALID_PARAMS, 'There is no such prompt.')
}

const COMPLETED = { completion: { values: ['testing'], total: 1, hasMore: false } }
const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} }

function legacyServer(): LegacyServer {
  const server = new LegacyServer(INFO, { capabilities: CAPABILITIES })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed(Object.keys(PLAIN)) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { sendNotification }) => {
    const progressToken = params._meta?.progressToken
    return plainTool(params.name)(async (progress) => {
      if (progressToken === undefined) return
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      })
    })
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: RESOURCES }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: RESOURCE_TEMPLATES,
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readResource(params.uri))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: PROMPTS }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => getPrompt(params.name, params.arguments))
  server.setRequestHandler(CompleteRequestSchema, () => COMPLETED)
  return server
}

const states = createRequestStateCodec({ key: 'only for the tests of the conformance suite' })

/** Returns a form with one field. */
const form = (message: string, field: string, type: 'string' | 'boolean' = 'string') =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: { type } as { type: 'string' } | { type: 'boolean' } },
      required: [field],
    },
  })
const question = (words: string) =>
  inputRequired.createMessage({ messages: [user(text(words))], maxTokens: 100 })

/** Requests input until everything was answered, then returns the result. */
async function ask(ctx: ServerContext, inputRequests: InputRequests, isStateful = false) {
  const answers = ctx.mcpReq.inputResponses ?? {}
  const isAnswered = Object.entries(inputRequests).every(([key, { method }]) =>
    method === 'elicitation/create' ? acceptedContent(answers, key) !== undefined : key in answers,
  )
  if (isAnswered && (!isStateful || ctx.mcpReq.requestState() !== undefined)) return said('state-ok')
  return inputRequired({
    inputRequests,
    ...(isStateful ? { requestState: await states.mint({ asked: Object.keys(inputRequests) }) } : {}),
  })
}

/** Tools of 2026-07-28 that request input from the caller, or need a capability that it did not declare. */
const ASKING: Record<string, (ctx: ServerContext) => unknown> = {
  test_input_required_result_elicitation: (ctx) =>
    ask(ctx, { user_name: form('What is your name?', 'name') }),
  test_input_required_result_sampling: (ctx) =>
    ask(ctx, { capital_question: question('What is the capital of France?') }),
  test_input_required_result_list_roots: (ctx) => ask(ctx, { client_roots: inputRequired.listRoots() }),
  test_input_required_result_request_state: (ctx) =>
    ask(ctx, { confirm: form('Please confirm', 'ok', 'boolean') }, true),
  test_input_required_result_tampered_state: (ctx) =>
    ask(ctx, { confirm: form('Please confirm', 'ok', 'boolean') }, true),
  test_input_required_result_multiple_inputs: (ctx) =>
    ask(
      ctx,
      {
        user_name: form('What is your name?', 'name'),
        greeting: question('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
      true,
    ),
  test_input_required_result_multi_round: (ctx) =>
    ctx.mcpReq.inputResponses && 'step1' in ctx.mcpReq.inputResponses
      ? ask(ctx, { step2: form('Step 2: What is your favourite colour?', 'color') }, true)
      : ask(ctx, { [lastStep(ctx)]: form('Step 1: What is your name?', 'name') }, true),
  test_input_required_result_capabilities: (ctx) => {
    const declared = capabilitiesOf(ctx)
    return ask(ctx, {
      ...(declared.elicitation ? { name: form('What is your name?', 'name') } : {}),
      ...(declared.sampling ? { capital: question('What is the capital of France?') } : {}),
    })
  },
  test_missing_capability: (ctx) => {
    if (!capabilitiesOf(ctx).sampling)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    return said('ok')
  },
  test_streaming_elicitation: async (ctx) => {
    await ctx.mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: 'streaming', progress: 1 },
    })
    return ask(ctx, { user_name: form('What is your name?', 'name') })
  },
  test_logging_tool: async (ctx) => {
    await ctx.mcpReq.log('info', 'Nobody asked for this.')
    return said('ok')
  },
}

/** Returns the step of a client in a call of several rounds: the last answered one, or the first. */
const lastStep = (ctx: ServerContext) =>
  ctx.mcpReq.inputResponses && 'step2' in ctx.mcpReq.inputResponses ? 'step2' : 'step1'

function capabilitiesOf(ctx: ServerContext): { elicitation?: object; sampling?: object } {
  const envelope: Record<string, unknown> = ctx.mcpReq.envelope ?? {}
  return envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}
}

function modernServer(): Server {
  const server = new Server(INFO, {
    capabilities: { ...CAPABILITIES, logging: {} },
    requestState: { verify: states.verify },
  })
  server.setRequestHandler('tools/list', () => ({
    tools: listed([...Object.keys(PLAIN), ...Object.keys(ASKING)]),
  }))
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const asking = ASKING[params.name]
    if (asking) return asking(ctx) as ReturnType<typeof said>
    const progressToken = ctx.mcpReq._meta?.progressToken
    return plainTool(params.name)(async (progress) => {
      if (progressToken === undefined) return
      await ctx.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      })
    }) as ReturnType<typeof said>
  })
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: RESOURCE_TEMPLATES }))
  server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri))
  server.setRequestHandler('prompts/list', () => ({
    prompts: [...PROMPTS, prompt('test_input_required_result_prompt')],
  }))
  server.setRequestHandler('prompts/get', async ({ params }, ctx) => {
    if (params.name !== 'test_input_required_result_prompt') return getPrompt(params.name, params.arguments)
    const answered = await ask(ctx, { user_context: form('What context should the prompt use?', 'context') })
    return 'content' in answered ? { messages: [user(text('Answered.'))] } : answered
  })
  server.setRequestHandler('completion/complete', () => COMPLETED)
  return server
}

/** Creates the engine that replaces the product's, behind the product's route and on its two wires. */
export function createFixtureEngine({ onRejected }: Pick<EngineOptions, 'onRejected'>): Engine {
  const modern = createModern(modernServer, onRejected)
  return {
    familyOf: () => 'read',
    eraOf,
    serveCall: (call, raw) =>
      call.era === '2025' ? serveLegacy(legacyServer(), raw) : modern.serve(call, raw),
    close: () => modern.close(),
  }
}
