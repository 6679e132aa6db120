/**
 * One server of a run, the product or the limit, in a process of its own: two in one would share the compiled code of
 * Fastify and of the driver, and each would spoil for the other what the engine has learned about it.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import manifest from '../package.json' with { type: 'json' }
import { MCP_PATH } from '../server/mcp/route.ts'
import { startSello } from '../server/app.ts'
import type { RunningSello } from '../server/app.ts'
import { answer } from './child.ts'
import { LimitBooks } from './limits/books.ts'
import { openDatabase } from './limits/database.ts'
import { createLimitServer } from './limits/http.ts'
import { createMcpLimit } from './limits/mcp.ts'
import { processCpuUs, threadCpuUs } from './method.ts'

/** `limit` answers the REST addresses, `mcp` the tools'. */
export type ServerKind = 'product' | 'limit' | 'mcp'

export type ServerJob =
  | { do: 'start'; server: ServerKind; place: { folder: string; keyFile: string } }
  /** Until what the requests set in motion has ended. */
  | { do: 'rest' }
  | { do: 'measure' }
  /** From now on the delay of its timers is looked at. */
  | { do: 'watchLoop' }

export interface ServerAnswer {
  port: number
  /** Of the product. */
  windowToken: string | null
  /** Processor time used so far in microseconds: of all threads and of the server's. */
  cpuUs: number
  threadCpuUs: number
  /** The longest delay of a timer since it is looked at, in milliseconds. */
  loopDelayMs: number
}

interface Running {
  port: number
  windowToken: string | null
  rest(): Promise<void>
  close(): Promise<void>
}

const CALL_LINE = '"event":"mcp"'
const IDLE_LIMIT_MS = 120_000

/** Until the background has nothing to do: records sent, documents drawn. */
async function untilIdle({ env }: RunningSello): Promise<void> {
  const { reader } = env.store
  for (const end = performance.now() + IDLE_LIMIT_MS; performance.now() < end;) {
    const drawing = await reader.selectFrom('document_queue').select('invoice_id').limit(1).executeTakeFirst()
    const sending = await reader
      .selectFrom('registry_submissions')
      .select('record_id')
      .where('status', 'in', ['pending', 'sending', 'unknown'])
      .limit(1)
      .executeTakeFirst()
    if (!drawing && !sending) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The background did not come to rest.')
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The limit has no port.')
  return address.port
}

async function start({ server, place }: Extract<ServerJob, { do: 'start' }>): Promise<Running> {
  if (server === 'product') {
    const running = await startSello({
      dataDir: place.folder,
      keyFile: place.keyFile,
      keychain: null,
      port: 0,
      uiDir: null,
      // A line for each tool call is the product's to make, and nobody's to read here.
      log: (text) => void (text.includes(CALL_LINE) || process.stderr.write(`${text}\n`)),
    })
    return {
      port: running.port,
      windowToken: running.windowToken,
      rest: () => untilIdle(running),
      close: () => running.close(),
    }
  }
  if (server === 'mcp') {
    const app = createMcpLimit(MCP_PATH)
    await app.listen({ host: '127.0.0.1', port: 0 })
    return { port: portOf(app), windowToken: null, rest: async () => {}, close: () => app.close() }
  }
  const handle = openDatabase(place)
  const app = createLimitServer(new LimitBooks(handle, manifest.version))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const close = async (): Promise<void> => {
    await app.close()
    handle.close()
  }
  return { port: portOf(app), windowToken: null, rest: async () => {}, close }
}

let running: Running | null = null
const RESOLUTION_MS = 1
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })

answer<ServerJob, ServerAnswer>(
  async (job) => {
    if (job.do === 'start') running = await start(job)
    if (!running) throw new Error('The server has not been started.')
    if (job.do === 'rest') await running.rest()
    if (job.do === 'watchLoop') {
      delay.reset()
      delay.enable()
    }
    const { port, windowToken } = running
    // The resolution itself is part of each sample.
    const loopDelayMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS)
    return { port, windowToken, cpuUs: processCpuUs(), threadCpuUs: threadCpuUs(), loopDelayMs }
  },
  async () => running?.close(),
)
