/** Content that reloads: the newest answer counts, and events of the active book cause a reload. */
import { createPinia, setActivePinia } from 'pinia'
import { effectScope, nextTick, ref } from 'vue'
import type { EffectScope } from 'vue'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { useLiveQuery } from '../../../renderer/composables/use-live-query.ts'

let scope: EffectScope
let body: ReadableStreamDefaultController<Uint8Array> | null

beforeEach(() => {
  body = null
  const matchMedia = () => ({ matches: false, addEventListener() {} })
  vi.stubGlobal('window', { matchMedia })
  vi.stubGlobal('matchMedia', matchMedia)
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      new Response(new ReadableStream<Uint8Array>({ start: (stream) => void (body = stream) })),
    ),
  )
  setActivePinia(createPinia())
  scope = effectScope()
})
afterEach(() => {
  scope.stop()
  vi.unstubAllGlobals()
})

/** Answers that the test gives one by one, in any order. */
function answers() {
  const calls: PromiseWithResolvers<string>[] = []
  const fetch = (): Promise<string> => {
    const next = Promise.withResolvers<string>()
    calls.push(next)
    return next.promise
  }
  return { calls, fetch }
}

/** Starts a query in a scope of its own. Loaded late, because the session's store needs a window. */
async function liveQuery(
  fetch: () => Promise<string>,
  options: Partial<Parameters<typeof useLiveQuery>[1]> = {},
) {
  const { useLiveQuery: use } = await import('../../../renderer/composables/use-live-query.ts')
  return scope.run(() => use(fetch, { events: ['recurrence.*'], ...options }))!
}

test('an answer to an older call is dropped', async () => {
  const { calls, fetch } = answers()
  const { data, loading, load } = await liveQuery(fetch)
  void load()
  calls[1]?.resolve('new')
  await vi.waitFor(() => expect(data.value).toBe('new'))
  expect(loading.value).toBe(false)
  calls[0]?.resolve('old')
  await nextTick()
  expect(data.value).toBe('new')
})

test('a new key loads at once, and clears the answer only if told to', async () => {
  for (const clearsOnChange of [false, true]) {
    const { calls, fetch } = answers()
    const key = ref('2026-1')
    const { data } = await liveQuery(fetch, { key, clearsOnChange })
    calls[0]?.resolve('first')
    await vi.waitFor(() => expect(data.value).toBe('first'))
    key.value = '2026-2'
    await nextTick()
    expect(calls).toHaveLength(2)
    expect(data.value).toBe(clearsOnChange ? null : 'first')
  }
})

test('the error of a reload stays out of an answer, unless it is to be reported', async () => {
  for (const reportsReloadErrors of [false, true]) {
    const { calls, fetch } = answers()
    const { data, error, load } = await liveQuery(fetch, { reportsReloadErrors })
    calls[0]?.reject(new Error('The connection broke.'))
    await vi.waitFor(() => expect(error.value?.code).toBe('internal'))
    void load()
    calls[1]?.resolve('answer')
    await vi.waitFor(() => expect(data.value).toBe('answer'))
    expect(error.value).toBeNull()
    const reload = load()
    calls[2]?.reject(new Error('The connection broke.'))
    await reload
    expect(data.value).toBe('answer')
    expect(error.value?.code ?? null).toBe(reportsReloadErrors ? 'internal' : null)
  }
})

test('events of its types in the active book reload it once, until its page is gone', async () => {
  const { startEvents } = await import('../../../renderer/events.ts')
  const refreshed = vi.fn()
  const { calls, fetch } = answers()
  await liveQuery(fetch, { onRefresh: refreshed })
  const stop = startEvents()
  await vi.waitFor(() => expect(body).not.toBeNull())
  const send = (event: object) =>
    body?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`))
  // No book is active here: an event without one is of the same book, and one with a book is of another.
  send({ type: 'recurrence.changed', bookId: 'book_other' })
  send({ type: 'invoice.issued' })
  send({ type: 'recurrence.changed' })
  send({ type: 'recurrence.changed' })
  await vi.waitFor(() => expect(calls).toHaveLength(2))
  expect(refreshed).toHaveBeenCalledOnce()
  scope.stop()
  send({ type: 'recurrence.changed' })
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(calls).toHaveLength(2)
  stop()
})
