/**
 * Notices between the servers of an office, by LISTEN and NOTIFY on a connection of its own. They save waiting and
 * are never relied on: whoever listens also looks from time to time.
 */
import pg from 'pg'
import { WAIT_MS } from './pool.ts'

const CHANNEL = 'sello'
/** Time to collect notices before they are sent together. */
const GATHER_MS = 20
/** Notices of one message, which PostgreSQL limits to 8,000 bytes; beyond it they name no company. */
const MOST_NAMED = 200
/** The connection is tried this often, so that one that has become silent is noticed. */
const WATCH_MS = 5_000
const FIRST_PAUSE_MS = 250

/** What the driver's client has beside its declared interface. */
type Client = pg.Client & { readonly processID: number; ref(): void; unref(): void }

/** Called with the company that a notice is about; null: any, or notices may have been missed. */
type Act = (companyId: number | null) => void

interface NoticesOptions {
  /** Where the database is. A pooler that shares connections between transactions passes no notices on. */
  url: string
  /** Called when the connection is lost or cannot be made; it is tried again. */
  onLost?: (error: unknown) => void
}

/** Returns a message as the servers write it; null if it is not one. */
function readMessage(payload: string | undefined): [kind: string, companyId: number | null][] | null {
  try {
    const read: unknown = JSON.parse(payload ?? '')
    return Array.isArray(read) ? (read as [string, number | null][]) : null
  } catch {
    return null
  }
}

export class Notices<Kind extends string> {
  private readonly options: NoticesOptions
  private readonly acts = new Map<string, Set<Act>>()
  /** What is to be sent: the companies by kind; null stands for any company. */
  private pending = new Map<Kind, Set<number> | null>()
  private client: Client | null = null
  private timer: NodeJS.Timeout | null = null
  private retry: NodeJS.Timeout | null = null
  private pauseMs = FIRST_PAUSE_MS
  private isClosed = false
  private sending: Promise<void> = Promise.resolve()

  /** Connects in the background. */
  constructor(options: NoticesOptions) {
    this.options = options
    void this.connect()
  }

  /** True while notices of other servers arrive. */
  get isConnected(): boolean {
    return this.client !== null
  }

  /**
   * Tells the other servers, soon and together with further notices; this server hears nothing of it. Call it after
   * the commit. Without `companyId` it is about any company.
   */
  tell(kind: Kind, companyId: number | null = null): void {
    if (this.isClosed) return
    const companies = this.pending.get(kind)
    if (companyId === null) this.pending.set(kind, null)
    else if (companies === undefined) this.pending.set(kind, new Set([companyId]))
    else if (companies && companies.size < MOST_NAMED) companies.add(companyId)
    else this.pending.set(kind, null)
    this.sendSoon()
  }

  /** Calls `act` for each notice of a kind, and once after each connection. Returns what ends that. */
  on(kind: Kind, act: Act): () => void {
    const acts = this.acts.get(kind) ?? new Set()
    this.acts.set(kind, acts.add(act))
    return () => void acts.delete(act)
  }

  /** Sends what is waiting and disconnects. */
  async close(): Promise<void> {
    if (this.isClosed) return
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    // A command that waits for this would end before its answer if nothing else kept the process alive.
    this.client?.ref()
    this.send()
    this.isClosed = true
    if (this.retry) clearTimeout(this.retry)
    await this.sending
    const { client } = this
    this.client = null
    await client?.end().catch(() => {})
  }

  private sendSoon(): void {
    if (this.timer || !this.client) return
    this.timer = setTimeout(() => {
      this.timer = null
      this.send()
    }, GATHER_MS)
    this.timer.unref()
  }

  private send(): void {
    const { client, pending } = this
    if (!client || pending.size === 0) return
    this.pending = new Map()
    const named = [...pending].reduce((sum, [, companies]) => sum + (companies?.size ?? 0), 0)
    const message = [...pending].flatMap(([kind, companies]): [Kind, number | null][] =>
      companies === null || named > MOST_NAMED ? [[kind, null]] : [...companies].map((id) => [kind, id]),
    )
    // On its own: a transaction that notifies takes one lock for the whole database at its commit.
    this.sending = client.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(message)]).then(
      () => {},
      (error: unknown) => {
        this.lose(client, error)
        for (const kind of pending.keys()) this.tell(kind)
      },
    )
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.options.url,
      application_name: 'sello-notices',
      connectionTimeoutMillis: WAIT_MS,
      query_timeout: WAIT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 1_000,
    }) as Client
    client.on('error', (error) => this.lose(client, error))
    client.on('end', () => this.lose(client, new Error('The connection for notices ended.')))
    client.on('notification', ({ processId, payload }) => {
      if (processId === client.processID) return
      for (const [kind, companyId] of readMessage(payload) ?? []) this.hear(kind, companyId)
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      // Does not keep the process running.
      client.unref()
    } catch (error) {
      client.end().catch(() => {})
      this.options.onLost?.(error)
      return this.again()
    }
    if (this.isClosed) return void client.end().catch(() => {})
    this.client = client
    this.pauseMs = FIRST_PAUSE_MS
    // What was told before is unknown.
    for (const kind of this.acts.keys()) this.hear(kind, null)
    this.send()
    this.watch(client)
  }

  private hear(kind: string, companyId: number | null): void {
    for (const act of this.acts.get(kind) ?? []) act(companyId)
  }

  private watch(client: Client): void {
    if (this.client !== client) return
    this.retry = setTimeout(() => {
      client.query('select 1').then(
        () => this.watch(client),
        (error: unknown) => this.lose(client, error),
      )
    }, WATCH_MS)
    this.retry.unref()
  }

  private lose(client: Client, error: unknown): void {
    if (this.client !== client) return
    this.client = null
    client.end().catch(() => {})
    this.options.onLost?.(error)
    this.again()
  }

  private again(): void {
    if (this.isClosed) return
    if (this.retry) clearTimeout(this.retry)
    this.retry = setTimeout(() => void this.connect(), this.pauseMs)
    this.retry.unref()
    this.pauseMs = Math.min(this.pauseMs * 2, WAIT_MS)
  }
}
