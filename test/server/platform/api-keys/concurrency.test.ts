/** Keys created and revoked simultaneously: a name belongs to one key, and a key is revoked once. */
import { expect, test } from 'vitest'
import { authenticate } from '../../../../server/platform/api-keys/index.ts'
import { openBooks } from '../../../support/books.ts'
import { expectSound, together } from '../../../support/concurrently.ts'

const make = { name: 'Contabilidad', scopes: ['invoices.read' as const] }

test('of two simultaneous keys with one name one is created', async () => {
  const world = await openBooks()
  const create = () => world.run('keys.createByPerson', make)
  expect(await together(create(), create())).toEqual(['done', 'key_name_taken'])
  await expectSound(world)
})

test('a key is revoked once, and its name is free immediately', async () => {
  const world = await openBooks()
  const { id } = await world.run('keys.createByPerson', make)
  const revoke = () => world.run('keys.revoke', { id })
  expect(await together(revoke(), revoke(), world.run('keys.createByPerson', make))).toEqual([
    'done',
    'not_found',
    'done',
  ])
  expect((await world.run('audit.list', { action: 'key.revoked' })).items).toHaveLength(1)
})

test('a key that is revoked during its request is not cached', async () => {
  const world = await openBooks()
  const { id, key } = await world.run('keys.createByPerson', make)
  const knows = () => authenticate(world.env.store.reader, key, world.env.now())
  await Promise.all([world.run('keys.revoke', { id }), ...Array.from({ length: 5 }, knows)])
  expect(await knows()).toBeNull()
})
