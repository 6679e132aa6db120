/** Quotes over REST: their number, their states, what they keep when they change, and that they are no invoices. */
import { expect, test } from 'vitest'
import { openWorld } from '../../../support/world.ts'

const QUOTE = {
  clientName: 'Talleres Ebro SL',
  clientNif: 'B12345674',
  lines: [
    { description: 'Diseño', quantity: 10, unitPrice: 45 },
    { description: 'Libro', quantity: 3, unitPrice: 20, vatRate: 4 },
  ],
  withholdingPct: 15,
}

test('a quote has no number until it is sent, then one of its own series', async () => {
  const world = await openWorld()
  const made = await world.post('/api/v1/quotes', { ...QUOTE, validUntil: '2026-07-31' })
  expect(made.status).toBe(201)
  expect(made.body.data).toMatchObject({
    kind: 'quote',
    number: null,
    state: 'draft',
    date: '2026-07-01',
    validUntil: '2026-07-31',
    base: 510,
    tax: 96.9,
    total: 606.9,
    amountDue: 530.4,
    withholding: { rate: 15, base: 510, amount: 76.5 },
    clientNif: 'B12345674',
  })
  const { id } = made.body.data
  const sent = await world.post(`/api/v1/quotes/${id}/state`, { state: 'sent' })
  expect(sent.body.data).toMatchObject({ state: 'sent', number: 'T-P2026-0001' })
  expect(sent.body.data.actions).toContain('accept')
  const other = await world.post('/api/v1/quotes', { ...QUOTE, kind: 'proforma' })
  const note = await world.post('/api/v1/quotes', { ...QUOTE, kind: 'delivery_note', hidePrices: true })
  for (const [answer, number] of [
    [other, 'T-PF2026-0001'],
    [note, 'T-AL2026-0001'],
  ] as const) {
    const now = await world.post(`/api/v1/quotes/${answer.body.data.id}/state`, { state: 'sent' })
    expect(now.body.data.number).toBe(number)
  }
  // By number, in a test book also without its T-.
  expect((await world.get('/api/v1/quotes/P2026-0001')).body.data.id).toBe(id)
  // No invoice anywhere, and the proof of the numbers of invoices knows nothing of quotes.
  expect((await world.get('/api/v1/invoices')).body.data.items).toEqual([])
})

test('the number of a deleted quote is not given again', async () => {
  const world = await openWorld()
  const first = await world.run('quotes.create', QUOTE)
  await world.run('quotes.setState', { id: first.id, state: 'sent' })
  expect((await world.delete(`/api/v1/quotes/${first.id}`)).body.data).toEqual({ deleted: true })
  const second = await world.run('quotes.create', QUOTE)
  expect((await world.run('quotes.setState', { id: second.id, state: 'accepted' })).number).toBe(
    'T-P2026-0002',
  )
  expect((await world.get(`/api/v1/quotes/${first.id}`)).status).toBe(404)
})

test('an offer expires on its own after its last day and can still be accepted', async () => {
  const world = await openWorld()
  const quote = await world.run('quotes.create', { ...QUOTE, validUntil: '2026-07-10' })
  await world.run('quotes.setState', { id: quote.id, state: 'sent' })
  world.setTime('2026-07-10T23:30:00+02:00')
  expect((await world.run('quotes.get', { id: quote.id })).state).toBe('sent')
  world.setTime('2026-07-11T00:30:00+02:00')
  expect((await world.run('quotes.get', { id: quote.id })).state).toBe('expired')
  const expired = await world.get('/api/v1/quotes?state=expired')
  expect(expired.body.data.items.map((one: { id: string }) => one.id)).toEqual([quote.id])
  expect((await world.get('/api/v1/quotes?state=sent')).body.data.items).toEqual([])
  expect((await world.run('quotes.setState', { id: quote.id, state: 'accepted' })).state).toBe('accepted')
})

test('changing a quote that was sent keeps what it said and its number, and it is to be sent again', async () => {
  const world = await openWorld()
  const { id } = await world.run('quotes.create', QUOTE)
  await world.run('quotes.setState', { id, state: 'sent' })
  const changed = await world.patch(`/api/v1/quotes/${id}`, { discountPct: 10 })
  expect(changed.status).toBe(200)
  expect(changed.body.data).toMatchObject({ number: 'T-P2026-0001', revision: 2, state: 'draft', base: 459 })
  expect(changed.body.data.revisions).toMatchObject([{ revision: 1, total: 606.9 }])
  // A draft is simply changed.
  const again = await world.patch(`/api/v1/quotes/${id}`, { discountPct: 20 })
  expect(again.body.data).toMatchObject({ revision: 2, base: 408 })
  expect(again.body.data.revisions).toHaveLength(1)
  const stale = await world.patch(`/api/v1/quotes/${id}`, { notes: 'x', expectedVersion: 1 })
  expect(stale.body.error.code).toBe('version_conflict')
})

