/** What an answer of Bizkaia proves about each record: some of many, damage, halves, and answers to other messages. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createLroeClient } from '../../../../../support/ticketbai/client.ts'
import type { Transport } from '../../../../../../server/registry/systems/ticketbai/client/transport.ts'
import type { LroeFile } from '../../../../../../server/registry/systems/ticketbai/lroe/message.ts'
import { readLroeExchange } from '../../../../../../server/registry/systems/ticketbai/lroe/reply.ts'
import { readQuery } from '../../../../../../server/registry/systems/ticketbai/lroe/query.ts'
import { transportTo } from '../../../../../../server/registry/systems/ticketbai/simulator/in-process.ts'
import { createProvinceService } from '../../../../../../server/registry/systems/ticketbai/simulator/provinces.ts'
import { memoryServiceState } from '../../../../../../server/registry/systems/ticketbai/simulator/state.ts'
import type { WireExchange } from '../../../../../../server/registry/systems/ticketbai/wire/outcome.ts'
import { ENTRY_CODES } from '../../../../../../server/registry/systems/ticketbai/wire/codes.ts'
import { SERVICES } from '../../../../../../server/registry/systems/ticketbai/wire/services.ts'
import { COMPANY, invoiceFile, signerOf, verifyTestFile } from '../../../../../support/ticketbai/files.ts'

type Answered = Extract<WireExchange, { kind: 'answered' }>
const taxpayer = { model: '240' as const, nif: COMPANY.nif, name: COMPANY.name, person: null }
const message = { taxpayer, chapter: 'issued' as const, operation: 'A00' as const, year: '2026' }

/** Sends files to a fresh book and returns the answer. The second of them is there already. */
async function answerTo(files: readonly LroeFile[]): Promise<Answered> {
  const service = createProvinceService('bizkaia', {
    state: memoryServiceState(),
    now: () => new Date('2026-11-30T12:00:00Z'),
    verify: verifyTestFile,
  })
  let answer: WireExchange | null = null
  const inner = transportTo(service, [COMPANY.nif])
  const transport: Transport = async (request) => (answer = await inner(request))
  const client = createLroeClient({ service: SERVICES.bizkaia.production, transport, taxpayer })
  if (files[1]) await client.send([files[1]])
  await client.send(files)
  return answer as unknown as Answered
}

async function someOfMany() {
  const signer = await signerOf(COMPANY)
  const first = invoiceFile(signer, { number: '1' })
  const held = invoiceFile(signer, { number: '2' })
  const unfit = invoiceFile(signer, { number: '3', withoutLines: true })
  const files = [first, held, unfit, invoiceFile(signer, { number: '4' })]
  return { files, answer: await answerTo(files) }
}

const kinds = (files: readonly LroeFile[], exchange: WireExchange): string[] =>
  readLroeExchange(message, files, exchange).map(({ outcome }) => outcome.kind)
const textOf = ({ body }: Answered): string => gunzipSync(body).toString('utf8')
const withText = (answer: Answered, text: string): Answered => ({ ...answer, body: gzipSync(text) })

test('of many records some are kept, one is there already and one is refused', async () => {
  const { files, answer } = await someOfMany()
  expect(answer.headers['eus-bizkaia-n3-tipo-respuesta']).toBe('Parcialmente correcto')
  const outcomes = readLroeExchange(message, files, answer)
  expect(outcomes.map(({ id }) => id)).toEqual(files.map(({ id }) => id))
  expect(outcomes.map(({ outcome }) => outcome.kind)).toEqual(['accepted', 'held', 'rejected', 'accepted'])
  expect(outcomes[1]?.outcome).toMatchObject({ codes: [{ code: 'B4_2000003' }] })
})

test('the order of the records in the answer does not matter', async () => {
  const { files, answer } = await someOfMany()
  const text = textOf(answer)
  const records = text.match(/<Registro>.*?<\/Registro>/gs) ?? []
  expect(records).toHaveLength(4)
  const turned = text.replace(records.join(''), records.toReversed().join(''))
  expect(kinds(files, withText(answer, turned))).toEqual(['accepted', 'held', 'rejected', 'accepted'])
})

test('a record that the answer leaves out is unknown, and only that one', async () => {
  const { files, answer } = await someOfMany()
  const [first = ''] = textOf(answer).match(/<Registro>.*?<\/Registro>/s) ?? []
  expect(kinds(files, withText(answer, textOf(answer).replace(first, '')))).toEqual([
    'unknown',
    'held',
    'rejected',
    'accepted',
  ])
})

