/** One invoice by several channels: one purchase, every document kept, differences shown, and no document overwritten. */
import { readFileSync } from 'node:fs'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import {
  differencesBetween,
  factsOfProposal,
} from '../../../../../server/purchases/incoming/arrivals/compare.ts'
import type { Proposal } from '../../../../../server/purchases/intake/contract.ts'
import { receiveStructured } from '../../../../../server/purchases/incoming/index.ts'
import { readIncoming, supplierLetter } from '../../../../support/examples/incoming.ts'
import { openWorld } from '../../../../support/world.ts'
import type { World } from '../../../../support/world.ts'

const AT = { at: '2026-07-01T10:00:00+02:00' }
const PATH = '/api/v1/incoming-documents'
const SAMPLE = readFileSync(new URL('../../intake/samples/ubl-invoice.xml', import.meta.url), 'utf8')

/** The UBL of the invoice that `supplierLetter` writes as a letter. */
function ubl({ number = 'FL-2026-31', date = '2026-06-20', net = 100, due = '2026-07-20' } = {}): Buffer {
  const tax = net * 0.21
  const second =
    /<cac:TaxSubtotal>(?:(?!<cac:TaxSubtotal>)[\s\S])*?<cbc:Percent>4<[\s\S]*?<\/cac:TaxSubtotal>/
  return Buffer.from(
    SAMPLE.replace(second, '')
      .replace('V-2026/77', number)
      .replace('<cbc:IssueDate>2026-06-12', `<cbc:IssueDate>${date}`)
      .replace('<cbc:DueDate>2026-07-12', `<cbc:DueDate>${due}`)
      .replaceAll('Papelería Sol', 'Ferretería Luna')
      .replace('>25.00<', `>${tax.toFixed(2)}<`)
      .replace('>100.00<', `>${net.toFixed(2)}<`)
      .replace('>21.00<', `>${tax.toFixed(2)}<`)
      .replaceAll('>200.00<', `>${net.toFixed(2)}<`)
      .replaceAll('>225.00<', `>${(net + tax).toFixed(2)}<`),
  )
}

const fetched = (world: World, bytes: Uint8Array, channel: 'platform' | 'mail' = 'platform') =>
  receiveStructured(world.ctx(), {
    channel,
    bytes,
    fileName: 'factura.xml',
    receivedAt: '2026-06-21T08:00:00.000Z',
  })

async function letter(world: World): Promise<string> {
  const { id } = (await world.post(PATH, supplierLetter(31))).body.data
  await readIncoming(world)
  return id as string
}

test('a document of the platform is read at once, and known when it comes again', async () => {
  const world = await openWorld(AT)
  const first = await fetched(world, ubl())
  expect(first).toMatchObject({ purchaseId: null, duplicateOf: null, differences: [], fault: null })
  const document = (await world.get(`${PATH}/${first.incomingId}`)).body.data
  expect(document).toMatchObject({ state: 'ready', supplierNumber: 'FL-2026-31', total: 121 })
  const again = await fetched(world, ubl(), 'mail')
  expect(again).toMatchObject({
    incomingId: first.incomingId,
    duplicateOf: { type: 'incoming', id: first.incomingId },
  })
  const { items } = await world.run('incoming.arrivals', { id: first.incomingId })
  expect(items.map(({ channel, form, isRead }) => [channel, form, isRead])).toEqual([
    ['platform', 'ubl', true],
    ['mail', 'ubl', true],
  ])
  expect(items[0]).toMatchObject({ arrivedAt: '2026-06-21T08:00:00.000Z', conflict: false })
  expect(items[0]?.attachmentId).toBe(document.attachments[0].id)
  const entered = await world.run('incoming.enter', { id: first.incomingId })
  const third = await fetched(world, ubl())
  expect(third.purchaseId).toBe(entered.received.id)
  expect((await world.run('received.list', {})).items).toHaveLength(1)
})

test('the data of a purchase that was entered from paper are attached to it', async () => {
  const world = await openWorld(AT)
  const id = await letter(world)
  const { input } = await world.run('incoming.get', { id })
  const { received } = await world.run('incoming.enter', { id, input: input! })
  const found = await fetched(world, ubl({ due: '2026-08-15' }))
  expect(found).toMatchObject({
    purchaseId: received.id,
    duplicateOf: { type: 'received', id: received.id },
    fault: null,
  })
  const after = await world.run('received.get', { id: received.id })
  expect(after.files).toBe(2)
  expect(after.dueDate).toBe(received.dueDate)
  const { items } = await world.run('received.arrivals', { id: received.id })
  expect(items.map(({ channel, form }) => [channel, form])).toEqual([
    ['platform', 'ubl'],
    ['program', 'document'],
  ])
  expect((await world.run('received.list', {})).items).toHaveLength(1)
})

test('paper that waits gets the data that come after it, and only one document is left to enter', async () => {
  const world = await openWorld(AT)
  const id = await letter(world)
  expect((await world.run('incoming.get', { id })).state).toBe('doubtful')
  const found = await fetched(world, ubl())
  expect(found).toMatchObject({ incomingId: id, duplicateOf: { type: 'incoming', id }, fault: null })
  await readIncoming(world)
  const document = await world.run('incoming.get', { id })
  expect(document).toMatchObject({ state: 'ready', files: 2 })
  expect(document.reading?.proposal.source).toBe('ubl')
  const open = await world.run('incoming.list', {})
  expect(open.items.map((item) => item.id)).toEqual([id])
  const { received } = await world.run('incoming.enter', { id })
  expect(received.files).toBe(2)
})

