/**
 * The window's event stream: new events of the outbox, from the window's last position. On a desk those of all
 * companies; in an office those of one, whose events are committed in the order of their identifiers.
 */
import { PassThrough } from 'node:stream'
import type { Readable } from 'node:stream'
import type { AppEnvironment } from '../../context.ts'
import {
  companyEventsAfter,
  eventsAfter,
  newestCompanyEventId,
  newestEventId,
} from '../../platform/events/index.ts'
import type { StoredEvent } from '../../platform/events/index.ts'
import { diskSpaceLevelOf } from '../../db/disk-space.ts'

const HEARTBEAT_MS = 25_000
/** In an office the notice of another server can get lost: streams look this often. */
const LOOK_MS = 3_000
const PAGE = 200
const MAX_STREAMS = 32

/** A person's rights are asked for again this often while nothing happens. */
const RIGHTS_MS = 2_000

type Store = Pick<AppEnvironment['store'], 'writeFault' | 'freeBytes'>

/** What of a company's events a stream sends: not of everything, and no longer than its person is signed in. */
export interface StreamRights {
  /** Returns the test of a type of events, or null once the stream has to end. */
  now(): Promise<((type: string) => boolean) | null>
}

interface StreamOptions {
  /** Of all companies if it is null: only where one process has the books. */
  companyId: number | null
  lastEventId: string | undefined
  onFailure: (error: unknown) => void
  rights: StreamRights | null
}

/**
 * Returns the `store.state` message: the reason why the books cannot be written and the level of low disk space, or
 * null. It is not stored in any book, so that it has no identifier to resume from.
 */
function storeMessage(store: Store, at: Date): string {
  const message = {
    id: '',
    type: 'store.state',
    createdAt: at.toISOString(),
    mode: null,
    bookId: null,
    data: { reason: store.writeFault?.reason ?? null, lowDisk: diskSpaceLevelOf(store.freeBytes()) },
  }
  return `event: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`
}

/** Returns the `presence.changed` message: that somebody edits a record, or has stopped. A window asks who. */
function presenceMessage(at: Date): string {
  const message = {
    id: '',
    type: 'presence.changed',
    createdAt: at.toISOString(),
    mode: null,
    bookId: null,
    data: {},
  }
  return `event: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`
}

/** The events that a stream sends. */
interface Source {
  companyId: number | null
  newest(): Promise<number>
  after(id: number): Promise<StoredEvent[]>
}

function sourceOf({ store }: AppEnvironment, companyId: number | null): Source {
  if (companyId === null) {
    const { reader } = store
    return {
      companyId,
      newest: () => newestEventId(reader),
      after: (id) => eventsAfter(reader, id, PAGE),
    }
  }
  const reader = store.readerOf(companyId)
  return {
    companyId,
    newest: () => newestCompanyEventId(reader, companyId),
    after: (id) => companyEventsAfter(reader, companyId, id, PAGE),
  }
}

/** The open event streams, which are notified of new events in the outbox. */
export class EventFeed {
  private readonly streams = new Set<{
    companyId: number | null
    pump: () => void
    say: (text: string) => void
    end: () => void
  }>()
  private readonly heartbeatMs: number

  constructor(heartbeatMs = HEARTBEAT_MS) {
    this.heartbeatMs = heartbeatMs
  }

  get isFull(): boolean {
    return this.streams.size >= MAX_STREAMS
  }

  /** Sends new events of one company, or of any. */
  wake(companyId?: number): void {
    for (const stream of this.streams)
      if (companyId === undefined || stream.companyId === null || stream.companyId === companyId)
        stream.pump()
  }

  /** Notifies every open window whether the books can be written. */
  notifyStoreState(store: Store, at: Date): void {
    const message = storeMessage(store, at)
    for (const stream of this.streams) stream.say(message)
  }

  /** Notifies the open windows of a company (null: of all) that who edits what has changed. */
  notifyPresence(companyId: number | null, at: Date): void {
    const message = presenceMessage(at)
    for (const stream of this.streams)
      if (companyId === null || stream.companyId === companyId) stream.say(message)
  }

  /** Ends all streams: the server closes, or Sello is locked. */
  endAll(): void {
    for (const stream of this.streams) stream.end()
  }

  /** Opens a stream of `text/event-stream` after `lastEventId` (the newest event if it is invalid). */
  async open(
    env: AppEnvironment,
    { companyId, lastEventId, onFailure, rights }: StreamOptions,
  ): Promise<Readable> {
    const source = sourceOf(env, companyId)
    const newest = await source.newest()
    const asked = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : newest
    let position = Math.min(asked, newest)
    const stream = new PassThrough()
    let pumping = false
    let again = false

    const drained = (): Promise<void> =>
      new Promise((resolve) => {
        stream.once('drain', resolve)
        stream.once('close', resolve)
      })

    const send = async (): Promise<void> => {
      do {
        again = false
        const events = await source.after(position)
        const hears = rights && (await rights.now())
        if (rights && !hears) return void stream.end()
        for (const event of events) {
          if (stream.destroyed || stream.writableEnded) return
          position = event.id
          if (hears && !hears(event.type)) continue
          const data = JSON.stringify({ ...event, id: String(event.id) })
          if (!stream.write(`id: ${event.id}\nevent: ${event.type}\ndata: ${data}\n\n`)) await drained()
        }
        if (events.length === PAGE) again = true
      } while (again)
    }

    const pump = (): void => {
      again = true
      if (pumping) return
      pumping = true
      send()
        .catch((error: unknown) => {
          onFailure(error)
          stream.destroy()
        })
        .finally(() => {
          pumping = false
        })
    }

    const heartbeat = setInterval(() => stream.write(': still here\n\n'), this.heartbeatMs)
    heartbeat.unref()
    const look = env.servers && setInterval(pump, rights ? RIGHTS_MS : LOOK_MS)
    look?.unref()
    const say = (text: string): void => {
      if (!stream.destroyed && !stream.writableEnded) stream.write(text)
    }
    const entry = { companyId, pump, say, end: () => void stream.end() }
    this.streams.add(entry)
    env.window.pages += 1
    stream.once('close', () => {
      env.window.pages -= 1
      clearInterval(heartbeat)
      if (look) clearInterval(look)
      this.streams.delete(entry)
    })
    // Sent immediately, so that the window knows that the stream is open; includes the store's state, which is in no
    // book and may have changed since the window loaded its session.
    stream.write(': events of Sello\n\n')
    say(storeMessage(env.store, env.now()))
    pump()
    return stream
  }
}
