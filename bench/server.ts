/**
 * One server of a run, the product or the limit, in a separate process: in a shared one they would share compiled
 * code of Fastify and of the driver, and affect each other's optimizations.
 */
import manifest from '../package.json' with { type: 'json' }
import { MCP_PATH } from '../server/api/mcp/route.ts'
import { startSello } from '../server/api/application.ts'
import { backUpWhenDue, drillWhenDue } from '../server/app/backups/make/run.ts'
import type { RunningSello } from '../server/api/application.ts'
import { LimitBooks } from './limits/books.ts'
import { openDatabase } from './limits/database.ts'
import { createLimitServer } from './limits/http.ts'
import { createMcpLimit } from './limits/mcp.ts'
import { portOf, serve } from './serving.ts'
import type { Running, StartJob } from './serving.ts'

const CALL_LINE = '"event":"mcp"'
const IDLE_LIMIT_MS = 120_000

/** Waits until the background work is done: records sent, documents rendered. */
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

async function start({ server, place }: StartJob): Promise<Running> {
  if (server === 'product') {
    const running = await startSello({
      dataDir: place.folder,
      keyFile: place.keyFile,
      keychain: null,
      port: 0,
      uiDir: null,
      // The product writes a line for each tool call, which is dropped here.
      log: (text) => void (text.includes(CALL_LINE) || process.stderr.write(`${text}\n`)),
    })
    // Otherwise the first backup of the day, and its weekly trial, would start a minute from now, during a turn.
    await backUpWhenDue(running.env)
    await drillWhenDue(running.env)
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
    return { port: portOf(app.server), windowToken: null, rest: async () => {}, close: () => app.close() }
  }
  if (server !== 'limit') throw new Error(`${server} is a program of its own.`)
  const handle = openDatabase(place)
  const app = createLimitServer(new LimitBooks(handle, manifest.version))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const close = async (): Promise<void> => {
    await app.close()
    handle.close()
  }
  return { port: portOf(app.server), windowToken: null, rest: async () => {}, close }
}

serve(start)
