/** T2 and T5: the product's server against the smallest one, in separate processes, with the same clients. */
import { isDeepStrictEqual } from 'node:util'
import type { Bench, Group } from '../bench.ts'
import { sizeName } from '../bench.ts'
import { proveBooks } from '../books.ts'

import type { BookFolder, Workplace } from '../books.ts'
import { Child } from '../child.ts'
import type { ClientAnswer, ClientJob } from '../client.ts'
import { draftBodies } from '../drafts.ts'
import type { DraftBody } from '../drafts.ts'
import { openDatabase } from '../limits/database.ts'
import { judge, race } from '../method.ts'
import type { Bar, Side, Turn } from '../method.ts'
import type { ServerAnswer, ServerJob, ServerKind } from '../serving.ts'

const WRITING: Bar = { better: 'more', floor: 0.65, goal: 0.85 }
const READING: Bar = { better: 'more', floor: 0.65, goal: 0.85 }
const CONNECTIONS = 16

/** The program of each server. */
const PROGRAMS: Record<ServerKind, string> = {
  product: 'server.ts',
  limit: 'server.ts',
  mcp: 'server.ts',
  typeorm: 'peers/typeorm/server.ts',
}

/** The requests to measure. */
interface Measured {
  job: Omit<ClientJob, 'port' | 'authorization'> & { authorization?: string }
  /** Requests per operation. */
  requests: number
  /** True if PDFs are rendered in separate threads, which are not counted as the server's. */
  draws?: boolean
}

interface Scenario extends Measured {
  target: string
  name: string
  bar: Bar
}

export type Clients = Child<ClientJob, ClientAnswer>

/** One of the servers, which reports its own processor time. */
export class Server {
  readonly port: number
  /** Set for the product only. */
  readonly windowToken: string | null
  private readonly child: Child<ServerJob, ServerAnswer>

  private constructor(
    child: Child<ServerJob, ServerAnswer>,
    { port, windowToken }: Pick<ServerAnswer, 'port' | 'windowToken'>,
  ) {
    this.child = child
    this.port = port
    this.windowToken = windowToken
  }

  static async start(server: ServerKind, place: BookFolder): Promise<Server> {
    const child = new Child<ServerJob, ServerAnswer>(PROGRAMS[server])
    try {
      const { folder, keyFile, apiKey } = place
      const started = await child.ask({ do: 'start', server, place: { folder, keyFile }, apiKey })
      await child.ask({ do: 'rest' })
      return new Server(child, started)
    } catch (error) {
      await child.close()
      throw error
    }
  }

  side(clients: Clients, apiKey: string, { job, requests, draws }: Measured): Side {
    const cpu = async (): Promise<number> => {
      const { cpuUs, threadCpuUs } = await this.child.ask({ do: 'measure' })
      return draws ? threadCpuUs : cpuUs
    }
    const run = async (): Promise<Turn> => {
      const before = await cpu()
      const answer = await clients.ask({
        ...job,
        port: this.port,
        authorization: job.authorization ?? `Bearer ${apiKey}`,
      })
      const cpuUs = (await cpu()) - before
      if (answer.requests !== job.operations * requests)
        throw new Error('The clients did not ask what they should.')
      const { elapsedMs, latenciesMs } = answer
      return { operations: answer.requests, elapsedMs, cpuUs, latenciesMs }
    }
    return { run, rest: async () => void (await this.child.ask({ do: 'rest' })) }
  }

  /** Starts to measure the delay of its timers. */
  async watchLoop(): Promise<void> {
    await this.child.ask({ do: 'watchLoop' })
  }

  /** Returns the longest delay since then, in milliseconds. */
  async loopDelayMs(): Promise<number> {
    return (await this.child.ask({ do: 'measure' })).loopDelayMs
  }

  close(): Promise<void> {
    return this.child.close()
  }
}

const writing = (drafts: DraftBody[]) => ({ connections: CONNECTIONS, expected: [200, 201], drafts })

/** Returns the requests for a draft that is created, validated and issued: three per operation. */
export const createIssue = (drafts: DraftBody[]): Measured => ({
  requests: 3,
  draws: true,
  job: { ...writing(drafts), issue: true, operations: 60 },
})

/** Note on results measured in this way. */
export const DRAWS_NOTE = 'cpu of the server thread; PDFs are drawn on others'

