/** Duplicate contacts: found with reasons, merged, and separated again into their former state. */
import { describe, expect, test } from 'vitest'
import { duplicatePairs, foldedName, isWithin } from '../../../../server/catalog/contacts/duplicates.ts'
import { openWorld } from '../../../support/world.ts'

const candidate = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  nif: null,
  email: null,
  phone: null,
  iban: null,
  ...more,
})

describe('duplicate contacts', () => {
  test('have the same name whatever its legal form, order, accents and punctuation', () => {
    expect(foldedName('PÉREZ Gómez, Ana')).toBe(foldedName('Ana Perez Gomez'))
    expect(foldedName('Talleres Sol, S.L.')).toBe(foldedName('TALLERES SOL SL'))
    expect(foldedName('Talleres Sol S. L. U.')).toBe(foldedName('talleres sol slu'))
    expect(foldedName('S.A.')).not.toBe('')
  })

  test('are pairs with every reason, the most certain first', () => {
    const pairs = duplicatePairs([
      candidate(1, 'Talleres Sol, S.L.', { nif: 'B12345674', phone: '+34 600 111 222' }),
      candidate(2, 'Talleres Sol', { nif: 'B12345674', phone: '600111222' }),
      candidate(3, 'Tallers Sol'),
      candidate(4, 'Bodegas Río'),
    ])
    expect(pairs[0]).toEqual({ first: 1, second: 2, reasons: ['same_nif', 'same_name', 'same_phone'] })
    expect(pairs.slice(1).map(({ first, second, reasons }) => [first, second, ...reasons])).toEqual([
      [1, 3, 'similar_name'],
      [2, 3, 'similar_name'],
    ])
  })

  test('are excluded by different NIFs despite a shared mail or a similar name', () => {
    expect(
      duplicatePairs([
        candidate(1, 'Talleres Solana', { nif: 'B12345674', email: 'a@b.example' }),
        candidate(2, 'Talleres Solano', { nif: 'A58818501', email: 'a@b.example' }),
      ]),
    ).toEqual([])
  })

  test('are excluded by different numbers in the name, and a mail that everyone shares is no reason', () => {
    expect(duplicatePairs([candidate(1, 'Comunidad Mayor 11'), candidate(2, 'Comunidad Mayor 12')])).toEqual(
      [],
    )
    const crowd = Array.from({ length: 30 }, (_, index) =>
      candidate(index + 1, `${'abcdefghijklmnopqrstuvwxyz1234'[index]}`.repeat(8), {
        email: 'no@tiene.example',
      }),
    )
    expect(duplicatePairs(crowd)).toEqual([])
  })

  test('have a distance that counts inserted, deleted and replaced letters', () => {
    expect(isWithin('kitten', 'sitting', 3)).toBe(true)
    expect(isWithin('kitten', 'sitting', 2)).toBe(false)
    expect(isWithin('', 'ab', 2)).toBe(true)
  })
})

const ADDRESS = { street: 'Calle 1', postalCode: '28001', city: 'Madrid', country: 'ES' }

test('a merge fills empty fields, takes the chosen ones, moves the references of the other contact, and can be undone', async () => {
  const world = await openWorld()
  const { warnings: _none, ...kept } = await world.run('contacts.create', {
    name: 'Talleres Sol',
    nif: 'B12345674',
    email: 'viejo@sol.example',
    tags: ['Taller'],
  })
  const { warnings: _repeated, ...other } = await world.run('contacts.create', {
    name: 'Talleres Sol, S.L.',
    nif: 'B12345674',
    email: 'nuevo@sol.example',
    phone: '600 111 222',
    address: ADDRESS,
    roles: { customer: false, supplier: true },
    tags: ['taller', 'VIP'],
  })
  const draft = await world.createDraft({ clientName: 'Talleres Sol, S.L.', clientId: other.id })
  const issued = await world.issue(
    (await world.createDraft({ clientName: 'Talleres Sol, S.L.', clientId: other.id })).id,
  )
  await world.run('received.create', {
    supplierName: 'Talleres Sol, S.L.',
    supplierId: other.id,
    supplierNumber: '7',
    issueDate: '2026-06-01',
    taxLines: [{ base: 100, vatRate: 21 }],
  })
  const paper = JSON.stringify((await world.run('invoices.get', { id: issued.id })).client)

  const found = await world.run('contacts.duplicates', {})
  expect(found.items[0]).toMatchObject({ reasons: ['same_nif', 'same_name'] })

  const merged = await world.run('contacts.merge', { id: kept.id, otherId: other.id, take: ['email'] })
  expect(merged.contact).toMatchObject({
    name: 'Talleres Sol',
    email: 'nuevo@sol.example',
    phone: '600 111 222',
    address: ADDRESS,
    roles: { customer: true, supplier: true },
    tags: ['Taller', 'VIP'],
  })
  expect(merged.moved).toMatchObject({ invoices: 2, received: 1 })
  expect((await world.run('contacts.list', {})).count).toBe(1)
  expect((await world.run('contacts.get', { id: other.id })).id).toBe(kept.id)
  expect((await world.run('contacts.get', { id: kept.id })).invoices).toBe(1)
  expect((await world.run('contacts.duplicates', {})).count).toBe(0)
  // The issued invoice keeps its text; only its contact has moved.
  const after = await world.run('invoices.get', { id: issued.id })
  expect(JSON.stringify({ ...after.client, id: undefined })).toBe(
    JSON.stringify({ ...(JSON.parse(paper) as object), id: undefined }),
  )
  expect((await world.run('invoices.list', { client: kept.id })).items).toHaveLength(2)

  const back = await world.run('contacts.undoMerge', { id: merged.mergeId })
  const same = ({ version: _v, updatedAt: _u, ...rest }: typeof kept) => rest
  expect(same(back.kept)).toEqual(same(kept))
  expect(same(back.restored)).toEqual(same(other))
  expect((await world.run('invoices.list', { client: other.id })).items.map(({ id }) => id).sort()).toEqual(
    [draft.id, issued.id].sort(),
  )
  await expect(world.run('contacts.undoMerge', { id: merged.mergeId })).rejects.toMatchObject({
    code: 'merge_superseded',
  })
})

