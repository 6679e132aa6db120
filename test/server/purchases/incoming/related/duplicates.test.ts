/** Duplicates among the books and the documents that wait, and what else belongs to a document. */
import { describe, expect, test } from 'vitest'
import { findIncomingDuplicate } from '../../../../../server/purchases/incoming/related/duplicates.ts'
import type { IncomingFacts } from '../../../../../server/purchases/incoming/facts.ts'
import { insertIncoming, updateIncoming } from '../../../../../server/purchases/incoming/rows.ts'
import { readIncoming, supplierLetter } from '../../../../support/examples/incoming.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'

const PATH = '/api/v1/incoming-documents'
const RECEIVED = '/api/v1/received-invoices'
const AT = { at: '2026-07-01T10:00:00+02:00' }

const BILL = {
  supplierName: 'Ferretería Luna, S.L.',
  supplierNif: 'B58818501',
  supplierNumber: 'FL-2026-31',
  issueDate: '2026-06-20',
  taxLines: [{ base: 100, vatRate: 21 }],
}

async function read(world: World, file = supplierLetter(31)) {
  const { id } = (await world.post(PATH, file)).body.data
  await readIncoming(world)
  return (await world.get(`${PATH}/${id}`)).body.data
}

async function enter(world: World, changes: object = {}) {
  const answer = await world.post(RECEIVED, { ...BILL, ...changes })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.body.data
}

describe('a document', () => {
  test.each([
    ['its number, written in another way', { supplierNumber: 'fl-2026-031' }, 'number'],
    [
      'its total two days later, with a number misread',
      { supplierNumber: 'FL-2026-81', issueDate: '2026-06-22' },
      'total',
    ],
  ])('of which an entry has %s is a duplicate', async (_name, changes, because) => {
    const world = await openWorld(AT)
    const entry = await enter(world, changes)
    const document = await read(world)
    expect(document.duplicateOf).toEqual({ type: 'received', id: entry.id, label: '2026-0001', because })
    expect(document.state).toBe(because === 'number' ? 'duplicate' : 'doubtful')
  })

  test.each([
    ['of another year', { issueDate: '2025-06-20' }],
    ['of another supplier', { supplierNif: 'B87654323' }],
    [
      'with another number and total',
      { supplierNumber: 'FL-2026-32', taxLines: [{ base: 50, vatRate: 21 }] },
    ],
  ])('is no duplicate of an entry %s', async (_name, changes) => {
    const world = await openWorld(AT)
    await enter(world, changes)
    expect((await read(world)).duplicateOf).toBeNull()
  })

  test('is no duplicate of a void entry', async () => {
    const world = await openWorld(AT)
    const { id } = await enter(world)
    await world.delete(`${RECEIVED}/${id}`)
    expect((await read(world)).duplicateOf).toBeNull()
  })

  test('whose file is attached to an entry is a duplicate of it, whatever it says', async () => {
    const world = await openWorld(AT)
    const { id: fileId } = (await world.post('/api/v1/attachments', supplierLetter(31))).body.data
    const entry = await enter(world, {
      supplierNif: 'B87654323',
      supplierNumber: 'X-1',
      attachments: [fileId],
    })
    expect(await read(world)).toMatchObject({
      state: 'duplicate',
      duplicateOf: { type: 'received', id: entry.id, because: 'file' },
    })
  })

  test('that waits makes the later one its duplicate, and not the reverse', async () => {
    const world = await openWorld(AT)
    const first = await read(world)
    const copy = { ...supplierLetter(31), name: 'copia.txt' }
    copy.content = Buffer.from(`${Buffer.from(copy.content, 'base64').toString()}\nCopia`).toString('base64')
    const second = await read(world, copy)
    expect(second).toMatchObject({
      state: 'duplicate',
      duplicateOf: { type: 'incoming', id: first.id, label: 'factura-31.txt', because: 'number' },
    })
    await world.post(`${PATH}/${first.id}/read`, {})
    await readIncoming(world)
    expect((await world.get(`${PATH}/${first.id}`)).body.data.duplicateOf).toBeNull()
    await world.post(`${PATH}/${first.id}/reject`, {})
    await world.post(`${PATH}/${second.id}/read`, {})
    await readIncoming(world)
    expect((await world.get(`${PATH}/${second.id}`)).body.data.duplicateOf).toBeNull()
  })
})

