/** Opening or self-check detects every flipped bit of the file. */
import { expect, test } from 'vitest'
import { flipBits } from './flips.ts'

test('each of sixty single flipped bits is detected', { timeout: 120_000 }, async () => {
  const flips = await flipBits(60, 20_261_122)
  expect(flips.filter(({ noticedBy }) => noticedBy === null)).toEqual([])
  // Both must detect some: a check that is never reached proves nothing.
  expect(new Set(flips.map(({ noticedBy }) => noticedBy))).toEqual(new Set(['opening', 'proof']))
})
