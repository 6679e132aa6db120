/** Entries that teach of a supplier without the list of incoming documents, and that take back what they taught. */
import { describe, expect, test } from 'vitest'
import { readIncoming } from '../../../support/examples/incoming.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const NIF = 'B58818501'
const IBAN = 'ES9121000418450200051332'
const RECEIVED = '/api/v1/received-invoices'
const INCOMING = '/api/v1/incoming-documents'

const letter = (number: number): string => `Ferretería Luna, S.L.
Polígono Cogullada, calle B. Zaragoza
NIF ${NIF}
Factura nº FL-2026-${number}
Fecha: ${number - 30}/06/2026
Base imponible 21% 100,00
Cuota IVA 21,00
Total a pagar 121,00 EUR
Transferencia a la cuenta ${IBAN}`

const fileOf = (number: number) => ({
  name: `carta-${number}.txt`,
  content: Buffer.from(letter(number)).toString('base64'),
})
const inputOf = (number: number) => ({
  supplierName: 'Ferretería Luna, S.L.',
  supplierNif: NIF,
  supplierNumber: `FL-2026-${number}`,
  issueDate: `2026-06-${number - 30}`,
  taxLines: [{ base: 100, vatRate: 21, tax: 21 }],
  concept: 'G13',
  paymentMethod: 'transfer',
})

const open = (): Promise<World> => openWorld({ at: '2026-07-01T10:00:00+02:00' })
const memoryOf = async (world: World) =>
  (await world.get(`/api/v1/contacts/${NIF}/purchase-memory`)).body.data.memory

async function send(world: World, path: string, body: object) {
  const answer = await world.post(path, body)
  expect(answer.status, answer.raw.body).toBeLessThan(300)
  return answer.body.data
}

/** Reads a file in the form, and enters it with what it says and these changes. */
async function enterByForm(world: World, number: number, changes: object = {}) {
  await send(world, `${RECEIVED}/read`, fileOf(number))
  return enterUnread(world, number, changes)
}

async function enterUnread(world: World, number: number, changes: object = {}) {
  const { id } = await send(world, '/api/v1/attachments', fileOf(number))
  return send(world, RECEIVED, { ...inputOf(number), attachments: [id], ...changes })
}

async function readNext(world: World, number: number) {
  const { id } = await send(world, INCOMING, fileOf(number))
  await readIncoming(world)
  return (await world.get(`${INCOMING}/${id}`)).body.data
}

describe('an entry of the form', () => {
  test('teaches what the file that was read there says, and makes it an entered document', async () => {
    const world = await open()
    const entry = await enterByForm(world, 41)
    await enterByForm(world, 42)
    expect(await memoryOf(world)).toMatchObject({ documents: 2, ibans: [{ iban: IBAN, documents: 2 }] })
    const { items } = (await world.get(`${INCOMING}?state=entered`)).body.data
    expect(items).toHaveLength(2)
    expect(items[1]).toMatchObject({ receivedId: entry.id, name: 'carta-41.txt', total: 121 })
    const next = await readNext(world, 43)
    expect(next.reading.proposal.levels).toMatchObject({ supplierNumber: 'known', issueDate: 'known' })
    expect(next.doubts).toEqual([])
    expect((await send(world, INCOMING, fileOf(41))).id).toBe(items[1].id)
  })

  test('of a file that was not read, or was read too long ago, teaches nothing', async () => {
    const world = await open()
    await enterUnread(world, 41)
    await send(world, `${RECEIVED}/read`, fileOf(42))
    world.advance(3_600_001)
    await enterUnread(world, 42)
    expect(await memoryOf(world)).toBeNull()
    expect((await world.get(`${INCOMING}?state=entered`)).body.data.items).toEqual([])
  })

  test('with the file of a document that waits decides that document, and teaches what was read of it', async () => {
    const world = await open()
    const waiting = await readNext(world, 41)
    const entry = await enterUnread(world, 41)
    const decided = (await world.get(`${INCOMING}/${waiting.id}`)).body.data
    expect(decided).toMatchObject({ state: 'entered', receivedId: entry.id })
    expect(await memoryOf(world)).toMatchObject({ documents: 1 })
    const unread = await send(world, INCOMING, fileOf(42))
    await enterUnread(world, 42)
    expect((await world.get(`${INCOMING}/${unread.id}`)).body.data.state).toBe('queued')
    await readIncoming(world)
    expect((await world.get(`${INCOMING}/${unread.id}`)).body.data).toMatchObject({
      state: 'duplicate',
      duplicateOf: { because: 'file' },
    })
  })

  test('that is refused teaches nothing', async () => {
    const world = await open()
    await enterByForm(world, 41)
    await send(world, `${RECEIVED}/read`, fileOf(42))
    const { id } = await send(world, '/api/v1/attachments', fileOf(42))
    const refused = await world.post(RECEIVED, { ...inputOf(41), attachments: [id] })
    expect(refused.body.error).toMatchObject({ code: 'received_duplicate' })
    expect(await memoryOf(world)).toMatchObject({ documents: 1 })
  })
})

