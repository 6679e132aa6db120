/** Incoming documents over REST and in the background: read, assessed, entered, rejected, split and joined. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSystemCtx } from '../../../../server/context.ts'
import { pruneRejected } from '../../../../server/purchases/incoming/index.ts'
import { readDocument, settleRead } from '../../../../server/purchases/incoming/read.ts'
import { claimIncoming, releaseIncoming } from '../../../../server/purchases/incoming/rows.ts'
import { readingLanguages } from '../../../../server/purchases/incoming/settings.ts'
import { greyPng, INVOICE_LINES, pageOf } from '../../../support/files/page-pictures.ts'
import { readIncoming, twoPages } from '../../../support/examples/incoming.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const PATH = '/api/v1/incoming-documents'
const SAMPLES = new URL('../intake/samples/', import.meta.url)
const sample = (name: string): string => readFileSync(new URL(name, SAMPLES)).toString('base64')
const text = (lines: string): string => Buffer.from(lines).toString('base64')

const LETTER = `Ferretería Luna, S.L.
NIF B58818501
Factura nº FL-2026-31
Fecha: 20/06/2026
Base imponible 21% 100,00
Cuota IVA 21,00
Total a pagar 121,00 EUR`

async function add(world: World, name: string, content: string) {
  const answer = await world.post(PATH, { name, content })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.body.data
}

async function read(world: World, name: string, content: string) {
  const { id } = await add(world, name, content)
  await readIncoming(world)
  return (await world.get(`${PATH}/${id}`)).body.data
}

test('a structured invoice is ready, and is entered as it is with its file', async () => {
  const world = await openWorld()
  const added = await add(world, 'factura.xml', sample('facturae.xml'))
  expect(added).toMatchObject({ state: 'queued', source: 'program', reading: null, input: null })
  await readIncoming(world)
  const document = (await world.get(`${PATH}/${added.id}`)).body.data
  expect(document).toMatchObject({ doubts: [], duplicateOf: null, why: null })
  expect(document.reading.proposal).toMatchObject({ source: 'facturae', closes: true })
  expect(document.reading.warnings).toEqual([])
  expect(document.state).toBe('ready')
  const entered = await world.post(`${PATH}/${added.id}/enter`, { expectedVersion: document.version })
  expect(entered.status, entered.raw.body).toBe(200)
  expect(entered.body.data.document).toMatchObject({
    state: 'entered',
    receivedId: entered.body.data.received.id,
  })
  expect(entered.body.data.received).toMatchObject({ files: 1, total: document.total })
  const again = await world.post(`${PATH}/${added.id}/enter`, { input: document.input })
  expect(again.body.error).toMatchObject({ code: 'incoming_decided' })
})

test('what only words say is doubtful, names the fields, and is not entered by itself', async () => {
  const world = await openWorld()
  const document = await read(world, 'carta.txt', text(LETTER))
  expect(document).toMatchObject({
    state: 'doubtful',
    supplierNif: 'B58818501',
    supplierNumber: 'FL-2026-31',
    total: 121,
  })
  expect(document.doubts).toEqual(expect.arrayContaining(['supplierNumber', 'issueDate']))
  expect(document.doubts).not.toContain('taxLines')
  const early = await world.post(`${PATH}/${document.id}/enter`, {})
  expect(early.body.error).toMatchObject({ code: 'incoming_not_ready', details: { state: 'doubtful' } })
  const { evidence } = document.reading.proposal
  for (const { box } of Object.values(evidence).flat() as { box: Record<string, number> }[])
    for (const edge of Object.values(box)) expect(edge).toBeGreaterThanOrEqual(0)
  expect(evidence.taxLines[0].box.right).toBeLessThanOrEqual(1)
})

test('the same file is one document, and comes back if it was rejected', async () => {
  const world = await openWorld()
  const first = await add(world, 'carta.txt', text(LETTER))
  expect((await add(world, 'otra.txt', text(LETTER))).id).toBe(first.id)
  await readIncoming(world)
  const { version } = (await world.get(`${PATH}/${first.id}`)).body.data
  const stale = await world.post(`${PATH}/${first.id}/reject`, { expectedVersion: version - 1 })
  expect(stale.body.error.code).toBe('version_conflict')
  const rejected = await world.post(`${PATH}/${first.id}/reject`, { expectedVersion: version })
  expect(rejected.body.data.state).toBe('rejected')
  expect((await world.get(PATH)).body.data.items).toEqual([])
  expect((await world.get(`${PATH}?state=rejected`)).body.data.items).toHaveLength(1)
  const back = await add(world, 'carta.txt', text(LETTER))
  expect(back).toMatchObject({ id: first.id, state: 'queued', decidedAt: null })
})

test('a rejected document is deleted with its file after a month', async () => {
  const world = await openWorld()
  const { id, attachments } = await add(world, 'carta.txt', text(LETTER))
  await world.post(`${PATH}/${id}/reject`, {})
  expect(await pruneRejected(world.ctx())).toBe(0)
  world.setTime('2026-08-01T10:00:00+02:00')
  expect(await pruneRejected(world.ctx())).toBe(1)
  expect((await world.get(`${PATH}/${id}`)).status).toBe(404)
  expect((await world.get(`/api/v1/attachments/${attachments[0].id}`)).status).toBe(404)
})

test('a file that cannot be read fails with its reason, and may still be entered by hand', async () => {
  const world = await openWorld()
  const broken = Buffer.from('%PDF-1.7\nnothing of a file').toString('base64')
  const document = await read(world, 'roto.pdf', broken)
  expect(document).toMatchObject({ state: 'failed', why: 'broken', reading: null })
  const entered = await world.post(`${PATH}/${document.id}/enter`, {
    input: {
      supplierNumber: 'FL-31',
      supplierName: 'Ferretería Luna, S.L.',
      supplierNif: 'B58818501',
      issueDate: '2026-06-20',
      taxLines: [{ base: 100, vatRate: 21 }],
    },
  })
  expect(entered.status, entered.raw.body).toBe(200)
  expect(entered.body.data.received).toMatchObject({ total: 121, files: 1 })
})

test('a document is refused where its entry is, and stays as it was', async () => {
  const world = await openWorld()
  const document = await read(world, 'carta.txt', text(LETTER))
  const refused = await world.post(`${PATH}/${document.id}/enter`, {
    input: { ...document.input, taxLines: [{ base: 100, vatRate: 21, account: '999999' }] },
  })
  expect(refused.status).toBe(422)
  expect((await world.get(`${PATH}/${document.id}`)).body.data).toMatchObject({
    state: 'doubtful',
    version: document.version,
  })
  expect((await world.get('/api/v1/received-invoices')).body.data.items).toEqual([])
})

test('a void entry gives its document back', async () => {
  const world = await openWorld()
  const document = await read(world, 'carta.txt', text(LETTER))
  const { received } = (await world.post(`${PATH}/${document.id}/enter`, { input: document.input })).body.data
  const early = await world.post(`${PATH}/${document.id}/restore`, {})
  expect(early.body.error.code).toBe('incoming_not_rejected')
  await world.delete(`/api/v1/received-invoices/${received.id}`)
  const back = await world.post(`${PATH}/${document.id}/restore`, {})
  expect(back.body.data).toMatchObject({ state: 'queued', receivedId: null })
})

test('several are entered at once only by the rule of a person', async () => {
  const world = await openWorld()
  const document = await read(world, 'factura.xml', sample('facturae.xml'))
  expect(document).toMatchObject({ state: 'ready', doubts: [] })
  const without = await world.post(`${PATH}/enter`, {})
  expect(without.body.error.code).toBe('incoming_rule_missing')
  const set = (rule: object | null) => world.call('incoming.setRule', { rule })
  await set({ knownSuppliersOnly: true, highestTotal: 1 })
  expect((await world.post(`${PATH}/enter`, {})).body.data).toEqual({
    entered: [],
    left: [{ id: document.id, why: 'above_highest_total' }],
  })
  await set({ knownSuppliersOnly: true, highestTotal: 100_000 })
  expect((await world.post(`${PATH}/enter`, {})).body.data.left).toEqual([
    { id: document.id, why: 'unknown_supplier' },
  ])
  await set({ knownSuppliersOnly: false, highestTotal: 100_000 })
  const { entered, left } = (await world.post(`${PATH}/enter`, {})).body.data
  expect(left).toEqual([])
  expect(entered).toEqual([{ id: document.id, receivedId: expect.any(String), receptionNumber: '2026-0001' }])
})

test('files are joined into one document, which is read as one', async () => {
  const world = await openWorld()
  const [head, foot] = [LETTER.split('\n').slice(0, 4), LETTER.split('\n').slice(4)]
  const first = await add(world, 'hoja-1.txt', text(head.join('\n')))
  const second = await add(world, 'hoja-2.txt', text(foot.join('\n')))
  const joined = await world.post(`${PATH}/${first.id}/join`, { others: [second.id] })
  expect(joined.body.data).toMatchObject({ state: 'queued', files: 2 })
  expect((await world.get(`${PATH}/${second.id}`)).status).toBe(404)
  await readIncoming(world)
  const document = (await world.get(`${PATH}/${first.id}`)).body.data
  expect(document).toMatchObject({ supplierNif: 'B58818501', total: 121, pageCount: 2 })
  expect(document.reading.places).toEqual([
    { file: 0, page: 0 },
    { file: 1, page: 0 },
  ])
  const alone = await world.post(`${PATH}/${first.id}/join`, { others: [first.id] })
  expect(alone.body.error.code).toBe('incoming_one_file')
  const split = await world.post(`${PATH}/${first.id}/split`, { starts: [1] })
  expect(split.body.error.code).toBe('incoming_one_file')
})

test('a document whose reader has ended is read by the next, and fails after five', async () => {
  const world = await openWorld()
  const { id } = await add(world, 'carta.txt', text(LETTER))
  const ctx = createSystemCtx(world.ctx().env, world.ctx().book)
  let later = ctx.now().getTime()
  const claim = () => ctx.transaction((tx) => claimIncoming(tx, { now: later, leaseMs: 1_000 }))
  const release = (all: boolean) => ctx.transaction((tx) => releaseIncoming(tx, { now: later, all }))
  expect(await claim()).toMatchObject({ public_id: id, state: 'reading', attempts: 1 })
  expect(await claim()).toBeNull()
  expect(await release(false)).toEqual([])
  later += 2_000
  expect(await release(false)).toHaveLength(1)
  for (let attempt = 2; attempt <= 5; attempt++) {
    expect(await claim()).toMatchObject({ attempts: attempt })
    await release(true)
  }
  expect(await claim()).toBeNull()
  expect((await world.get(`${PATH}/${id}`)).body.data).toMatchObject({ state: 'failed', why: 'broken' })
  const again = await world.post(`${PATH}/${id}/read`, {})
  expect(again.body.data.state).toBe('queued')
  await readIncoming(world)
  expect((await world.get(`${PATH}/${id}`)).body.data.total).toBe(121)
})

test('the list searches, counts and goes on by cursor', async () => {
  const world = await openWorld()
  for (const number of [1, 2, 3]) await add(world, `papel-${number}.txt`, text(`Nota ${number}`))
  await readIncoming(world)
  await add(world, 'carta.txt', text(LETTER))
  await readIncoming(world)
  const found = (await world.get(`${PATH}?text=ferreteria`)).body.data
  expect(found.items).toMatchObject([{ supplierName: 'Ferretería Luna, S.L.' }])
  expect(found.counts).toMatchObject({ failed: 3, doubtful: 1, entered: 0 })
  const first = (await world.get(`${PATH}?limit=3`)).body.data
  const rest = (await world.get(`${PATH}?limit=3&cursor=${first.nextCursor}`)).body.data
  expect(rest.nextCursor).toBeNull()
  const names = [...first.items, ...rest.items].map(({ name }: { name: string }) => name)
  expect(names).toEqual(['carta.txt', 'papel-3.txt', 'papel-2.txt', 'papel-1.txt'])
})

test('a file is read while the caller waits, or in the background', async () => {
  const world = await openWorld()
  const READ = '/api/v1/received-invoices/read'
  const body = { name: 'carta.txt', content: text(LETTER) }
  const now = await world.post(READ, body)
  expect(now.status).toBe(200)
  expect(now.body.data.proposal).toMatchObject({ total: 121 })
  expect((await world.get(PATH)).body.data.items).toEqual([])
  const later = await world.post(READ, { ...body, wait: false })
  expect(later.status).toBe(202)
  const { documentId } = later.body.data
  expect(later.body.data).toEqual({ documentId, state: 'queued' })
  await readIncoming(world)
  const document = (await world.get(`${PATH}/${documentId}`)).body.data
  expect(document.reading.proposal).toMatchObject({ total: 121 })
})

test('a photo is read with progress, and not to its end once it is rejected', async () => {
  const world = await openWorld()
  const photo = await pageOf(INVOICE_LINES)
  const document = await read(world, 'foto.png', greyPng(photo).toString('base64'))
  expect(document).toMatchObject({ total: 984.37, pageCount: null, source: 'program' })
  const { items } = (await world.get('/api/v1/events?types=incoming.*')).body.data
  expect(items.map(({ type, data }: any) => [type, data.state ?? data.pagesRead]).toReversed()).toEqual([
    ['incoming.changed', 'queued'],
    ['incoming.changed', 'reading'],
    ['incoming.progress', 0],
    ['incoming.changed', document.state],
  ])
  const { box } = document.reading.proposal.evidence.total[0]
  expect(box.top).toBeGreaterThan(0)
  expect(box.bottom).toBeLessThan(1)
})

test('the languages of scans are set once each, against the version that was seen', async () => {
  const world = await openWorld()
  expect((await world.get(`${PATH}/settings`)).body.data).toEqual({ languages: ['spa'], version: 0 })
  const set = await world.run('incoming.setSettings', { languages: ['cat', 'spa'], expectedVersion: 0 })
  expect(set).toEqual({ languages: ['cat', 'spa'], version: 1 })
  expect(await readingLanguages(world.ctx())).toEqual(['cat', 'spa'])
  const refused = (changes: object) =>
    world.run('incoming.setSettings', { languages: ['spa'], ...changes }).catch(({ code }) => code)
  expect(await refused({ expectedVersion: 0 })).toBe('version_conflict')
  expect(await refused({ languages: ['spa', 'spa'] })).toBe('validation_failed')
})

test('a file with two invoices is split at a page, and each part is read by itself', async () => {
  const world = await openWorld()
  const document = await read(world, 'dos.pdf', twoPages(7).content)
  expect(document).toMatchObject({ pageCount: 2, pages: null })
  const outside = await world.post(`${PATH}/${document.id}/split`, { starts: [2] })
  expect(outside.body.error).toMatchObject({ code: 'validation_failed' })
  const split = await world.post(`${PATH}/${document.id}/split`, { starts: [1] })
  expect(split.body.data.items).toMatchObject([
    { id: document.id, pages: { first: 0, last: 0 }, pageCount: 1, state: 'queued' },
    { pages: { first: 1, last: 1 }, pageCount: 1, state: 'queued', files: 1 },
  ])
  await readIncoming(world)
  const numbers = split.body.data.items.map(async ({ id }: { id: string }) => {
    const part = (await world.get(`${PATH}/${id}`)).body.data
    return [part.supplierNumber, part.duplicateOf]
  })
  // Parts of one file are no duplicates of each other.
  expect(await Promise.all(numbers)).toEqual([
    ['A-7', null],
    ['B-7', null],
  ])
})

test('the same invoice in another file is a duplicate until the first is rejected, and of its entry', async () => {
  const world = await openWorld()
  const first = await read(world, 'carta.txt', text(LETTER))
  const second = await read(world, 'copia.txt', text(`${LETTER}\n`))
  expect(second).toMatchObject({
    state: 'duplicate',
    duplicateOf: { type: 'incoming', id: first.id, because: 'number' },
  })
  const stateOf = async () => (await world.get(`${PATH}/${second.id}`)).body.data
  await world.post(`${PATH}/${first.id}/reject`, {})
  expect(await stateOf()).toMatchObject({ state: 'doubtful', duplicateOf: null })
  await world.post(`${PATH}/${first.id}/restore`, {})
  await readIncoming(world)
  const { received } = (await world.post(`${PATH}/${first.id}/enter`, { input: first.input })).body.data
  expect(await stateOf()).toMatchObject({
    state: 'duplicate',
    duplicateOf: { type: 'received', id: received.id, because: 'number' },
  })
  const refused = await world.post(`${PATH}/${second.id}/enter`, { input: second.input })
  expect(refused.body.error.code).toBe('received_duplicate')
})

test('of a mail each attachment is a document, with the mail and its sender beside it', async () => {
  const world = await openWorld()
  const part = (name: string): string =>
    `--b\r\nContent-Type: application/xml\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n${sample(name)}\r\n`
  const mail = [
    'From: Luna <facturas@luna.example>\r\nTo: yo@example.com\r\nSubject: Facturas de junio\r\nMIME-Version: 1.0\r\n',
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nAdjuntas.\r\n',
    part('facturae.xml'),
    part('ubl-invoice.xml'),
    '--b--\r\n',
  ].join('')
  const first = await add(world, 'correo.eml', text(mail))
  expect(first).toMatchObject({ name: 'facturae.xml', sender: 'Luna <facturas@luna.example>', files: 2 })
  await readIncoming(world)
  const { items } = (await world.get(PATH)).body.data
  const names = items.map(({ name, total }: any) => [name, total !== null]).toSorted()
  expect(names).toEqual([
    ['facturae.xml', true],
    ['ubl-invoice.xml', true],
  ])
  expect((await add(world, 'correo.eml', text(mail))).id).toBe(first.id)
})

test('what was read of a document before it was changed is not taken for what it is now', async () => {
  const world = await openWorld()
  const { id } = await add(world, 'dos.pdf', twoPages(8).content)
  await readIncoming(world)
  await world.post(`${PATH}/${id}/read`, {})
  const ctx = createSystemCtx(world.ctx().env, world.ctx().book)
  const claim = () =>
    ctx.transaction((tx) => claimIncoming(tx, { now: ctx.now().getTime(), leaseMs: 60_000 }))
  const whole = await claim()
  const read = await readDocument(ctx, whole!, {})
  // Split while the whole was being read, and its first part taken at once.
  await world.post(`${PATH}/${id}/split`, { starts: [1] })
  const part = await claim()
  expect(part).toMatchObject({ public_id: id, attempts: whole!.attempts, last_page: 0 })
  await ctx.transaction((tx) => settleRead(tx, whole!, read))
  expect((await world.get(`${PATH}/${id}`)).body.data).toMatchObject({ state: 'reading', reading: null })
})

test('joined files keep the order of the request, within limits', async () => {
  const world = await openWorld()
  const ids: string[] = []
  for (const name of ['a.txt', 'b.txt', 'c.txt']) ids.push((await add(world, name, text(`Hoja ${name}`))).id)
  const [a = '', b = '', c = ''] = ids
  const joined = await world.post(`${PATH}/${b}/join`, { others: [c, a] })
  expect(joined.body.data.attachments.map(({ name }: any) => name)).toEqual(['b.txt', 'c.txt', 'a.txt'])
  const more: string[] = []
  for (let number = 0; number < 18; number++)
    more.push((await add(world, `${number}.txt`, text(`Otra hoja ${number}`))).id)
  const tooMany = await world.post(`${PATH}/${b}/join`, { others: more })
  expect(tooMany.body.error).toMatchObject({ code: 'incoming_one_file', details: { files: 21 } })
  expect((await world.get(`${PATH}/${more[0]}`)).status).toBe(200)
})