function scenarios(paths: string[], drafts: DraftBody[]): Scenario[] {
  const reading = { connections: CONNECTIONS, expected: [200] }
  return [
    {
      target: 'T5',
      name: 'http.get',
      bar: READING,
      requests: 1,
      job: { ...reading, paths, operations: 6000 },
    },
    {
      target: 'T5',
      name: 'http.list',
      bar: READING,
      requests: 1,
      job: { ...reading, paths: ['/api/v1/invoices?limit=50'], operations: 600 },
    },
    {
      target: 'T5',
      name: 'http.auth401',
      bar: READING,
      requests: 1,
      // After twenty invalid keys in a minute the product answers 429.
      job: {
        ...reading,
        expected: [401, 429],
        paths: ['/api/v1/invoices?limit=1'],
        operations: 2000,
        authorization: `Bearer svc_test_${'x'.repeat(49)}`,
      },
    },
    {
      target: 'T2',
      name: 'http.create',
      bar: WRITING,
      requests: 1,
      job: { ...writing(drafts), operations: 150 },
    },
    { target: 'T2', name: 'http.createIssue', bar: WRITING, ...createIssue(drafts) },
  ]
}

/** Compares the data of both answers, to ensure that both sides do the same work. */
async function assertSameAnswer(ports: readonly number[], path: string, apiKey: string): Promise<void> {
  const [left, right] = await Promise.all(
    ports.map(async (port) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path} is answered with ${answer.status}: ${text.slice(0, 300)}`)
      const { data } = JSON.parse(text) as { data: Record<string, unknown> }
      // Each has its own form of cursor.
      return { ...data, nextCursor: null }
    }),
  )
  if (!isDeepStrictEqual(left, right))
    throw new Error(`The limit answers otherwise: ${JSON.stringify(left)} and ${JSON.stringify(right)}`)
}

/** Returns the input of the requests: invoices spread over the book, and drafts for its customers. */
export function material(place: BookFolder, count: number): { paths: string[]; drafts: DraftBody[] } {
  const handle = openDatabase(place)
  try {
    const ids = handle
      .prepare("select public_id from invoices where state = 'issued' order by id")
      .pluck()
      .all() as string[]
    const contacts = handle
      .prepare('select name, nif from contacts where nif is not null order by id limit 1000')
      .all() as { name: string; nif: string }[]
    const paths = Array.from(
      { length: count },
      (_, index) => `/api/v1/invoices/${ids[Math.floor((index * ids.length) / count)]}`,
    )
    return { paths, drafts: draftBodies(count, contacts) }
  } finally {
    handle.close()
  }
}

/**
 * Starts both servers over copies of the same books, with the input of the requests. Throws if their answers differ,
 * since they would not do the same work.
 */
export async function startBoth(workplace: Workplace, size: number) {
  const master = await workplace.master(size, 'sent')
  const places = { product: workplace.copy(master), limit: workplace.copy(master) }
  const { apiKey } = master
  const asked = material(places.limit, 500)
  const product = await Server.start('product', places.product)
  const limit = await Server.start('limit', places.limit)
  const close = (): Promise<unknown> => Promise.all([limit.close(), product.close()])
  try {
    for (const path of [asked.paths[250] ?? '', '/api/v1/invoices?limit=50'])
      await assertSameAnswer([product.port, limit.port], path, apiKey)
  } catch (error) {
    await close()
    throw error
  }
  return { places, product, limit, apiKey, ...asked, close }
}

export const httpGroup: Group = {
  names: ['http.get', 'http.list', 'http.auth401', 'http.create', 'http.createIssue'],
  async run(bench: Bench, wanted) {
    const { workplace, rounds, size } = bench
    const { places, product, limit, apiKey, paths, drafts, close } = await startBoth(workplace, size)
    const clients: Clients = new Child('client.ts')
    try {
      for (const scenario of scenarios(paths, drafts)) {
        if (!wanted.has(scenario.name)) continue
        const result = await race(
          product.side(clients, apiKey, scenario),
          limit.side(clients, apiKey, scenario),
          rounds,
        )
        const note = scenario.draws ? DRAWS_NOTE : undefined
        bench.report(
          judge(result, { ...scenario, size: sizeName(size), unit: 'req/s', ...(note ? { note } : {}) }),
        )
      }
    } finally {
      await Promise.all([clients.close(), close()])
    }
    for (const place of [places.product, places.limit]) await proveBooks(place, bench.say)
  },
}
