/** Counts of several servers: sums of all, in windows that begin with the first request and by the database's clock. */
import { expect, onTestFinished, test } from 'vitest'
import { Counts } from '../../../../../server/db/postgres/tables/counts.ts'
import { giveBackDatabase, takeDatabase } from '../../../../support/postgres/databases.ts'

test('sums are exact whoever adds, a window ends after its time, and old ones are removed', async () => {
  const database = await takeDatabase()
  onTestFinished(() => giveBackDatabase(database))
  const pool = database.pools.writers
  const [first, second] = [new Counts(pool), new Counts(pool)]
  const names = Array.from({ length: 20 }, (_, at) => `name ${at}`)
  await Promise.all(
    Array.from({ length: 40 }, (_, at) =>
      (at % 2 === 0 ? first : second).add(
        // In different orders: they must not wait for each other.
        (at % 3 === 0 ? names : names.toReversed()).map((name) => ({ name, used: 2 })),
        60_000,
      ),
    ),
  )
  const sums = await first.add(
    [
      { name: 'name 3', used: 1 },
      { name: 'new', used: 5 },
    ],
    60_000,
  )
  expect(sums).toEqual([
    { name: 'name 3', used: 81, ageMs: expect.any(Number) },
    { name: 'new', used: 5, ageMs: expect.any(Number) },
  ])
  expect(sums[0]!.ageMs).toBeGreaterThanOrEqual(sums[1]!.ageMs)
  await pool.query(
    "update request_counts set started_at = started_at - interval '61 seconds' where name = 'name 3'",
  )
  const [again] = await second.add([{ name: 'name 3', used: 1 }], 60_000)
  expect(again).toMatchObject({ used: 1 })
  expect(again!.ageMs).toBeLessThan(10_000)
  await pool.query(
    "update request_counts set started_at = started_at - interval '3 minutes' where name <> 'name 3'",
  )
  await first.prune()
  const { rows } = await pool.query('select name from request_counts')
  expect(rows).toEqual([{ name: 'name 3' }])
})
