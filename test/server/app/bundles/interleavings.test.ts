/** Random interleavings of both sides' work; `test/long/books/bundles.test.ts` plays more of them. */
import { expect, test } from 'vitest'
import { Pair } from '../../../support/advised/pair.ts'
import { newTally, Play } from '../../../support/advised/play.ts'

/** `SELLO_SEED` repeats one seed. */
const SEEDS = process.env['SELLO_SEED'] ? [Number(process.env['SELLO_SEED'])] : [1, 2, 3, 4, 5, 6]
const INTERLEAVINGS = 10

test.each(SEEDS)('nothing of an adviser is lost, doubled or issued (seed %i)', async (seed) => {
  const tally = newTally()
  const foreign = await Pair.ready()
  const play = await Play.open(seed, tally, await foreign.books())
  try {
    for (let nth = 1; nth <= INTERLEAVINGS; nth += 1)
      await play.interleave({ compare: true, verify: nth % 5 === 0 })
  } catch (error) {
    console.error(play.describe())
    throw error
  }
  expect(tally).toMatchObject({ interleavings: INTERLEAVINGS, lost: 0, doubled: 0, forks: 0 })
  expect(tally.taken).toBeGreaterThan(10)
  if (process.env['SELLO_SHOW'] === '1') console.info(JSON.stringify(tally))
})
