/** Many damaged certificate files: whatever their bytes, they are rejected or opened. */
import { expect, test } from 'vitest'
import { mutate } from '../../server/company/certificates/damage.ts'

const ROUNDS = 20_000
const SEED = 20_270_101

test(`${ROUNDS} damaged certificate files are rejected or opened, with no other effect`, () => {
  const seen = mutate(ROUNDS, SEED, new Date('2026-07-01T10:00:00+02:00'))
  console.info(`seed ${SEED}: ${JSON.stringify(seen)}`)
  expect(Object.values(seen).reduce((sum, count) => sum + count, 0)).toBe(ROUNDS)
})
