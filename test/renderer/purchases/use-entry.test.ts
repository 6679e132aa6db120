/** Form of a received invoice while entries are opened and reloaded: it shows the one requested last. */
import { createPinia, setActivePinia } from 'pinia'
import { createApp, effectScope } from 'vue'
import type { EffectScope } from 'vue'
import { routeLocationKey } from 'vue-router'
import type { RouteLocationNormalizedLoaded } from 'vue-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Received } from '../../../renderer/purchases/form.ts'
import { ENTRY } from './example-entry.ts'

let scope: EffectScope
let requests: { operation: string; id: string; answer: (response: Response) => void }[]

beforeEach(() => {
  requests = []
  const matchMedia = () => ({ matches: false, addEventListener() {} })
  vi.stubGlobal('window', { matchMedia })
  vi.stubGlobal('matchMedia', matchMedia)
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const { id } = JSON.parse(String(init.body)) as { id: string }
    const { promise, resolve } = Promise.withResolvers<Response>()
    requests.push({ operation: url.replace('/app/call/', ''), id, answer: resolve })
    return promise
  })
  setActivePinia(createPinia())
  scope = effectScope()
})
afterEach(() => {
  scope.stop()
  vi.unstubAllGlobals()
})

/** Opens the form. Loaded late, because the session's store needs a window. */
async function openForm() {
  const { useEntry } = await import('../../../renderer/purchases/use-entry.ts')
  const app = createApp({})
  app.provide(routeLocationKey, { fullPath: '/received/rec_1' } as RouteLocationNormalizedLoaded)
  return app.runWithContext(() => scope.run(() => useEntry(() => '2026-07-01'))!)
}

const entryOf = (id: string, changes: Partial<Received> = {}): Received => ({
  ...ENTRY,
  id,
  supplierName: `Supplier of ${id}`,
  supplier: { ...ENTRY.supplier, name: `Supplier of ${id}` },
  ...changes,
})
const ok = (data: object): Response => Response.json({ ok: true, data })
const requestFor = (operation: string, id: string) =>
  vi.waitFor(() => {
    const found = requests.find((each) => each.operation === operation && each.id === id)
    if (!found) throw new Error(`${operation} was not called for ${id}.`)
    return found
  })

test('an entry that is answered after a later one does not replace it', async () => {
  const { load, entry, form, error } = await openForm()
  const [first, second] = [load('rec_1'), load('rec_2')]
  ;(await requestFor('received.get', 'rec_2')).answer(ok(entryOf('rec_2')))
  await second
  ;(await requestFor('received.get', 'rec_1')).answer(ok(entryOf('rec_1')))
  await first
  expect(error.value).toBeNull()
  expect([entry.value?.id, form.supplierName]).toEqual(['rec_2', 'Supplier of rec_2'])
})

test('an older entry that cannot be read does not hide the shown one', async () => {
  const { load, entry, error } = await openForm()
  const [first, second] = [load('rec_1'), load('rec_2')]
  ;(await requestFor('received.get', 'rec_2')).answer(ok(entryOf('rec_2')))
  await second
  ;(await requestFor('received.get', 'rec_1')).answer(
    Response.json(
      { ok: false, error: { code: 'not_found', message: 'No.', retry: 'never' } },
      { status: 404 },
    ),
  )
  await first
  expect([entry.value?.id, error.value]).toEqual(['rec_2', null])
})

test('a document that arrives after its entry was left is not shown with the next one', async () => {
  const { load, file } = await openForm()
  const first = load('rec_1')
  const document = {
    id: 'att_1',
    name: 'factura.pdf',
    mediaType: 'application/pdf' as const,
    size: 4,
    sha256: '0'.repeat(64),
    createdAt: '2026-06-22T10:00:00.000Z',
  }
  ;(await requestFor('received.get', 'rec_1')).answer(ok(entryOf('rec_1', { attachments: [document] })))
  const download = await requestFor('attachments.download', 'att_1')
  const second = load('rec_2')
  ;(await requestFor('received.get', 'rec_2')).answer(ok(entryOf('rec_2')))
  await second
  download.answer(new Response('%PDF', { headers: { 'content-type': 'application/pdf' } }))
  await first
  expect(file.value).toBeNull()
})

test('of two reloads the newest counts, and none changes an entry opened since', async () => {
  const { load, refresh, entry } = await openForm()
  const opened = load('rec_1')
  ;(await requestFor('received.get', 'rec_1')).answer(ok(entryOf('rec_1')))
  await opened
  const asked = (nth: number) => requests.filter(({ operation }) => operation === 'received.get')[nth]
  const [older, newer] = [refresh(), refresh()]
  asked(2)?.answer(ok(entryOf('rec_1', { version: 3 })))
  await newer
  asked(1)?.answer(ok(entryOf('rec_1', { version: 2 })))
  await older
  expect(entry.value?.version).toBe(3)

  const late = refresh()
  const other = load('rec_2')
  ;(await requestFor('received.get', 'rec_2')).answer(ok(entryOf('rec_2')))
  await other
  asked(3)?.answer(ok(entryOf('rec_1', { version: 4 })))
  await late
  expect(entry.value?.id).toBe('rec_2')
})
