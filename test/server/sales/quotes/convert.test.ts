/** From quotes to invoice drafts: what is taken, what is left, deposits, several notes, and the links both ways. */
import { expect, test } from 'vitest'
import type { InputOf } from '../../../../server/api/contracts.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const QUOTE = {
  clientName: 'Talleres Ebro SL',
  clientNif: 'B12345674',
  lines: [
    { description: 'Ventana', quantity: 4, unitPrice: 250 },
    { description: 'Montaje', quantity: 1, unitPrice: 300 },
    { description: 'Manual', quantity: 2, unitPrice: 10, vatRate: 4 },
  ],
  notes: 'Plazo: tres semanas',
}

async function sent(world: World, changes: Partial<InputOf<'quotes.create'>> = {}): Promise<string> {
  const { id } = await world.run('quotes.create', { ...QUOTE, ...changes })
  await world.run('quotes.setState', { id, state: 'sent' })
  return id
}

test('the whole quote becomes one draft, linked both ways, and the quote is done', async () => {
  const world = await openWorld()
  const id = await sent(world)
  const answer = await world.post(`/api/v1/quotes/${id}/convert`, {})
  expect(answer.status).toBe(201)
  const { invoice, quote } = answer.body.data
  expect(invoice).toMatchObject({
    state: 'draft',
    base: 1320,
    total: 1593.8,
    notes: 'Según presupuesto T-P2026-0001.\nPlazo: tres semanas',
  })
  expect(quote).toMatchObject({ state: 'invoiced', invoices: 1 })
  expect(quote.conversions).toMatchObject([
    { invoiceId: invoice.id, number: null, state: 'draft', kind: 'lines' },
  ])
  expect((await world.get(`/api/v1/quotes?invoice=${invoice.id}`)).body.data.items).toMatchObject([{ id }])
  const more = await world.post(`/api/v1/quotes/${id}/convert`, {})
  expect(more.body.error.code).toBe('quote_nothing_left')
  expect((await world.patch(`/api/v1/quotes/${id}`, { notes: 'x' })).body.error.code).toBe('quote_invoiced')
  expect((await world.delete(`/api/v1/quotes/${id}`)).body.error.code).toBe('quote_invoiced')
})

test('a draft that is deleted opens what it took again; an issued and annulled one does too', async () => {
  const world = await openWorld()
  const id = await sent(world)
  const first = await world.run('quotes.convert', { id })
  await world.run('invoices.delete', { id: first.invoice.id })
  expect(await world.run('quotes.get', { id })).toMatchObject({ state: 'accepted', invoices: 0 })
  const second = await world.run('quotes.convert', { id })
  const issued = await world.issue(second.invoice.id)
  expect((await world.run('quotes.get', { id })).conversions).toMatchObject([
    { number: issued.number, state: 'issued' },
  ])
  await world.env.store.transaction(world.books.test.companyId, (db) =>
    db
      .updateTable('invoices')
      .set({ cancelled_at: 1, registry_status: 'cancelled' })
      .where('public_id', '=', issued.id)
      .execute(),
  )
  expect(await world.run('quotes.get', { id })).toMatchObject({ state: 'accepted', invoices: 1 })
  expect((await world.get('/api/v1/quotes?state=invoiced')).body.data.items).toEqual([])
  await world.run('quotes.convert', { id })
  expect((await world.run('quotes.get', { id })).state).toBe('invoiced')
  expect((await world.get('/api/v1/quotes?state=invoiced')).body.data.items).toHaveLength(1)
})

test('some lines and quantities are taken, never more than is left', async () => {
  const world = await openWorld()
  const id = await sent(world)
  const part = await world.run('quotes.convert', {
    id,
    lines: [{ position: 0, quantity: 1.5 }, { position: 2 }],
  })
  expect(part.invoice.lines.map(({ description, quantity }) => [description, quantity])).toEqual([
    ['Ventana', 1.5],
    ['Manual', 2],
  ])
  expect(part.quote.lines.map(({ invoiced, open }) => [invoiced, open])).toEqual([
    [1.5, 2.5],
    [0, 1],
    [2, 0],
  ])
  const tooMuch = await world.post(`/api/v1/quotes/${id}/convert`, {
    lines: [{ position: 0, quantity: 2.6 }, { position: 2 }, { position: 7 }, { position: 1, quantity: -1 }],
  })
  expect(
    tooMuch.body.error.details.faults.map((one: { code: string; field: string }) => [one.code, one.field]),
  ).toEqual([
    ['quote_exceeded', 'lines[0].quantity'],
    ['quote_exceeded', 'lines[1]'],
    ['quote_line_unknown', 'lines[2].position'],
    ['quote_exceeded', 'lines[3].quantity'],
  ])
  const both = await world.post(`/api/v1/quotes/${id}/convert`, { percentage: 10, depositPct: 10 })
  expect(both.body.error.details.faults).toMatchObject([{ code: 'choose_one' }])
  const rest = await world.run('quotes.convert', { id })
  expect(rest.invoice.lines.map(({ quantity }) => quantity)).toEqual([2.5, 1])
  expect(part.invoice.base + rest.invoice.base).toBe(1320)
})

test('a share takes that part of every line until nothing is left', async () => {
  const world = await openWorld()
  const id = await sent(world)
  const bases: number[] = []
  for (const percentage of [30, 40, 60]) {
    const { invoice } = await world.run('quotes.convert', { id, percentage })
    bases.push(invoice.base)
  }
  expect(bases).toEqual([396, 528, 396])
  expect((await world.run('quotes.get', { id })).state).toBe('invoiced')
})

