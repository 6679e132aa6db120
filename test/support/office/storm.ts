/**
 * Storms over an office: servers as processes, many clients that issue through them and try again elsewhere, and what
 * must hold afterwards in every company.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { openOfficeSello } from '../../../server/api/office.ts'
import { loadOperation } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import type { InputOf, OperationName, OutputOf } from '../../../server/api/contracts.ts'
import { runCommand } from '../../../server/cli/main.ts'
import { NO_BOOK } from '../../../server/context.ts'
import type { Book } from '../../../server/context.ts'
import { migrateOffice, SERVER_ROLE } from '../../../server/db/postgres/migrate.ts'
import { SCOPES } from '../../../server/domain/contract/scopes.ts'
import { loadBook } from '../../../server/platform/books/index.ts'
import { personalNif } from '../nif.ts'
import { OWNER_ROLE, startCluster } from '../postgres/cluster.ts'
import type { Cluster } from '../postgres/cluster.ts'
import { createTestPool, testKey } from '../postgres/databases.ts'
import { startOffice } from '../postgres/office-process.ts'
import type { OfficeProcess } from '../postgres/office-process.ts'
import { EXAMPLE_COMPANY, OWNER_PRESENT } from '../store.ts'
import { EXAMPLE_DRAFT } from '../world.ts'

/** How long the clients of a storm begin new invoices, in seconds. */
export const STORM_SECONDS = Number(process.env.SELLO_STORM_SECONDS ?? 60)
export const CLIENTS_PER_SERVER = 32

const DATABASE = 'office'
/** Documents are drawn on the same processors: a storm is about what is written. */
const WORK = ['--work', 'sender,calendar,pruning', '--drain', '0']
/** A client gives up an invoice that is not answered with a number for this long. */
const GIVE_UP_MS = 120_000
const SENT_MS = 180_000

interface Company {
  id: number
  bookId: number
  key: string
}

/** What the clients of a storm have seen. */
class Seen {
  /** Numbers that were confirmed, with the invoice, by company. */
  readonly confirmed = new Map<number, Map<string, string>>()
  /** Milliseconds of each call that issued. */
  readonly issueMs: number[] = []
  /** Answers other than success by status and code, and calls without an answer. */
  readonly refused = new Map<string, number>()
  /** When each invoice was confirmed, in milliseconds of `performance.now()`. */
  readonly confirmedAt: number[] = []
  longestCallMs = 0

  get count(): number {
    return this.confirmedAt.length
  }

  confirm(company: number, number: string, invoice: string): void {
    let numbers = this.confirmed.get(company)
    if (!numbers) this.confirmed.set(company, (numbers = new Map()))
    if (numbers.has(number)) throw new Error(`The number ${number} was confirmed twice.`)
    numbers.set(number, invoice)
    this.confirmedAt.push(performance.now())
  }

  refuse(what: string): void {
    this.refused.set(what, (this.refused.get(what) ?? 0) + 1)
  }

  /** Milliseconds from a moment to the first invoice confirmed after it. */
  firstAfter(moment: number): number {
    return Math.round(Math.min(...this.confirmedAt.filter((at) => at > moment)) - moment)
  }

  /** Says what was measured, on one line. */
  line(seconds: number): string {
    const sorted = this.issueMs.toSorted((a, b) => a - b)
    const at = (part: number): number => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0)
    const refused = [...this.refused].map(([what, count]) => `${what} x${count}`).join(', ') || 'none'
    return `${this.count} invoices, ${(this.count / seconds).toFixed(1)}/s, issue p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest call ${Math.round(this.longestCallMs)} ms, refused: ${refused}`
  }
}

interface Answer {
  status: number
  body: any
}

/** An office on a cluster of its own. */
export class Storm {
  cluster: Cluster
  admin: pg.Pool
  readonly servers: OfficeProcess[] = []
  readonly companies: Company[] = []
  readonly seen = new Seen()
  private readonly folder: string
  /** Set when no client begins another invoice. */
  private isOver = false
  /** True: each client keeps to one server. */
  stays = false
  /** When the clients of each server, if they keep to it, had an invoice confirmed. */
  private readonly confirmedAt = new Map<number, number[]>()

  constructor(cluster: Cluster, admin: pg.Pool, folder: string) {
    this.cluster = cluster
    this.admin = admin
    this.folder = folder
  }

  /** Variables for the servers; through a proxy if its port is given. */
  env(port?: number): Record<string, string> {
    return {
      SELLO_OFFICE_URL:
        port === undefined
          ? this.cluster.url(DATABASE, SERVER_ROLE)
          : `postgresql://${SERVER_ROLE}@127.0.0.1:${port}/${DATABASE}`,
      SELLO_OFFICE_KEY_FILE: join(this.folder, 'master.key'),
    }
  }

  /** Looks at another database from now on. */
  async useCluster(cluster: Cluster): Promise<void> {
    this.cluster = cluster
    const before = this.admin
    this.admin = createTestPool({ connectionString: cluster.url(DATABASE), max: 2 })
    await before.end()
  }

