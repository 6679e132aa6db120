/** Linking external contacts to contacts here: nothing changes before a person decides, and then only what was chosen. */
import { expect, test } from 'vitest'
import type { InputOf, OutputOf } from '../../../../../server/api/contracts.ts'
import { openStage } from '../../../../support/erp/erp-stage.ts'
import type { Stage } from '../../../../support/erp/erp-stage.ts'

type Comparison = OutputOf<'erp.compareContacts'>['items'][number]

async function compared(stage: Stage, input: InputOf<'erp.compareContacts'> = {}) {
  return stage.world.run('erp.compareContacts', { limit: 100, ...input })
}

async function read(): Promise<Stage> {
  const stage = await openStage({ issued: 0, received: 0, items: 0 })
  await stage.connect()
  await stage.sync()
  return stage
}

const withNumber = async (stage: Stage): Promise<Comparison[]> =>
  (await compared(stage)).items.filter(({ erp }) => erp.taxId !== null && erp.address !== null)

async function here(stage: Stage, changes: Partial<InputOf<'contacts.create'>>) {
  const { warnings: _warnings, ...contact } = await stage.world.run('contacts.create', {
    name: 'Aquí',
    ...changes,
  })
  return contact
}

test('a sync changes no contact here, and every external one is new at first', async () => {
  const stage = await read()
  const { counts, items, count } = await compared(stage)
  expect(counts).toEqual({ linked: 0, same_tax_id: 0, new: 30, conflict: 0 })
  expect(count).toBe(30)
  expect(items.every(({ differences, candidates }) => differences.length + candidates.length === 0)).toBe(
    true,
  )
  expect((await stage.world.run('contacts.list', {})).items).toEqual([])
})

test('the same tax number is proposed with its differences, and linked only on request', async () => {
  const stage = await read()
  const [first] = await withNumber(stage)
  const contact = await here(stage, { nif: first!.erp.taxId!, email: 'propio@example.test' })
  const { items, counts } = await compared(stage, { matching: 'same_tax_id' })
  expect(counts).toMatchObject({ same_tax_id: 1, new: 29 })
  expect(items[0]).toMatchObject({
    erp: { id: first!.erp.id, link: null },
    candidates: [{ contactId: contact.id, name: 'Aquí' }],
  })
  const differing = items[0]!.differences.map(({ field }) => field)
  expect(differing).toContain('name')
  expect(differing).toContain('address')
  expect(differing).not.toContain('nif')

  const linked = await stage.world.run('erp.linkContacts', { items: [{ id: first!.erp.id, action: 'link' }] })
  expect(linked).toMatchObject({ linked: 1, changed: 0, failed: [] })
  const same = await stage.world.run('contacts.get', { id: contact.id })
  expect(same).toMatchObject({ ...contact })
  expect((await compared(stage, { matching: 'linked' })).items[0]).toMatchObject({
    erp: { link: { contactId: contact.id } },
  })
  // A new sync does not change it either.
  stage.world.advance(3_600_000)
  await stage.sync({ mode: 'full' })
  expect((await compared(stage)).counts.linked).toBe(1)
})

test('only the selected fields are copied, and unlinking restores nothing', async () => {
  const stage = await read()
  const [first] = await withNumber(stage)
  const contact = await here(stage, { nif: first!.erp.taxId!, email: 'propio@example.test' })
  const done = await stage.world.run('erp.linkContacts', {
    items: [{ id: first!.erp.id, action: 'link', take: ['name', 'address'] }],
  })
  expect(done).toMatchObject({ linked: 1, changed: 1 })
  const changed = await stage.world.run('contacts.get', { id: contact.id })
  expect(changed.name).toBe(first!.erp.name)
  expect(changed.address).toMatchObject({ city: first!.erp.address!.city })
  expect(changed.email).toBe('propio@example.test')
  expect(
    await stage.world.run('erp.linkContacts', { items: [{ id: first!.erp.id, action: 'unlink' }] }),
  ).toMatchObject({ unlinked: 1 })
  expect((await stage.world.run('contacts.get', { id: contact.id })).name).toBe(first!.erp.name)
  expect((await compared(stage)).counts).toMatchObject({ linked: 0, same_tax_id: 1 })
})