test('a record named twice, and one of another message, make the whole answer unreadable', async () => {
  const { files, answer } = await someOfMany()
  const [first = ''] = textOf(answer).match(/<Registro>.*?<\/Registro>/s) ?? []
  const all = ['unknown', 'unknown', 'unknown', 'unknown']
  expect(kinds(files, withText(answer, textOf(answer).replace(first, first + first)))).toEqual(all)
  const foreign = first.replace('<NumFactura>1<', '<NumFactura>99<')
  expect(kinds(files, withText(answer, textOf(answer).replace(first, foreign)))).toEqual(all)
})

test('an answer whose head is of another book, year, operation or taxpayer proves nothing', async () => {
  const { files, answer } = await someOfMany()
  for (const [from, to] of [
    ['<Ejercicio>2026<', '<Ejercicio>2025<'],
    ['<Operacion>A00<', '<Operacion>AN0<'],
    ['<Modelo>240<', '<Modelo>140<'],
    ['<Subcapitulo>1.1<', '<Subcapitulo>1.2<'],
    [`<NIF>${COMPANY.nif}<`, '<NIF>B12345674<'],
  ] as const)
    expect(new Set(kinds(files, withText(answer, textOf(answer).replace(from, to)))), from).toEqual(
      new Set(['unknown']),
    )
})

test('headers that contradict the records prove nothing', async () => {
  const { files, answer } = await someOfMany()
  const judged = (type: string) =>
    kinds(files, { ...answer, headers: { ...answer.headers, 'eus-bizkaia-n3-tipo-respuesta': type } })
  expect(judged('Correcto')[0]).toBe('unknown')
  expect(judged('Incorrecto')[0]).toBe('unknown')
  expect(judged('')[0]).toBe('unknown')
  expect(judged('Quizás')[0]).toBe('unknown')
  // Both spellings of the documents are read.
  expect(judged('ParcialmenteCorrecto')[0]).toBe('accepted')
})

test('a body that is cut anywhere proves nothing', async () => {
  const { files, answer } = await someOfMany()
  for (let length = 0; length < answer.body.length; length += 7)
    expect(kinds(files, { ...answer, body: answer.body.subarray(0, length) })[0], String(length)).toBe(
      'unknown',
    )
})

test('a byte that changed on the way never makes a refused record a kept one', async () => {
  const { files, answer } = await someOfMany()
  const seen = new Set<string>()
  for (let at = 0; at < answer.body.length; at += 3) {
    const body = Buffer.from(answer.body)
    body[at] = (body[at] ?? 0) ^ 0x10
    seen.add(kinds(files, { ...answer, body })[2] ?? '')
  }
  expect(seen.has('accepted')).toBe(false)
  expect(seen.has('unknown')).toBe(true)
})

test('an answer that is not compressed is read too', async () => {
  const { files, answer } = await someOfMany()
  const { 'content-encoding': _packed, ...headers } = answer.headers
  expect(kinds(files, { ...answer, headers, body: Buffer.from(textOf(answer)) })[0]).toBe('accepted')
})

test('an answer that would fill the memory is not unpacked', async () => {
  const { files, answer } = await someOfMany()
  const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, 0x20))
  expect(kinds(files, { ...answer, body: bomb })[0]).toBe('unknown')
})

describe('a message that is refused as a whole', () => {
  const refused = (code: string, headers: Record<string, string> = {}): WireExchange => ({
    kind: 'answered',
    status: 200,
    headers: {
      'eus-bizkaia-n3-tipo-respuesta': 'Incorrecto',
      'eus-bizkaia-n3-codigo-respuesta': code,
      'eus-bizkaia-n3-mensaje-respuesta': Buffer.from('El interesado no está identificado.').toString(
        'latin1',
      ),
      ...headers,
    },
    body: Buffer.alloc(0),
  })

  test.each(Object.keys(ENTRY_CODES))('with %s took nothing', async (code) => {
    const files = [invoiceFile(await signerOf(COMPANY))]
    const [read] = readLroeExchange(message, files, refused(code))
    expect(read?.outcome).toMatchObject({
      kind: 'not_taken',
      reason: ENTRY_CODES[code]?.reason,
      code,
      detail: 'El interesado no está identificado.',
    })
  })

  test('for a technical reason is sent again later; for an unknown one it is refused', async () => {
    const files = [invoiceFile(await signerOf(COMPANY))]
    const reason = (code: string) => readLroeExchange(message, files, refused(code))[0]?.outcome
    expect(reason('B4_1000004')).toMatchObject({ kind: 'not_taken', reason: 'down' })
    expect(reason('B4_1000001')).toMatchObject({ kind: 'not_taken', reason: 'refused' })
    expect(reason('ZZ_9999999')).toMatchObject({ kind: 'not_taken', reason: 'refused', code: 'ZZ_9999999' })
    expect(reason('no code')?.kind).toBe('unknown')
  })
})

