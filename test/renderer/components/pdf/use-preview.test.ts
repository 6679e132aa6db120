/** A preview reloads after each change, never twice at once, and shows the last request. */
import { effectScope } from 'vue'
import { expect, test } from 'vitest'
import { previewOf, usePreview } from '../../../../renderer/components/pdf/use-preview.ts'
import type { Preview } from '../../../../renderer/components/pdf/use-preview.ts'

const of = (...bytes: number[]): Preview => ({ bytes: new Uint8Array(bytes), areas: [] })

/** A preview whose requests are answered by the test, in order. */
function held() {
  const waiting: PromiseWithResolvers<Preview | null>[] = []
  const scope = effectScope()
  const made = scope.run(() =>
    usePreview(() => {
      const request = Promise.withResolvers<Preview | null>()
      waiting.push(request)
      return request.promise
    }),
  )
  if (!made) throw new Error('The scope is closed.')
  return { ...made, waiting, scope }
}

test('changes during a request cause one more request after it', async () => {
  const { preview, busy, refresh, waiting } = held()
  const done = refresh()
  void refresh()
  void refresh()
  expect(waiting).toHaveLength(1)
  waiting[0]?.resolve(of(1))
  await expect.poll(() => waiting.length).toBe(2)
  expect(preview.value?.bytes).toEqual(new Uint8Array([1]))
  expect(busy.value).toBe(true)
  waiting[1]?.resolve(of(2))
  await done
  expect(preview.value?.bytes).toEqual(new Uint8Array([2]))
  expect(busy.value).toBe(false)
  expect(waiting).toHaveLength(2)
})

test('identical bytes are the same array, so that nothing is rendered again', async () => {
  const { preview, refresh, waiting } = held()
  const first = refresh()
  waiting[0]?.resolve(of(1, 2, 3))
  await first
  const before = preview.value?.bytes
  const again = refresh()
  waiting[1]?.resolve({
    ...of(1, 2, 3),
    areas: [{ page: 0, x: 1, y: 1, width: 1, height: 1, field: 'notes' }],
  })
  await again
  expect(preview.value?.bytes).toBe(before)
  expect(preview.value?.areas).toHaveLength(1)
})

test('a failure keeps the shown content, and is removed with the next answer', async () => {
  const { preview, error, refresh, waiting } = held()
  const first = refresh()
  waiting[0]?.resolve(of(1))
  await first
  const second = refresh()
  waiting[1]?.reject(new Error('The connection broke.'))
  await second
  expect(error.value?.code).toBe('internal')
  expect(preview.value?.bytes).toEqual(new Uint8Array([1]))
  const third = refresh()
  waiting[2]?.resolve(null)
  await third
  expect(error.value).toBeNull()
  expect(preview.value).toBeNull()
})

test('an answer about an earlier subject is not shown for the next one', async () => {
  const { preview, error, refresh, clear, waiting } = held()
  const done = refresh()
  clear()
  void refresh()
  waiting[0]?.resolve(of(1))
  await expect.poll(() => waiting.length).toBe(2)
  expect(preview.value).toBeNull()
  waiting[1]?.reject(new Error('Not now.'))
  await done
  expect(error.value?.code).toBe('internal')
})

test('an unmounted page sends no more requests', async () => {
  const { preview, refresh, waiting, scope } = held()
  const done = refresh()
  void refresh()
  scope.stop()
  waiting[0]?.resolve(of(1))
  await done
  expect(waiting).toHaveLength(1)
  expect(preview.value).toBeNull()
})

test('the file is decoded from its base64 completely', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const pdf = Buffer.from(bytes).toString('base64')
  expect(previewOf({ pdf, areas: [] }).bytes).toEqual(bytes)
})