test('a deposit has a line for each tax and is taken off the invoices that follow', async () => {
  const world = await openWorld()
  const id = await sent(world)
  const deposit = await world.run('quotes.convert', { id, depositPct: 30 })
  expect(
    deposit.invoice.lines.map(({ description, unitPrice, vatRate }) => [description, unitPrice, vatRate]),
  ).toEqual([
    ['Anticipo del 30 % del presupuesto T-P2026-0001', 390, 21],
    ['Anticipo del 30 % del presupuesto T-P2026-0001', 6, 4],
  ])
  expect(deposit.quote).toMatchObject({ deposits: 396, state: 'accepted' })
  const issued = await world.issue(deposit.invoice.id)
  const first = await world.run('quotes.convert', { id, lines: [{ position: 1 }] })
  // The line is smaller than the deposit: it is used up by it, and the rest of the deposit waits.
  expect(first.invoice).toMatchObject({ base: 0, total: 0 })
  expect(first.invoice.lines[1]).toMatchObject({
    description: `Anticipo ya facturado (${issued.number})`,
    unitPrice: -300,
  })
  expect(first.quote.deposits).toBe(96)
  const last = await world.run('quotes.convert', { id })
  expect(last.invoice.base).toBe(1320 - 396)
  expect(last.quote).toMatchObject({ deposits: 0, state: 'invoiced' })
  expect(deposit.invoice.base + first.invoice.base + last.invoice.base).toBe(1320)
})

test('discounts of the document go with what is invoiced, beside a deposit as lines', async () => {
  const world = await openWorld()
  const id = await sent(world, { discountPct: 10, discountAmount: 33 })
  const whole = (await world.run('quotes.get', { id })).base
  expect(whole).toBe(1320 * 0.9 - 33)
  const deposit = await world.run('quotes.convert', { id, depositPct: 50 })
  const part = await world.run('quotes.convert', { id, lines: [{ position: 0, quantity: 2 }] })
  const rest = await world.run('quotes.convert', { id })
  expect(part.invoice.lines.map(({ description }) => description)).toContain('Descuento (10 %)')
  expect(deposit.invoice.base).toBe(Math.round(whole * 50) / 100)
  expect(Math.round((deposit.invoice.base + part.invoice.base + rest.invoice.base) * 100)).toBe(
    Math.round(whole * 100),
  )
})

test('prices with tax inside keep the customer’s price to the cent through a deposit', async () => {
  const world = await openWorld()
  const id = await sent(world, {
    priceMode: 'gross',
    lines: [{ description: 'Bicicleta', quantity: 1, unitPrice: 999.99 }],
  })
  const deposit = await world.run('quotes.convert', { id, depositPct: 33.33 })
  const rest = await world.run('quotes.convert', { id })
  expect(deposit.invoice.total).toBe(333.3)
  expect(Math.round((deposit.invoice.total + rest.invoice.total) * 100)).toBe(99_999)
})

test('several delivery notes of a customer make one invoice', async () => {
  const world = await openWorld()
  const one = await sent(world, { kind: 'delivery_note', notes: null })
  const two = await sent(world, {
    kind: 'delivery_note',
    lines: [{ description: 'Puerta', quantity: 1, unitPrice: 400 }],
    notes: null,
  })
  const other = await sent(world, {
    kind: 'delivery_note',
    clientName: 'Ana Ruiz Gil',
    clientNif: '12345678Z',
  })
  const refused = await world.post(`/api/v1/quotes/${one}/convert`, { also: [two, other] })
  expect(refused.body.error.details.faults).toMatchObject([{ code: 'quotes_differ', field: 'also[1]' }])
  expect((await world.run('quotes.get', { id: two })).invoices).toBe(0)
  const { invoice } = await world.run('quotes.convert', { id: one, also: [two] })
  expect(invoice).toMatchObject({ base: 1720, notes: 'Según albaranes T-AL2026-0001 y T-AL2026-0002.' })
  for (const id of [one, two]) expect((await world.run('quotes.get', { id })).state).toBe('invoiced')
  const { items } = await world.run('quotes.list', { invoice: invoice.id })
  expect(items.map(({ id }) => id).sort()).toEqual([one, two].sort())
})

test('a refused conversion leaves no number, no draft and no trace', async () => {
  const world = await openWorld()
  const { id } = await world.run('quotes.create', QUOTE)
  const refused = await world.post(`/api/v1/quotes/${id}/convert`, { lines: [{ position: 9 }] })
  expect(refused.status).toBe(422)
  expect(await world.run('quotes.get', { id })).toMatchObject({ number: null, state: 'draft', version: 1 })
  expect((await world.get('/api/v1/invoices')).body.data.items).toEqual([])
})

test('a repeated request converts once', async () => {
  const world = await openWorld()
  const id = await sent(world)
  const headers = { 'idempotency-key': 'convert-once' }
  const one = await world.post(`/api/v1/quotes/${id}/convert`, { percentage: 10 }, { headers })
  const two = await world.post(`/api/v1/quotes/${id}/convert`, { percentage: 10 }, { headers })
  expect(two.body.data.invoice.id).toBe(one.body.data.invoice.id)
  expect((await world.run('quotes.get', { id })).invoices).toBe(1)
})
