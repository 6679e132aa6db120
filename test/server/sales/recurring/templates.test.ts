/** Templates: kept with or without a customer, used as often as one likes. */
import { expect, test } from 'vitest'
import { EXAMPLE_DRAFT, openWorld } from '../../../support/world.ts'

const LINES = [{ description: 'Revisión anual', quantity: 1, unitPrice: 90, discountPct: 10 }]

test('a template without a customer asks for one when it is used', async () => {
  const world = await openWorld()
  const made = await world.post('/api/v1/templates', {
    name: 'Revisión',
    invoice: { lines: LINES, notes: 'Gracias' },
  })
  expect(made.status).toBe(201)
  expect(made.body.data).toMatchObject({ name: 'Revisión', total: 98.01, usedAt: null })
  const { id } = made.body.data
  const nobody = await world.post(`/api/v1/templates/${id}/use`, {})
  expect(nobody.body.error.details.faults).toMatchObject([{ code: 'required', field: 'clientName' }])
  const used = await world.post(`/api/v1/templates/${id}/use`, {
    clientName: 'Ana Ruiz Gil',
    clientNif: '12345678Z',
  })
  expect(used.status).toBe(201)
  expect(used.body.data).toMatchObject({
    state: 'draft',
    total: 98.01,
    clientNif: '12345678Z',
    notes: 'Gracias',
  })
  expect((await world.get('/api/v1/templates')).body.data.items).toMatchObject([
    { id, usedAt: expect.any(String) },
  ])
})

test('an invoice becomes a template, with its customer only when asked', async () => {
  const world = await openWorld()
  const draft = await world.createDraft({ lines: LINES })
  const bare = await world.run('templates.create', { name: 'Sin cliente', fromInvoice: draft.id })
  expect(bare.invoice.clientName).toBeUndefined()
  const full = await world.run('templates.create', {
    name: 'Con cliente',
    fromInvoice: draft.id,
    withClient: true,
  })
  expect((await world.run('templates.use', { id: full.id })).clientName).toBe(EXAMPLE_DRAFT.clientName)
  // Another customer replaces the template's whole.
  const other = await world.run('templates.use', { id: full.id, clientName: 'Otra SL' })
  expect(other).toMatchObject({ clientName: 'Otra SL', clientNif: null })
})

test('names are taken once, bad contents are refused, changes and deletion are safe', async () => {
  const world = await openWorld()
  const one = await world.run('templates.create', { name: 'Cuota', invoice: { lines: LINES } })
  const twin = await world.post('/api/v1/templates', { name: ' cuota ', invoice: { lines: LINES } })
  expect(twin.body.error.details.faults).toMatchObject([{ code: 'name_taken', field: 'name' }])
  const bad = await world.post('/api/v1/templates', {
    name: 'Mala',
    invoice: { lines: LINES, series: 'NADA' },
  })
  expect(bad.body.error.details.faults).toMatchObject([{ code: 'series_unknown' }])
  const changed = await world.patch(`/api/v1/templates/${one.id}`, {
    name: 'Cuota mensual',
    expectedVersion: 1,
  })
  expect(changed.body.data).toMatchObject({ name: 'Cuota mensual', version: 2 })
  expect(
    (await world.patch(`/api/v1/templates/${one.id}`, { name: 'x', expectedVersion: 1 })).body.error.code,
  ).toBe('version_conflict')
  expect((await world.delete(`/api/v1/templates/${one.id}`)).body.data).toEqual({ deleted: true })
  expect((await world.get(`/api/v1/templates/${one.id}`)).status).toBe(404)
})
