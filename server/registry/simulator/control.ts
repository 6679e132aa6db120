/** Controls the simulated authority over plain HTTP, for programs that cannot call it in process; on 127.0.0.1 only. */
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFault } from './faults.ts'
import type { FaultControl } from './faults.ts'
import type { MemoryState } from './state.ts'

const MOST_BYTES = 65_536
const ON = ['submission', 'query', 'any'] as const

interface ControlOptions {
  port: number
  control: FaultControl
  /** Null when the state is not a `MemoryState`. */
  state: MemoryState | null
}

type Reply = [status: number, body: unknown]

/**
 * Starts the control server. `POST /control` with `{fault, times?, on?}` sets the next messages, `{set, on?}` all
 * messages (null for none), `{clear: true}` clears; `GET /control/records` lists every stored record, `GET
 * /control/entries` the invoices as they are held.
 */
export async function startControlServer(
  options: ControlOptions,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
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

async function answer(request: IncomingMessage, { control, state }: ControlOptions): Promise<Reply> {
  // A web page that calls this port must get nothing.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '') || request.headers.origin)
    return [403, { error: 'not_for_web_pages' }]
  const at = `${request.method} ${request.url}`
  if (at === 'GET /control/records' && state) return [200, { records: state.records() }]
  if (at === 'GET /control/entries' && state) return [200, { entries: state.entries() }]
  if (at !== 'POST /control') return [404, { error: 'not_found' }]
  if (!(request.headers['content-type'] ?? '').startsWith('application/json'))
    return [415, { error: 'json_expected' }]
  return switched(control, JSON.parse(await textOf(request)))
}

function switched(control: FaultControl, asked: unknown): Reply {
  if (typeof asked !== 'object' || asked === null) return [422, { error: 'fault_expected' }]
  const { fault, set, times, on, clear } = asked as Record<string, unknown>
  const place = ON.find((each) => each === on)
  if (on !== undefined && !place) return [422, { error: 'on_is_submission_query_or_any' }]
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
