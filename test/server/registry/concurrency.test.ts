/** Concurrent requests to the registry: one chain, and every record states which installation made it. */
import { expect, test } from 'vitest'
import { fillBook } from '../../../server/app/demo/index.ts'
import { proveChain } from '../../../server/registry/chain/verify.ts'
import { openBooks } from '../../support/books.ts'
import { expectSound, together } from '../../support/concurrently.ts'

const MOVED = { reason: 'moved' } as const

test('concurrent requests begin a new installation once', async () => {
  const world = await openBooks()
  await world.invoice()
  const begin = () => world.run('registry.newInstallation', MOVED)
  expect(await together(begin(), begin())).toEqual(['done', 'registry_pending'])
  await expectSound(world)
})

test('an invoice issued while an installation begins is in one chain or the other', async () => {
  const world = await openBooks()
  await world.invoice()
  const drafts: { id: string; confirmationToken: string }[] = []
  for (let count = 0; count < 3; count += 1) {
    const { id } = await world.draft()
    drafts.push({ id, confirmationToken: await world.token(id) })
  }
  const [first, ...others] = drafts.map((each) => () => world.run('invoices.issue', each))
  expect(
    await together(first!(), world.run('registry.newInstallation', MOVED), ...others.map((issue) => issue())),
  ).toEqual(['done', 'done', 'done', 'done'])
  expect((await world.run('registry.verify', {})).ok).toBe(true)
  await expectSound(world)
})

test('records sent twice at once leave once', async () => {
  const world = await openBooks()
  for (let count = 0; count < 3; count += 1) await world.invoice()
  expect((await Promise.all([world.send(), world.send()])).toSorted()).toEqual([0, 3])
  await expectSound(world)
})

test('an invoice issued while others are sent waits for the next message', async () => {
  const world = await openBooks()
  await world.invoice()
  const { id } = await world.draft()
  const confirmationToken = await world.token(id)
  const [settled] = await Promise.all([
    world.send(),
    world.run('invoices.issue', { id, confirmationToken }),
    world.run('registry.send', {}),
    world.run('registry.resume', {}),
  ])
  expect(settled).toBe(1)
  await expectSound(world)
  world.setTime('2026-11-21T10:05:00+01:00')
  expect(await world.send()).toBe(1)
  await expectSound(world)
})

test('a chain does not count as broken because an installation begins during its proof', async () => {
  const world = await openBooks()
  await fillBook(world.test, { invoices: 700, contacts: 5, drafts: 0 })
  const { id } = await world.draft()
  const confirmationToken = await world.token(id)
  const sent = await world.send()
  const [proof] = await Promise.all([
    proveChain(world.test),
    world
      .run('registry.newInstallation', MOVED)
      .then(() => world.run('invoices.issue', { id, confirmationToken })),
  ])
  expect([proof.ok, proof.broken, sent]).toEqual([true, undefined, 700])
})