describe('a change of the entry', () => {
  test('corrects what was learned of it', async () => {
    const world = await open()
    await enterByForm(world, 41)
    const { id } = await enterByForm(world, 42)
    const patched = await world.patch(`${RECEIVED}/${id}`, { supplierNumber: 'B-7', concept: 'G22' })
    expect(patched.status, patched.raw.body).toBe(200)
    const next = await readNext(world, 43)
    expect(next.reading.proposal.levels).toMatchObject({ supplierNumber: 'read', issueDate: 'known' })
    expect(next.reading.proposal).toMatchObject({ concept: 'G13', levels: { concept: 'guess' } })
    const { fields } = await memoryOf(world)
    expect(fields).toContainEqual({
      field: 'supplierNumber',
      shown: 2,
      sure: 0,
      corrected: 1,
      sureCorrected: 0,
    })
  })

  test('to another supplier takes it back, and teaches of the other one only what was typed', async () => {
    const world = await open()
    const { id } = await enterByForm(world, 41)
    await world.patch(`${RECEIVED}/${id}`, { supplierNif: 'B87654323' })
    expect(await memoryOf(world)).toBeNull()
    const other = (await world.get('/api/v1/contacts/B87654323/purchase-memory')).body.data.memory
    expect(other).toMatchObject({ documents: 1, places: [], ibans: [] })
  })

  test('of what was erased teaches nothing again', async () => {
    const world = await open()
    const { id } = await enterByForm(world, 41)
    await world.delete(`/api/v1/contacts/${NIF}/purchase-memory`)
    await world.patch(`${RECEIVED}/${id}`, { supplierNumber: 'B-7' })
    expect(await memoryOf(world)).toBeNull()
  })

  test('that voids it takes the confirmation back; restored, it makes nothing known by itself', async () => {
    const world = await open()
    await enterByForm(world, 41)
    const { id } = await enterByForm(world, 42)
    expect((await world.delete(`${RECEIVED}/${id}`)).status).toBe(200)
    expect(await memoryOf(world)).toMatchObject({ documents: 1, ibans: [{ documents: 1 }] })
    expect((await readNext(world, 43)).reading.proposal.levels).toMatchObject({ supplierNumber: 'read' })
    await send(world, `${RECEIVED}/${id}/restore`, {})
    expect(await memoryOf(world)).toMatchObject({ documents: 2, ibans: [{ documents: 2 }] })
    expect((await readNext(world, 44)).reading.proposal.levels).toMatchObject({ supplierNumber: 'read' })
  })

  test('of the last one that is void leaves nothing, not even its account', async () => {
    const world = await open()
    const { id } = await enterByForm(world, 41)
    await world.delete(`${RECEIVED}/${id}`)
    expect(await memoryOf(world)).toBeNull()
  })

  test('that takes the paper off takes back what was read of it, until it is attached again', async () => {
    const world = await open()
    const { id, attachments } = await enterByForm(world, 41)
    await enterByForm(world, 42)
    const path = `${RECEIVED}/${id}/attachments`
    await world.delete(`${path}/${attachments[0].id}`)
    expect(await memoryOf(world)).toMatchObject({ documents: 1 })
    await send(world, path, { attachmentId: attachments[0].id })
    expect(await memoryOf(world)).toMatchObject({ documents: 2 })
  })
})

test('a document that is attached to a typed entry teaches once', async () => {
  const world = await open()
  const entry = await send(world, RECEIVED, inputOf(41))
  const attach = async (number: number) => {
    const { id } = await readNext(world, number)
    await send(world, `${INCOMING}/${id}/attach`, { receivedId: entry.id })
  }
  await attach(41)
  expect(await memoryOf(world)).toMatchObject({ documents: 1, ibans: [{ iban: IBAN }] })
  await attach(42)
  expect(await memoryOf(world)).toMatchObject({ documents: 1 })
  await world.delete(`${RECEIVED}/${entry.id}`)
  expect(await memoryOf(world)).toBeNull()
})
