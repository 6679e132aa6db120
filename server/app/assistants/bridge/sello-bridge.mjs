#!/usr/bin/env node
/**
 * Carries MCP messages between an assistant that starts programs (stdin and stdout, one JSON message per line) and
 * the Sello that runs on this computer (HTTP on loopback). Requires only Node 20 and is a single file.
 *
 * Environment: SVC_API_KEY, the key (never an argument, because every program of this computer can read those). The
 * address of Sello is read from `server.json` in the data folder for each message, so that Sello may stop, restart
 * and change its port: SELLO_DATA names that folder, else it is the folder of this file, else the default one.
 * SVC_MCP_URL sets the address itself and takes precedence. Logs to stderr only, never the key or message content.
 */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MCP_PATH = '/api/mcp/svc'
const PROBE_MS = 2_000
/** Sello closes connections beyond its limit; further messages wait. */
const AT_ONCE = 24
const INVALID_REQUEST = -32600
const PARSE_ERROR = -32700
const INTERNAL_ERROR = -32603
const NOT_RUNNING = 'The invoicing app is not running. Open Sello on this computer and try again.'
const NO_KEY = 'SVC_API_KEY is missing or is no key. Make one in Sello, on the page of assistants.'
const NOT_SELLO = 'Another program answered where Sello should be.'
const SHUT = 'Sello is open, but its books are not. Its window says why.'
const CUT = 'Sello was closed before it had answered. Look at what exists before you repeat the call.'

/** Field of the params that `Mcp-Name` repeats, by method. */
const NAMED_BY = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])
/** Requests answered by an endless stream. */
const ENDLESS = new Set(['subscriptions/listen'])

/** A failure whose message is returned to the assistant. */
class Refusal extends Error {}

const key = /^[\x21-\x7e]{8,200}$/.exec(process.env.SVC_API_KEY?.trim() ?? '')?.[0]
/** Protocol version agreed in `initialize`; later messages of the 2025 protocol repeat it in a header. */
let agreedVersion
/** Requests in flight, by the JSON of their identifier: `{ method, exchange, isLetGo }`. */
const underWay = new Map()
let lastSaid = ''

function say(text) {
  if (text === lastSaid) return
  lastSaid = text
  process.stderr.write(`sello-bridge: ${text}\n`)
}

/**
 * Writes one line. Line separators that JSON allows inside strings are escaped, because some readers would split
 * there.
 */
function answer(message) {
  const line = JSON.stringify(message).replace(/[\u2028\u2029]/g, (each) =>
    each === '\u2028' ? '\\u2028' : '\\u2029',
  )
  process.stdout.write(`${line}\n`)
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isRequest = ({ id, method }) => typeof method === 'string' && id !== undefined && id !== null

// ---------------------------------------------------------------------------------------------------------
// Address of Sello

function usualFolder() {
  const { env, platform } = process
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'sello')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'sello')
  return join(env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'sello')
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Returns the address of the Sello of a folder; null when its file is missing, invalid, or left by a process that has
 * ended.
 */
function placeIn(folder) {
  try {
    const { port, pid, startedAt } = JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8'))
    const isPlace = Number.isInteger(port) && port > 0 && port < 65_536 && Number.isInteger(pid) && pid > 0
    if (!isPlace || !isAlive(pid)) return null
    return { host: '127.0.0.1', port, name: `${port} ${pid} ${startedAt}` }
  } catch {
    return null
  }
}

/** Accepts loopback addresses only, because the key is sent unencrypted. */
function placeOfUrl(text) {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' || !['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname))
    throw new Refusal('SVC_MCP_URL must be an http address of this computer.')
  const host = url.hostname === '[::1]' ? '::1' : url.hostname
  return { host, port: Number(url.port || 80), name: url.host }
}

function findPlace() {
  const { SVC_MCP_URL: url, SELLO_DATA: folder } = process.env
  if (url) return placeOfUrl(url)
  const folders = folder ? [folder] : [dirname(fileURLToPath(import.meta.url)), usualFolder()]
  for (const each of folders) {
    const place = placeIn(each)
    if (place) return place
  }
  throw new Refusal(NOT_RUNNING)
}

/** The last verified address and the result: the key is not sent to another program that took the port. */
let asked = { name: '', isSello: Promise.resolve() }

function askWhoListens({ host, port }) {
  return new Promise((resolve, reject) => {
    const refuse = (text) => reject(new Refusal(text))
    const probe = request({ host, port, path: '/healthz', agent: false })
    probe.setTimeout(PROBE_MS, () => probe.destroy())
    probe.on('error', () => refuse(NOT_RUNNING))
    probe.on('response', async (response) => {
      try {
        const { ok, data } = JSON.parse(await textOf(response))
        if (ok === true && data?.status === 'up') resolve()
        else refuse(ok === false ? SHUT : NOT_SELLO)
      } catch {
        refuse(NOT_SELLO)
      }
    })
    probe.end()
  })
}

/** Verifies each address once; a failure is not cached, so the next message tries again. */
async function prove(place) {
  if (place.name !== asked.name) asked = { name: place.name, isSello: askWhoListens(place) }
  const mine = asked
  try {
    await mine.isSello
  } catch (error) {
    if (asked === mine) asked.name = ''
    throw error
  }
}

// ---------------------------------------------------------------------------------------------------------
// One message and its answer

