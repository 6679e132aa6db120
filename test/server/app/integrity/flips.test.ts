/** No bit of the file can be turned over without the opening or the proof noticing. */
import { expect, test } from 'vitest'
import { flipBits } from './flips.ts'

test('sixty bits, one at a time: each is noticed', { timeout: 120_000 }, async () => {
  const flips = await flipBits(60, 20_261_122)
  expect(flips.filter(({ noticedBy }) => noticedBy === null)).toEqual([])
  // Both have to notice some: a proof that is never reached proves nothing.
  expect(new Set(flips.map(({ noticedBy }) => noticedBy))).toEqual(new Set(['opening', 'proof']))
})
