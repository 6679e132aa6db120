/** Recurring invoices over REST and in the background: every day is answered exactly once, and nothing is ever issued. */
import { describe, expect, test } from 'vitest'
import type { InputOf } from '../../../../server/api/contracts.ts'
import { addDays } from '../../../../server/domain/dates.ts'
import { prepareRecurring } from '../../../../server/sales/recurring/index.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const RENT: InputOf<'recurring.create'> = {
  name: 'Alquiler local',
  rule: { freq: 'monthly', start: '2026-07-31', byMonthDay: 31 },
  dueDays: 5,
  invoice: {
    clientName: 'Ana Ruiz Gil',
    clientNif: '12345678Z',
    lines: [{ description: 'Alquiler {periodo}', quantity: 1, unitPrice: 650 }],
    withholdingPct: 19,
  },
}

async function madeDays(world: World, id: string): Promise<string[]> {
  const { days } = await world.run('recurring.get', { id })
  return days
    .filter(({ outcome }) => outcome === 'draft')
    .map(({ date }) => date)
    .reverse()
}

async function drafts(world: World) {
  return (await world.run('invoices.list', { limit: 100, state: 'draft' })).items
}

test('a draft is prepared on its day, with its period, its due day and its origin, and never issued', async () => {
  const world = await openWorld()
  const made = await world.post('/api/v1/recurring', RENT)
  expect(made.status).toBe(201)
  expect(made.body.data).toMatchObject({ state: 'active', next: '2026-07-31', total: 786.5, waiting: 0 })
  expect(made.body.data.upcoming).toHaveLength(12)
  expect(made.body.data.upcoming.slice(0, 3)).toMatchObject([
    { date: '2026-07-31', description: 'Alquiler julio de 2026', total: 786.5 },
    { date: '2026-08-31', description: 'Alquiler agosto de 2026' },
    { date: '2026-09-30', description: 'Alquiler septiembre de 2026' },
  ])
  world.setTime('2026-07-30T23:59:00+02:00')
  expect(await prepareRecurring(world.ctx())).toEqual({ prepared: 0, failed: [], open: 0 })
  world.setTime('2026-07-31T00:01:00+02:00')
  expect((await prepareRecurring(world.ctx())).prepared).toBe(1)
  expect((await prepareRecurring(world.ctx())).prepared).toBe(0)
  const [draft] = await drafts(world)
  expect(draft).toMatchObject({ state: 'draft', number: null, dueDate: '2026-08-05', total: 786.5 })
  const { id } = made.body.data
  expect(await world.run('recurring.get', { id })).toMatchObject({
    next: '2026-08-31',
    waiting: 1,
    days: [{ date: '2026-07-31', outcome: 'draft', invoice: { id: draft?.id, state: 'draft' } }],
  })
  const origin = await world.get(`/api/v1/recurring?invoice=${draft?.id}`)
  expect(origin.body.data.items).toMatchObject([{ id }])
  await world.issue(draft?.id ?? '')
  expect((await world.run('recurring.get', { id })).waiting).toBe(0)
})

test('the eight weeks ahead count a draft that waits as what it will bring, until it is issued and owed', async () => {
  const world = await openWorld()
  await world.post('/api/v1/recurring', RENT)
  world.setTime('2026-07-31T09:00:00+02:00')
  const weeks = async () => (await world.run('dashboard.get', {})).flow.weeks
  const first = async () => (await weeks())[0]
  expect(await first()).toMatchObject({ from: '2026-07-31', recurring: 786.5, in: 0 })
  await prepareRecurring(world.ctx())
  // Due on 5 August, less the income tax withheld.
  expect(await first()).toMatchObject({ recurring: 663, in: 0 })
  world.setTime('2026-08-10T09:00:00+02:00')
  expect((await weeks()).map(({ recurring }) => recurring)[0]).toBe(663)
  world.setTime('2026-07-31T10:00:00+02:00')
  await world.issue((await drafts(world))[0]?.id ?? '')
  expect(await first()).toMatchObject({ recurring: 0, in: 663 })
})

test('days missed while Sello was closed are made up for once each, over restarts and clocks that jump', async () => {
  const world = await openWorld()
  const { id } = await world.run('recurring.create', {
    ...RENT,
    rule: { freq: 'weekly', start: '2026-07-06', byWeekday: ['MO'] },
  })
  const jumps = [
    '2026-07-08T08:00:00+02:00',
    '2026-08-04T08:00:00+02:00',
    // Back by a month, as a wrong clock would.
    '2026-07-02T08:00:00+02:00',
    '2026-08-05T08:00:00+02:00',
    '2026-10-26T00:30:00+01:00',
    '2026-10-25T02:30:00+02:00',
    '2026-11-30T12:00:00+01:00',
  ]
  for (const jump of jumps) {
    world.setTime(jump)
    await world.restart()
    // Two at once, as when a person asks while the background is at it.
    await Promise.all([prepareRecurring(world.ctx()), prepareRecurring(world.ctx())])
  }
  const expected: string[] = []
  for (let day = '2026-07-06'; day <= '2026-11-30'; day = addDays(day, 7)) expected.push(day)
  expect(await madeDays(world, id)).toEqual(expected)
  expect(await drafts(world)).toHaveLength(expected.length)
})