/** Returns a header value; text beyond plain ASCII uses the protocol's base64 form. */
function headerText(value) {
  const isPlain =
    /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
  return isPlain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`
}

/** Returns the headers that the 2026 protocol repeats from the message; for the 2025 protocol only the agreed version. */
function headersOf({ method, params }) {
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion']
  if (typeof version !== 'string')
    return agreedVersion && method !== 'initialize' ? { 'mcp-protocol-version': agreedVersion } : {}
  const name = params[NAMED_BY.get(method)]
  return {
    'mcp-protocol-version': headerText(version),
    ...(typeof method === 'string' ? { 'mcp-method': headerText(method) } : {}),
    ...(typeof name === 'string' ? { 'mcp-name': headerText(name) } : {}),
  }
}

async function textOf(response) {
  const chunks = []
  for await (const chunk of response) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** Yields lines as they arrive. Only line feeds end a line, because JSON may contain other line separators. */
async function* linesOf(stream) {
  let pieces = []
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]).toString('utf8')
      pieces = []
      start = end + 1
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start))
  }
  if (pieces.length > 0) yield Buffer.concat(pieces).toString('utf8')
}

/** Yields the messages of an event stream. */
async function* eventsOf(response) {
  let data = []
  for await (const line of linesOf(response)) {
    const text = line.replace(/\r$/, '')
    if (text.startsWith('data:')) data.push(text.slice(text.startsWith('data: ') ? 6 : 5))
    else if (text === '' && data.length > 0) {
      const event = data.join('\n')
      data = []
      // The 2025 protocol opens a stream with an empty event.
      if (event.trim() !== '') yield JSON.parse(event)
    }
  }
}

/** Writes what Sello answers to `message`; returns true when that included the response itself. */
async function giveBack(message, response) {
  const type = response.headers['content-type'] ?? ''
  let isAnswered = false
  const give = (reply) => {
    if (!isObject(reply) || reply.jsonrpc !== '2.0') throw new Refusal(NOT_SELLO)
    const isReply = reply.method === undefined
    // A rejection before the request was parsed has no request id.
    const named = isReply && (reply.id ?? null) === null ? { ...reply, id: message.id } : reply
    if (message.method === 'initialize' && typeof named.result?.protocolVersion === 'string')
      agreedVersion = named.result.protocolVersion
    if (!isReply || isRequest(message)) answer(named)
    isAnswered ||= isReply
  }
  if (type.startsWith('text/event-stream')) for await (const event of eventsOf(response)) give(event)
  else {
    const text = await textOf(response)
    if (text.trim() !== '') {
      let reply
      try {
        reply = JSON.parse(text)
      } catch {
        throw new Refusal(NOT_SELLO)
      }
      give(reply)
    }
  }
  return isAnswered
}

function send(message, body, place, waiting) {
  return new Promise((resolve, reject) => {
    const exchange = request({
      host: place.host,
      port: place.port,
      path: MCP_PATH,
      method: 'POST',
      // A new connection, because a reused one may belong to a process that has ended.
      agent: false,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': Buffer.byteLength(body),
        ...headersOf(message),
      },
    })
    waiting.exchange = exchange
    exchange.on('response', resolve)
    exchange.on('error', reject)
    exchange.end(body)
  })
}

let taken = 0
const inLine = []

/** Waits for a free slot; an endless request takes none. Call the returned function to release it. */
async function turn({ method }) {
  if (ENDLESS.has(method)) return () => {}
  if (taken < AT_ONCE) taken++
  else await new Promise((resolve) => inLine.push(resolve))
  return () => {
    const next = inLine.shift()
    if (next) next()
    else taken--
  }
}

/** Returns the message for a connection failure. */
function wordsFor(error) {
  if (error instanceof Refusal) return error.message
  return error?.code === 'ECONNREFUSED' ? NOT_RUNNING : CUT
}

async function carry(message, body) {
  const name = JSON.stringify(message.id)
  const waiting = { method: message.method, exchange: null, isLetGo: false }
  if (isRequest(message)) underWay.set(name, waiting)
  const leave = await turn(message)
  try {
    if (!key) throw new Refusal(NO_KEY)
    const place = findPlace()
    await prove(place)
    if (waiting.isLetGo) return
    const isAnswered = await giveBack(message, await send(message, body, place, waiting))
    if (!isAnswered && isRequest(message)) throw new Refusal(CUT)
    lastSaid = ''
  } catch (error) {
    if (waiting.isLetGo) return
    if (!(error instanceof Refusal)) asked.name = ''
    const words = wordsFor(error)
    say(words)
    if (isRequest(message))
      answer({ jsonrpc: '2.0', id: message.id, error: { code: INTERNAL_ERROR, message: words } })
  } finally {
    leave()
    if (underWay.get(name) === waiting) underWay.delete(name)
  }
}

/** Cancels a request that nothing waits for; in HTTP that means closing the connection. */
function letGo(name) {
  const waiting = underWay.get(name)
  if (!waiting) return
  waiting.isLetGo = true
  waiting.exchange?.destroy()
}

function take(line) {
  if (line.trim() === '') return
  let message
  try {
    message = JSON.parse(line)
  } catch {
    return answer({ jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message: 'The line is no JSON.' } })
  }
  if (!isObject(message))
    return answer({
      jsonrpc: '2.0',
      id: null,
      error: { code: INVALID_REQUEST, message: 'Each line is one message, an object.' },
    })
  if (message.method === 'notifications/cancelled') return letGo(JSON.stringify(message.params?.requestId))
  void carry(message, line)
}

// The assistant has ended, so no reader remains for pending answers.
process.stdout.on('error', () => process.exit(0))
if (!key) say(NO_KEY)
for await (const line of linesOf(process.stdin)) take(line)
// Requests in flight are still answered; after the last answer the process ends by itself.
for (const [name, { method }] of underWay) if (ENDLESS.has(method)) letGo(name)