  /** Returns how many milliseconds after a moment clients of a server had an invoice confirmed; Infinity if none did. */
  confirmedBy(server: number, moment: number): number {
    return Math.min(...(this.confirmedAt.get(server) ?? []).filter((at) => at > moment)) - moment
  }

  async startServer({
    port,
    env = {},
  }: { port?: number; env?: NodeJS.ProcessEnv } = {}): Promise<OfficeProcess> {
    const server = await startOffice({ env: this.env(port) }, WORK, env)
    this.servers.push(server)
    return server
  }

  /** Adds companies, each with a key of its test book. */
  async addCompanies(count: number): Promise<void> {
    const sello = await openOfficeSello({
      url: this.cluster.url(DATABASE, SERVER_ROLE),
      masterKey: testKey(),
      connections: 8,
      person: OWNER_PRESENT,
    })
    const run = async <Name extends OperationName>(name: Name, input: InputOf<Name>, book: Book) =>
      (await runOperation(
        await loadOperation(name),
        sello.ctx(book, { kind: 'user', id: 'user', name: 'Persona' }),
        input,
      )) as OutputOf<Name>
    let next = 0
    const add = async (): Promise<void> => {
      while (next < count) {
        const nif = personalNif(40_000_000 + (next += 1))
        const { books } = await run('company.create', { ...EXAMPLE_COMPANY, nif }, NO_BOOK)
        const named = books.find(({ mode }) => mode === 'test')
        const book = (await loadBook(sello.env.store.reader, named?.id ?? ''))!
        const { key } = await run('keys.createByPerson', { name: 'erp', scopes: [...SCOPES] }, book)
        this.companies.push({ id: book.companyId, bookId: book.id, key })
      }
    }
    await Promise.all(Array.from({ length: 8 }, add))
    await sello.close()
  }

  private async call(
    server: OfficeProcess,
    key: string,
    path: string,
    body: unknown,
    repeats: string,
  ): Promise<Answer> {
    const began = performance.now()
    try {
      const response = await fetch(`${server.url}/api/v1/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': repeats,
        },
        body: JSON.stringify(body),
      })
      return { status: response.status, body: await response.json() }
    } catch (error) {
      return {
        status: 0,
        body: { error: { code: (error as { cause?: { code?: string } }).cause?.code ?? 'cut' } },
      }
    } finally {
      this.seen.longestCallMs = Math.max(this.seen.longestCallMs, performance.now() - began)
    }
  }

  /** Calls until the answer is a success: on the next server, with the same key of repetition. */
  private async insist(first: number, key: string, path: string, body: unknown): Promise<any> {
    const repeats = randomUUID()
    const until = Date.now() + GIVE_UP_MS
    for (let turn = first; ; turn += 1) {
      const { status, body: answer } = await this.call(
        this.servers[(this.stays ? first : turn) % this.servers.length]!,
        key,
        path,
        body,
        repeats,
      )
      if (status >= 200 && status < 300) return answer.data
      const { code, details } = answer.error ?? {}
      this.seen.refuse(`${status} ${String(code)}${details?.reason ? `/${String(details.reason)}` : ''}`)
      const mayRepeat = status === 0 || status === 429 || status >= 500 || code === 'idempotency_in_progress'
      if (!mayRepeat || Date.now() > until) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`)
      await pause(100)
    }
  }

  /** Drafts, validates and issues one invoice, each step on another server. */
  private async issueOne(turn: number, { id: company, key }: Company): Promise<void> {
    const step = this.stays ? 0 : 1
    const draft = await this.insist(turn, key, 'invoices', EXAMPLE_DRAFT)
    const id = draft.id as string
    const { confirmation } = await this.insist(turn + step, key, `invoices/${id}/validate`, {})
    const { confirmationToken } = confirmation as { confirmationToken: string }
    const began = performance.now()
    const issued = await this.insist(turn + 2 * step, key, `invoices/${id}/issue`, { confirmationToken })
    this.seen.issueMs.push(performance.now() - began)
    this.seen.confirm(company, issued.number as string, id)
    const server = turn % this.servers.length
    this.confirmedAt.set(server, [...(this.confirmedAt.get(server) ?? []), performance.now()])
  }

  /** Runs the clients of all servers, and `meanwhile`; returns when each has ended its last invoice. */
  async blow(
    clients: number,
    meanwhile: () => Promise<void> = async () => {},
    seconds = STORM_SECONDS,
  ): Promise<number> {
    const began = performance.now()
    this.isOver = false
    const client = async (index: number): Promise<void> => {
      for (let turn = index; !this.isOver; turn += clients)
        await this.issueOne(turn, this.companies[turn % this.companies.length]!)
    }
    const running = Promise.all(Array.from({ length: clients }, (_, index) => client(index)))
    // A client that fails ends the storm.
    const failed = running.then(() => {})
    try {
      await Promise.race([Promise.all([pause(seconds * 1000), meanwhile()]), failed])
    } finally {
      this.isOver = true
    }
    await running
    return (performance.now() - began) / 1000
  }

