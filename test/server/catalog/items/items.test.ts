/** Items: stored exactly, taxed as their cause requires, never deleted while an invoice uses them. */
import { expect, test } from 'vitest'
import { openWorld } from '../../../support/world.ts'

test('an item is stored and read over REST, and fills the line that it is put on', async () => {
  const world = await openWorld()
  const created = await world.post('/api/v1/items', {
    sku: 'REV-01',
    name: 'Revisión anual',
    unit: 'h',
    unitPrice: 49.123456,
    vatRate: 10,
    account: '705',
  })
  expect(created.status).toBe(201)
  const item = created.body.data as { id: string }
  expect(created.body.data).toMatchObject({
    unitPrice: 49.123456,
    priceMode: 'net',
    taxTreatment: 'S1',
    withholdable: true,
    active: true,
    warnings: [],
  })
  const draft = await world.createDraft({
    lines: [{ description: 'Revisión', quantity: 2, unitPrice: 49.123456, itemId: item.id }],
  })
  expect(draft.lines[0]).toMatchObject({ vatRate: 10, itemId: item.id, unit: 'h' })
  const stays = await world.delete(`/api/v1/items/${item.id}`)
  expect(stays.body.data).toEqual({ deleted: false })
  expect((await world.get(`/api/v1/items/${item.id}`)).body.data.active).toBe(false)
  expect((await world.get('/api/v1/items?active=true')).body.data.count).toBe(0)
  await world.delete(`/api/v1/invoices/${draft.id}`)
  expect((await world.delete(`/api/v1/items/${item.id}`)).body.data).toEqual({ deleted: true })
  expect((await world.get(`/api/v1/items/${item.id}`)).status).toBe(404)
})

test('a cause determines the treatment, a code belongs to one item, and an old version overwrites nothing', async () => {
  const world = await openWorld()
  const cause = (await world.run('tax.causes', { taxTreatment: 'E1' })).items[0]!
  const item = await world.run('items.create', {
    name: 'Clase',
    unitPrice: 30,
    cause: cause.code,
    sku: 'C',
  })
  expect(item).toMatchObject({ taxTreatment: 'E1', cause: cause.code, vatRate: null })
  const refused = (input: object) =>
    world.run('items.create', { name: 'Otra', unitPrice: 1, ...input }).then(
      () => 'taken',
      (error: { details?: { faults: { code: string }[] } }) => error.details?.faults[0]?.code,
    )
  expect(await refused({ sku: 'C' })).toBe('sku_taken')
  expect(await refused({ cause: 'no_such_cause' })).toBe('cause_unknown')
  expect(await refused({ cause: cause.code, taxTreatment: 'S1' })).toBe('cause_mismatch')
  expect(await refused({ taxTreatment: 'E1', vatRate: 21 })).toBe('rate_without_tax')
  expect(await refused({ unitPrice: 0.1234567 })).toBe('too_many_decimals')
  const taxed = await world.run('items.update', { id: item.id, taxTreatment: 'S1', vatRate: 7 })
  expect(taxed).toMatchObject({ taxTreatment: 'S1', cause: null, vatRate: 7 })
  expect(taxed.warnings.map(({ code }) => code)).toEqual(['item_rate_not_in_force'])
  await expect(
    world.run('items.update', { id: item.id, name: 'X', expectedVersion: 1 }),
  ).rejects.toMatchObject({ code: 'version_conflict' })
})

test('items are found by name and code, page by page, in their own book', async () => {
  const world = await openWorld()
  for (const [sku, name] of [
    ['A1', 'Árbol'],
    ['B2', 'Banco'],
    ['C3', 'Cama'],
  ] as const)
    await world.run('items.create', { sku, name, unitPrice: 1 })
  await world.run('items.create', { name: 'Del libro real', unitPrice: 1 }, { book: 'live' })
  const page = await world.run('items.list', { limit: 2 })
  expect([page.count, ...page.items.map(({ name }) => name)]).toEqual([3, 'Árbol', 'Banco'])
  const rest = await world.run('items.list', { limit: 2, cursor: page.nextCursor ?? '' })
  expect([...rest.items.map(({ name }) => name), rest.nextCursor]).toEqual(['Cama', null])
  expect((await world.run('items.list', { text: 'arbol a1' })).count).toBe(1)
  expect((await world.run('items.list', { text: '%' })).count).toBe(0)
})
