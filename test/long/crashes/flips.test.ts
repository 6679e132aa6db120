/** Bit flips of test/server/app/integrity/flips.test.ts, in the number of the test plan. */
import { expect, test } from 'vitest'
import { flipBits } from '../../server/app/integrity/flips.ts'

test('2,000 bit flips, one at a time, are all detected', async () => {
  const flips = await flipBits(2_000, 7)
  expect(flips.filter(({ noticedBy }) => noticedBy === null)).toEqual([])
  expect(flips).toHaveLength(2_000)
})