test('the code of a record in the headers says nothing about a record without its body', async () => {
  const files = [invoiceFile(await signerOf(COMPANY))]
  for (const body of [Buffer.alloc(0), Buffer.from('half')])
    for (const code of ['B4_2000003', 'B4_2000013']) {
      const headers = {
        'eus-bizkaia-n3-tipo-respuesta': 'Incorrecto',
        'eus-bizkaia-n3-codigo-respuesta': code,
      }
      expect(kinds(files, { kind: 'answered', status: 200, headers, body }), code).toEqual(['unknown'])
    }
})

describe('a query', () => {
  const key = { issuerNif: COMPANY.nif, series: 'A', number: '1', issueDate: '30-11-2026' }

  async function asked() {
    const signer = await signerOf(COMPANY)
    const state = memoryServiceState()
    const service = createProvinceService('bizkaia', {
      state,
      now: () => new Date('2026-11-30T12:00:00Z'),
      verify: verifyTestFile,
      pageSize: 2,
    })
    const answers: Answered[] = []
    const inner = transportTo(service, [COMPANY.nif])
    const client = createLroeClient({
      service: SERVICES.bizkaia.production,
      taxpayer,
      transport: async (request) => {
        const answer = await inner(request)
        answers.push(answer as Answered)
        return answer
      },
    })
    const files: LroeFile[] = []
    for (let number = 1; number <= 5; number += 1)
      files.push(invoiceFile(signer, { number: String(number), previous: files.at(-1) ?? null }))
    await client.send(files)
    answers.length = 0
    return { client, files, answers }
  }

  test('returns all pages with the signature of each invoice', async () => {
    const { client, files, answers } = await asked()
    const found = await client.find({ from: '01-01-2026', to: '31-12-2026' })
    expect(found).toMatchObject({
      kind: 'found',
      records: files.map(({ signature, key: { number } }) => ({
        signature,
        key: { number },
        state: 'correct',
      })),
    })
    expect(answers).toHaveLength(3)
  })

  test('of one invoice returns it, or nothing', async () => {
    const { client, files } = await asked()
    expect(await client.find({ key })).toMatchObject({ records: [{ signature: files[0]?.signature }] })
    expect(await client.find({ key: { ...key, number: '77' } })).toEqual({ kind: 'found', records: [] })
  })

  test('whose answer is about something else, another page or cut, fails instead of saying that nothing is held', async () => {
    const { client, answers } = await asked()
    await client.find({ key })
    const [answer] = answers
    if (!answer) throw new Error('There is no answer.')
    const text = textOf(answer)
    const read = (changed: string, page = 1) =>
      readQuery(taxpayer, { key }, page, withText(answer, changed)).kind
    expect(read(text)).toBe('page')
    expect(read(text, 2)).toBe('failed')
    for (const [from, to] of [
      ['<NumFactura>1<', '<NumFactura>2<'],
      [`<NIF>${COMPANY.nif}<`, '<NIF>B12345674<'],
      ['<ExistenRegistros>S<', '<ExistenRegistros>N<'],
      ['<ExistenRegistros>S<', '<ExistenRegistros>X<'],
      ['<Ejercicio>2026<', '<Ejercicio>2025<'],
      ['<Signature>', '<Firma>'],
      ['<EstadoRegistro>Correcto<', '<EstadoRegistro>Otro<'],
      [/<FacturasEmitidas>.*<\/FacturasEmitidas>/s, ''],
    ] as const)
      expect(read(text.replace(from, to)), String(from)).toBe('failed')
    for (let length = 0; length < answer.body.length; length += 11)
      expect(
        readQuery(taxpayer, { key }, 1, { ...answer, body: answer.body.subarray(0, length) }).kind,
        String(length),
      ).toBe('failed')
  })

  test('about an invoice without series leaves out those of other series', async () => {
    const { client, answers } = await asked()
    await client.find({ key })
    const [answer] = answers
    const bare = { ...key, series: '' }
    expect(readQuery(taxpayer, { key: bare }, 1, answer as Answered)).toEqual({
      kind: 'page',
      records: [],
      more: false,
    })
  })
})
