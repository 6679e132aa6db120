/**
 * Every operation of the published description, called over a real port with valid and invalid input, in the numbers
 * of the test plan. `SELLO_SEED` repeats a run.
 */
import { expect, test } from 'vitest'
import { fuzz, unsound } from '../../support/fuzz/run.ts'
import { openWorld } from '../../support/world.ts'

const ROUNDS = 110
/** From the warmed-up server to the end, while its books grow to some thousand invoices. */
const WARM = 10
const MOST_GROWN_MB = 500

const residentMb = (): number => Math.round(process.memoryUsage.rss() / 1e6)
const perCent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(0)} %`

test('20,000 requests: none breaks the server, and every answer matches its description', async () => {
  const seed = Number(process.env.SELLO_SEED ?? Date.now() % 1_000_000)
  console.log(`SELLO_SEED=${seed}`)
  const world = await openWorld()
  const resident: number[] = []
  const started = performance.now()
  const tally = await fuzz(world, { seed, rounds: ROUNDS, onRound: () => resident.push(residentMb()) })
  const seconds = (performance.now() - started) / 1000
  const statuses = [...tally.byStatus].toSorted(([a], [b]) => a - b)
  const kinds = [...tally.byKind].map(
    ([kind, { asked, accepted }]) => `${kind} ${asked}, accepted ${perCent(accepted, asked)}`,
  )
  const counts = [...tally.byOperation]
  const accepted = counts.reduce((sum, [, count]) => sum + count.accepted, 0)
  const [rarest] = counts.toSorted(([, a], [, b]) => a.accepted - b.accepted)
  console.log(
    `${tally.requests} requests to ${counts.length} operations, ${ROUNDS} each, in ${seconds.toFixed(0)} s; accepted ${perCent(accepted, tally.requests)}`,
  )
  console.log(`by status: ${statuses.map(([status, count]) => `${status}: ${count}`).join(', ')}`)
  console.log(`by kind: ${kinds.join('; ')}`)
  console.log(`least accepted: ${rarest?.[0]}, ${rarest?.[1].accepted} times`)
  console.log(
    `resident: ${resident[0]} MB after one round, ${resident[WARM]} MB when warm, ${resident.at(-1)} MB at the end`,
  )
  console.log(
    `examples that could not be made: ${tally.unmade.length}${[...new Set(tally.unmade)].slice(0, 5).map((why) => `\n${why}`)}`,
  )
  expect(await unsound(world, tally)).toEqual([])
  expect(tally.requests).toBeGreaterThanOrEqual(20_000)
  for (const [id, { asked, accepted: taken }] of counts) {
    expect(asked, id).toBe(ROUNDS)
    expect(taken, id).toBeGreaterThan(0)
  }
  expect(accepted).toBeGreaterThan(tally.requests / 3)
  expect(tally.unmade.length).toBeLessThan(tally.requests / 100)
  expect((resident.at(-1) ?? 0) - (resident[WARM] ?? 0)).toBeLessThan(MOST_GROWN_MB)
})
