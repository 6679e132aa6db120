/** T2 and T5: the product's server against the smallest one, both in this process, called by the same clients. */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import manifest from '../../package.json' with { type: 'json' }
import { startSello } from '../../server/app.ts'
import type { RunningSello } from '../../server/app.ts'
import type { Bench, Group } from '../bench.ts'
import { sizeName } from '../bench.ts'
import { proveBooks } from '../books.ts'
import type { ClientAnswer, ClientJob } from '../client.ts'
import { draftBodies } from '../drafts.ts'
import type { DraftBody } from '../drafts.ts'
import { LimitBooks } from '../limits/books.ts'
import { openDatabase } from '../limits/database.ts'
import { createLimitServer } from '../limits/http.ts'
import { judge, processCpuUs, race, threadCpuUs } from '../method.ts'
import type { Bar, Side, Turn } from '../method.ts'

const WRITING: Bar = { better: 'more', floor: 0.65, goal: 0.85 }
const READING: Bar = { better: 'more', floor: 0.65, goal: 0.85 }
const CONNECTIONS = 16
const IDLE_LIMIT_MS = 120_000

interface Scenario {
  target: string
  name: string
  bar: Bar
  job: Omit<ClientJob, 'port' | 'authorization'> & { authorization?: string }
  /** Requests of one operation. */
  requests: number
  /** Draws PDFs on threads of their own, which are not counted as the server's. */
  draws?: boolean
}

class Clients {
  private readonly child: ChildProcess = fork(join(import.meta.dirname, '..', 'client.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })

  ask(job: ClientJob): Promise<ClientAnswer> {
    return new Promise((resolve, reject) => {
      this.child.once('message', (answer) => {
        const { error, ...rest } = answer as ClientAnswer
        if (error === undefined) resolve(rest)
        else reject(new Error(error))
      })
      this.child.send(job)
    })
  }

  close(): void {
    this.child.disconnect()
  }
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The limit has no port.')
  return address.port
}

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

function side(
  clients: Clients,
  port: number,
  apiKey: string,
  scenario: Scenario,
  rest?: () => Promise<void>,
): Side {
  const readCpu = scenario.draws ? threadCpuUs : processCpuUs
  return {
    async run(): Promise<Turn> {
      const cpu = readCpu()
      const answer = await clients.ask({
        ...scenario.job,
        port,
        authorization: scenario.job.authorization ?? `Bearer ${apiKey}`,
      })
      const cpuUs = readCpu() - cpu
      if (answer.requests !== scenario.job.operations * scenario.requests)
        throw new Error('The clients did not ask what they should.')
      return {
        operations: answer.requests,
        elapsedMs: answer.elapsedMs,
        cpuUs,
        latenciesMs: answer.latenciesMs,
      }
    },
    ...(rest ? { rest } : {}),
  }
}

/** Invoices to read, spread over the book. */
async function somePaths({ env }: RunningSello, count: number): Promise<string[]> {
  const rows = await env.store.reader
    .selectFrom('invoices')
    .select('public_id')
    .where('state', '=', 'issued')
    .orderBy('id')
    .execute()
  return Array.from(
    { length: count },
    (_, index) => `/api/v1/invoices/${rows[Math.floor((index * rows.length) / count)]?.public_id}`,
  )
}

function scenarios(paths: string[], drafts: DraftBody[]): Scenario[] {
  const reading = { connections: CONNECTIONS, expected: [200] }
  const writing = { connections: CONNECTIONS, expected: [200, 201], drafts }
  return [
    {
      target: 'T5',
      name: 'http.get',
      bar: READING,
      requests: 1,
      job: { ...reading, paths, operations: 1500 },
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
      // After twenty bad keys in a minute the product answers 429.
      job: {
        ...reading,
        expected: [401, 429],
        paths: ['/api/v1/invoices?limit=1'],
        operations: 2000,
        authorization: `Bearer svc_test_${'x'.repeat(49)}`,
      },
    },
    { target: 'T2', name: 'http.create', bar: WRITING, requests: 1, job: { ...writing, operations: 150 } },
    {
      target: 'T2',
      name: 'http.createIssue',
      bar: WRITING,
      requests: 3,
      draws: true,
      job: { ...writing, issue: true, operations: 60 },
    },
  ]
}

/** Both must answer the same data, or they are not doing the same work. */
async function assertSameAnswer(ports: readonly number[], path: string, apiKey: string): Promise<void> {
  const [left, right] = await Promise.all(
    ports.map(async (port) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path} is answered with ${answer.status}: ${text.slice(0, 300)}`)
      const { data } = JSON.parse(text) as { data: Record<string, unknown> }
      // Each has its own way to write the place of the next page.
      return { ...data, nextCursor: null }
    }),
  )
  if (!isDeepStrictEqual(left, right))
    throw new Error(`The limit answers otherwise: ${JSON.stringify(left)} and ${JSON.stringify(right)}`)
}

export const httpGroup: Group = {
  names: ['http.get', 'http.list', 'http.auth401', 'http.create', 'http.createIssue'],
  async run(bench: Bench, wanted) {
    const { workplace, rounds, size } = bench
    const master = await workplace.master(size, 'sent')
    const subjectPlace = workplace.copy(master)
    const limitPlace = workplace.copy(master)
    const running = await startSello({
      dataDir: subjectPlace.folder,
      keyFile: subjectPlace.keyFile,
      keychain: null,
      port: 0,
      uiDir: null,
      log: bench.say,
    })
    const handle = openDatabase(limitPlace)
    const limit = createLimitServer(new LimitBooks(handle, manifest.version))
    const clients = new Clients()
    try {
      await limit.listen({ host: '127.0.0.1', port: 0 })
      await untilIdle(running)
      const paths = await somePaths(running, 500)
      for (const path of [paths[250] ?? '', '/api/v1/invoices?limit=50'])
        await assertSameAnswer([running.port, portOf(limit)], path, master.apiKey)
      const contacts = await running.env.store.reader
        .selectFrom('contacts')
        .select(['name', 'nif'])
        .where('nif', 'is not', null)
        .orderBy('id')
        .limit(1000)
        .execute()
      const drafts = draftBodies(
        500,
        contacts.map(({ name, nif }) => ({ name, nif: nif ?? '' })),
      )
      for (const scenario of scenarios(paths, drafts)) {
        if (!wanted.has(scenario.name)) continue
        const result = await race(
          side(clients, running.port, master.apiKey, scenario, () => untilIdle(running)),
          side(clients, portOf(limit), master.apiKey, scenario),
          rounds,
        )
        const note = scenario.draws ? 'cpu of the server thread; PDFs are drawn on others' : undefined
        bench.report(
          judge(result, { ...scenario, size: sizeName(size), unit: 'req/s', ...(note ? { note } : {}) }),
        )
      }
    } finally {
      clients.close()
      await limit.close()
      handle.close()
      await running.close()
    }
    for (const place of [subjectPlace, limitPlace]) await proveBooks(place, bench.say)
  },
}
