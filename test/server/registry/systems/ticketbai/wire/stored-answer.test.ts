/** Answers that were stored prove the same as those that came. */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readLroeExchange } from '../../../../../../server/registry/systems/ticketbai/lroe/reply.ts'
import { readXmlExchange } from '../../../../../../server/registry/systems/ticketbai/wire/xml.ts'
import {
  restoreAnswer,
  storeAnswer,
} from '../../../../../../server/registry/systems/ticketbai/wire/stored-answer.ts'
import type { WireExchange } from '../../../../../../server/registry/systems/ticketbai/wire/outcome.ts'
import { createLroeClient, createXmlClient } from '../../../../../support/ticketbai/client.ts'
import { transportTo } from '../../../../../../server/registry/systems/ticketbai/simulator/in-process.ts'
import { createProvinceService } from '../../../../../../server/registry/systems/ticketbai/simulator/provinces.ts'
import { memoryServiceState } from '../../../../../../server/registry/systems/ticketbai/simulator/state.ts'
import { SERVICES } from '../../../../../../server/registry/systems/ticketbai/wire/services.ts'
import { COMPANY, invoiceFile, signerOf, verifyTestFile } from '../../../../../support/ticketbai/files.ts'

type Answered = Extract<WireExchange, { kind: 'answered' }>
const taxpayer = { model: '240' as const, nif: COMPANY.nif, name: COMPANY.name, person: null }
const message = { taxpayer, chapter: 'issued' as const, operation: 'A00' as const, year: '2026' }

async function answersOf(province: 'gipuzkoa' | 'bizkaia') {
  const service = createProvinceService(province, {
    state: memoryServiceState(),
    now: () => new Date('2026-11-30T12:00:00Z'),
    verify: verifyTestFile,
  })
  const answers: Answered[] = []
  const inner = transportTo(service, [COMPANY.nif])
  const using = {
    service: SERVICES[province].production,
    transport: async (request: Parameters<typeof inner>[0]) => {
      const exchange = await inner(request)
      answers.push(exchange as Answered)
      return exchange
    },
  }
  const client = province === 'bizkaia' ? createLroeClient({ ...using, taxpayer }) : createXmlClient(using)
  const signer = await signerOf(COMPANY)
  const files = [
    invoiceFile(signer, { number: '1' }),
    invoiceFile(signer, { number: '2', withoutLines: true }),
  ]
  for (const file of files) await client.send([file])
  if (province === 'bizkaia') await client.send(files)
  else await client.send([files[0]!])
  return { answers, files }
}

const restored = (answer: Answered): Answered => {
  const back = restoreAnswer(storeAnswer(answer))
  if (!back) throw new Error('Nothing came back.')
  return back
}

test('of Gipuzkoa', async () => {
  const { answers, files } = await answersOf('gipuzkoa')
  const [file] = files
  expect(answers.map((answer) => readXmlExchange(file!, restored(answer)).kind)).toEqual([
    'accepted',
    'rejected',
    'held',
  ])
  for (const answer of answers)
    expect(readXmlExchange(file!, restored(answer))).toEqual(readXmlExchange(file!, answer))
})

test('of Bizkaia, with the headers that judge it', async () => {
  const { answers, files } = await answersOf('bizkaia')
  const last = answers.at(-1)!
  expect(readLroeExchange(message, files, restored(last)).map(({ outcome }) => outcome.kind)).toEqual([
    'held',
    'rejected',
  ])
  const refused: Answered = {
    kind: 'answered',
    status: 200,
    headers: {
      'eus-bizkaia-n3-tipo-respuesta': 'Incorrecto',
      'eus-bizkaia-n3-codigo-respuesta': 'N3_0000002',
      'eus-bizkaia-n3-mensaje-respuesta': Buffer.from('No está identificado').toString('latin1'),
    },
    body: Buffer.alloc(0),
  }
  for (const answer of [...answers, refused])
    expect(readLroeExchange(message, files, restored(answer))).toEqual(
      readLroeExchange(message, files, answer),
    )
})

test('that were damaged stay damaged', async () => {
  const { answers, files } = await answersOf('bizkaia')
  const half: Answered = { ...answers[0]!, body: answers[0]!.body.subarray(0, 40) }
  expect(readLroeExchange(message, [files[0]!], restored(half))[0]?.outcome.kind).toBe('unknown')
  const page: Answered = { kind: 'answered', status: 500, headers: {}, body: Buffer.from('<html/>') }
  expect(readXmlExchange(files[0]!, restored(page)).kind).toBe('unknown')
  expect(restoreAnswer(Buffer.from('<xml/>'))).toBeNull()
  expect(restoreAnswer(Buffer.alloc(0))).toBeNull()
  expect(restoreAnswer(gzipSync('x'))).toBeNull()
})
