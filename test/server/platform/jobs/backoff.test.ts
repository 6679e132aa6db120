/** How long a failed job waits, when a loop looks again, and who holds what. */
import { expect, test } from 'vitest'
import {
  exponentialBackoff,
  linearBackoff,
  scheduledBackoff,
} from '../../../../server/platform/jobs/index.ts'
import { delayUntil, earliestDue } from '../../../../server/platform/jobs/due-time.ts'
import { LeaseTable } from '../../../../server/platform/jobs/lease.ts'

test('an exponential backoff doubles up to its longest wait, which jitter never exceeds', () => {
  const backoff = exponentialBackoff({ firstMs: 1_000, longestMs: 5_000, jitter: 0.2 })
  expect([1, 2, 3, 4, 2_000].map((failures) => backoff(failures, () => 0.5))).toEqual([
    1_000, 2_000, 4_000, 5_000, 5_000,
  ])
  expect(backoff(1, () => 0)).toBe(800)
  expect(backoff(1, () => 0.999_999)).toBe(1_200)
  expect(backoff(9, () => 0.999_999)).toBe(5_000)
})

test('a scheduled backoff has no attempt left after its last entry', () => {
  const backoff = scheduledBackoff([10, 100], 0.5)
  expect([backoff(1, () => 0), backoff(2, () => 0.5), backoff(3)]).toEqual([5, 100, null])
  expect(scheduledBackoff([10])(1)).toBe(10)
})

test('a linear backoff grows by one step without an end', () => {
  expect([1, 2, 50].map(linearBackoff(1_000))).toEqual([1_000, 2_000, 50_000])
})

test('a loop waits for the earliest due time, and a moment when that has passed', () => {
  expect(earliestDue([null, 30, 20, null])).toBe(20)
  expect(earliestDue([null])).toBeNull()
  expect(delayUntil(null, 5)).toBeUndefined()
  expect(delayUntil(30, 5)).toBe(25)
  expect(delayUntil(3, 5, 50)).toBe(50)
})

test('a lease has one holder at a time for each key of a store, and ends with its work', async () => {
  const leases = new LeaseTable<number>()
  const store = {}
  let release = (): void => {}
  const first = leases.hold(store, 1, () => new Promise<string>((go) => (release = () => go('done'))), 'held')
  const work = async (): Promise<string> => 'done'
  expect(await leases.hold(store, 1, work, 'held')).toBe('held')
  expect(await leases.hold(store, 2, work, 'held')).toBe('done')
  expect(await leases.hold({}, 1, work, 'held')).toBe('done')
  release()
  expect(await first).toBe('done')
  const broken = leases.hold(store, 1, () => Promise.reject(new Error('broken')), 'held')
  await expect(broken).rejects.toThrow('broken')
  expect(await leases.hold(store, 1, work, 'held')).toBe('done')
})