  /** Waits until every record of every company is accepted. */
  async whenSent(): Promise<void> {
    await expect
      .poll(
        async () => {
          const { rows } = await this.admin.query(
            "select status, count(*)::int from registry_submissions where status <> 'accepted' group by status",
          )
          return rows
        },
        { timeout: SENT_MS, interval: 500 },
      )
      .toEqual([])
  }

  /**
   * Checks every company: numbers without gap and none twice, exactly the confirmed ones; the chain one line that does
   * not go back in time; each record sent once, unless the server that sent it was killed.
   */
  async check({ killed = false } = {}): Promise<void> {
    const { rows } = await this.admin.query<{
      company: number
      numbers: string[]
      ids: string[]
      ordinals: number[]
      next: number
    }>(`select company_id::int as company, array_agg(number order by sequence) as numbers, array_agg(public_id order by sequence) as ids,
        array_agg(sequence::int order by sequence) as ordinals from invoices where state = 'issued' group by company_id, series_id`)
    const issued = new Map(rows.map((row) => [row.company, row]))
    expect(rows.length).toBe(issued.size)
    for (const { id } of this.companies) {
      const confirmed = this.seen.confirmed.get(id) ?? new Map<string, string>()
      const { numbers = [], ids = [], ordinals = [] } = issued.get(id) ?? {}
      expect(ordinals).toEqual(ordinals.map((_, index) => index + 1))
      expect(new Set(numbers).size).toBe(numbers.length)
      const there = new Map(numbers.map((number, index) => [number, ids[index]]))
      for (const [number, invoice] of confirmed) expect(there.get(number), number).toBe(invoice)
      // Each client insisted until it knew.
      expect(numbers.length).toBe(confirmed.size)
    }
    const { rows: records } = await this.admin.query<{
      sequence: number
      before: number | null
      went: number
    }>(
      `select sequence::int, before::int, went::int from (select sequence, lag(sequence) over line as before,
         generated_at - lag(generated_at) over line as went from registry_records window line as (partition by book_id order by sequence)) as lines
       where sequence <> coalesce(before, 0) + 1 or went < 0`,
    )
    expect(records).toEqual([])
    const { rows: counted } = await this.admin.query<{ records: number; invoices: number; chained: number }>(
      `select count(*)::int as records, count(distinct invoice_id)::int as invoices,
         (select coalesce(sum(records), 0)::int from registry_chains) as chained from registry_records`,
    )
    expect(counted).toEqual([
      { records: this.seen.count, invoices: this.seen.count, chained: this.seen.count },
    ])
    // What a killed server had sent is asked for, and not sent again if the authority has it.
    const answered = "count(*) filter (where batch.outcome not in ('interrupted', 'no_answer', 'not_sent'))"
    const { rows: again } = await this.admin.query<{ times: number; answered: number }>(
      `select count(*)::int as times, ${answered}::int as answered
         from registry_attempts as attempt join registry_batches as batch on batch.id = attempt.batch_id and batch.kind = 'submission'
        group by record_id having ${killed ? `${answered} > 1` : `${answered} <> 1 or count(*) > 1`}`,
    )
    expect(again).toEqual([])
    await this.verify()
  }

  /** Runs the self-check of all companies. */
  async verify(): Promise<void> {
    const lines: string[] = []
    const code = await runCommand(['office', 'verify'], {
      env: this.env(),
      answer: (line) => lines.push(line),
      say: () => {},
      untilStopped: async () => {},
    })
    const answer = JSON.parse(lines.at(-1) ?? 'null') as { ok: boolean; faults: unknown[] }
    expect([code, answer.ok, answer.faults]).toEqual([0, true, []])
  }
}

/** Makes an office with companies on a new cluster. Throws where no PostgreSQL is: a storm that did not blow proves nothing. */
export async function makeStorm(companies = 1): Promise<Storm> {
  const cluster = await startCluster()
  if (!cluster) throw new Error('A storm needs the programs of PostgreSQL.')
  onTestFinished(() => cluster.stop())
  const folder = mkdtempSync(join(tmpdir(), 'sello-storm-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'master.key'), testKey(), { mode: 0o600 })
  const client = new pg.Client({ connectionString: cluster.url('postgres') })
  await client.connect()
  await client.query(`create database ${DATABASE} owner ${OWNER_ROLE}`)
  await client.end()
  const owner = createTestPool({ connectionString: cluster.url(DATABASE, OWNER_ROLE), max: 1 })
  await migrateOffice(owner, randomUUID())
  await owner.end()
  const storm = new Storm(
    cluster,
    createTestPool({ connectionString: cluster.url(DATABASE), max: 2 }),
    folder,
  )
  onTestFinished(() => storm.admin.end())
  await storm.addCompanies(companies)
  return storm
}
