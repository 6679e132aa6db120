/** Of overlapping calls, only the latest one counts, whatever the order of the answers. */
import { expect, test } from 'vitest'
import { latestCall } from '../../../renderer/composables/latest-call.ts'

test('a call is the latest one until the next begins, also after its answer', () => {
  const begin = latestCall()
  const first = begin()
  expect(first()).toBe(true)
  const second = begin()
  expect([first(), second()]).toEqual([false, true])
})

test('the calls of two pages do not concern each other', () => {
  const ours = latestCall()()
  latestCall()()
  expect(ours()).toBe(true)
})
