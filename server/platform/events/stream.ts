/** Streams events of a book as `text/event-stream`, from the listener's last position. */
import type { streamEventsContract } from './contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../context.ts'
import { bookEventsAfter, newestBookEventId } from './emit.ts'
import { eventView, readEventId, readTypes } from './view.ts'

/** Intermediaries close connections that are silent for half a minute. */
const HEARTBEAT_MS = 15_000
/** In an office the notice of another server can get lost: streams look this often. */
const LOOK_MS = 3_000
const PAGE = 100
/** Limit for all keys together: each stream holds a connection. */
const MOST_STREAMS = 64
const MOST_OF_A_KEY = 8
const RETRY_AFTER_SECONDS = 10
/** Delay after which a client reconnects. */
const COME_BACK_MS = 3_000

interface Listener {
  actor: string
  companyId: number
  wake: () => void
  /** With a time in milliseconds, tells the client to come back after it. */
  end: (comeBackMs?: number) => void
}

const listeners = new WeakMap<AppEnvironment, Set<Listener>>()

function listenersOf(env: AppEnvironment): Set<Listener> {
  const known = listeners.get(env) ?? new Set()
  listeners.set(env, known)
  return known
}

/**
 * Returns the name under which a stream is counted: the key made by a person, so that keys made by it cannot open
 * more streams.
 */
function countedAs({ actor }: Ctx): string {
  return actor.kind === 'key' ? actor.rootId : actor.id
}

/** Notifies open streams of new events in the outbox, of one company or of any. */
export function wakeStreams(env: AppEnvironment, companyId?: number): void {
  for (const listener of listenersOf(env))
    if (companyId === undefined || listener.companyId === companyId) listener.wake()
}

/**
 * Ends all streams when the server closes. `comeBackMs` returns the delay in milliseconds after which a client
 * reconnects, so that not all of them come back to the next server at once.
 */
export function endStreams(env: AppEnvironment, comeBackMs?: () => number): void {
  for (const listener of listenersOf(env)) listener.end(comeBackMs?.())
}

/**
 * The chunks of one stream. A hand-written iterator instead of a generator: a waiting generator cannot be notified
 * that its caller has disconnected, and would hold its slot until the next event.
 */
class EventStream implements AsyncIterableIterator<Uint8Array> {
  private readonly ctx: Ctx
  private readonly types: ReadonlySet<string> | null
  private position: number
  private text = `: events of Sello\nretry: ${COME_BACK_MS}\n\n`
  private hasNews = true
  private isOver = false
  /** Time since the last sign of life, while nothing else was sent. */
  private silentMs = 0
  private farewell = ''
  private continueNow: () => void = () => {}
  private readonly listener: Listener

  constructor(ctx: Ctx, position: number, types: ReadonlySet<string> | null) {
    this.ctx = ctx
    this.position = position
    this.types = types
    this.listener = {
      actor: countedAs(ctx),
      companyId: ctx.book.companyId,
      wake: () => {
        this.hasNews = true
        this.continueNow()
      },
      end: (comeBackMs) => {
        if (comeBackMs !== undefined && !this.isOver) this.farewell = `retry: ${comeBackMs}\n\n`
        this.isOver = true
        this.continueNow()
      },
    }
    listenersOf(ctx.env).add(this.listener)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    while (!this.isOver) {
      if (this.text === '' && this.hasNews) await this.read()
      if (this.text === '') await this.wait()
      if (this.text !== '' && !this.isOver) {
        this.silentMs = 0
        const value = Buffer.from(this.text, 'utf8')
        this.text = ''
        return { done: false, value }
      }
    }
    if (this.farewell !== '') {
      const value = Buffer.from(this.farewell, 'utf8')
      this.farewell = ''
      return { done: false, value }
    }
    return this.return()
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    listenersOf(this.ctx.env).delete(this.listener)
    this.listener.end()
    return { done: true, value: undefined }
  }

  private async read(): Promise<void> {
    this.hasNews = false
    const { ctx, types } = this
    const events = await bookEventsAfter(ctx.db, ctx.book.id, this.position, PAGE)
    // A full page may be followed by more.
    if (events.length === PAGE) this.hasNews = true
    this.position = events.at(-1)?.id ?? this.position
    for (const event of events) {
      if (types && !types.has(event.type)) continue
      const view = eventView(ctx.book, event)
      this.text += `id: ${view.id}\nevent: ${view.type}\ndata: ${JSON.stringify(view)}\n\n`
    }
  }

  private wait(): Promise<void> {
    if (this.hasNews || this.isOver) return Promise.resolve()
    const looks = this.ctx.env.servers !== null
    const waitMs = looks ? LOOK_MS : HEARTBEAT_MS
    return new Promise((resolve) => {
      const heartbeat = setTimeout(() => {
        this.silentMs += waitMs
        this.hasNews = looks
        if (this.silentMs >= HEARTBEAT_MS) this.text = ': still here\n\n'
        resolve()
      }, waitMs)
      heartbeat.unref()
      this.continueNow = () => {
        clearTimeout(heartbeat)
        resolve()
      }
    })
  }
}

/** Opens a stream. Throws `rate_limited` if the key or all keys together have too many open. */
export const streamEvents: UseCase<typeof streamEventsContract> = async (ctx, { types, lastEventId }) => {
  const wanted = readTypes(types)
  const open = [...listenersOf(ctx.env)]
  const own = open.filter(({ actor }) => actor === countedAs(ctx)).length
  if (open.length >= MOST_STREAMS || own >= MOST_OF_A_KEY)
    throw new AppError('rate_limited', {
      details: { streams: own >= MOST_OF_A_KEY ? MOST_OF_A_KEY : MOST_STREAMS },
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  const newest = await newestBookEventId(ctx.db, ctx.book.id)
  const position = lastEventId === undefined ? newest : readEventId(ctx.book, lastEventId, 'lastEventId')
  return { stream: new EventStream(ctx, Math.min(position, newest), wanted) }
}
