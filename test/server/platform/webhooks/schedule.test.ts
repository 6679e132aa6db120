/** The schedule of retries, and the conditions for giving up an endpoint. */
import { expect, test } from 'vitest'
import { isGivenUp, retryDelayMs, SCHEDULE_MS } from '../../../../server/platform/webhooks/schedule.ts'

const HOUR = 3_600_000

test('ten attempts take more than three days, each a fifth earlier or later', () => {
  expect(SCHEDULE_MS.map((ms) => ms / 1000)).toEqual([
    0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
  ])
  for (const [tries, planned] of SCHEDULE_MS.entries()) {
    if (tries === 0) continue
    expect(retryDelayMs(tries, null, () => 0)).toBe(Math.round(planned * 0.8))
    expect(retryDelayMs(tries, null, () => 0.5)).toBe(planned)
    expect(retryDelayMs(tries, null, () => 0.999_999_999)).toBe(Math.round(planned * 1.2))
  }
  expect(retryDelayMs(SCHEDULE_MS.length, null)).toBe(null)
})

test("a receiver's requested wait is respected, up to a day and never less than planned", () => {
  const exactly = () => 0.5
  expect(retryDelayMs(1, 90, exactly)).toBe(90_000)
  expect(retryDelayMs(1, 1, exactly)).toBe(5_000)
  expect(retryDelayMs(1, 999_999_999, exactly)).toBe(24 * HOUR)
  expect(retryDelayMs(SCHEDULE_MS.length, 90)).toBe(null)
})

test('an endpoint is given up after five days of failure, not for two attempts with a week of sleep between', () => {
  const fiveDays = 5 * 24 * HOUR
  expect(isGivenUp(0, 10, fiveDays)).toBe(true)
  expect(isGivenUp(0, 10, fiveDays - 1)).toBe(false)
  expect(isGivenUp(0, 9, fiveDays * 2)).toBe(false)
})
