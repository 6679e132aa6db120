/** What other programs keep beside a record and look for: their reference, free fields, and what changed since. */
import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
})

const list = async (query: string) => {
  const { status, body } = await world.get(`/api/v1/invoices?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.items as { id: string; externalRef: string | null; updatedAt: string }[]
}
const ids = async (query: string) => (await list(query)).map(({ id }) => id)
const METADATA = { order: 'A-1', 'shop.id': '77' }

describe('externalRef of invoices', () => {
  test('is a filter, found by the search, and said in the list', async () => {
    const mine = await world.createDraft({ externalRef: 'SHOP-1001' })
    await world.createDraft({ externalRef: 'SHOP-10012' })
    expect(await ids('externalRef=SHOP-1001')).toEqual([mine.id])
    expect(await ids('text=SHOP-1001')).toEqual([mine.id])
    expect((await list('externalRef=SHOP-1001'))[0]?.externalRef).toBe('SHOP-1001')
    expect(await ids('externalRef=SHOP')).toEqual([])
  })

  test('that another invoice has is a warning, and refused where it must be its own', async () => {
    const first = await world.issue((await world.createDraft({ externalRef: 'R-1' })).id)
    const warned = await world.createDraft({ externalRef: 'R-1' })
    expect(warned.warnings).toMatchObject([
      { code: 'external_ref_taken', severity: 'warning', params: { number: first.number } },
    ])
    const refused = await world.post('/api/v1/invoices', {
      clientName: 'Ana',
      lines: [{ description: 'x', quantity: 1, unitPrice: 1 }],
      externalRef: 'R-1',
      uniqueExternalRef: true,
    })
    expect([refused.status, refused.body.error.code, refused.body.error.field]).toEqual([
      409,
      'external_ref_taken',
      'externalRef',
    ])
    expect(await ids('externalRef=R-1')).toHaveLength(2)
    // Its own reference is no other's.
    const other = await world.createDraft({ externalRef: 'R-2' })
    expect(other.warnings).toBeUndefined()
    const same = await world.patch(`/api/v1/invoices/${other.id}`, {
      externalRef: 'R-2',
      uniqueExternalRef: true,
    })
    expect([same.status, same.body.data.warnings]).toEqual([200, undefined])
    const taken = await world.patch(`/api/v1/invoices/${other.id}`, {
      externalRef: 'R-1',
      uniqueExternalRef: true,
    })
    expect([taken.status, taken.body.error.code]).toEqual([409, 'external_ref_taken'])
    expect((await world.get(`/api/v1/invoices/${other.id}`)).body.data.externalRef).toBe('R-2')
  })
})

describe('free fields', () => {
  test('of an invoice come back, stay when other fields change, and change after the issue', async () => {
    const draft = await world.createDraft({ metadata: METADATA })
    expect(draft.metadata).toEqual(METADATA)
    const { body } = await world.patch(`/api/v1/invoices/${draft.id}`, { notes: 'x' })
    expect(body.data.metadata).toEqual(METADATA)
    const issued = await world.issue(draft.id)
    expect(issued.metadata).toEqual(METADATA)
    const changed = await world.patch(`/api/v1/invoices/${draft.id}`, { metadata: { order: 'B-2' } })
    expect([changed.status, changed.body.data.metadata]).toEqual([200, { order: 'B-2' }])
    expect(changed.body.data.contentHash).toBe(issued.contentHash)
    const more = await world.patch(`/api/v1/invoices/${draft.id}`, { metadata: {}, notes: 'y' })
    expect([more.status, more.body.error.code]).toEqual([409, 'invoice_not_draft'])
    const empty = await world.patch(`/api/v1/invoices/${draft.id}`, { metadata: {} })
    expect(empty.body.data.metadata).toEqual({})
  })

  test.each([
    [Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 'v']))],
    [{ order: 'x'.repeat(501) }],
    [{ order: 5 }],
    [{ 'with blank': 'x' }],
    [{ __proto__x: 'x', _hidden: 'y' }],
    [{ ['n'.repeat(41)]: 'x' }],
  ])('that are too many, too long or no text are refused: %#', async (metadata) => {
    for (const [path, body] of [
      ['/api/v1/invoices', { clientName: 'Ana', lines: [{ description: 'x', quantity: 1, unitPrice: 1 }] }],
      ['/api/v1/contacts', { name: 'Ana' }],
      ['/api/v1/items', { name: 'Pan', unitPrice: 1 }],
    ] as const) {
      const { status, body: answer } = await world.post(path, { ...body, metadata })
      expect([status, answer.error?.code], path).toEqual([422, 'validation_failed'])
    }
  })

  test('of contacts and items come back and stand in the exports', async () => {
    const contact = await world.post('/api/v1/contacts', { name: 'Ana', metadata: METADATA })
    expect(contact.body.data.metadata).toEqual(METADATA)
    const item = await world.post('/api/v1/items', { name: 'Pan', unitPrice: 1, metadata: METADATA })
    const changed = await world.patch(`/api/v1/items/${item.body.data.id}`, { name: 'Pan de molde' })
    expect(changed.body.data.metadata).toEqual(METADATA)
    await world.createDraft({ metadata: METADATA, externalRef: 'EXP-1' })
    for (const path of ['contacts', 'items', 'invoices']) {
      const { raw } = await world.post(`/api/v1/${path}/export`, {})
      expect(raw.body, path).toContain('Campos libres')
      expect(raw.body, path).toContain('""shop.id"":""77""')
    }
    expect((await world.post('/api/v1/invoices/export', { externalRef: 'EXP-1' })).raw.body).toContain(
      'EXP-1',
    )
  })
})

describe('updatedSince', () => {
  test('finds invoices that changed, whatever changed of them', async () => {
    const paid = await world.issue((await world.createDraft()).id)
    const quiet = await world.createDraft()
    world.advance(60_000)
    const since = world.env.now().toISOString()
    const later = await world.createDraft()
    await world.run('payments.create', {
      date: '2026-07-01',
      direction: 'in',
      amount: 1,
      method: 'cash',
      allocations: [{ invoiceId: paid.id, amount: 1 }],
    })
    const found = await ids(`updatedSince=${encodeURIComponent(since)}`)
    expect(found.toSorted()).toEqual([paid.id, later.id].toSorted())
    expect(found).not.toContain(quiet.id)
    const [first] = await list(`updatedSince=${encodeURIComponent(since)}`)
    expect(Date.parse(first!.updatedAt)).toBeGreaterThanOrEqual(Date.parse(since))
  })

  test('finds contacts and items that changed', async () => {
    const old = {
      contact: (await world.post('/api/v1/contacts', { name: 'Ana' })).body.data.id,
      item: (await world.post('/api/v1/items', { name: 'Pan', unitPrice: 1 })).body.data.id,
    }
    await world.post('/api/v1/contacts', { name: 'Quieta' })
    await world.post('/api/v1/items', { name: 'Quieto', unitPrice: 1 })
    world.advance(60_000)
    const since = encodeURIComponent(world.env.now().toISOString())
    await world.patch(`/api/v1/contacts/${old.contact}`, { notes: 'x' })
    await world.patch(`/api/v1/items/${old.item}`, { unitPrice: 2 })
    for (const [path, id] of [
      ['contacts', old.contact],
      ['items', old.item],
    ]) {
      const { body } = await world.get(`/api/v1/${path}?updatedSince=${since}`)
      expect(body.data.items.map((each: { id: string }) => each.id)).toEqual([id])
    }
    expect((await world.get('/api/v1/items?updatedSince=yesterday')).status).toBe(422)
  })
})

test('contacts are found by the reference of another program, and a second one is warned of or refused', async () => {
  const first = await world.post('/api/v1/contacts', { name: 'Ana', externalRefs: ['CRM-7'] })
  const id = first.body.data.id as string
  for (const query of ['externalRef=crm-7', 'text=CRM-7']) {
    const { body } = await world.get(`/api/v1/contacts?${query}`)
    expect(body.data.items.map((each: { id: string }) => each.id)).toEqual([id])
  }
  const warned = await world.post('/api/v1/contacts', { name: 'Otra', externalRefs: ['CRM-7'] })
  expect(warned.body.data.warnings).toMatchObject([{ code: 'external_ref_taken', params: { contactId: id } }])
  const refused = await world.post('/api/v1/contacts', {
    name: 'Tercera',
    externalRefs: ['x', 'CRM-7'],
    uniqueExternalRef: true,
  })
  expect([refused.status, refused.body.error.code]).toEqual([409, 'external_ref_taken'])
})