test('changes made after a merge stay when it is undone, and a later merge has to be undone first', async () => {
  const world = await openWorld()
  const make = async (name: string, phone?: string) =>
    (await world.run('contacts.create', { name, ...(phone ? { phone } : {}) })).id
  const [a, b, c] = [await make('Ana'), await make('Ana B', '600'), await make('Ana C')]
  const first = await world.run('contacts.merge', { id: a, otherId: b })
  await world.run('contacts.update', { id: a, phone: '700' })
  const second = await world.run('contacts.merge', { id: c, otherId: a })
  expect((await world.run('contacts.get', { id: b })).id).toBe(c)
  await expect(world.run('contacts.undoMerge', { id: first.mergeId })).rejects.toMatchObject({
    code: 'merge_superseded',
  })
  await world.run('contacts.undoMerge', { id: second.mergeId })
  const { kept, restored } = await world.run('contacts.undoMerge', { id: first.mergeId })
  expect([kept.phone, restored.phone]).toEqual(['700', '600'])
  await expect(world.run('contacts.merge', { id: a, otherId: a })).rejects.toMatchObject({
    code: 'validation_failed',
  })
})

test('two contacts marked as different are not shown again, until the mark is removed', async () => {
  const world = await openWorld()
  const a = await world.run('contacts.create', { name: 'Ana Beltrán', phone: '600111222' })
  const b = await world.run('contacts.create', { name: 'Ana Beltran', phone: '600111222' })
  expect((await world.run('contacts.duplicates', {})).count).toBe(1)
  await world.run('contacts.keepApart', { id: a.id, otherId: b.id })
  expect((await world.run('contacts.duplicates', {})).count).toBe(0)
  await world.run('contacts.keepApart', { id: b.id, otherId: a.id, apart: false })
  expect((await world.run('contacts.duplicates', {})).count).toBe(1)
})

test('contacts are stored over REST with all their fields, and listed page by page', async () => {
  const world = await openWorld()
  const body = {
    name: 'Ayuntamiento de Ejemplo',
    tradeName: 'Ayto.',
    nif: 'P2807900B',
    iban: 'ES91 2100 0418 4502 0005 1332',
    paymentMethod: 'transfer',
    vatDefault: { taxTreatment: 'S1', cause: null },
    dir3: { accountingOffice: 'l01280796', managingBody: 'L01280796', processingUnit: 'L01280796' },
    tags: ['Público', 'público'],
    externalRefs: ['AY-1'],
  }
  const created = await world.post('/api/v1/contacts', body)
  expect(created.status).toBe(201)
  expect(created.body.data).toMatchObject({
    kind: 'legal',
    isBusiness: true,
    roles: { customer: true, supplier: false },
    iban: 'ES9121000418450200051332',
    dir3: { accountingOffice: 'L01280796' },
    tags: ['Público'],
  })
  const wrong = await world.post('/api/v1/contacts', { name: 'X', iban: 'ES9121000418450200051333' })
  expect([wrong.status, wrong.body.error.field]).toEqual([422, 'iban'])
  for (const name of ['Ana', 'Berta', 'Carlos']) await world.post('/api/v1/contacts', { name })
  const names: string[] = []
  let cursor: string | null = null
  do {
    const page = await world.get(`/api/v1/contacts?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
    names.push(...page.body.data.items.map((item: { name: string }) => item.name))
    cursor = page.body.data.nextCursor as string | null
  } while (cursor)
  expect(names).toEqual(['Ana', 'Ayuntamiento de Ejemplo', 'Berta', 'Carlos'])
  expect((await world.get('/api/v1/contacts?tag=publico')).body.data.count).toBe(0)
  expect((await world.get(`/api/v1/contacts?tag=${encodeURIComponent('público')}`)).body.data.count).toBe(1)
  expect((await world.get('/api/v1/contacts?role=supplier')).body.data.count).toBe(0)
  const { id } = created.body.data as { id: string }
  expect((await world.patch(`/api/v1/contacts/${id}`, { dir3: null, expectedVersion: 1 })).status).toBe(200)
  expect((await world.get(`/api/v1/contacts/${id}`)).body.data.dir3).toBeNull()
  expect((await world.get(`/api/v1/contacts/${id}/checks`)).body.data).toEqual({ vies: null, census: null })
  expect((await world.delete(`/api/v1/contacts/${id}`)).status).toBe(200)
})

test('the last answers of VIES and the census are returned with the contact', async () => {
  const world = await openWorld()
  const contact = await world.run('contacts.create', {
    name: 'Beispiel',
    nif: 'DE123456789',
    idType: '02',
  })
  await world.run('lookups.vatNumber', { vatNumber: 'DE123456789', contactId: contact.id })
  const { vies, census } = await world.run('contacts.checks', { id: contact.id })
  expect(vies).toMatchObject({ vatNumber: 'DE123456789' })
  expect(census).toBeNull()
  await world.run('contacts.update', { id: contact.id, nif: 'DE987654321' })
  expect((await world.run('contacts.checks', { id: contact.id })).vies).toBeNull()
})
