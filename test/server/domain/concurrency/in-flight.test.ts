/** What is under way is counted until it has ended, one way or the other, and waited for. */
import { expect, test } from 'vitest'
import { during, isUnderWay, untilQuiet } from '../../../../server/domain/concurrency/in-flight.ts'

const soon = () => new Promise((resolve) => setTimeout(resolve, 2))

test('work counts until it has ended, also badly, and for its own store only', async () => {
  const store = {}
  let end = (): void => {}
  const work = during(store, () => new Promise<void>((go) => (end = go)))
  expect([isUnderWay(store), isUnderWay({})]).toEqual([true, false])
  const broken = during(store, () => Promise.reject(new Error('broken')))
  await expect(broken).rejects.toThrow('broken')
  expect(isUnderWay(store)).toBe(true)
  end()
  await work
  expect(isUnderWay(store)).toBe(false)
})

test('quiet is when all of it has ended', async () => {
  const store = {}
  await untilQuiet(store)
  const end: (() => void)[] = []
  const begin = () => void during(store, () => new Promise<void>((go) => end.push(go)))
  begin()
  begin()
  let quiet = 0
  for (let waiting = 0; waiting < 2; waiting += 1) void untilQuiet(store).then(() => (quiet += 1))
  end[0]!()
  await soon()
  expect(quiet).toBe(0)
  end[1]!()
  await soon()
  expect(quiet).toBe(2)
})
