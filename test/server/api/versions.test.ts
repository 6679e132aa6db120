/** Operations that change or remove an object with a version accept the expected version, and report a conflict. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyContract } from '../../../server/domain/contract/define-contract.ts'
import { exampleOf, Furnished, ROUTES, send } from '../../support/examples/index.ts'
import { openWorld } from '../../support/world.ts'
import type { World } from '../../support/world.ts'

let world: World
let made: Furnished
beforeAll(async () => {
  world = await openWorld({ shared: true })
  made = await new Furnished(world).open()
})
afterAll(() => world.close())

function fieldsOf(schema: z.ZodType): Record<string, z.ZodType> {
  return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {}
}

/** Returns true if an answer has a version, itself or in its main object. */
function hasVersion(schema: z.ZodType): boolean {
  const fields = fieldsOf(schema)
  return 'version' in fields || Object.values(fields).some((field) => 'version' in fieldsOf(field))
}

/** Returns the read operation at the address of an object, or at its parent address. */
function thingAt(path: string): AnyContract | undefined {
  return ROUTES.find(({ rest }) => rest.method === 'GET' && rest.path === path)?.contract
}

const CHANGING = ROUTES.filter(({ rest }) => rest.method === 'PATCH' || rest.method === 'DELETE')
const GUARDED = CHANGING.filter(({ contract, rest }) => {
  const thing = thingAt(rest.path)
  return hasVersion(contract.output) || (thing !== undefined && hasVersion(thing.output))
})

test('these are all operations that change or remove an object with a version', () => {
  expect(GUARDED.map(({ name }) => name).toSorted()).toEqual([
    'assets.delete',
    'assets.update',
    'bank.deleteAccount',
    'bank.updateAccount',
    'contacts.delete',
    'contacts.update',
    'erp.settings',
    'exchange.setContact',
    'invoices.delete',
    'invoices.update',
    'items.delete',
    'items.update',
    'quotes.delete',
    'quotes.update',
    'received.detach',
    'received.update',
    'received.void',
    'recurring.delete',
    'recurring.update',
    'reminders.savePlan',
    'templates.delete',
    'templates.update',
    'webhooks.delete',
    'webhooks.update',
  ])
})

test.each(CHANGING.filter((route) => !GUARDED.includes(route)))(
  '$name promises no version check that it lacks',
  ({ contract }) => {
    expect(fieldsOf(contract.input)).not.toHaveProperty('expectedVersion')
    expect(contract.errors).not.toContain('version_conflict')
  },
)

test.each(GUARDED)(
  '$name rejects any version other than the current one',
  async ({ name, contract, rest }) => {
    expect(contract.errors).toContain('version_conflict')
    const example = await exampleOf(name, made)
    const guarded = (expectedVersion: number): typeof example =>
      rest.method === 'DELETE'
        ? { ...example, query: { ...example.query, expectedVersion } }
        : { ...example, body: { ...example.body, expectedVersion } }
    const refused = await send(world, rest, guarded(99))
    expect([refused.status, refused.body.error.code], refused.raw.body).toEqual([409, 'version_conflict'])
    const { version } = refused.body.error.details
    expect(version).toBeTypeOf('number')
    const done = await send(world, rest, guarded(version))
    expect(done.status, done.raw.body).toBe(rest.status ?? 200)
  },
)
