/** Books of every schema version, interrupted in the middle of their migration repeatedly. `SELLO_SEED` repeats a run. */
import { expect, test } from 'vitest'
import { migrations } from '../../../server/db/migrations/list.ts'
import { killUpgrades } from '../../support/stages/upgrade.ts'

const ROUNDS = 20
const seed = Number(process.env.SELLO_SEED ?? Date.now() % 1_000_000)

test.each(migrations.map(({ number }) => number))(
  `after ${ROUNDS} kills from schema %i on, the books are the old ones or the new ones (seed ${seed})`,
  async (schema) => {
    const finished = await killUpgrades(schema, ROUNDS, seed + schema)
    console.info(`schema ${schema}: ${ROUNDS} kills, ${finished - 1} after the commit`)
    // The uninterrupted one, and not all of the others.
    expect(finished).toBeGreaterThan(0)
    expect(finished).toBeLessThanOrEqual(ROUNDS)
  },
)
