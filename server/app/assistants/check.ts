/** Calls this server as an assistant would, over HTTP with a key, and returns the first problem as a code. */
import type { IncomingMessage } from 'node:http'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import type { UseCase } from '../../context.ts'
import type { CHECK_STEPS, CHECK_TROUBLES, checkConnectionContract } from './contract.ts'

/** Client name of the check: its calls are logged under the key, but it is not the key's assistant. */
export const CHECKER = 'Sello'
const PROTOCOL = '2025-06-18'
const CONTEXT_TOOL = 'svc_get_company_context'
const STEP_MS = 5_000
const MAX_ANSWER_BYTES = 4_000_000

type Step = (typeof CHECK_STEPS)[number]
type Kind = (typeof CHECK_TROUBLES)[number]
type Json = Record<string, unknown>

/** Reason why a step failed. */
class ConnectionFault extends Error {
  readonly kind: Kind
  readonly code: string | null
  constructor(kind: Kind, code: string | null = null) {
    super(kind)
    this.kind = kind
    this.code = code
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk as Buffer)
    bytes += (chunk as Buffer).length
    if (bytes > MAX_ANSWER_BYTES) throw new ConnectionFault('not_sello')
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Returns the one message of an answer, sent as a body or as an event. */
function messageIn(type: string, text: string): Json {
  const json = type.startsWith('text/event-stream') ? (/^data: ?(\{.*)$/m.exec(text)?.[1] ?? '') : text
  try {
    const message: unknown = JSON.parse(json)
    if (isObject(message) && message.jsonrpc === '2.0') return message
  } catch {
    // Reported below as another protocol.
  }
  throw new ConnectionFault('not_sello')
}

function ask(url: string, key: string, method: string, params: Json): Promise<Json> {
  const { request } = process.getBuiltinModule('node:http')
  const body = JSON.stringify({ jsonrpc: '2.0', id: method, method, params })
  return new Promise((resolve, reject) => {
    const exchange = request(url, {
      method: 'POST',
      agent: false,
      signal: AbortSignal.timeout(STEP_MS),
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        accept: 'application/json, text/event-stream',
        'user-agent': CHECKER,
      },
    })
    exchange.on('error', (error) =>
      reject(new ConnectionFault(error.name === 'AbortError' ? 'too_slow' : 'no_answer')),
    )
    exchange.on('response', (response) => {
      textOf(response)
        .then((text) => {
          if (response.statusCode === 401) throw new ConnectionFault('key_refused')
          if (response.statusCode === 429) throw new ConnectionFault('too_many')
          const { result, error } = messageIn(String(response.headers['content-type']), text)
          if (isObject(result)) return resolve(result)
          throw new ConnectionFault('refused', isObject(error) ? String(error.code) : null)
        })
        .catch((thrown: unknown) =>
          reject(thrown instanceof ConnectionFault ? thrown : new ConnectionFault('no_answer')),
        )
    })
    exchange.end(body)
  })
}

/** Returns the company's name from the tool's answer. */
function companyIn(result: Json): string | null {
  const { structuredContent: content } = result
  if (result.isError === true) {
    const [first] = Array.isArray(result.content) ? (result.content as unknown[]) : []
    const text = isObject(first) && typeof first.text === 'string' ? first.text : ''
    throw new ConnectionFault('refused', /"code":"(\w{1,60})"/.exec(text)?.[1] ?? null)
  }
  return isObject(content) && typeof content.legalName === 'string' ? content.legalName : null
}

export const checkConnection: UseCase<typeof checkConnectionContract> = async (ctx, { key }) => {
  const url = ctx.env.address.mcpUrl
  const startedAt = performance.now()
  const sinceStart = (): number => Math.round(performance.now() - startedAt)
  const answer: ContractOutput<typeof checkConnectionContract> = {
    ok: false,
    ms: 0,
    steps: [],
    trouble: null,
    tools: null,
    company: null,
  }
  let step: Step = 'connect'
  const done = (next: Step): void => {
    answer.steps.push({ step, ms: sinceStart() })
    step = next
  }
  const clientInfo = { name: CHECKER, version: ctx.env.version }
  const _meta = { 'io.modelcontextprotocol/clientInfo': clientInfo }
  try {
    if (url === null) throw new ConnectionFault('no_port')
    const greeting = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo }
    const { serverInfo } = await ask(url, key.trim(), 'initialize', greeting).catch((thrown: unknown) => {
      // A server that rejects the key has been reached.
      if (thrown instanceof ConnectionFault && ['key_refused', 'too_many'].includes(thrown.kind)) done('key')
      throw thrown
    })
    if (!isObject(serverInfo) || serverInfo.name !== 'sello') throw new ConnectionFault('not_sello')
    done('key')
    done('tools')
    const { tools } = await ask(url, key.trim(), 'tools/list', { _meta })
    answer.tools = Array.isArray(tools) ? tools.length : 0
    done('company')
    const call = { name: CONTEXT_TOOL, arguments: {}, _meta }
    answer.company = companyIn(await ask(url, key.trim(), 'tools/call', call))
    answer.steps.push({ step, ms: sinceStart() })
    answer.ok = true
  } catch (thrown) {
    if (!(thrown instanceof ConnectionFault)) throw thrown
    answer.trouble = { step, kind: thrown.kind, code: thrown.code }
  }
  return { ...answer, ms: sinceStart() }
}