describe('a picture', () => {
  const facts: IncomingFacts = {
    rowId: 0,
    fileIds: [],
    supplierName: null,
    nif: null,
    number: null,
    issueDate: null,
    totalCents: 12_100,
    payableCents: 12_100,
    currency: 'EUR',
    iban: null,
    qrUrl: null,
    pictureHash: '00000000000000ff',
  }
  const insert = (world: World, changes: object) =>
    world.ctx().transaction(async (tx) => {
      const row = await insertIncoming(tx, {
        name: 'foto.jpg',
        source: 'window',
        sourceRowId: null,
        sender: null,
      })
      return updateIncoming(tx, row, { state: 'doubtful', due_at: null, ...changes })
    })

  test('of the same paper with the same total may be the same invoice; with another total it is not', async () => {
    const world = await openWorld()
    const hash = Buffer.from('000000000000000f', 'hex')
    const known = await insert(world, { picture_hash: hash, total_cents: 12_100, currency: 'EUR' })
    const later = await insert(world, {})
    const found = await findIncomingDuplicate(world.ctx(), { ...facts, rowId: later.id })
    expect(found).toEqual({ type: 'incoming', id: known.public_id, label: 'foto.jpg', because: 'picture' })
    expect(await findIncomingDuplicate(world.ctx(), { ...facts, rowId: later.id, totalCents: 1 })).toBeNull()
    const far = { ...facts, rowId: later.id, pictureHash: 'ffffffffffffffff' }
    expect(await findIncomingDuplicate(world.ctx(), far)).toBeNull()
  })
})

describe('what belongs to a document', () => {
  test('is an entry without a file, to which its paper is attached instead of a second entry', async () => {
    const world = await openWorld(AT)
    const entry = await enter(world, { supplierNumber: 'PENDIENTE', issueDate: '2026-06-25' })
    const document = await read(world)
    expect(document.duplicateOf).toBeNull()
    expect(document.matches).toMatchObject([
      { type: 'received', id: entry.id, amount: 121, because: ['amount', 'name'] },
    ])
    const stale = await world.post(`${PATH}/${document.id}/attach`, {
      receivedId: entry.id,
      expectedVersion: 99,
    })
    expect(stale.body.error.code).toBe('version_conflict')
    const attached = await world.post(`${PATH}/${document.id}/attach`, { receivedId: entry.receptionNumber })
    expect(attached.status, attached.raw.body).toBe(200)
    expect(attached.body.data).toMatchObject({
      document: { state: 'entered', receivedId: entry.id },
      received: { id: entry.id, files: 1 },
    })
    expect((await world.get(RECEIVED)).body.data.items).toHaveLength(1)
    const again = await world.post(`${PATH}/${document.id}/attach`, { receivedId: entry.id })
    expect(again.body.error.code).toBe('incoming_decided')
  })

  test('is no entry that has a file, nor one of another supplier', async () => {
    const world = await openWorld(AT)
    const { id: fileId } = (await world.post('/api/v1/attachments', supplierLetter(5))).body.data
    await enter(world, { supplierNumber: 'PENDIENTE', issueDate: '2026-06-28', attachments: [fileId] })
    await enter(world, { supplierNumber: 'PENDIENTE', supplierName: 'Otra', supplierNif: 'B87654323' })
    expect((await read(world)).matches).toEqual([])
  })

  test('is refused where the entry is void', async () => {
    const world = await openWorld(AT)
    const { id } = await enter(world, { supplierNumber: 'Z' })
    await world.delete(`${RECEIVED}/${id}`)
    const document = await read(world)
    const answer = await world.post(`${PATH}/${document.id}/attach`, { receivedId: id })
    expect(answer.body.error.code).toBe('received_void')
    expect((await world.get(`${PATH}/${document.id}`)).body.data.state).toBe('doubtful')
  })

  test('is a movement of the bank with its amount, the surest first', async () => {
    const world = await openWorld(AT)
    const account = await world.run('bank.createAccount', {
      name: 'C',
      openingBalance: 1000,
      openingDate: '2026-06-01',
    })
    const content = Buffer.from(
      [
        'Fecha;Concepto;Importe;Saldo',
        '22/06/2026;Compra tarjeta varios;-121,00;879,00',
        '23/06/2026;Transferencia Ferreteria Luna FL-2026-31;-121,00;758,00',
        '24/06/2026;Otra cosa;-120,99;637,01',
      ].join('\n'),
    ).toString('base64')
    await world.run('bank.import', { fileName: 'm.csv', content, accountId: account.id })
    const { matches } = await read(world)
    expect(matches).toMatchObject([
      { type: 'bank', amount: -121, date: '2026-06-23', because: ['amount', 'date', 'number', 'name'] },
      { type: 'bank', amount: -121, date: '2026-06-22', because: ['amount', 'date'] },
    ])
  })
})
