/** The simulated services against files and messages that break each rule, and those that break none. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createLroeClient, createXmlClient } from '../../../../../support/ticketbai/client.ts'
import type {
  LroeFile,
  LroeTaxpayer,
} from '../../../../../../server/registry/systems/ticketbai/lroe/message.ts'
import {
  createServiceFaultControl,
  readServiceFault,
} from '../../../../../../server/registry/systems/ticketbai/simulator/faults.ts'
import { transportTo } from '../../../../../../server/registry/systems/ticketbai/simulator/in-process.ts'
import { createProvinceService } from '../../../../../../server/registry/systems/ticketbai/simulator/provinces.ts'
import type { ProvinceOptions } from '../../../../../../server/registry/systems/ticketbai/simulator/provinces.ts'
import { memoryServiceState } from '../../../../../../server/registry/systems/ticketbai/simulator/state.ts'
import type { RecordOutcome } from '../../../../../../server/registry/systems/ticketbai/wire/outcome.ts'
import { SERVICES } from '../../../../../../server/registry/systems/ticketbai/wire/services.ts'
import {
  cancellationFile,
  COMPANY,
  correctionFile,
  invoiceFile,
  PERSON,
  signerOf,
  STRANGER,
  testIdentifier,
  verifyTestFile,
} from '../../../../../support/ticketbai/files.ts'
import { receivedInvoice } from '../../../../../support/ticketbai/received.ts'

let now = new Date('2026-11-30T12:00:00Z')

async function xmlBook(options: Partial<ProvinceOptions> = {}, callers = [COMPANY.nif]) {
  now = new Date('2026-11-30T12:00:00Z')
  const state = memoryServiceState()
  const faults = createServiceFaultControl()
  const service = createProvinceService('gipuzkoa', {
    state,
    now: () => now,
    verify: verifyTestFile,
    identifierOf: testIdentifier,
    faults,
    ...options,
  })
  const client = createXmlClient({
    service: SERVICES.gipuzkoa.production,
    transport: transportTo(service, callers),
  })
  const send = async (file: LroeFile): Promise<RecordOutcome> => (await client.send([file]))[0]!.outcome
  return { send, state, faults, service, signer: await signerOf(COMPANY) }
}

function codesOf(outcome: RecordOutcome): string[] {
  if (outcome.kind === 'accepted') return outcome.warnings.map(({ code }) => code)
  return 'codes' in outcome ? outcome.codes.map(({ code }) => code) : []
}

describe('Araba and Gipuzkoa', () => {
  test('keep a chain of signed files without a remark', async () => {
    const { send, signer, state } = await xmlBook()
    let previous: LroeFile | null = null
    for (let number = 1; number <= 5; number += 1) {
      const file: LroeFile = invoiceFile(signer, { number: String(number), previous })
      expect(await send(file)).toMatchObject({ kind: 'accepted', warnings: [] })
      previous = file
    }
    expect(state.files().map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
  })

  test.each([
    ['002', { before: (xml: string) => xml.replace('<Cabecera>', '<Cabecera><Otro>1</Otro>') }],
    ['002', { after: (xml: string) => xml.slice(0, -5) }],
    ['002', { before: (xml: string) => xml.replace('>10:00:00<', '>25h<') }],
    ['003', { withoutLines: true }],
    ['004', { issueDate: '01-12-2026' }],
    ['004', { issueDate: '31-02-2026' }],
  ])('refuse a file with %s', async (code, wish) => {
    const { send, signer, state } = await xmlBook()
    const outcome = await send(invoiceFile(signer, wish))
    expect(outcome.kind).toBe('rejected')
    expect(codesOf(outcome)).toEqual([code])
    expect(state.files()).toEqual([])
  })

  test('refuse an issuer that the census does not know', async () => {
    const { send, signer } = await xmlBook({ unknown: [COMPANY.nif] })
    expect(codesOf(await send(invoiceFile(signer)))).toEqual(['004'])
  })

  test.each([
    ['008', { after: (xml: string) => xml.replace('>Ordua<', '>Orduak<') }, {}],
    [
      '010',
      {
        previous: {
          key: { issuerNif: COMPANY.nif, series: 'A', number: '9', issueDate: '29-11-2026' },
          signature: 'x',
        },
      },
      {},
    ],
    ['011', { total: '122.00' }, {}],
    ['012', {}, { licences: ['TBAIGI0000000000001'] }],
  ])('keep a file with remark %s', async (code, wish, options) => {
    const { send, signer, state } = await xmlBook(options)
    const outcome = await send(invoiceFile(signer, wish))
    expect(outcome.kind).toBe('accepted')
    expect(codesOf(outcome)).toEqual([code])
    expect(state.files()[0]?.remarks.map((remark) => remark.code)).toEqual([code])
  })

  test('remark who sends and who signs, unless a power says that they may', async () => {
    const company = await signerOf(COMPANY)
    const stranger = await signerOf(STRANGER)
    // The stranger signs and sends an invoice of the company.
    const foreign = { ...stranger, nif: company.nif, name: company.name }
    const refused = await xmlBook({}, [STRANGER.nif])
    expect(codesOf(await refused.send(invoiceFile(foreign)))).toEqual(['007', '009'])
    const allowed = await xmlBook({ powers: [{ nif: STRANGER.nif, for: COMPANY.nif }] }, [STRANGER.nif])
    expect(codesOf(await allowed.send(invoiceFile(foreign)))).toEqual([])
    expect(codesOf(await allowed.send(invoiceFile(company, { number: '2' })))).toEqual(['010'])
  })

  test('remark a certificate that has expired', async () => {
    const { send, signer } = await xmlBook({ now: () => new Date('2041-01-01T00:00:00Z') })
    expect(codesOf(await send(invoiceFile(signer)))).toEqual(['009'])
  })

  test('know a file that is there already, also with other content and after its cancellation', async () => {
    const { send, signer, state } = await xmlBook()
    const file = invoiceFile(signer)
    await send(file)
    for (const again of [file, invoiceFile(signer)]) expect((await send(again)).kind).toBe('held')
    expect((await send(cancellationFile(signer, file))).kind).toBe('accepted')
    expect((await send(cancellationFile(signer, file))).kind).toBe('held')
    expect((await send(file)).kind).toBe('held')
    expect(state.files()).toHaveLength(1)
    expect(state.files()[0]).toMatchObject({ status: 'cancelled', signature: file.signature })
    expect(codesOf(await send(cancellationFile(signer, invoiceFile(signer, { number: '2' }))))).toEqual([
      '018',
    ])
  })

  test('each program and device of an issuer has its own chain', async () => {
    const { send, signer } = await xmlBook()
    const one = invoiceFile(signer, { number: '1' })
    await send(one)
    expect(codesOf(await send(invoiceFile(signer, { number: '2', device: 'CAJA-2' })))).toEqual([])
    expect(
      codesOf(await send(invoiceFile(signer, { number: '3', licence: 'TBAIGIPRE00000000999' }))),
    ).toEqual([])
    expect(codesOf(await send(invoiceFile(signer, { number: '4' })))).toEqual(['010'])
  })

  test('a file whose predecessor was refused is kept with a remark, and the predecessor can be corrected', async () => {
    const { send, signer, state } = await xmlBook()
    const first = invoiceFile(signer, { number: '1' })
    const refused = invoiceFile(signer, { number: '2', previous: first, withoutLines: true })
    const third = invoiceFile(signer, { number: '3', previous: refused })
    await send(first)
    expect((await send(refused)).kind).toBe('rejected')
    expect(codesOf(await send(third))).toEqual(['010'])
    // The correction of a refused file does not move the end of the chain.
    expect(await send(correctionFile(signer, refused, 'SUBSANAR', { previous: first }))).toMatchObject({
      kind: 'accepted',
      warnings: [],
    })
    expect(codesOf(await send(invoiceFile(signer, { number: '4', previous: third })))).toEqual([])
    expect(state.files().map(({ key, corrections }) => `${key.number} ${corrections}`)).toEqual([
      '1 0',
      '3 0',
      '2 1',
      '4 0',
    ])
  })

  test('a correction changes the file that it names by its signature, and no other', async () => {
    const { send, signer, state } = await xmlBook()
    const file = invoiceFile(signer)
    expect((await send(correctionFile(signer, file, 'MODIFICAR'))).kind).toBe('rejected')
    await send(file)
    expect((await send(correctionFile(signer, file, 'MODIFICAR'))).kind).toBe('accepted')
    expect((await send(correctionFile(signer, { ...file, signature: 'x' }, 'MODIFICAR'))).kind).toBe(
      'rejected',
    )
    expect((await send(correctionFile(signer, file, 'SUBSANAR'))).kind).toBe('rejected')
    expect(state.files()).toHaveLength(1)
    expect(state.files()[0]).toMatchObject({ corrections: 1, signature: file.signature })
  })

  test('ask to wait after too many messages', async () => {
    const { send, signer } = await xmlBook({ perMinute: 2 })
    const first = invoiceFile(signer)
    await send(first)
    await send(invoiceFile(signer, { number: '2', previous: first }))
    expect(await send(invoiceFile(signer, { number: '3' }))).toMatchObject({
      kind: 'not_taken',
      reason: 'throttled',
      retryAfter: 60,
    })
    now = new Date(now.getTime() + 60_000)
    expect((await send(invoiceFile(signer, { number: '3' }))).kind).toBe('accepted')
  })

  test('answer other paths, methods and types with pages, and say nothing to a caller without a certificate', async () => {
    const { service, state } = await xmlBook()
    const ask = async (over: object) => {
      const reply = await service.handle({
        method: 'POST',
        path: '/sarrerak/alta',
        headers: { 'content-type': 'application/xml;charset=UTF-8' },
        body: Buffer.from('<x/>'),
        callers: [COMPANY.nif],
        ...over,
      })
      return reply.kind === 'answered' ? reply.status : 0
    }
    expect(await ask({ path: '/otro' })).toBe(404)
    expect(await ask({ method: 'GET' })).toBe(405)
    expect(await ask({ headers: { 'content-type': 'text/plain' } })).toBe(415)
    expect(await ask({ callers: null })).toBe(403)
    expect(await ask({})).toBe(200)
    expect(state.files()).toEqual([])
  })
})

const COMPANY_BOOK: LroeTaxpayer = { model: '240', nif: COMPANY.nif, name: COMPANY.name, person: null }
const PERSON_BOOK: LroeTaxpayer = {
  model: '140',
  nif: PERSON.nif,
  name: PERSON.name,
  person: { firstName: 'ANE', surname1: 'LEJARDI', surname2: 'ARRIOLA' },
}

function lroeBook(
  taxpayer: LroeTaxpayer,
  options: Partial<ProvinceOptions> = {},
  callers: readonly string[] = [taxpayer.nif],
) {
  now = new Date('2026-11-30T12:00:00Z')
  const state = memoryServiceState()
  const service = createProvinceService('bizkaia', {
    state,
    now: () => now,
    verify: verifyTestFile,
    ...options,
  })
  const transport = transportTo(service, callers)
  const client = createLroeClient({ service: SERVICES.bizkaia.production, transport, taxpayer })
  return { client, state, service, transport }
}

describe('Bizkaia', () => {
  test('keeps what the book of a person says of income, and returns it', async () => {
    const { client, state } = lroeBook(PERSON_BOOK)
    const signer = await signerOf(PERSON)
    const file = { ...invoiceFile(signer), income: [{ activity: '501100' }, { activity: '1849501' }] }
    expect((await client.send([file]))[0]?.outcome.kind).toBe('accepted')
    expect(state.files()[0]?.income).toContain('1849501')
    expect(await client.find({ key: file.key })).toMatchObject({ records: [{ signature: file.signature }] })
  })

  test('refuses a message whose taxpayer, holder or name is another', async () => {
    const signer = await signerOf(COMPANY)
    const codeOf = async (book: ReturnType<typeof lroeBook>) => {
      const [sent] = await book.client.send([invoiceFile(signer)])
      return sent?.outcome.kind === 'not_taken' ? sent.outcome.code : sent?.outcome.kind
    }
    expect(await codeOf(lroeBook(COMPANY_BOOK, {}, [STRANGER.nif]))).toBe('N3_0000007')
    expect(
      await codeOf(
        lroeBook(COMPANY_BOOK, { powers: [{ nif: STRANGER.nif, for: COMPANY.nif }] }, [STRANGER.nif]),
      ),
    ).toBe('accepted')
    expect(await codeOf(lroeBook(COMPANY_BOOK, { unknown: [COMPANY.nif] }))).toBe('N3_0000002')
    expect(await codeOf(lroeBook(COMPANY_BOOK, { names: { [COMPANY.nif]: 'OTRO NOMBRE' } }))).toBe(
      'N3_0000002',
    )
    expect(await codeOf(lroeBook(COMPANY_BOOK, { names: { [COMPANY.nif]: COMPANY.name } }))).toBe('accepted')
  })

  test('refuses a message whose headers are wrong or speak of another book', async () => {
    const { client, transport, service, state } = lroeBook(COMPANY_BOOK)
    const signer = await signerOf(COMPANY)
    let request: Parameters<typeof transport>[0] | null = null
    const recording = createLroeClient({
      service: SERVICES.bizkaia.production,
      taxpayer: COMPANY_BOOK,
      transport: async (each) => {
        request = each
        return { kind: 'no_answer', detail: '' }
      },
    })
    await recording.send([invoiceFile(signer)])
    const { headers, body, url } = request as unknown as Parameters<typeof transport>[0]
    const codeOf = async (changed: Record<string, string | undefined>, content: Uint8Array = body) => {
      const reply = await service.handle({
        method: 'POST',
        path: new URL(url).pathname,
        headers: { ...headers, ...changed },
        body: content,
        callers: [COMPANY.nif],
      })
      return reply.kind === 'answered' ? reply.headers['eus-bizkaia-n3-codigo-respuesta'] : 'dropped'
    }
    const data = (over: object): Record<string, string> => ({
      'eus-bizkaia-n3-data': JSON.stringify({
        ...JSON.parse(headers['eus-bizkaia-n3-data'] ?? '{}'),
        ...over,
      }),
    })
    for (const name of [
      'accept-encoding',
      'content-encoding',
      'content-type',
      'eus-bizkaia-n3-version',
      'eus-bizkaia-n3-content-type',
    ])
      expect(await codeOf({ [name]: undefined }), name).toBe('N3_0000012')
    expect(await codeOf({ 'eus-bizkaia-n3-data': '{' })).toBe('N3_0000012')
    expect(await codeOf(data({ con: 'OTRO' }))).toBe('N3_0000013')
    expect(await codeOf(data({ inte: undefined }))).toBe('N3_0000017')
    expect(await codeOf(data({ inte: { nrs: 'X' } }))).toBe('N3_0000014')
    expect(await codeOf(data({ inte: { nif: COMPANY.nif } }))).toBe('N3_0000015')
    expect(await codeOf(data({ apa: '2' }))).toBe('N3_0000009')
    expect(await codeOf(data({ drs: { mode: '140', ejer: '2026' } }))).toBe('N3_0000005')
    expect(await codeOf(data({ drs: { mode: '240', ejer: '2025' } }))).toBe('N3_0000009')
    expect(await codeOf({}, Buffer.from('no gzip'))).toBe('B4_1000001')
    expect(await codeOf({}, gzipSync('<x/>'))).toBe('B4_1000001')
    expect(state.files()).toEqual([])
    expect(await codeOf({})).toBeUndefined()
    expect(state.files()).toHaveLength(1)
    expect(client.fitting([])).toBe(0)
  })

  test('refuses records of another year, issuer or operation one by one, and keeps the others', async () => {
    const { client, state } = lroeBook(COMPANY_BOOK)
    const signer = await signerOf(COMPANY)
    const good = invoiceFile(signer, { number: '1' })
    const hidden = {
      ...cancellationFile(signer, good),
      kind: 'invoice' as const,
      key: { ...good.key, number: '2' },
    }
    const foreign = {
      ...invoiceFile(await signerOf(STRANGER), { number: '3' }),
      key: { ...good.key, number: '3' },
    }
    const outcomes = await client.send([good, foreign])
    // The answer names the record by the key that it read, so that it fits ours.
    expect(outcomes.map(({ outcome }) => outcome.kind)).toEqual(['accepted', 'rejected'])
    expect((await client.send([hidden]))[0]?.outcome.kind).toBe('unknown')
    expect(state.files().map(({ key }) => key.number)).toEqual(['1'])
  })

  test('a record that a script refuses leaves the others alone', async () => {
    const faults = createServiceFaultControl()
    const { client } = lroeBook(COMPANY_BOOK, { faults })
    const signer = await signerOf(COMPANY)
    const files = ['1', '2', '3'].map((number) => invoiceFile(signer, { number }))
    faults.next({ kind: 'record_code', code: 'B4_2000013', record: 1 })
    const outcomes = (await client.send(files)).map(({ outcome }) => outcome)
    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'rejected', 'accepted'])
    expect(outcomes[1]).toMatchObject({ codes: [{ code: 'B4_2000013' }] })
  })

  test.each([COMPANY_BOOK, PERSON_BOOK])(
    'takes received invoices in the book of $model once, and their changes',
    async (taxpayer) => {
      const { client, state } = lroeBook(taxpayer)
      const invoices = [
        receivedInvoice(taxpayer.model),
        receivedInvoice(taxpayer.model, { foreign: true, correction: true }),
      ]
      const kinds = async (operation: 'A00' | 'M00', list = invoices) =>
        (await client.sendReceived(operation, '2026', list)).map(({ outcome }) => outcome.kind)
      expect(await kinds('M00')).toEqual(['rejected', 'rejected'])
      expect(await kinds('A00')).toEqual(['accepted', 'accepted'])
      expect(await kinds('A00')).toEqual(['held', 'held'])
      expect(await kinds('M00')).toEqual(['accepted', 'accepted'])
      expect(await kinds('A00', [invoices[0]!, receivedInvoice(taxpayer.model, { number: 'F-8' })])).toEqual([
        'held',
        'accepted',
      ])
      expect(state.received().map(({ changes }) => changes)).toEqual([1, 1, 0])
    },
  )

  test('a thousand invoices go in one message', async () => {
    const { client, state } = lroeBook(COMPANY_BOOK)
    const signer = await signerOf(COMPANY)
    const files: LroeFile[] = []
    for (let number = 1; number <= 1_001; number += 1)
      files.push(invoiceFile(signer, { number: String(number), previous: files.at(-1) ?? null }))
    expect(client.fitting(files)).toBe(1_000)
    const outcomes = await client.send(files.slice(0, 1_000))
    expect(
      outcomes.every(({ outcome }) => outcome.kind === 'accepted' && outcome.warnings.length === 0),
    ).toBe(true)
    expect(state.files()).toHaveLength(1_000)
    const found = await client.find({ from: '01-01-2026', to: '31-12-2026' })
    expect(found.kind === 'found' && found.records).toHaveLength(1_000)
  })
})

test('a fault from outside is read only with every field of its kind', () => {
  expect(readServiceFault('down')).toEqual({ kind: 'down' })
  expect(readServiceFault({ kind: 'slow', ms: 5 })).toEqual({ kind: 'slow', ms: 5 })
  expect(readServiceFault({ kind: 'record_code', code: 'B4_2000013', record: 2 })).toEqual({
    kind: 'record_code',
    code: 'B4_2000013',
    record: 2,
  })
  for (const wrong of [
    null,
    7,
    'otro',
    { kind: 'slow' },
    { kind: 'throttled', seconds: -1 },
    { kind: 'record_code', code: '' },
    { kind: 'error_500', processed: 'yes' },
  ])
    expect(readServiceFault(wrong)).toBeNull()
})