test('a copy starts anew with the same content and as long a validity', async () => {
  const world = await openWorld()
  const { id } = await world.run('quotes.create', {
    ...QUOTE,
    validUntil: '2026-07-31',
    notes: 'Portes incluidos',
  })
  await world.run('quotes.setState', { id, state: 'rejected' })
  world.setTime('2026-09-10T09:00:00+02:00')
  const copy = await world.post(`/api/v1/quotes/${id}/duplicate`, {})
  expect(copy.body.data).toMatchObject({
    state: 'draft',
    number: null,
    date: '2026-09-10',
    validUntil: '2026-10-10',
    total: 606.9,
    notes: 'Portes incluidos',
  })
  const note = await world.post(`/api/v1/quotes/${id}/duplicate`, { kind: 'delivery_note' })
  expect(note.body.data).toMatchObject({ kind: 'delivery_note', validUntil: null })
})

test('the customer stays as it was when the contact changes or goes', async () => {
  const world = await openWorld()
  const contact = await world.run('contacts.create', {
    name: 'Talleres Ebro SL',
    nif: 'B12345674',
    address: { street: 'Mayor 1', postalCode: '50001', city: 'Zaragoza', country: 'ES' },
  })
  const { id } = await world.run('quotes.create', {
    clientName: contact.name,
    clientId: contact.id,
    lines: QUOTE.lines,
  })
  await world.run('contacts.update', { id: contact.id, name: 'Ebro 2000 SL', address: null })
  const kept = await world.run('quotes.get', { id })
  expect(kept).toMatchObject({ clientName: 'Talleres Ebro SL', clientId: contact.id })
  expect(kept.client.address?.city).toBe('Zaragoza')
  await world.run('contacts.delete', { id: contact.id })
  expect(await world.run('quotes.get', { id })).toMatchObject({ clientId: null, clientNif: 'B12345674' })
  // It can still be copied and invoiced.
  expect((await world.run('quotes.convert', { id })).invoice.clientName).toBe('Talleres Ebro SL')
})

test('bad input is refused with its place, and nothing is kept', async () => {
  const world = await openWorld()
  const late = await world.post('/api/v1/quotes', { ...QUOTE, validUntil: '2026-06-30' })
  expect(late.body.error.details.faults).toMatchObject([
    { code: 'valid_until_before_date', field: 'validUntil' },
  ])
  const unknown = await world.post('/api/v1/quotes', { ...QUOTE, issueDate: '2026-07-01' })
  expect(unknown.body.error.details.faults).toMatchObject([{ code: 'unknown_field', field: 'issueDate' }])
  const exact = await world.post('/api/v1/quotes', {
    ...QUOTE,
    lines: [{ description: 'x', quantity: 1.0000001, unitPrice: 1 }],
  })
  expect(exact.body.error.details.faults).toMatchObject([
    { code: 'too_many_decimals', field: 'lines[0].quantity' },
  ])
  expect((await world.get('/api/v1/quotes')).body.data.items).toEqual([])
  const live = await world.run('quotes.create', QUOTE, { book: 'live' })
  expect((await world.get(`/api/v1/quotes/${live.id}`)).status).toBe(404)
})

test('a list goes on where it stopped, with filters and counts of the views', async () => {
  const world = await openWorld()
  const ids: string[] = []
  for (let day = 1; day <= 5; day += 1)
    ids.push(
      (await world.run('quotes.create', { ...QUOTE, date: `2026-06-0${day}`, clientName: `Cliente ${day}` }))
        .id,
    )
  await world.run('quotes.setState', { id: ids[0] as string, state: 'sent' })
  await world.run('quotes.setState', { id: ids[1] as string, state: 'accepted' })
  await world.run('quotes.setState', { id: ids[2] as string, state: 'rejected' })
  const seen: string[] = []
  let cursor = ''
  do {
    const page = await world.get(`/api/v1/quotes?limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.body.data.items.map((one: { id: string }) => one.id))
    cursor = page.body.data.nextCursor ?? ''
  } while (cursor !== '')
  expect(seen).toEqual([...ids].reverse())
  expect((await world.get('/api/v1/quotes?text=cliente%204')).body.data.items).toHaveLength(1)
  const window = await world.run('quotes.window', { summary: true, limit: 1 })
  expect(window.views).toEqual({ all: 5, drafts: 2, waiting: 1, to_invoice: 1, closed: 1 })
  expect(window.totals).toMatchObject({ count: 5, base: 2550 })
})
