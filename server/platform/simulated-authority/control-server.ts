/** Controls a simulated authority over plain HTTP, for programs that cannot call it in process; on 127.0.0.1 only. */
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FaultQueue } from './fault-queue.ts'

const MOST_BYTES = 65_536

interface ControlOptions<Fault, On extends string> {
  port: number
  control: Pick<FaultQueue<Fault, never, On>, 'next' | 'set' | 'clear'>
  /** Returns the fault in an external value, or null if it is none. */
  readFault: (value: unknown) => Fault | null
  /** The kinds of messages that a fault can be set for. */
  on: readonly On[]
  /** Error code of a request for another kind. */
  onError: string
  /** What can be read, by its path below `/control`. */
  lists: Readonly<Record<string, () => unknown>>
  /** What can be replaced as a whole, by the name of its member; returns false for a value that is none. */
  registers?: Readonly<Record<string, (value: unknown) => boolean>>
  /** Returns the page at an address outside `/control`, for people; null where there is none. */
  page?: (url: URL) => WebDocument | null
}

interface WebDocument {
  type: string
  body: string
}

type Reply = [status: number, body: unknown]

/**
 * Starts the control server. `POST /control` with `{fault, times?, on?}` sets the next messages, `{set, on?}` all
 * messages (null for none), `{clear: true}` clears, `{NAME: value}` replaces the register of that name; `GET /control/NAME` returns the list of that name.
 */
export async function startControlServer<Fault, On extends string>(
  options: ControlOptions<Fault, On>,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const shown = pageOf(request, options)
    if (shown) {
      response.writeHead(200, { 'content-type': shown.type, ...PAGE_HEADERS }).end(shown.body)
      return
    }
    answer(request, options)
      .catch((): Reply => [400, { error: 'unreadable' }])
      .then(([status, body]) => {
        const text = JSON.stringify(body)
        response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(text)
      })
      .catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/control`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The pages load nothing, run no script and stand in no other page. */
const PAGE_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

function isFromHere({ headers }: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '') && !headers.origin
}

function pageOf<Fault, On extends string>(
  request: IncomingMessage,
  { page }: ControlOptions<Fault, On>,
): WebDocument | null {
  const address = `http://127.0.0.1${request.url}`
  if (!page || request.method !== 'GET' || !isFromHere(request) || !URL.canParse(address)) return null
  return page(new URL(address))
}

async function answer<Fault, On extends string>(
  request: IncomingMessage,
  options: ControlOptions<Fault, On>,
): Promise<Reply> {
  // A web page that calls this port must get nothing.
  if (!isFromHere(request)) return [403, { error: 'not_for_web_pages' }]
  const at = `${request.method} ${request.url}`
  const name = at.replace(/^GET \/control\//, '')
  const list = name !== at && Object.hasOwn(options.lists, name) ? options.lists[name] : undefined
  if (list) return [200, { [name]: list() }]
  if (at !== 'POST /control') return [404, { error: 'not_found' }]
  if (!(request.headers['content-type'] ?? '').startsWith('application/json'))
    return [415, { error: 'json_expected' }]
  return switched(options, JSON.parse(await textOf(request)))
}

function switched<Fault, On extends string>(
  { control, readFault, on: places, onError, registers = {} }: ControlOptions<Fault, On>,
  asked: unknown,
): Reply {
  if (typeof asked !== 'object' || asked === null) return [422, { error: 'fault_expected' }]
  for (const [name, replace] of Object.entries(registers))
    if (Object.hasOwn(asked, name))
      return replace((asked as Record<string, unknown>)[name])
        ? [200, { ok: true }]
        : [422, { error: `${name}_unreadable` }]
  const { fault, set, times, on, clear } = asked as Record<string, unknown>
  const place = places.find((each) => each === on)
  if (on !== undefined && !place) return [422, { error: onError }]
  const where = place ? { on: place } : {}
  if (clear === true) {
    control.clear()
    return [200, { ok: true }]
  }
  if (set !== undefined) {
    const standing = set === null ? null : readFault(set)
    if (set !== null && !standing) return [422, { error: 'fault_unknown' }]
    control.set(standing, where)
    return [200, { ok: true }]
  }
  const read = readFault(fault)
  if (!read) return [422, { error: 'fault_unknown' }]
  if (times !== undefined && !(Number.isSafeInteger(times) && Number(times) > 0))
    return [422, { error: 'times_is_a_number' }]
  control.next(read, { ...where, ...(times === undefined ? {} : { times: Number(times) }) })
  return [200, { ok: true }]
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MOST_BYTES) throw new RangeError('The body is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
