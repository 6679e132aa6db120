/** Ten thousand interleavings of the work of a client and of its adviser, with the files between them. */
import { afterAll, expect, test } from 'vitest'
import { Pair } from '../../support/advised/pair.ts'
import { newTally, Play } from '../../support/advised/play.ts'
import type { Tally } from '../../support/advised/play.ts'

/** `SELLO_SEED` repeats seeds (`1013,1004`); `SELLO_SHARD=1/2` plays every second one, from the first. */
const [shard = 1, shards = 1] = (process.env['SELLO_SHARD'] ?? '1/1').split('/').map(Number)
const SEEDS = process.env['SELLO_SEED']
  ? process.env['SELLO_SEED'].split(',').map(Number)
  : Array.from({ length: Number(process.env['SELLO_SEEDS'] ?? 500) }, (_, index) => 1_000 + index).filter(
      (seed) => seed % shards === shard % shards,
    )
const INTERLEAVINGS = 20
/** Everything is exchanged and compared after so many. */
const COMPARE_EVERY = 4

const sums = newTally()
/** A file of another client and its adviser, the same for all plays. */
let foreignFile: Promise<string> | undefined
afterAll(() => console.info(JSON.stringify(sums)))

/** Adds the counts of one play to those of all. */
function add(tally: Tally): void {
  for (const [name, count] of Object.entries(tally))
    if (typeof count === 'number') (sums as unknown as Record<string, number>)[name]! += count
  for (const [code, count] of Object.entries(tally.refused))
    sums.refused[code] = (sums.refused[code] ?? 0) + count
}

test.each(SEEDS)('nothing of an adviser is lost, doubled or issued (seed %i)', async (seed) => {
  const tally = newTally()
  foreignFile ??= Pair.ready().then((foreign) => foreign.books())
  const play = await Play.open(seed, tally, await foreignFile)
  try {
    for (let nth = 1; nth <= INTERLEAVINGS; nth += 1)
      await play.interleave({ compare: nth % COMPARE_EVERY === 0, verify: nth === INTERLEAVINGS })
  } catch (error) {
    console.error(`seed ${seed}\n${play.describe()}`)
    throw error
  } finally {
    add(tally)
  }
  expect(tally).toMatchObject({ lost: 0, doubled: 0, forks: 0 })
  if (seed % 50 === 0) console.info(JSON.stringify(sums))
})
