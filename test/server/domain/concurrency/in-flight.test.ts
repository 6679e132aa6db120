/** Work in flight is counted until it has settled, and can be waited for. */
import { expect, test } from 'vitest'
import { track, isInFlight, waitUntilIdle } from '../../../../server/domain/concurrency/in-flight.ts'

const soon = () => new Promise((resolve) => setTimeout(resolve, 2))

test('work counts until it has settled, also with an error, and only for its own store', async () => {
  const store = {}
  let end = (): void => {}
  const work = track(store, () => new Promise<void>((go) => (end = go)))
  expect([isInFlight(store), isInFlight({})]).toEqual([true, false])
  const broken = track(store, () => Promise.reject(new Error('broken')))
  await expect(broken).rejects.toThrow('broken')
  expect(isInFlight(store)).toBe(true)
  end()
  await work
  expect(isInFlight(store)).toBe(false)
})

test('the wait ends when all work has settled', async () => {
  const store = {}
  await waitUntilIdle(store)
  const end: (() => void)[] = []
  const begin = () => void track(store, () => new Promise<void>((go) => end.push(go)))
  begin()
  begin()
  let quiet = 0
  for (let waiting = 0; waiting < 2; waiting += 1) void waitUntilIdle(store).then(() => (quiet += 1))
  end[0]!()
  await soon()
  expect(quiet).toBe(0)
  end[1]!()
  await soon()
  expect(quiet).toBe(2)
})
