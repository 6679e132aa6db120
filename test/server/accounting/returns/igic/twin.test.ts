/**
 * Years of a business of the mainland with the trade of one of Las Palmas: its 303 and 390 are those that Sello computed
 * before there were other taxes, from the golden file of that time.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openBooks } from '../../../../support/books.ts'
import { MAINLAND_RATES, play, realYear } from '../../../../support/islands/real-year.ts'
import { dice } from '../../../../support/seeded-random.ts'

const GOLDEN = join(import.meta.dirname, '../../../../golden/mainland-years.json')
const YEAR = 2027
const BOOKS = [1, 2, 3]

/** Boxes with an amount of the four 303 and of the 390, by return. */
async function returnsOf(seed: number): Promise<Record<string, Record<string, number>>> {
  const world = await openBooks({ at: `${YEAR}-01-01T08:00:00Z` })
  const documents = realYear(dice(seed), {
    year: YEAR,
    firstId: 1,
    count: 26,
    scheme: 'mainland',
    rates: MAINLAND_RATES,
  })
  await play(world, documents, MAINLAND_RATES)
  world.setTime(`${YEAR + 1}-03-01T08:00:00Z`)
  const found: Record<string, Record<string, number>> = {}
  for (const [name, input] of [
    ...[1, 2, 3, 4].map((quarter) => [`303 ${quarter}T`, { model: '303', year: YEAR, quarter }] as const),
    ['390', { model: '390', year: YEAR }] as const,
  ]) {
    const { boxes } = await world.run('fiscal.model', input)
    found[name] = Object.fromEntries(
      boxes.filter(({ amount }) => amount !== 0).map(({ box, amount }) => [box, amount]),
    )
  }
  return found
}

test('a mainland twin has the 303 and 390 of before', async () => {
  const found: Record<string, unknown> = {}
  for (const seed of BOOKS) found[`book ${seed}`] = await returnsOf(seed)
  const text = `${JSON.stringify(found, null, 2)}\n`
  if (process.env.SELLO_UPDATE_GOLDEN === '1') writeFileSync(GOLDEN, text)
  expect(existsSync(GOLDEN)).toBe(true)
  expect(text).toBe(readFileSync(GOLDEN, 'utf8'))
}, 120_000)
