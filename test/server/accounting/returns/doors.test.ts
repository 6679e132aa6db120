/** Returns give the same amounts over every interface, and none offers what only a person may do. */
import { expect, test } from 'vitest'
import { openWorld } from '../../../support/world.ts'

test('a return, its boxes and its documents are the same over REST and in the window', async () => {
  const world = await openWorld({ at: '2026-12-30T12:00:00+01:00' })
  const draft = await world.createDraft({ issueDate: '2026-12-01' })
  const invoice = await world.issue(draft.id)
  const rest = await world.get('/api/v1/fiscal/models/303?year=2026&quarter=4')
  const window = await world.call('fiscal.model', { model: '303', year: 2026, quarter: 4 })
  expect(rest.body.data).toEqual(window.body.data)
  const summary = await world.get('/api/v1/fiscal/summary?year=2026&quarter=4')
  expect(rest.body.data.result).toBe(summary.body.data.result.vatEstimate)
  const overview = await world.get('/api/v1/fiscal/models?year=2026&quarter=4')
  expect(overview.body.data.models[0]).toMatchObject({ model: '303', result: rest.body.data.result })
  const documents = await world.get('/api/v1/fiscal/models/303/boxes/09/documents?year=2026&quarter=4')
  expect(documents.body.data.items).toMatchObject([
    { id: invoice.id, number: invoice.number, amount: invoice.tax },
  ])
  expect(documents.body.data.total).toBe(invoice.tax)
})

test('only people can mark a return as filed: no route and no key can', async () => {
  const world = await openWorld({ at: '2026-12-30T12:00:00+01:00' })
  expect((await world.post('/api/v1/fiscal/models/303/filed', { year: 2026, quarter: 4 })).status).toBe(404)
  const blind = await world.makeKey({ scopes: ['invoices.read'] })
  const refused = await world.get('/api/v1/fiscal/models?year=2026&quarter=4', { key: blind.key })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'scope_missing'])
  expect((await world.get('/api/v1/fiscal/models/999?year=2026&quarter=4')).status).toBe(422)
  const marked = await world.call('fiscal.markFiled', { model: '303', year: 2026, quarter: 4 })
  expect(marked.status).toBe(200)
  const history = await world.get('/api/v1/audit/events?limit=5')
  expect(history.body.data.items[0]).toMatchObject({
    action: 'filing.marked',
    target: { label: '303 4T 2026' },
  })
})
