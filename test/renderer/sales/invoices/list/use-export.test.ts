/** Export from the window: polled until it is ready, saved once, and cancelled without a trace. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { effectScope } from 'vue'
import { useExport } from '../../../../../renderer/sales/invoices/list/use-export.ts'

interface Sent {
  operation: string
  input: unknown
  book: string | undefined
  signal: AbortSignal | null | undefined
}

let sent: Sent[] = []
let answers: Record<string, () => Promise<Response>>
let saved: File[] = []

const view = (changes: object = {}) => ({
  id: 'exp_1',
  state: 'preparing',
  format: 'pdf',
  total: 3,
  done: 0,
  failedCount: 0,
  failed: [],
  createdAt: '2026-07-01T08:00:00.000Z',
  ...changes,
})
const ok = (data: object) => () => Promise.resolve(Response.json({ ok: true, data }))
const refuse = (status: number, code: string) => () =>
  Promise.resolve(Response.json({ ok: false, error: { code, message: code, retry: 'never' } }, { status }))
const zip = () =>
  Promise.resolve(
    new Response(new Uint8Array([80, 75]), {
      headers: {
        'content-type': 'application/zip',
        'content-disposition': 'attachment; filename="facturas-pdf-2026-07-01.zip"',
      },
    }),
  )

beforeEach(() => {
  sent = []
  saved = []
  answers = {
    'exports.create': ok(view()),
    'exports.get': ok(view({ state: 'ready', done: 3 })),
    'exports.file': zip,
    'exports.cancel': ok({ deleted: true }),
  }
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const operation = url.replace('/app/call/', '')
    const headers = init.headers as Record<string, string>
    sent.push({
      operation,
      input: JSON.parse(String(init.body)),
      book: headers['sello-book'],
      signal: init.signal,
    })
    if (init.signal?.aborted) return Promise.reject(init.signal.reason as Error)
    return answers[operation]?.()
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function open() {
  const scope = effectScope()
  const made = scope.run(() => useExport((file) => saved.push(file)))
  if (!made) throw new Error('The scope is closed.')
  return { ...made, scope }
}
const asked = () => sent.map(({ operation }) => operation)

test('an export is polled every 400 ms until it is ready, saved under its name and discarded', async () => {
  const { run, stage, job, savedAs, refusal } = open()
  answers['exports.get'] = ok(view({ done: 1 }))
  const done = run({ filter: { series: 'F2026' }, format: 'pdf' }, 'book_1')
  expect(stage.value).toBe('preparing')
  await vi.advanceTimersByTimeAsync(399)
  expect(asked()).toEqual(['exports.create'])
  await vi.advanceTimersByTimeAsync(401)
  expect(asked()).toEqual(['exports.create', 'exports.get', 'exports.get'])
  expect(job.value?.done).toBe(1)
  answers['exports.get'] = ok(view({ state: 'ready', done: 3, failedCount: 1 }))
  await vi.advanceTimersByTimeAsync(400)
  await done
  expect(asked().slice(3)).toEqual(['exports.get', 'exports.file', 'exports.cancel'])
  expect(sent[0]?.input).toEqual({ filter: { series: 'F2026' }, format: 'pdf' })
  expect(new Set(sent.map(({ book }) => book))).toEqual(new Set(['book_1']))
  expect([stage.value, savedAs.value, refusal.value]).toEqual(['done', 'facturas-pdf-2026-07-01.zip', null])
  expect(saved.map(({ name, size }) => [name, size])).toEqual([['facturas-pdf-2026-07-01.zip', 2]])
})

test('an archive without any document is not saved', async () => {
  const { run, stage, savedAs, job } = open()
  answers['exports.create'] = ok(view({ state: 'ready', done: 3, failedCount: 3 }))
  await run({ filter: {}, format: 'cii' }, 'book_1')
  expect([stage.value, savedAs.value, job.value?.failedCount]).toEqual(['done', null, 3])
  expect(asked()).toEqual(['exports.create', 'exports.cancel'])
  expect(saved).toEqual([])
})

test('a cancelled export is cancelled on the server, without a notice', async () => {
  const { run, reset, stage, refusal } = open()
  const done = run({ filter: {} }, 'book_1')
  await vi.advanceTimersByTimeAsync(100)
  reset()
  await done
  expect(asked()).toEqual(['exports.create', 'exports.cancel'])
  expect([stage.value, refusal.value]).toEqual(['choosing', null])
})

test('an export cancelled before the server answers is cancelled once it has', async () => {
  const { run, reset } = open()
  const answer = Promise.withResolvers<Response>()
  answers['exports.create'] = () => answer.promise
  const done = run({ filter: {} }, 'book_1')
  reset()
  expect(asked()).toEqual(['exports.create'])
  answer.resolve(Response.json({ ok: true, data: view() }))
  await done
  expect(asked()).toEqual(['exports.create', 'exports.cancel'])
})

test('leaving the page stops a running download', async () => {
  const { run, scope } = open()
  answers['exports.create'] = ok(view({ state: 'ready', done: 3 }))
  answers['exports.file'] = () =>
    new Promise((_, reject) => {
      const signal = sent.at(-1)?.signal
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
  const done = run({ filter: {} }, 'book_1')
  await vi.advanceTimersByTimeAsync(0)
  expect(asked()).toEqual(['exports.create', 'exports.file'])
  scope.stop()
  await done
  expect(asked()).toEqual(['exports.create', 'exports.file', 'exports.cancel'])
  expect(saved).toEqual([])
})

test('an error is kept for display, and the next attempt starts again', async () => {
  const { run, stage, refusal } = open()
  answers['exports.create'] = refuse(409, 'exports_busy')
  await run({ filter: {} }, 'book_1')
  expect([stage.value, refusal.value?.code]).toEqual(['choosing', 'exports_busy'])
  expect(asked()).toEqual(['exports.create'])
  // The server was restarted meanwhile: the export is no longer known.
  answers['exports.create'] = ok(view())
  answers['exports.get'] = refuse(404, 'not_found')
  const again = run({ filter: {} }, 'book_1')
  expect(refusal.value).toBeNull()
  await vi.advanceTimersByTimeAsync(400)
  await again
  expect([stage.value, refusal.value?.code]).toEqual(['choosing', 'not_found'])
})
