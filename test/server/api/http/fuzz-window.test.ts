/**
 * Operations of the window, with inputs generated from each contract's own description and then made invalid: never
 * an internal error.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ERRORS } from '../../../../server/domain/errors/catalog.ts'
import { loadOperations } from '../../../../server/api/operations.ts'
import { checkBooks } from '../../../../server/app/integrity/index.ts'
import { dice } from '../../../support/seeded-random.ts'
import { exampleOf, Furnished, ROUTES } from '../../../support/examples/index.ts'
import { Drawer } from '../../../support/fuzz/drawn.ts'
import type { Schema } from '../../../support/fuzz/drawn.ts'
import { spoilt, written } from '../../../support/fuzz/spoil.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const operations = await loadOperations()

/** The first of them are the everyday ones: the seed is fixed. */
const REQUESTS = sweptCount(900, 120)
const SEED = 20_260_820

let world: World
beforeAll(async () => {
  world = await openWorld({ shared: true })
})
afterAll(() => world.close())

/**
 * Operations that contact other computers, or take seconds on purpose (keys from passwords). Each has tests of its
 * own.
 */
const LEFT_OUT =
  /^(mail\.(test|send)|certificates\.import|recovery\.|company\.create$|registry\.(send|export))/

const windowOnly = operations
  .map(({ contract }) => contract)
  .filter(({ name, rest, bookless }) => !rest && !bookless && !LEFT_OUT.test(name))

test('every input of the window is answered or rejected without an internal error', async () => {
  const random = dice(SEED)
  const { chance, pick } = random
  const made = await new Furnished(world).open()
  const identifiers: string[] = []
  const withId = ROUTES.filter(({ rest }) => rest.path.includes(':id'))
  for (const { name } of swept(withId, ({ rest }) => rest.method === 'GET'))
    identifiers.push(...Object.values((await exampleOf(name, made)).params ?? {}))
  const drawers = new Map(
    windowOnly.map(({ name, input }) => {
      const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema
      const drawer = new Drawer({
        random,
        resolve: (reference) => schema.$defs[reference.slice('#/$defs/'.length)] as Schema,
        // Any text may be an identifier.
        known: () => identifiers,
        admits: ({ type, format }) => type === 'string' && format === undefined,
      })
      return [name, { schema, drawer }] as const
    }),
  )
  let answered = 0
  for (let count = 0; count < REQUESTS; count += 1) {
    const [name, { schema, drawer }] = pick([...drawers])
    const drawn = drawer.draw(schema) as object
    const input = written(chance(0.3) ? spoilt(drawn, schema, drawer, random) : drawn)
    const answer = await world.call(name, input)
    const where = `${name} ${input.slice(0, 1_500)} -> ${answer.raw.body.slice(0, 500)} ${world.logged.at(-1) ?? ''}`
    expect(answer.status, where).toBeLessThan(500)
    if (answer.status < 400) answered += 1
    else expect(ERRORS, where).toHaveProperty(answer.body.error.code)
  }
  expect(answered).toBeGreaterThan(REQUESTS / 10)
  expect(world.logged.filter((line) => line.includes('"bug"'))).toEqual([])
  // Records, totals, entries and balances still agree.
  const { checks } = await checkBooks(world.env, (book) => world.ctx({ book }))
  expect(checks.filter(({ ok }) => !ok)).toEqual([])
})