test('a crash between draft and answer leaves neither', async () => {
  const world = await openWorld()
  const { id } = await world.run('recurring.create', RENT)
  world.setTime('2026-10-01T09:00:00+02:00')
  const real = world.env.newId
  let made = 0
  // The second draft of the catch-up falls over half-way.
  world.env.newId = (prefix) => {
    if (prefix === 'inv' && ++made === 2) throw new Error('power cut')
    return real(prefix)
  }
  expect(await prepareRecurring(world.ctx())).toMatchObject({
    failed: [expect.stringContaining('power cut')],
  })
  expect(await madeDays(world, id)).toEqual(['2026-07-31'])
  world.env.newId = real
  await prepareRecurring(world.ctx())
  expect(await madeDays(world, id)).toEqual(['2026-07-31', '2026-08-31', '2026-09-30'])
  expect(await drafts(world)).toHaveLength(3)
})

test('a pause leaves its days out, unless they are to be made up for', async () => {
  const world = await openWorld()
  const one = await world.run('recurring.create', RENT)
  const two = await world.run('recurring.create', { ...RENT, name: 'Otro' })
  for (const { id } of [one, two])
    expect((await world.post(`/api/v1/recurring/${id}/pause`)).body.data.next).toBeNull()
  world.setTime('2026-09-15T09:00:00+02:00')
  expect((await prepareRecurring(world.ctx())).prepared).toBe(0)
  expect((await world.post(`/api/v1/recurring/${one.id}/resume`, {})).body.data.next).toBe('2026-09-30')
  await world.post(`/api/v1/recurring/${two.id}/resume`, { catchUp: true })
  await prepareRecurring(world.ctx())
  expect(await madeDays(world, one.id)).toEqual([])
  expect(await madeDays(world, two.id)).toEqual(['2026-07-31', '2026-08-31'])
})

test('one day can be skipped and taken in again; another day cannot', async () => {
  const world = await openWorld()
  const { id } = await world.run('recurring.create', RENT)
  const skipped = await world.post(`/api/v1/recurring/${id}/skip`, { date: '2026-08-31' })
  expect(skipped.body.data.upcoming.slice(0, 3)).toMatchObject([
    { date: '2026-07-31', skipped: false },
    { date: '2026-08-31', skipped: true },
    { date: '2026-09-30', skipped: false },
  ])
  expect((await world.post(`/api/v1/recurring/${id}/skip`, {})).body.data.next).toBe('2026-09-30')
  expect(
    (await world.post(`/api/v1/recurring/${id}/skip`, { undo: true, date: '2026-07-31' })).body.data.next,
  ).toBe('2026-07-31')
  const wrong = await world.post(`/api/v1/recurring/${id}/skip`, { date: '2026-08-30' })
  expect(wrong.body.error.details.faults).toMatchObject([{ code: 'day_not_open', field: 'date' }])
  world.setTime('2026-10-01T09:00:00+02:00')
  await prepareRecurring(world.ctx())
  expect(await madeDays(world, id)).toEqual(['2026-07-31', '2026-09-30'])
})

test('the next draft can be prepared early, and its day then passes', async () => {
  const world = await openWorld()
  const { id } = await world.run('recurring.create', { ...RENT, rule: { ...RENT.rule, count: 2 } })
  const early = await world.post(`/api/v1/recurring/${id}/run`)
  expect(early.status).toBe(201)
  expect(early.body.data.invoice.lines[0].description).toBe('Alquiler julio de 2026')
  expect(early.body.data.recurrence.next).toBe('2026-08-31')
  await world.post(`/api/v1/recurring/${id}/run`)
  const ended = await world.run('recurring.get', { id })
  expect(ended).toMatchObject({ state: 'ended', next: null })
  expect((await world.post(`/api/v1/recurring/${id}/run`)).body.error.code).toBe('recurrence_ended')
  world.setTime('2026-12-01T09:00:00+01:00')
  expect((await prepareRecurring(world.ctx())).prepared).toBe(0)
})

