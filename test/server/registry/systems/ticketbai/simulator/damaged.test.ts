/** Damaged messages and answers: the services answer every one, and the readers of answers never throw. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readXml } from '../../../../../../server/domain/formats/xml-reader.ts'
import { createLroeClient, createXmlClient } from '../../../../../support/ticketbai/client.ts'
import { readLroeExchange } from '../../../../../../server/registry/systems/ticketbai/lroe/reply.ts'
import { readReceivedExchange } from '../../../../../../server/registry/systems/ticketbai/lroe/received.ts'
import { readQuery } from '../../../../../../server/registry/systems/ticketbai/lroe/query.ts'
import { createProvinceService } from '../../../../../../server/registry/systems/ticketbai/simulator/provinces.ts'
import { schemaFault } from '../../../../../../server/registry/systems/ticketbai/simulator/schema/check.ts'
import { TICKETBAI_SCHEMA } from '../../../../../../server/registry/systems/ticketbai/simulator/schema/ticketbai-table.ts'
import { memoryServiceState } from '../../../../../../server/registry/systems/ticketbai/simulator/state.ts'
import type {
  WireExchange,
  WireRequest,
} from '../../../../../../server/registry/systems/ticketbai/wire/outcome.ts'
import { readXmlExchange } from '../../../../../../server/registry/systems/ticketbai/wire/xml.ts'
import { SERVICES } from '../../../../../../server/registry/systems/ticketbai/wire/services.ts'
import { dice } from '../../../../../support/seeded-random.ts'
import type { Dice } from '../../../../../support/seeded-random.ts'
import { sweptCount } from '../../../../../support/sweep.ts'
import { COMPANY, invoiceFile, signerOf, verifyTestFile } from '../../../../../support/ticketbai/files.ts'
import { receivedInvoice } from '../../../../../support/ticketbai/received.ts'

const COUNT = sweptCount(5_000, 400)
const LIMITS = { depth: 40, nodes: 60_000, elementChars: 200_000, totalChars: 2_000_000 }
const taxpayer = { model: '240' as const, nif: COMPANY.nif, name: COMPANY.name, person: null }

/** Returns bytes that differ in some place: flipped, cut, doubled, or with something put in. */
function damaged(die: Dice, bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes)
  const at = die.below(copy.length)
  switch (die.below(5)) {
    case 0:
      copy[at] = (copy[at] ?? 0) ^ (1 << die.below(8))
      return copy
    case 1:
      return copy.subarray(0, at)
    case 2:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + die.below(40))])
    case 3:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(Math.max(0, at - die.below(200)))])
    default:
      return Buffer.concat([
        copy.subarray(0, at),
        Buffer.from(die.pick(['<', '&', '>', '<x/>', '\0', '<!DOCTYPE a>', '&#0;', '</Cabecera>', 'ñ', ''])),
        copy.subarray(at),
      ])
  }
}

async function requestsOf(): Promise<{
  xml: WireRequest
  lroe: WireRequest
  received: WireRequest
  query: WireRequest
}> {
  const signer = await signerOf(COMPANY)
  const requests: WireRequest[] = []
  const transport = async (request: WireRequest): Promise<WireExchange> => {
    requests.push(request)
    return { kind: 'no_answer', detail: '' }
  }
  const file = invoiceFile(signer)
  await createXmlClient({ service: SERVICES.gipuzkoa.production, transport }).send([file])
  const book = createLroeClient({ service: SERVICES.bizkaia.production, transport, taxpayer })
  await book.send([file, invoiceFile(signer, { number: '2', previous: file })])
  await book.sendReceived('A00', '2026', [
    receivedInvoice('240'),
    receivedInvoice('240', { foreign: true, correction: true }),
  ])
  await book.find({ key: file.key })
  const [xml, lroe, received, query] = requests
  return { xml: xml!, lroe: lroe!, received: received!, query: query! }
}

test.each(['xml', 'lroe', 'received', 'query'] as const)(
  `${COUNT} damaged messages of kind %s are answered, and only whole files are held`,
  async (kind) => {
    const die = dice(2026)
    const request = (await requestsOf())[kind]
    const counts = { answered: 0, held: 0 }
    for (let round = 0; round < COUNT; round += 1) {
      const state = memoryServiceState()
      const service = createProvinceService(kind === 'xml' ? 'gipuzkoa' : 'bizkaia', {
        state,
        now: () => new Date('2026-11-30T12:00:00Z'),
        verify: verifyTestFile,
      })
      const inPacked = kind !== 'xml' && die.chance(0.8)
      const headers = { ...request.headers }
      if (die.chance(0.2)) {
        const name = die.pick(Object.keys(headers))
        headers[name] = damaged(die, Buffer.from(headers[name] ?? '')).toString('latin1')
      }
      const body = inPacked ? gzipSync(damaged(die, gunzipSync(request.body))) : damaged(die, request.body)
      const reply = await service.handle({
        method: 'POST',
        path: new URL(request.url).pathname,
        headers,
        body,
        callers: [COMPANY.nif],
      })
      expect(reply.kind).toBe('answered')
      counts.answered += 1
      for (const { xml } of state.files()) {
        expect(schemaFault(readXml(xml, LIMITS), TICKETBAI_SCHEMA)).toBeNull()
        counts.held += 1
      }
    }
    console.log(`${kind}: ${JSON.stringify(counts)}`)
  },
)

test(`${COUNT} damaged answers are read without an error, and prove nothing that was not there`, async () => {
  const die = dice(7)
  const signer = await signerOf(COMPANY)
  const requests = await requestsOf()
  const service = (province: 'gipuzkoa' | 'bizkaia') =>
    createProvinceService(province, {
      state: memoryServiceState(),
      now: () => new Date('2026-11-30T12:00:00Z'),
      verify: verifyTestFile,
    })
  const answerTo = async (
    province: 'gipuzkoa' | 'bizkaia',
    { url, headers, body }: WireRequest,
    unfit = false,
  ) => {
    const fresh = service(province)
    const send = (sent: Uint8Array) =>
      fresh.handle({
        method: 'POST',
        path: new URL(url).pathname,
        headers,
        body: sent,
        callers: [COMPANY.nif],
      })
    const reply = await send(unfit ? invoiceFile(signer, { withoutLines: true }).xml : body)
    if (reply.kind !== 'answered') throw new Error('There is no answer.')
    return reply
  }
  const refused = await answerTo('gipuzkoa', requests.xml, true)
  const lroe = await answerTo('bizkaia', requests.lroe)
  const received = await answerTo('bizkaia', requests.received)
  const query = await answerTo('bizkaia', requests.query)
  const key = { issuerNif: COMPANY.nif, series: 'A', number: '1', issueDate: '30-11-2026' }
  const message = { taxpayer, chapter: 'issued' as const, operation: 'A00' as const, year: '2026' }
  const files = [invoiceFile(signer)]
  const seen = new Set<string>()
  for (let round = 0; round < COUNT; round += 1) {
    const body = damaged(die, refused.body)
    seen.add(readXmlExchange({ kind: 'invoice', identifier: null }, { ...refused, body }).kind)
    const packed = (answer: typeof lroe): WireExchange => ({
      ...answer,
      body: answer.body.length === 0 ? answer.body : gzipSync(damaged(die, gunzipSync(answer.body))),
    })
    readLroeExchange(message, files, packed(lroe))
    readReceivedExchange({ ...message, chapter: 'received' }, [receivedInvoice('240')], packed(received))
    readQuery(taxpayer, { key }, 1, packed(query))
  }
  expect(seen.has('accepted')).toBe(false)
  expect(seen.has('unknown')).toBe(true)
})
