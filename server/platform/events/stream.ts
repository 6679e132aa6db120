/** Events of a book as they happen, as `text/event-stream`, from where the listener left off. */
import type { streamEventsContract } from './contract.ts'
import { AppError } from '../../domain/errors/catalog.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../context.ts'
import { bookEventsAfter, newestEventId } from './emit.ts'
import { eventView, readEventId, readTypes } from './view.ts'

/** Intermediaries cut what is silent for half a minute. */
const HEARTBEAT_MS = 15_000
const PAGE = 100
/** Of all keys together: each holds a connection. */
const MOST_STREAMS = 64
const MOST_OF_A_KEY = 8
const RETRY_AFTER_SECONDS = 10
/** How soon a client comes back after a break. */
const COME_BACK_MS = 3_000

interface Listener {
  actor: string
  wake: () => void
  end: () => void
}

const listeners = new WeakMap<AppEnvironment, Set<Listener>>()

function listenersOf(env: AppEnvironment): Set<Listener> {
  const known = listeners.get(env) ?? new Set()
  listeners.set(env, known)
  return known
}

/** Streams are counted by the key that a person made, so that keys which it makes open no more of them. */
function countedAs({ actor }: Ctx): string {
  return actor.kind === 'key' ? actor.rootId : actor.id
}

/** Tells open streams that the outbox has grown. */
export function wakeStreams(env: AppEnvironment): void {
  for (const listener of listenersOf(env)) listener.wake()
}

/** Ends all streams: the server closes. */
export function endStreams(env: AppEnvironment): void {
  for (const listener of listenersOf(env)) listener.end()
}

/**
 * The pieces of one stream. Written out instead of as a generator: a generator that waits cannot be told that its caller has
 * gone, and would keep its place until something happens.
 */
class EventStream implements AsyncIterableIterator<Uint8Array> {
  private readonly ctx: Ctx
  private readonly types: ReadonlySet<string> | null
  private position: number
  private text = `: events of Sello\nretry: ${COME_BACK_MS}\n\n`
  private hasNews = true
  private isOver = false
  private continueNow: () => void = () => {}
  private readonly listener: Listener

  constructor(ctx: Ctx, position: number, types: ReadonlySet<string> | null) {
    this.ctx = ctx
    this.position = position
    this.types = types
    this.listener = {
      actor: countedAs(ctx),
      wake: () => {
        this.hasNews = true
        this.continueNow()
      },
      end: () => {
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
        const value = Buffer.from(this.text, 'utf8')
        this.text = ''
        return { done: false, value }
      }
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
    const events = await bookEventsAfter(ctx.env.store.reader, ctx.book.id, this.position, PAGE)
    // There may be more behind a full page.
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
    return new Promise((resolve) => {
      const heartbeat = setTimeout(() => {
        this.text = ': still here\n\n'
        resolve()
      }, HEARTBEAT_MS)
      heartbeat.unref()
      this.continueNow = () => {
        clearTimeout(heartbeat)
        resolve()
      }
    })
  }
}

/** Opens a stream. Throws `rate_limited` when the key or all keys together have too many open. */
export const streamEvents: UseCase<typeof streamEventsContract> = async (ctx, { types, lastEventId }) => {
  const wanted = readTypes(types)
  const open = [...listenersOf(ctx.env)]
  const own = open.filter(({ actor }) => actor === countedAs(ctx)).length
  if (open.length >= MOST_STREAMS || own >= MOST_OF_A_KEY)
    throw new AppError('rate_limited', {
      details: { streams: own >= MOST_OF_A_KEY ? MOST_OF_A_KEY : MOST_STREAMS },
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  const newest = await newestEventId(ctx.env.store.reader)
  const position = lastEventId === undefined ? newest : readEventId(ctx.book, lastEventId, 'lastEventId')
  return { stream: new EventStream(ctx, Math.min(position, newest), wanted) }
}
