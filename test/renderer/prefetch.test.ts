/** Prefetched answers: for the right book, returned once, and never outdated. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startEvents, stopEvents } from '../../renderer/events.ts'
import { prefetchFirstPage, bookToOpen, takePrefetched } from '../../renderer/prefetch.ts'

const SESSION = {
  store: { dataFolder: '/libros' },
  companies: [
    {
      id: 'com_1',
      books: [
        { id: 'bok_live', mode: 'live' },
        { id: 'bok_test', mode: 'test' },
      ],
    },
  ],
  preferences: { activeBook: 'bok_live', language: 'es', startPage: 'home' },
}
let asked: [string, string | null][] = []
let tell: (text: string) => void = () => {}

beforeEach(() => {
  asked = []
  vi.stubGlobal('location', { pathname: '/', hash: '', search: '' })
  vi.stubGlobal('localStorage', { getItem: () => 'es', setItem: () => undefined })
  vi.stubGlobal('fetch', async (path: string, { headers }: { headers: Record<string, string> }) => {
    asked.push([path.replace('/app/call/', ''), headers['sello-book'] ?? null])
    if (path !== '/app/events')
      return Response.json({ data: path.endsWith('session.get') ? SESSION : { of: path } })
    return new Response(
      new ReadableStream({
        start: (stream) => void (tell = (text) => stream.enqueue(new TextEncoder().encode(text))),
      }),
    )
  })
})
afterEach(() => {
  stopEvents()
  vi.unstubAllGlobals()
})

const settle = (): Promise<unknown> => new Promise((done) => setTimeout(done, 20))

test("the dashboard's data are requested from its book once, after listening to its events", async () => {
  prefetchFirstPage()
  await settle()
  expect(asked).toEqual([
    ['session.get', null],
    ['/app/events', null],
    ['company.current', 'bok_live'],
    ['dashboard.get', 'bok_live'],
  ])
  expect(await takePrefetched('dashboard.get', 'bok_live')).toEqual({ of: '/app/call/dashboard.get' })
  expect(await takePrefetched('dashboard.get', 'bok_live')).toBeUndefined()
  expect(await takePrefetched('company.current', 'bok_test')).toBeUndefined()
})

test('an answer is not used after an event of a book', async () => {
  prefetchFirstPage()
  await settle()
  tell('data: {"type":"invoice.issued","bookId":"bok_live"}\n\n')
  await settle()
  startEvents()
  expect(await takePrefetched('dashboard.get', 'bok_live')).toBeUndefined()
})

test('the state of the store is independent of a book', async () => {
  prefetchFirstPage()
  await settle()
  tell('data: {"type":"store.state","bookId":null}\n\n')
  await settle()
  startEvents()
  expect(await takePrefetched('dashboard.get', 'bok_live')).toEqual({ of: '/app/call/dashboard.get' })
})

test('the console begins with its first rows, unless its address has a filter', async () => {
  vi.stubGlobal('location', { pathname: '/console', hash: '', search: '' })
  prefetchFirstPage()
  await settle()
  expect(asked.map(([name]) => name)).toEqual([
    'session.get',
    '/app/events',
    'company.current',
    'console.list',
  ])
  expect(await takePrefetched('console.list')).toEqual({ of: '/app/call/console.list' })
  asked = []
  stopEvents()
  vi.stubGlobal('location', { pathname: '/console', hash: '', search: '?cards=late' })
  prefetchFirstPage()
  await settle()
  expect(asked.map(([name]) => name)).not.toContain('console.list')
})

test('by default the test book is opened', () => {
  const { books } = SESSION.companies[0]!
  expect(bookToOpen(books, null)?.id).toBe('bok_test')
  expect(bookToOpen([], 'bok_live')).toBeNull()
})
