/** Lookups on demand: answered by simulated services in a test book, stored as evidence, never mixed with a live book. */
import { expect, test } from 'vitest'
import { connectsTried } from '../../../support/setup/network-guard.ts'
import { openWorld } from '../../../support/world.ts'

const AT = '2026-11-21T10:00:00+01:00'

test('a VAT number is checked on request, and the answer is stored with its time and consultation number', async () => {
  const world = await openWorld({ at: AT })
  const before = connectsTried()
  const contact = await world.run('contacts.create', {
    name: 'Müller GmbH',
    nif: 'DE129273398',
    idType: '02',
  })
  const asked = { vatNumber: 'de 129.273.398', contactId: contact.id }
  const made = await world.post('/api/v1/contacts/vat-number-check', asked)
  expect(made.status).toBe(200)
  expect(made.body.data).toMatchObject({
    vatNumber: 'DE129273398',
    valid: true,
    requester: expect.stringMatching(/^ES[A-Z0-9]{9}$/),
    consultationNumber: 'PRUEBADE129273398',
    checkedAt: AT.replace('.000', ''),
    contactId: contact.id,
    simulated: true,
  })
  const quiet = await world.post('/api/v1/contacts/vat-number-check', {
    vatNumber: 'FR12345678900',
    asRequester: false,
  })
  expect(quiet.body.data).toMatchObject({
    valid: false,
    requester: null,
    consultationNumber: null,
    name: null,
  })

  const all = await world.get('/api/v1/contacts/vat-number-checks')
  expect(all.body.data.items.map((each: { vatNumber: string }) => each.vatNumber)).toEqual([
    'FR12345678900',
    'DE129273398',
  ])
  const ofContact = await world.get(`/api/v1/contacts/vat-number-checks?contactId=${contact.id}`)
  expect(ofContact.body.data.items).toEqual([made.body.data])
  const ofNumber = await world.get('/api/v1/contacts/vat-number-checks?vatNumber=DE%20129273398')
  expect(ofNumber.body.data.items).toEqual([made.body.data])
  // The evidence belongs to this book, and nothing left this computer.
  expect((await world.run('lookups.vatNumberChecks', {}, { book: 'live' })).items).toEqual([])
  expect(connectsTried()).toBe(before)
  const audit = await world.run('audit.list', {})
  expect(audit.items.filter((each) => each.action === 'lookup.vat_number')).toHaveLength(2)
})

test.each([
  ['129273398', 'vat_number_prefix_missing'],
  ['US123456789', 'vat_number_prefix_missing'],
  ['DE12927339', 'vat_number_form'],
  ['ESB12345675', 'vat_number_form'],
])('%s is rejected before any request', async (vatNumber, code) => {
  const world = await openWorld({ at: AT })
  const answer = await world.post('/api/v1/contacts/vat-number-check', { vatNumber })
  expect(answer.status).toBe(422)
  expect(answer.body.error.details.faults).toMatchObject([{ code, field: 'vatNumber' }])
  expect((await world.run('lookups.vatNumberChecks', {})).items).toEqual([])
})

test('an unavailable service gives a 503 and leaves no trace', async () => {
  const world = await openWorld({ at: AT })
  const answer = await world.post('/api/v1/contacts/vat-number-check', { vatNumber: 'DE123456799' })
  expect([answer.status, answer.body.error.code, answer.body.error.retry]).toEqual([
    503,
    'lookup_unavailable',
    'backoff',
  ])
  expect(answer.body.error.details).toMatchObject({ service: 'VIES', reason: 'ms_unavailable' })
  expect(answer.headers['retry-after']).toBe('30')
  expect((await world.run('lookups.vatNumberChecks', {})).items).toEqual([])
})

test('the same Idempotency-Key causes one request', async () => {
  const world = await openWorld({ at: AT })
  const headers = { 'idempotency-key': 'check-1' }
  const first = await world.post(
    '/api/v1/contacts/vat-number-check',
    { vatNumber: 'DE129273398' },
    { headers },
  )
  const again = await world.post(
    '/api/v1/contacts/vat-number-check',
    { vatNumber: 'DE129273398' },
    { headers },
  )
  expect(again.body.data).toEqual(first.body.data)
  expect((await world.run('lookups.vatNumberChecks', {})).items).toHaveLength(1)
})

test('a key without invoices.write and a contact of another book are rejected', async () => {
  const world = await openWorld({ at: AT })
  const { key } = await world.makeKey({ scopes: ['invoices.read'] })
  const refused = await world.post('/api/v1/contacts/vat-number-check', { vatNumber: 'DE129273398' }, { key })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'scope_missing'])
  const live = await world.run('contacts.create', { name: 'Otro libro' }, { book: 'live' })
  const other = await world.post('/api/v1/contacts/vat-number-check', {
    vatNumber: 'DE129273398',
    contactId: live.id,
  })
  expect(other.status).toBe(404)
})

