/** Erasing a person while assistants still mention them, and while others change the data shown. */
import { expect, test } from 'vitest'
import { recordCall, writeCalls } from '../../../../server/app/assistants/index.ts'
import type { KeyActor } from '../../../../server/context.ts'
import { authenticate } from '../../../../server/platform/api-keys/index.ts'
import { loadOperation } from '../../../../server/api/operations.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { togetherSorted } from '../../../support/concurrently.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const NAME = 'Rosalía Peñafiel'
const NIF = '12345678Z'

async function keyOf(world: World): Promise<{ id: string; actor: KeyActor }> {
  const { id, key } = await world.makeKey()
  const known = await authenticate(world.env.store.reader, key, world.env.now())
  if (!known) throw new Error('The new key is not known.')
  return { id, actor: known.actor }
}

function note(world: World, actor: KeyActor, name: string): void {
  recordCall(world.env, {
    actor,
    client: null,
    tool: 'svc_get_contact',
    args: { name },
    outcome: 'ok',
    code: undefined,
    answer: { name },
    ms: 1,
    requestId: world.env.newId('req'),
  })
}

async function shown(world: World) {
  const contact = await world.run('contacts.create', { name: NAME, nif: NIF })
  const subject = { contactId: contact.id }
  const { hash } = await world.run('privacy.preview', { subject })
  return { subject, hash }
}

/** Blocks all other writers of the company until it is released. */
function hold(world: World): () => void {
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  void world.env.store.transaction(world.books.live.companyId, () => held)
  return letGo
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 20))
const callsOf = async (world: World, keyId: string) => (await world.run('assistants.calls', { keyId })).items

test('a call logged while an erasure waits is not written after it', async () => {
  const world = await openWorld()
  const { id, actor } = await keyOf(world)
  const input = await shown(world)
  note(world, actor, NAME)
  const letGo = hold(world)
  const erasing = world.run('privacy.erase', input)
  await turn()
  note(world, actor, NAME)
  note(world, actor, 'Otra Persona')
  void writeCalls(world.env)
  letGo()
  await erasing
  const items = await callsOf(world, id)
  expect(JSON.stringify(items)).not.toContain('Peñafiel')
  expect(items).toHaveLength(1)
})

test('an erasure with an Idempotency-Key never waits for a write that waits for it, and loses no other call', async () => {
  const world = await openWorld()
  const { id, actor } = await keyOf(world)
  const input = await shown(world)
  const operation = await loadOperation('privacy.erase')
  const erase = () => runOperation(operation, world.ctx(), input, { idempotencyKey: 'erase-1' })
  const letGo = hold(world)
  const erasing = erase()
  await turn()
  note(world, actor, NAME)
  note(world, actor, 'Otra Persona')
  void writeCalls(world.env)
  await turn()
  letGo()
  await erasing
  const items = await callsOf(world, id)
  expect(JSON.stringify(items)).not.toContain('Peñafiel')
  expect(items).toHaveLength(1)
})

test('data that change during an erasure are shown again first, and are erased once', async () => {
  const world = await openWorld()
  const input = await shown(world)
  const lines = [{ description: 'Corte', quantity: 1, unitPrice: 10 }]
  // Loaded beforehand, so that the request takes its place in the queue at once.
  await world.run('quotes.create', { clientName: 'Otra', lines })
  const letGo = hold(world)
  const quoting = world.run('quotes.create', {
    clientName: NAME,
    clientNif: NIF,
    clientId: input.subject.contactId,
    lines,
  })
  await turn()
  const erasing = world.run('privacy.erase', input)
  await turn()
  letGo()
  expect(await togetherSorted(quoting, erasing)).toEqual(['done', 'erasure_stale'])
  const { hash } = await world.run('privacy.preview', { subject: input.subject })
  const erase = () => world.run('privacy.erase', { subject: input.subject, hash })
  const [first, second] = await togetherSorted(erase(), erase())
  expect([first, second]).toEqual(['done', 'not_found'])
})
