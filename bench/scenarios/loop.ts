/**
 * T8: the delay of the server's thread during a large operation in large books, with a program that reads at the same
 * time.
 */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bench, Group } from '../bench.ts'
import { sizeName } from '../bench.ts'
import { proveBooks } from '../books.ts'
import type { BookFolder } from '../books.ts'
import { Child } from '../child.ts'
import type { ClientAnswer, ClientJob } from '../client.ts'
import { openDatabase } from '../limits/database.ts'
import { judge, percentile } from '../method.ts'
import type { Turn } from '../method.ts'
import { material, Server } from './http.ts'

const MILLION = 1_000_000
/** Maximum additional timer delay in milliseconds. */
const FLOOR_MS = 50
const GOAL_MS = 20
const READ = 500
/** Requests of the reading program between two checks whether the operation has ended. */
const BESIDE = 25
const IDLE_MS = 2_000
/** The summary of a single quarter ends too soon to measure: several follow each other. */
const SUMMARIES = 16

interface Place {
  server: Server
  clients: Child<ClientJob, ClientAnswer>
  apiKey: string
  /** Credential of the window, since no key may start this work. */
  windowToken: string
  book: string
  paths: string[]
}

type Work = (place: Place) => Promise<unknown>

async function answered(
  { server }: Place,
  path: string,
  bearer: string,
  { body, book }: { body?: object; book?: string } = {},
): Promise<Buffer> {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(book ? { 'sello-book': book } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (!response.ok)
    throw new Error(`${path} is answered with ${response.status}: ${bytes.toString('utf8', 0, 300)}`)
  return bytes
}

interface Session {
  companies: { books: { id: string; mode: string }[] }[]
}

async function asWindow<Answer>(place: Place, name: string): Promise<Answer> {
  const { windowToken, book } = place
  const answer = await answered(place, `/app/call/${name}`, windowToken, { body: {}, book })
  return (JSON.parse(answer.toString('utf8')) as { data: Answer }).data
}

const WORKS: Readonly<Record<string, Work>> = {
  'loop.export': (place) => answered(place, '/api/v1/invoices/export', place.apiKey, { body: {} }),
  'loop.verify': async (place) => {
    const { ok } = await asWindow<{ ok: boolean }>(place, 'registry.verify')
    if (!ok) throw new Error('The chain is wrong.')
  },
  'loop.summary': async (place) => {
    for (let nth = 0; nth < SUMMARIES; nth += 1)
      await answered(
        place,
        `/api/v1/fiscal/summary?year=${2026 - (nth >> 2)}&quarter=${1 + (nth & 3)}`,
        place.apiKey,
      )
  },
  'loop.totals': (place) => answered(place, '/api/v1/invoices?limit=1&totals=true', place.apiKey),
}

/**
 * Returns the longest timer delay of the server during the operation, with the latencies of the simultaneous
 * requests.
 */
async function delayBeside(place: Place, work: Work): Promise<Turn & { waitsMs: number[] }> {
  const { server, clients, apiKey, paths } = place
  const waitsMs: number[] = []
  let working = true
  await server.watchLoop()
  const start = performance.now()
  const done = work(place).finally(() => (working = false))
  // Reported where it is awaited.
  done.catch(() => undefined)
  while (working) {
    const { latenciesMs } = await clients.ask({
      port: server.port,
      authorization: `Bearer ${apiKey}`,
      connections: 1,
      paths,
      operations: BESIDE,
      expected: [200],
    })
    waitsMs.push(...latenciesMs)
  }
  await done
  const elapsedMs = performance.now() - start
  return { operations: 1, elapsedMs, cpuUs: null, latenciesMs: [await server.loopDelayMs()], waitsMs }
}

/** Empties the background queues: a million answers and documents would slow both sides, and take an hour. */
export function putToRest(place: BookFolder): void {
  const handle = openDatabase(place)
  try {
    handle.exec("update registry_submissions set status = 'accepted' where status <> 'accepted'")
    handle.exec('delete from document_queue')
  } finally {
    handle.close()
  }
}

async function measure(bench: Bench, size: number, wanted: ReadonlySet<string>): Promise<void> {
  const { workplace, rounds, report, say } = bench
  const place = workplace.copy(await workplace.master(size, 'marked'))
  putToRest(place)
  const { apiKey } = place
  const { paths } = material(place, READ)
  const server = await Server.start('product', place)
  const clients = new Child<ClientJob, ClientAnswer>('client.ts')
  try {
    const windowToken = server.windowToken ?? ''
    const open: Place = { server, clients, apiKey, windowToken, book: '', paths }
    const { companies } = await asWindow<Session>(open, 'session.get')
    open.book = companies[0]?.books.find(({ mode }) => mode === 'test')?.id ?? ''
    for (const [name, work] of Object.entries(WORKS)) {
      if (!wanted.has(name)) continue
      const [loadBefore = 0] = loadavg()
      const turns = { subject: [] as Turn[], limit: [] as Turn[] }
      const waits: number[] = []
      let alone = 0
      for (let round = 0; round <= rounds; round += 1) {
        const idle = await delayBeside(open, () => pause(IDLE_MS))
        const busy = await delayBeside(open, work)
        if (round === 0) continue
        const idleMs = idle.latenciesMs?.[0] ?? 0
        turns.limit.push({ ...idle, latenciesMs: [idleMs + FLOOR_MS] })
        turns.subject.push(busy)
        alone = Math.max(alone, idleMs)
        waits.push(...busy.waitsMs)
      }
      const [loadAfter = 0] = loadavg()
      const took = turns.subject.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) / rounds
      report(
        judge(
          { ...turns, loadBefore, loadAfter },
          {
            target: 'T8',
            name,
            size: sizeName(size),
            unit: 'ms',
            bar: { better: 'less', floor: 1, goal: (alone + GOAL_MS) / (alone + FLOOR_MS) },
            note: `longest delay of the server's timers in ${took.toFixed(0)} ms of work; limit: without it, and ${FLOOR_MS} ms; a reader's p99 ${percentile(waits, 99).toFixed(1)} ms`,
          },
        ),
      )
    }
  } finally {
    await Promise.all([clients.close(), server.close()])
  }
  await proveBooks(place, say)
}

export const loopGroup: Group = {
  names: Object.keys(WORKS),
  async run(bench, wanted) {
    for (const size of bench.full ? [100_000, MILLION] : [bench.size]) await measure(bench, size, wanted)
  },
}