test('the evidence cannot be changed', async () => {
  const world = await openWorld({ at: AT })
  await world.run('lookups.vatNumber', { vatNumber: 'DE129273398' })
  await world.run('lookups.census', { nif: '12345678Z', name: 'Ana Ruiz Gil' })
  await expect(
    world.env.store.transaction(world.books.test.companyId, (db) =>
      db.updateTable('vat_number_checks').set({ valid: 0 }).execute(),
    ),
  ).rejects.toThrow(/frozen/)
  await expect(
    world.env.store.transaction(world.books.test.companyId, (db) =>
      db.updateTable('census_checks').set({ result: 'revoked' }).execute(),
    ),
  ).rejects.toThrow(/frozen/)
})

test.each([
  ['Ana Ruiz Gil', 'identified'],
  ['Sociedad de baja SL', 'inactive'],
  ['Nadie desconocido', 'not_identified'],
])('the simulated census answers %s with %s', async (name, result) => {
  const world = await openWorld({ at: AT })
  const answer = await world.post('/api/v1/contacts/census-check', { nif: '12345678-z', name })
  expect(answer.body.data).toMatchObject({ nif: '12345678Z', name, result, simulated: true })
})

test('the census of a live book needs the certificate, and a foreign number is rejected immediately', async () => {
  const world = await openWorld({ at: AT })
  const live = await world.key('live')
  const answer = await world.post(
    '/api/v1/contacts/census-check',
    { nif: '12345678Z', name: 'Ana' },
    { key: live },
  )
  expect([answer.status, answer.body.error.code]).toEqual([422, 'certificate_missing'])
  const foreign = await world.post('/api/v1/contacts/census-check', { nif: 'DE129273398', name: 'Müller' })
  expect(foreign.body.error.details.faults).toMatchObject([{ code: 'nif_invalid', field: 'nif' }])
})

test('the rate of a day is the last one published up to it, and is stored', async () => {
  const world = await openWorld({ at: AT })
  // 21 November 2026 is a Saturday.
  const saturday = await world.get('/api/v1/lookups/exchange-rate?currency=USD')
  expect(saturday.status).toBe(200)
  expect(saturday.body.data).toMatchObject({
    currency: 'USD',
    date: '2026-11-21',
    rateDate: '2026-11-20',
    simulated: true,
  })
  const wednesday = await world.get('/api/v1/lookups/exchange-rate?currency=USD&date=2026-11-18')
  expect(wednesday.body.data).toMatchObject({ rateDate: '2026-11-18' })
  const rows = await world.ctx().db.selectFrom('exchange_rates').selectAll().execute()
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.every((row) => row.simulated === 1 && row.book_id === world.books.test.id)).toBe(true)
  // Requested again later, the stored row answers: it states when it was fetched.
  world.advance(3_600_000)
  const again = await world.get('/api/v1/lookups/exchange-rate?currency=USD&date=2026-11-18')
  expect(again.body.data).toEqual(wednesday.body.data)
})

test.each([
  ['XXX', '2026-11-18', 404, 'exchange_rate_unknown'],
  ['USD', '2026-01-02', 404, 'exchange_rate_unknown'],
  ['USD', '2026-11-22', 422, 'validation_failed'],
  ['usd', '2026-11-18', 422, 'validation_failed'],
])('%s on %s is answered %s %s', async (currency, date, status, code) => {
  const world = await openWorld({ at: AT })
  const answer = await world.get(`/api/v1/lookups/exchange-rate?currency=${currency}&date=${date}`)
  expect([answer.status, answer.body.error.code]).toEqual([status, code])
})

test('an answer is stored even if the contact was deleted meanwhile', async () => {
  const world = await openWorld({ at: AT })
  const made = (name: string) => world.run('contacts.create', { name })
  const [one, other] = [await made('Müller GmbH'), await made('Ana Ruiz Gil')]
  const [, , vatNumber, census] = await Promise.all([
    world.run('contacts.delete', { id: one.id }),
    world.run('contacts.delete', { id: other.id }),
    world.run('lookups.vatNumber', { vatNumber: 'DE129273398', contactId: one.id }),
    world.run('lookups.census', { nif: '12345678Z', name: 'Ana Ruiz Gil', contactId: other.id }),
  ])
  expect([vatNumber.contactId, census.contactId]).toEqual([null, null])
  expect((await world.run('lookups.vatNumberChecks', {})).items).toEqual([vatNumber])
})