test('paper that comes after the data is kept with them', async () => {
  const world = await openWorld(AT)
  const { incomingId } = await fetched(world, ubl())
  const { received } = await world.run('incoming.enter', { id: incomingId })
  const id = await letter(world)
  expect(await world.run('incoming.get', { id })).toMatchObject({ state: 'entered', receivedId: received.id })
  expect((await world.run('received.get', { id: received.id })).files).toBe(2)
})

test('other content under the same code is a named fault, and overwrites nothing', async () => {
  const world = await openWorld(AT)
  const { incomingId } = await fetched(world, ubl())
  const { received } = await world.run('incoming.enter', { id: incomingId })
  const other = await fetched(world, ubl({ net: 200 }), 'mail')
  expect(other).toMatchObject({
    purchaseId: null,
    duplicateOf: { type: 'received', id: received.id },
    fault: 'same_code_other_content',
  })
  expect(other.differences.map(({ field, before, now }) => [field, before, now])).toEqual([
    ['total', '121.00', '242.00'],
    ['payable', '121.00', '242.00'],
    ['taxes', '21: 100.00 + 21.00', '21: 200.00 + 42.00'],
  ])
  const document = await world.run('incoming.get', { id: other.incomingId })
  expect(document).toMatchObject({ state: 'duplicate', duplicateOf: { type: 'received', id: received.id } })
  expect(document.reading?.warnings.map(({ code }) => code)).toContain('same_code_other_content')
  expect(await world.run('received.get', { id: received.id })).toMatchObject({ total: 121, files: 1 })
  const refused = await world.call('incoming.enter', { id: other.incomingId })
  expect(refused.body.error.code).toBe('incoming_not_ready')
  const { items } = await world.run('incoming.arrivals', { id: other.incomingId })
  expect(items).toMatchObject([{ conflict: true, channel: 'mail' }])
})

test('the same number on another day is another invoice of the year, and is left to a person', async () => {
  const world = await openWorld(AT)
  const { incomingId } = await fetched(world, ubl())
  await world.run('incoming.enter', { id: incomingId })
  const other = await fetched(world, ubl({ date: '2026-06-22' }))
  expect(other).toMatchObject({ purchaseId: null, fault: null })
  expect(other.differences).toMatchObject([{ field: 'issueDate', matters: true }])
  expect((await world.run('incoming.get', { id: other.incomingId })).state).toBe('duplicate')
})

test('the invoices of a ZIP file become documents, with nothing else of it', async () => {
  const world = await openWorld(AT)
  const zip = zipSync({
    'facturas/uno.xml': ubl(),
    'facturas/dos.xml': ubl({ number: 'FL-2026-32', net: 300 }),
    '__MACOSX/._uno.xml': ubl({ number: 'X' }),
    'leeme.exe': new Uint8Array([0x4d, 0x5a, 0, 1]),
  })
  const content = Buffer.from(zip).toString('base64')
  const added = await world.post(PATH, { name: 'facturas.zip', content })
  expect(added.status, added.raw.body).toBe(201)
  await readIncoming(world)
  const { items } = await world.run('incoming.list', {})
  expect(items.map(({ name, state }) => [name, state]).toSorted()).toEqual([
    ['dos.xml', 'ready'],
    ['uno.xml', 'ready'],
  ])
  for (const bytes of [
    zipSync({ 'a.txt': Buffer.from('x') }),
    Buffer.from('PK\u0003\u0004rest of nothing'),
  ]) {
    const refused = await world.post(PATH, { name: 'a.zip', content: Buffer.from(bytes).toString('base64') })
    expect(refused.body.error.code).toBe('attachment_type')
  }
})

test('what cannot be read is kept and named', async () => {
  const world = await openWorld(AT)
  const bomb = Buffer.from('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>')
  const found = await fetched(world, bomb)
  expect(found.fault).not.toBeNull()
  expect((await world.run('incoming.get', { id: found.incomingId })).state).toBe('failed')
  await expect(fetched(world, new Uint8Array([0, 1, 2]))).rejects.toMatchObject({ code: 'attachment_type' })
  await expect(fetched(world, new Uint8Array(21 * 1024 * 1024))).rejects.toMatchObject({
    code: 'payload_too_large',
  })
})

test('what only one document says is no difference, nor is the order of its lines', () => {
  const proposal = (changes: Partial<Proposal>): Proposal => ({
    source: 'ubl',
    format: null,
    taxLines: [
      { base: 100, vatRate: 21, tax: 21 },
      { base: 50, vatRate: 10, tax: 5 },
    ],
    total: 176,
    confidence: {},
    levels: {},
    evidence: {},
    alternatives: {},
    closes: true,
    ...changes,
  })
  const one = factsOfProposal(proposal({ iban: 'ES9121000418450200051332' }))
  const other = factsOfProposal(
    proposal({
      taxLines: [
        { base: 50, vatRate: 10, tax: 5 },
        { base: 60, vatRate: 21, tax: 12.6 },
        { base: 40, vatRate: 21, tax: 8.4 },
      ],
      dueDate: '2026-08-01',
      supplierName: 'FERRETERÍA LUNA S.L.',
    }),
  )
  expect(differencesBetween(one, other)).toEqual([])
  expect(differencesBetween({ ...one, supplierName: 'Ferretería Luna S.L.' }, other)).toEqual([])
})