test('a price update counts from its day on, not before', async () => {
  const world = await openWorld()
  const { id } = await world.run('recurring.create', {
    ...RENT,
    priceUpdates: [{ date: '2026-09-01', percent: 2.8, note: 'IPC' }],
  })
  world.setTime('2026-10-01T09:00:00+02:00')
  await prepareRecurring(world.ctx())
  expect((await drafts(world)).map(({ base }) => base).sort()).toEqual([650, 650, 668.2])
  expect(await world.run('recurring.get', { id })).toMatchObject({
    priceUpdates: [{ date: '2026-09-01', percent: 2.8, note: 'IPC' }],
    total: 808.52,
  })
})

test('the customer is the contact as it is on the day', async () => {
  const world = await openWorld()
  const contact = await world.run('contacts.create', {
    name: 'Ana Ruiz Gil',
    nif: '12345678Z',
    withholdingPct: 7,
  })
  await world.run('recurring.create', {
    ...RENT,
    invoice: { clientName: contact.name, clientId: contact.id, lines: RENT.invoice?.lines ?? [] },
  })
  await world.run('contacts.update', { id: contact.id, name: 'Ana Ruiz Reformas', nif: 'B12345674' })
  world.setTime('2026-07-31T09:00:00+02:00')
  await prepareRecurring(world.ctx())
  expect(await drafts(world)).toMatchObject([
    { clientName: 'Ana Ruiz Reformas', clientNif: 'B12345674', amountDue: 741 },
  ])
})

test('what cannot be prepared says why, waits for its day to be answered, and holds up nobody', async () => {
  const world = await openWorld()
  const series = await world.run('series.create', { code: 'ALQ', kind: 'ordinary' })
  const one = await world.run('recurring.create', {
    ...RENT,
    invoice: { ...RENT.invoice!, series: series.code },
  })
  const two = await world.run('recurring.create', { ...RENT, name: 'Otro' })
  await world.env.store.transaction(world.books.test.companyId, (db) =>
    db.deleteFrom('series').where('public_id', '=', series.id).execute(),
  )
  world.setTime('2026-08-01T09:00:00+02:00')
  await prepareRecurring(world.ctx())
  expect(await madeDays(world, two.id)).toEqual(['2026-07-31'])
  expect(await world.run('recurring.get', { id: one.id })).toMatchObject({
    next: '2026-07-31',
    trouble: { code: 'series_unknown', field: 'series' },
  })
  await world.run('recurring.update', { id: one.id, invoice: RENT.invoice })
  await prepareRecurring(world.ctx())
  expect(await madeDays(world, one.id)).toEqual(['2026-07-31'])
  expect((await world.run('recurring.get', { id: one.id })).trouble).toBeNull()
})

test('another rule begins today or after the last draft, and never repeats a day', async () => {
  const world = await openWorld()
  const { id } = await world.run('recurring.create', {
    ...RENT,
    rule: { freq: 'monthly', start: '2026-07-01' },
  })
  await prepareRecurring(world.ctx())
  const changed = await world.patch(`/api/v1/recurring/${id}`, {
    rule: { freq: 'weekly', start: '2026-07-01' },
  })
  expect(changed.body.data).toMatchObject({ next: '2026-07-08' })
  const stale = await world.patch(`/api/v1/recurring/${id}`, { name: 'x', expectedVersion: 1 })
  expect(stale.body.error.code).toBe('version_conflict')
  const past = await world.patch(`/api/v1/recurring/${id}`, {
    rule: { freq: 'weekly', start: '2026-01-01', count: 2 },
  })
  expect(past.body.error.details.faults).toMatchObject([{ code: 'rule_without_days', field: 'rule' }])
})

test('a start in the past makes up for nothing', async () => {
  const world = await openWorld({ at: '2026-11-21T10:00:00+01:00' })
  const made = await world.run('recurring.create', {
    ...RENT,
    rule: { freq: 'monthly', start: '2026-01-01' },
  })
  expect(made.next).toBe('2026-12-01')
})

test('an issued invoice is made recurring as it is, in the series of its own year', async () => {
  const world = await openWorld()
  const draft = await world.createDraft({
    lines: [{ description: 'Cuota {mes}', quantity: 1, unitPrice: 30 }],
    dueDate: '2026-07-15',
  })
  const issued = await world.issue(draft.id)
  const made = await world.post('/api/v1/recurring', {
    name: 'Cuota',
    rule: { freq: 'yearly', start: '2027-07-01' },
    fromInvoice: issued.number,
  })
  expect(made.body.data.invoice).toMatchObject({ clientName: 'Ana Ruiz Gil', series: null, kind: 'F1' })
  const both = await world.post('/api/v1/recurring', { ...RENT, fromInvoice: draft.id })
  expect(both.body.error.details.faults).toMatchObject([{ code: 'choose_one', field: 'invoice' }])
  world.setTime('2027-07-01T09:00:00+02:00')
  await prepareRecurring(world.ctx())
  const [next] = await drafts(world)
  expect((await world.issue(next?.id ?? '')).number).toBe('T-F2027-0001')
})

