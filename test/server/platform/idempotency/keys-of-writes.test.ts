/** Every write can carry an idempotency key: it is done once, and the repetition gets the same answer. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleOf, Furnished, ROUTES, send } from '../../../support/examples/index.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

let world: World
let made: Furnished
beforeAll(async () => {
  world = await openWorld({ shared: true })
  made = await new Furnished(world).open()
}, 120_000)
afterAll(() => world.close())

const WRITES = ROUTES.filter(({ rest }) => rest.method === 'POST' && rest.fields !== 'query')

test.each(WRITES)('$name', async ({ name, rest }) => {
  const example = await exampleOf(name, made)
  const keyed = { headers: { 'Idempotency-Key': `once-${name}` } }
  const answer = await send(world, rest, example, keyed)
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  const again = await send(world, rest, example, keyed)
  expect(again.status).toBe(answer.status)
  expect(again.body?.data).toEqual(answer.body?.data)
})
