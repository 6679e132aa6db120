import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountTicks, changePercent } from '../../../../renderer/app/dashboard/chart.ts'

test('ticks are round steps from 0 to above the largest month', () => {
  expect(amountTicks([7200, 13_400])).toEqual([0, 5000, 10_000, 15_000])
  expect(amountTicks([10_000])).toEqual([0, 2500, 5000, 7500, 10_000])
  expect(amountTicks([0, 0])).toEqual([0, 500, 1000])
  expect(amountTicks([-50])).toEqual([0, 500, 1000])
  expect(amountTicks([0.01])).toEqual([0, 1])
})

test('every list of amounts gets two to five rising ticks that contain it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1_000_000_000 }).map((cents) => cents / 100)),
      (amounts) => {
        const ticks = amountTicks(amounts)
        expect(ticks.length).toBeGreaterThanOrEqual(2)
        expect(ticks.length).toBeLessThanOrEqual(5)
        expect(ticks.every((tick, index) => index === 0 || tick > (ticks[index - 1] ?? 0))).toBe(true)
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(0, ...amounts))
      },
    ),
  )
})

test('a quarter is compared with the same one of the previous year, if there was one', () => {
  expect(changePercent(112, 100)).toBe(12)
  expect(changePercent(50, 100)).toBe(-50)
  expect(changePercent(50, 0)).toBeNull()
})
