/** Opening or self-check detects every flipped bit of the file. */
import { expect, test } from 'vitest'
import { sweptCount } from '../../../support/sweep.ts'
import { flipBits } from './flips.ts'

test('each single flipped bit is detected', { timeout: 120_000 }, async () => {
  const flips = await flipBits(sweptCount(60, 12), 20_261_122)
  expect(flips.filter(({ noticedBy }) => noticedBy === null)).toEqual([])
  // Both must detect some: a check that is never reached proves nothing.
  expect(new Set(flips.map(({ noticedBy }) => noticedBy))).toEqual(new Set(['opening', 'proof']))
})
