/**
 * Messages of TicketBAI's services and the simulators' answers against the official schemas of the folder of facts, and the tables
 * that the simulators check with. Runs only where SELLO_SHARED names that folder; needs xmllint.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { tableSource, TABLES } from '../../build/ticketbai/schema-tables.ts'
import { readXml } from '../../server/domain/formats/xml-reader.ts'
import { createLroeClient, createXmlClient } from '../support/ticketbai/client.ts'
import type { Transport } from '../../server/registry/systems/ticketbai/client/transport.ts'
import { transportTo } from '../../server/registry/systems/ticketbai/simulator/in-process.ts'
import { createProvinceService } from '../../server/registry/systems/ticketbai/simulator/provinces.ts'
import { schemaFault } from '../../server/registry/systems/ticketbai/simulator/schema/check.ts'
import { TICKETBAI_SCHEMA } from '../../server/registry/systems/ticketbai/simulator/schema/ticketbai-table.ts'
import { LROE_SCHEMA } from '../../server/registry/systems/ticketbai/simulator/schema/lroe-table.ts'
import { createServiceFaultControl } from '../../server/registry/systems/ticketbai/simulator/faults.ts'
import { memoryServiceState } from '../../server/registry/systems/ticketbai/simulator/state.ts'
import { XML_CODES, ENTRY_CODES, BOOK_CODES } from '../../server/registry/systems/ticketbai/wire/codes.ts'
import { SERVICES } from '../../server/registry/systems/ticketbai/wire/services.ts'
import type { LroeModel } from '../../server/registry/systems/ticketbai/lroe/chapters.ts'
import { schemaComplaints, areValid } from '../support/files/xmllint.ts'
import { dice } from '../support/seeded-random.ts'
import { receivedInvoice } from '../support/ticketbai/received.ts'
import {
  cancellationFile,
  COMPANY,
  invoiceFile,
  PERSON,
  signerOf,
  testIdentifier,
  verifyTestFile,
} from '../support/ticketbai/files.ts'

const shared = process.env['SELLO_SHARED'] ?? ''
const SEED = 20_261_130
const LIMITS = { depth: 40, nodes: 100_000, elementChars: 1_000_000, totalChars: 20_000_000 }
const NOW = new Date('2026-11-30T12:00:00Z')
const now = (): Date => NOW

describe.skipIf(shared === '')('sending TicketBAI', () => {
  const folder = join(shared, 'territories')
  const lroe = (root: string): string => {
    const name = /esquemas\/(LROE_[\w.]+\.xsd)/.exec(root)?.[1] ?? ''
    return join(folder, 'lroe', name)
  }
  const rows = (file: string): string[][] =>
    readFileSync(join(folder, file), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split('\t'))

  test.each(TABLES)('$file is that of the schemas', (table) => {
    const written = readFileSync(resolve(import.meta.dirname, '../..', table.file), 'utf8')
    // The formatter breaks long lines; the content decides.
    const bare = (text: string): string => text.replace(/\s+/g, '').replace(/,(?=[}\]])/g, '')
    expect(bare(written)).toBe(bare(tableSource(table, shared)))
  })

  test('the official samples fit the tables', () => {
    for (const sample of [
      'sample-alta-01',
      'sample-alta-02',
      'sample-anula-02',
      'sample-zuzendu-baja',
      'sample-zuzendu-modificar',
      'sample-zuzendu-subsanar',
    ]) {
      const xml = readFileSync(join(folder, 'ticketbai', `${sample}.xml`), 'utf8')
      expect(schemaFault(readXml(xml, LIMITS), TICKETBAI_SCHEMA), sample).toBeNull()
    }
    for (const sample of ['example-140-alta', 'example-240-alta']) {
      const xml = readFileSync(join(folder, 'lroe', `${sample}.xml`), 'utf8')
      expect(schemaFault(readXml(xml, LIMITS), LROE_SCHEMA), sample).toBeNull()
    }
  })

  test('the table judges damaged samples as the schema does', () => {
    const die = dice(SEED)
    const schema = join(folder, 'ticketbai/ticketbaiv1-2-2.xsd')
    const sample = readFileSync(join(folder, 'ticketbai/sample-alta-02.xml'), 'utf8')
    // The signature is judged by its verifier.
    const [content = ''] = sample.split('<ds:Signature ')
    const damaged = Array.from({ length: 300 }, () => {
      const tags = [...content.matchAll(/<(\w+)>([^<]*)<\/\1>/g)]
      const { 0: whole, 1: name = '', 2: text = '', index } = die.pick(tags)
      const other = die.pick([
        '',
        `<${name}>${text}</${name}><${name}>${text}</${name}>`,
        `<${name}>${die.pick(['', 'N', 'X', '1.234', '-5', '12-13-20', `${text}${text}${text}`, 'x'.repeat(130)])}</${name}>`,
        `<Otro>${text}</Otro>`,
      ])
      return (
        content.slice(0, index) + other + content.slice(index + whole.length) + sample.slice(content.length)
      )
    })
    const valid = areValid(schema, damaged)
    const ours = damaged.map((xml) => schemaFault(readXml(xml, LIMITS), TICKETBAI_SCHEMA) === null)
    expect(ours).toEqual(valid)
    expect(valid.filter((each) => !each).length).toBeGreaterThan(100)
    console.log(`${damaged.length} damaged files, ${valid.filter((each) => !each).length} refused by both`)
  })

  test.each(['240', '140'] as const)(
    'every message of %s and every answer fits its schema',
    async (model) => {
      const who = model === '240' ? COMPANY : PERSON
      const signer = await signerOf(who)
      const faults = createServiceFaultControl()
      const service = createProvinceService('bizkaia', {
        state: memoryServiceState(),
        now,
        verify: verifyTestFile,
        faults,
      })
      const messages: string[] = []
      const inner = transportTo(service, [who.nif])
      const transport: Transport = async (request) => {
        const exchange = await inner(request)
        messages.push(gunzipSync(request.body).toString('utf8'))
        if (exchange.kind === 'answered' && exchange.body.length > 0)
          messages.push(gunzipSync(exchange.body).toString('utf8'))
        return exchange
      }
      const client = createLroeClient({
        service: SERVICES.bizkaia.production,
        transport,
        taxpayer: taxpayerOf(model),
      })
      const first = invoiceFile(signer)
      const second = invoiceFile(signer, { number: '2', series: '', previous: first })
      const unfit = invoiceFile(signer, {
        number: '3',
        after: (xml) => xml.replace('<NumFactura>', '<Numero>').replace('</NumFactura>', '</Numero>'),
      })
      await client.send([first, second, unfit])
      await client.send([invoiceFile(signer, { number: '4' }), first])
      await client.send([cancellationFile(signer, first)])
      await client.send([cancellationFile(signer, first), cancellationFile(signer, unfit)])
      const received = [receivedInvoice(model), receivedInvoice(model, { foreign: true, correction: true })]
      await client.sendReceived('A00', '2026', received)
      await client.sendReceived('A00', '2026', received)
      await client.sendReceived('M00', '2026', [received[0]!, receivedInvoice(model, { number: 'nothing' })])
      expect(messages.length).toBe(14)
      for (const xml of messages) expect(schemaComplaints(lroe(xml), [xml]), xml.slice(0, 300)).toBe('')
    },
  )

  test('every answer of Araba and Gipuzkoa fits its schema', async () => {
    const signer = await signerOf(COMPANY)
    const answers: string[] = []
    for (const province of ['araba', 'gipuzkoa'] as const) {
      const service = createProvinceService(province, {
        state: memoryServiceState(),
        now,
        verify: verifyTestFile,
        identifierOf: testIdentifier,
        heldIdentifier: 'held',
      })
      const inner = transportTo(service, [COMPANY.nif])
      const client = createXmlClient({
        service: SERVICES[province].production,
        transport: async (request) => {
          const exchange = await inner(request)
          if (exchange.kind === 'answered') answers.push(Buffer.from(exchange.body).toString('utf8'))
          return exchange
        },
      })
      const first = invoiceFile(signer)
      for (const file of [
        first,
        first,
        invoiceFile(signer, { number: '2' }),
        cancellationFile(signer, first),
      ])
        await client.send([file])
    }
    expect(answers).toHaveLength(8)
    expect(schemaComplaints(join(folder, 'ticketbai/TicketBAIResponse.xsd'), answers)).toBe('')
  })

  test('codes and addresses are those of the folder of facts', () => {
    const known = { ...XML_CODES, ...ENTRY_CODES, ...BOOK_CODES }
    const codes = rows('tbai-codes.tsv').flatMap(([, code = '']) =>
      code === '00' || code === '01' ? [] : [code],
    )
    expect(Object.keys(known).toSorted()).toEqual(codes.toSorted())
    for (const [item = '', environment = '', ...urls] of rows('tbai-profiles.tsv')) {
      if (!['alta', 'cancel', 'zuzendu_alta', 'zuzendu_baja', 'query'].includes(item)) continue
      for (const [index, province] of (['araba', 'bizkaia', 'gipuzkoa'] as const).entries()) {
        const service = SERVICES[province][environment as 'production' | 'test']
        const ours = {
          alta: service.invoice,
          cancel: service.cancellation,
          zuzendu_alta: service.correction,
          zuzendu_baja: service.cancellationCorrection,
          query: service.query,
        }[item]
        const theirs = urls[index] ?? ''
        expect(ours, `${item} ${province}`).toBe(
          theirs === 'same as alta' ? service.invoice : theirs.startsWith('https') ? theirs : null,
        )
      }
    }
  })
})

function taxpayerOf(model: LroeModel) {
  return model === '240'
    ? { model, nif: COMPANY.nif, name: COMPANY.name, person: null }
    : {
        model,
        nif: PERSON.nif,
        name: PERSON.name,
        person: { firstName: 'ANE', surname1: 'LEJARDI', surname2: 'ARRIOLA' },
      }
}
