/** The single way into an operation: its checks of access, input and output, and its audit events. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineContract } from '../../../server/domain/contract/define-contract.ts'
import { redactSecrets } from '../../../server/platform/log.ts'
import { loadOperations } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import { openWorld } from '../../support/world.ts'
import type { World } from '../../support/world.ts'

const operations = await loadOperations()

async function keyActor(world: World, scopes: Parameters<World['makeKey']>[0] = {}) {
  const made = await world.makeKey(scopes)
  const { findKey } = await import('../../../server/api/application.ts')
  const found = await findKey(world.env, made.key)
  if (!found) throw new Error('The key is not known.')
  return found.actor
}

test('person-only operations do not exist for a key', async () => {
  const world = await openWorld()
  const actor = await keyActor(world)
  for (const operation of operations) {
    if (operation.contract.access !== 'person') continue
    const run = runOperation(operation, world.ctx({ actor }), {})
    await expect(run, operation.contract.name).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('an answer outside its contract is a bug, and does not reach the caller', async () => {
  const world = await openWorld()
  const contract = defineContract({
    name: 'test.leak',
    summary: 'Leaks.',
    access: 'company.read',
    effect: 'read',
    input: z.strictObject({}),
    output: z.strictObject({ name: z.string() }),
    errors: [],
  })
  const leak = runOperation({ contract, run: async () => ({ name: 'x', secret_hash: 'y' }) }, world.ctx(), {})
  await expect(leak).rejects.toThrow(
    'test.leak answers what its contract does not: secret_hash: unknown_field',
  )
  await expect(leak).rejects.not.toHaveProperty('code')
})

test('a rejected issue and a rejected key are recorded in the history; malformed input is not', async () => {
  const world = await openWorld()
  const draft = await world.createDraft()
  await world.post(`/api/v1/invoices/${draft.id}/issue`, {})
  await world.post(`/api/v1/invoices/${draft.id}/issue`, { confirmationToken: 7 })
  const { key } = await world.makeKey({ scopes: ['keys.write', 'company.read'] })
  await world.post('/api/v1/keys', { name: 'wide', scopes: ['invoices.issue'] }, { key })
  const { items } = await world.run('audit.list', {})
  const refused = items.filter((event) => event.outcome === 'refused')
  expect(refused.map((event) => [event.action, event.code, event.target?.id])).toEqual([
    ['keys.create', 'key_too_wide', undefined],
    ['invoices.issue', 'confirmation_required', draft.id],
  ])
  expect((await world.run('audit.verify', {})).ok).toBe(true)
})

test('a failure inside leaves nothing behind, including its Idempotency-Key', async () => {
  const world = await openWorld()
  const create = operations.find((operation) => operation.contract.name === 'contacts.create')
  if (!create) throw new Error('contacts.create is gone.')
  const failing = {
    ...create,
    run: async (...args: Parameters<typeof create.run>) => {
      await create.run(...args)
      throw new Error('power cut')
    },
  }
  const options = { idempotencyKey: 'once' }
  await expect(runOperation(failing, world.ctx(), { name: 'Ana' }, options)).rejects.toThrow('power cut')
  expect((await world.run('contacts.list', {})).count).toBe(0)
  await runOperation(create, world.ctx(), { name: 'Ana' }, options)
  expect((await world.run('contacts.list', {})).count).toBe(1)
})

test('a bug is answered without details and logged without secrets', async () => {
  const world = await openWorld()
  const key = await world.key()
  const { reader } = world.env.store
  Object.defineProperty(world.env.store, 'reader', {
    get: () => {
      throw new Error(`broken while reading ${key} with Bearer ${key}`)
    },
    configurable: true,
  })
  const answer = await world.get('/api/v1/companies/current', { key })
  Object.defineProperty(world.env.store, 'reader', { value: reader, configurable: true })
  expect([answer.status, answer.body.error.code]).toEqual([500, 'internal'])
  expect(answer.raw.body).not.toContain('broken')
  expect(world.logged).toHaveLength(1)
  const entry = JSON.parse(world.logged[0] ?? '') as Record<string, string>
  expect(entry).toMatchObject({
    event: 'bug',
    route: '/api/v1/companies/current',
    requestId: answer.body.meta.requestId,
  })
  expect(entry.error).toContain('broken while reading [secret]')
  expect(world.logged[0]).not.toContain(key)
})

test('shapes of secrets are masked in the log', () => {
  for (const secret of [
    'svc_live_abc-DEF_123',
    'svct_xyz',
    'whsec_abc+/=',
    'Bearer abc.def',
    'a'.repeat(64),
    '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----',
  ])
    expect(redactSecrets(`before ${secret} after`)).toBe('before [secret] after')
})