test('books do not see each other', async () => {
  const world = await openWorld()
  const live = await world.run('recurring.create', RENT, { book: 'live' })
  expect((await world.get(`/api/v1/recurring/${live.id}`)).status).toBe(404)
  world.setTime('2026-08-01T09:00:00+02:00')
  expect((await prepareRecurring(world.ctx())).prepared).toBe(0)
  expect((await prepareRecurring(world.ctx({ book: 'live' }))).prepared).toBe(1)
})

describe('with instalments of its own', () => {
  const TERMS = [{ days: 0, percent: 40 }, { days: 30, percent: 30 }, { days: 60 }]
  const fee = (more: Partial<NonNullable<InputOf<'recurring.create'>['invoice']>> = {}) => ({
    clientName: 'Taller, S.L.',
    clientNif: 'B12345674',
    client: { address: { street: 'Calle Sol 3', postalCode: '29001', city: 'Málaga', country: 'ES' } },
    lines: [{ description: 'Cuota', quantity: 1, unitPrice: 100.01 }],
    ...more,
  })
  const rule = { freq: 'monthly', start: '2026-07-31', byMonthDay: 31 } as const

  test('each draft divides its own total, from its own day', async () => {
    const world = await openWorld()
    const made = await world.run('recurring.create', {
      name: 'Cuota',
      rule,
      priceUpdates: [{ date: '2026-08-01', percent: 10 }],
      invoice: fee({ paymentTerms: TERMS }),
    })
    expect(made.invoice.paymentTerms).toEqual(TERMS)
    world.setTime('2026-07-30T09:00:00+02:00')
    const weeks = (await world.run('dashboard.get', {})).flow.weeks
    expect(weeks.map(({ recurring }) => recurring).filter((euros) => euros !== 0)).toEqual([48.4, 84.7])
    const instalmentsOf = async (at: string) => {
      world.setTime(at)
      await prepareRecurring(world.ctx())
      const [draft] = await drafts(world)
      const { instalments } = await world.run('invoices.get', { id: draft?.id ?? '' })
      await world.issue(draft?.id ?? '')
      return instalments?.map(({ dueDate, amount }) => [dueDate, amount])
    }
    expect(await instalmentsOf('2026-07-31T09:00:00+02:00')).toEqual([
      ['2026-07-31', 48.4],
      ['2026-08-30', 36.3],
      ['2026-09-29', 36.31],
    ])
    expect(await instalmentsOf('2026-08-31T09:00:00+02:00')).toEqual([
      ['2026-08-31', 53.24],
      ['2026-09-30', 39.93],
      ['2026-10-30', 39.94],
    ])
    const changed = await world.run('recurring.update', { id: made.id, dueDays: 15, invoice: fee() })
    expect([changed.dueDays, changed.invoice.paymentTerms]).toEqual([15, undefined])
  })

  test('terms that divide nothing are refused, and a template has none', async () => {
    const world = await openWorld()
    const wrong = [{ days: 30, percent: 40 }, { days: 30 }]
    await expect(
      world.run('recurring.create', { name: 'Cuota', rule, invoice: fee({ paymentTerms: wrong }) }),
    ).rejects.toMatchObject({ details: { faults: [{ code: 'payment_terms_invalid' }] } })
    await expect(
      world.run('templates.create', { name: 'Cuota', invoice: fee({ paymentTerms: TERMS }) as never }),
    ).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('come from an invoice whose instalments are percentages', async () => {
    const world = await openWorld()
    const draftOf = async (instalments: NonNullable<InputOf<'invoices.create'>['instalments']>) =>
      (await world.run('invoices.create', { ...fee(), issueDate: '2026-07-01', instalments })).id
    const from = async (fromInvoice: string, more: object = {}) =>
      (await world.run('recurring.create', { name: 'Cuota', rule, fromInvoice, ...more })).invoice
        .paymentTerms
    const byPercent = await draftOf([
      { dueDate: '2026-07-31', percent: 50 },
      { dueDate: '2026-08-30', percent: 50 },
    ])
    expect(await from(byPercent)).toEqual([
      { days: 30, percent: 50 },
      { days: 60, percent: 50 },
    ])
    expect(await from(byPercent, { dueDays: 10 })).toBeUndefined()
    const byAmount = await draftOf([{ dueDate: '2026-07-31', amount: 21 }, { dueDate: '2026-08-30' }])
    expect(await from(byAmount)).toBeUndefined()
    const template = await world.run('templates.create', { name: 'Cuota', fromInvoice: byPercent })
    expect(template.invoice).not.toHaveProperty('paymentTerms')
  })
})
