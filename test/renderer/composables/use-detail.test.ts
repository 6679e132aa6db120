/** Content of a detail panel: the answer to the newest request counts, whatever the order of the answers. */
import { effectScope, nextTick, ref } from 'vue'
import type { EffectScope } from 'vue'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useDetail } from '../../../renderer/composables/use-detail.ts'

let scope: EffectScope
beforeEach(() => void (scope = effectScope()))
afterEach(() => scope.stop())

/** A detail whose requests the test answers one by one, in any order. */
function detail() {
  const id = ref('first')
  const requests: ({ id: string } & PromiseWithResolvers<string>)[] = []
  const read = (wanted: string): Promise<string> => {
    const next = Promise.withResolvers<string>()
    requests.push({ id: wanted, ...next })
    return next.promise
  }
  return { id, requests, ...scope.run(() => useDetail(() => id.value, read))! }
}

test('a reload that is answered first is not replaced by the older answer', async () => {
  const { requests, found, load } = detail()
  const reload = load()
  requests[1]?.resolve('new')
  await reload
  requests[0]?.resolve('old')
  await nextTick()
  expect(found.value).toBe('new')
})

test('an error of an older request is dropped as well', async () => {
  const { requests, found, error, load } = detail()
  const reload = load()
  requests[1]?.resolve('new')
  await reload
  requests[0]?.reject(new Error('The connection broke.'))
  await nextTick()
  expect([found.value, error.value]).toEqual(['new', null])
})

test('another identifier starts empty, and drops the answer for the one before', async () => {
  const { id, requests, found } = detail()
  id.value = 'second'
  await nextTick()
  expect(requests.map((request) => request.id)).toEqual(['first', 'second'])
  requests[0]?.resolve('of the first')
  await nextTick()
  expect(found.value).toBeNull()
  requests[1]?.resolve('of the second')
  await nextTick()
  expect(found.value).toBe('of the second')
})