test('two contacts here with one number are left for a person to decide', async () => {
  const stage = await read()
  const [first] = await withNumber(stage)
  const one = await here(stage, { nif: first!.erp.taxId! })
  const other = await here(stage, { nif: first!.erp.taxId!, name: 'Otra' })
  const { items, counts } = await compared(stage, { matching: 'conflict' })
  expect(counts.conflict).toBe(1)
  expect(items[0]!.candidates.map(({ contactId }) => contactId)).toEqual([one.id, other.id])
  const unclear = await stage.world.run('erp.linkContacts', {
    items: [{ id: first!.erp.id, action: 'link' }],
  })
  expect(unclear).toMatchObject({ linked: 0, failed: [{ id: first!.erp.id, code: 'erp_link_unclear' }] })
  const told = await stage.world.run('erp.linkContacts', {
    items: [{ id: first!.erp.id, action: 'link', contactId: other.id }],
  })
  expect(told.done).toEqual([{ id: first!.erp.id, contactId: other.id, wasCreated: false }])
})

test('new contacts are created from external ones, each separately, and one failure does not affect the others', async () => {
  const stage = await read()
  const all = (await compared(stage)).items
  const made = await stage.world.run('erp.linkContacts', {
    items: [
      ...all.slice(0, 3).map(({ erp }) => ({ id: erp.id, action: 'create' as const })),
      { id: 'eco_nothing00000000', action: 'create' },
    ],
  })
  expect(made).toMatchObject({ created: 3, failed: [{ id: 'eco_nothing00000000', code: 'not_found' }] })
  const { items } = await stage.world.run('contacts.list', {})
  expect(items.map(({ name }) => name).toSorted()).toEqual(
    all
      .slice(0, 3)
      .map(({ erp }) => erp.name)
      .toSorted(),
  )
  expect(items.every(({ externalRefs }) => externalRefs.length === 1)).toBe(true)
  // Deleted here, it is no longer linked; the external one stays.
  await stage.world.run('contacts.delete', { id: made.done[0]!.contactId })
  expect((await compared(stage)).counts).toMatchObject({ linked: 2 })
})

test('a link follows when contacts here are merged', async () => {
  const stage = await read()
  const [first] = await withNumber(stage)
  const kept = await here(stage, { name: 'Se queda' })
  const gone = await here(stage, { nif: first!.erp.taxId!, name: 'Se va' })
  await stage.world.run('erp.linkContacts', { items: [{ id: first!.erp.id, action: 'link' }] })
  await stage.world.run('contacts.merge', { id: kept.id, otherId: gone.id })
  expect((await compared(stage, { matching: 'linked' })).items[0]!.erp.link).toEqual({
    contactId: kept.id,
    name: 'Se queda',
  })
})

test('only a person can link contacts', async () => {
  const stage = await read()
  const key = await stage.world.key()
  const answer = await stage.world.get('/api/v1/integrations/erp/contacts?limit=5', { key })
  expect(answer.body.data.items).toHaveLength(5)
  expect(answer.body.data.items[0]).toMatchObject({ untrusted: true })
  // No interface for programs offers it, and to programs it does not exist.
  const call = await stage.world.post('/api/v1/integrations/erp/contacts/link', {}, { key })
  expect(call.status).toBe(404)
})

test('a name that is too long is cut between characters', async () => {
  const stage = await openStage({ contacts: 1, issued: 0, received: 0, items: 0 })
  const [contact] = [...stage.erp.book.contacts()]
  stage.erp.edit<typeof contact & { id: string }>(
    contact!.id,
    (row) => (row.name = `${'a'.repeat(119)}😀 SL`),
  )
  await stage.connect()
  await stage.sync()
  const [only] = (await compared(stage)).items
  await stage.world.run('erp.linkContacts', { items: [{ id: only!.erp.id, action: 'create' }] })
  const { items } = await stage.world.run('contacts.list', {})
  expect(items.map(({ name }) => name)).toEqual(['a'.repeat(119)])
})
