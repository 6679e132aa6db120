/**
 * Stream of events from the server. Read with fetch because `EventSource` cannot send the window token; after a
 * disconnect it reconnects and requests what it missed.
 */
import { onScopeDispose, getCurrentScope } from 'vue'
import { APP_LOCKED, notifyAppLocked, signInAgain, windowHeaders } from './call.ts'

export interface WindowEvent {
  id: string
  type: string
  createdAt: string
  mode: 'live' | 'test'
  bookId: string
  data: Record<string, unknown>
  /** Who did it; null for an event of an earlier version, and undefined for a message of the server itself. */
  actor?: { kind: 'user' | 'key' | 'system'; id: string; name: string } | null
}

type Listener = (event: WindowEvent) => void

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

const listeners = new Map<string, Set<Listener>>()
const reopened = new Set<() => void>()
const cuts = new Set<() => void>()
let endWait: () => void = () => {}
let lastEventId = ''
let running: AbortController | null = null
/** The book whose company the stream is about, in an office; undefined on a desk, whose stream is about all. */
let followed: string | null | undefined
let endReading: () => void = () => {}

/**
 * Calls `listener` for each event whose type is `type`, matches a prefix (`invoice.*`), or for all (`*`). Inside a
 * component or store it ends with it; the returned function ends it earlier.
 */
export function onEvent(type: string, listener: Listener): () => void {
  const set = listeners.get(type) ?? new Set()
  listeners.set(type, set.add(listener))
  const stop = () => void set.delete(listener)
  if (getCurrentScope()) onScopeDispose(stop)
  return stop
}

/** Calls `listener` when the stream is reconnected: the content of the page may be outdated. */
export function onReopened(listener: () => void): () => void {
  reopened.add(listener)
  const stop = () => void reopened.delete(listener)
  if (getCurrentScope()) onScopeDispose(stop)
  return stop
}

/** Calls `listener` when the stream is disconnected: the server may be gone. */
export function onCut(listener: () => void): () => void {
  cuts.add(listener)
  return () => void cuts.delete(listener)
}

/** Reconnects at once: the server is known to answer again. */
export function pollEventsNow(): void {
  endWait()
}

/** Events received before the page listens; null while it does. */
let held: WindowEvent[] | null = null

function dispatch(event: WindowEvent): void {
  if (held) return void held.push(event)
  const family = event.type.includes('.') ? `${event.type.slice(0, event.type.indexOf('.'))}.*` : ''
  for (const type of [event.type, family, '*'])
    for (const listener of listeners.get(type) ?? []) listener(event)
}

/** Makes the stream one of the company of a book, as an office has them; null while there is no book. */
export function followBook(bookId: string | null): void {
  if (bookId === followed) return
  followed = bookId
  lastEventId = ''
  endReading()
  endWait()
}

export interface StreamMessage {
  id: string | undefined
  event: string
  data: string
}

/** Splits `text/event-stream` into messages; keeps an incomplete one until the next chunk. */
export function eventStreamReader(onMessage: (message: StreamMessage) => void): (piece: string) => void {
  let rest = ''
  let id: string | undefined
  let event = 'message'
  let data: string[] = []
  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) onMessage({ id, event, data: data.join('\n') })
        event = 'message'
        data = []
        continue
      }
      const colon = line.indexOf(':')
      const field = colon === -1 ? line : line.slice(0, colon)
      const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (field === 'id') id = value
      else if (field === 'event') event = value
      else if (field === 'data') data.push(value)
    }
  }
}

async function readOnce(ended: AbortSignal, onOpen: () => void): Promise<void> {
  if (followed === null) throw new Error('events: no book')
  const book = followed
  const control = new AbortController()
  endReading = () => control.abort()
  const signal = AbortSignal.any([ended, control.signal])
  const response = await fetch('/app/events', {
    headers: {
      accept: 'text/event-stream',
      ...windowHeaders(),
      ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
      // Listening keeps no session open.
      ...(book === undefined ? {} : { 'sello-book': book, 'sello-unattended': '1' }),
    },
    signal,
  })
  if (response.status === 401) await signInAgain()
  if (response.status === APP_LOCKED) notifyAppLocked()
  if (!response.ok || !response.body) throw new Error(`events: ${response.status}`)
  onOpen()
  const read = eventStreamReader((message) => {
    if (message.id) lastEventId = message.id
    try {
      dispatch(JSON.parse(message.data) as WindowEvent)
    } catch {
      // A message that is not an event (a greeting, a heartbeat) is ignored.
    }
  })
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    read(value)
  }
}

/**
 * Starts listening; a second call only delivers the `held` events. Events are held while the page is still being
 * built, until the second call. Returns the stop function.
 */
export function startEvents(how: 'heard' | 'held' = 'heard'): () => void {
  const waiting = held ?? []
  held = how === 'held' ? waiting : null
  if (!held) waiting.forEach(dispatch)
  if (running) return stopEvents
  const control = new AbortController()
  running = control
  void (async () => {
    let waitMs = FIRST_WAIT_MS
    let opened = false
    while (!control.signal.aborted) {
      try {
        await readOnce(control.signal, () => {
          waitMs = FIRST_WAIT_MS
          if (opened) for (const listener of reopened) listener()
          opened = true
        })
      } catch {
        // Every disconnect is followed by the wait below.
      }
      if (control.signal.aborted) return
      for (const listener of cuts) listener()
      await new Promise<void>((resolve) => {
        endWait = resolve
        setTimeout(resolve, waitMs)
      })
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    }
  })()
  return stopEvents
}

/** Stops listening: no page shows the events. */
export function stopEvents(): void {
  running?.abort()
  running = null
  held = null
}
