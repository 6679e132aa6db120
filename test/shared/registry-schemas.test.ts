/**
 * What we write against the authority's published schemas, and its published messages against our readers. Runs only
 * where SELLO_SHARED names the folder of facts and xmllint is installed.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyLink } from '../../server/registry/record/chain.ts'
import { readXml } from '../../server/registry/wire/reader.ts'
import { readReply } from '../../server/registry/wire/reply.ts'
import { readSealedRecord } from '../../server/registry/record/sealed.ts'
import { buildRegistration } from '../../server/registry/record/xml.ts'
import { buildSubmission } from '../../server/registry/wire/messages.ts'
import {
  GENERATED_AT,
  invoice,
  ISSUER,
  NOW,
  openSimulator,
  PREVIOUS,
  SYSTEM,
  validInvoice,
} from '../server/registry/samples.ts'

const shared = process.env['SELLO_SHARED'] ?? ''
const hasLinter = spawnSync('xmllint', ['--version']).status === 0
const GOLDEN = new URL('../golden/registry/', import.meta.url)

describe.skipIf(shared === '' || !hasLinter)('published schemas of the registry', () => {
  const schema = join(shared, 'registry/schemas/all.xsd')
  const sample = (name: string) => readFileSync(join(shared, 'registry/samples', name), 'utf8')
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sello-schemas-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Nothing when all the documents are valid, otherwise the linter's words. */
  function complaints(documents: string[]): string {
    const files = documents.map((xml, index) => {
      const file = join(folder, `${index}.xml`)
      writeFileSync(file, xml)
      return file
    })
    const { status, stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', schema, ...files], {
      encoding: 'utf8',
    })
    return status === 0 ? '' : stderr.replace(/^.* validates$/gm, '').trim()
  }

  /** The child of the envelope's body, with the prefixes of the envelope declared on it. */
  function bodyOf(envelope: string): string {
    const declared = /<\w+:Envelope([^>]*)>/.exec(envelope)?.[1] ?? ''
    const body = /<\w+:Body>\s*<([\w:]+)([^>]*)>([\s\S]*)<\/\w+:Body>/.exec(envelope)
    if (!body) throw new Error('No body.')
    const own = body[2] ?? ''
    const missing = [...declared.matchAll(/ (xmlns:\w+)="[^"]*"/g)].filter(
      ([, name]) => !own.includes(`${name}=`),
    )
    return `<${body[1]}${own}${missing.map(([text]) => text).join('')}>${body[3]}`
  }

  test('golden records are valid', () => {
    const records = readdirSync(GOLDEN).filter((name) => name.endsWith('.xml'))
    expect(records.length).toBeGreaterThanOrEqual(12)
    expect(complaints(records.map((name) => readFileSync(new URL(name, GOLDEN), 'utf8')))).toBe('')
  })

  test('the linter does see a spoiled record', () => {
    const { xml } = buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT)
    expect(complaints([xml.replace('<sf:TipoFactura>F1</sf:TipoFactura>', '')])).toContain('TipoFactura')
  })

  test('submissions of random invoices, and the simulated answers to them, are valid', async () => {
    const { simulator } = openSimulator()
    const bodies: string[] = []
    for (const made of fc.sample(validInvoice, { numRuns: 100, seed: 20261116 })) {
      const { xml } = buildRegistration(made, PREVIOUS, SYSTEM, GENERATED_AT)
      const representative = made.simplifiedArt7273 ? { name: 'R & R', nif: '89890002E' } : undefined
      const message = buildSubmission(
        { issuer: ISSUER, ...(representative ? { representative } : {}) },
        [xml, xml],
        {
          incident: made.kind === 'F2',
        },
      )
      bodies.push(bodyOf(message), bodyOf(await simulator.submit(message)))
    }
    expect(complaints(bodies)).toBe('')
  })

  test('answers with rejections, warnings and duplicates are valid', async () => {
    const { simulator } = openSimulator()
    const records = [
      invoice(),
      invoice(),
      invoice({ number: 'F-2', totalCents: 99_999 }),
      invoice({ number: 'F-2' }),
      invoice({ number: 'F-3', recipient: null }),
    ]
    const message = buildSubmission(
      { issuer: ISSUER },
      records.map((made) => buildRegistration(made, PREVIOUS, SYSTEM, GENERATED_AT).xml),
    )
    const answer = await simulator.submit(message)
    expect(readReply(answer)).toMatchObject({
      lines: [{ state: 'Correcto' }, { code: '3000' }, { code: '2005' }, { code: '3000' }, { code: '1189' }],
    })
    expect(complaints([bodyOf(answer)])).toBe('')
  })

  test('every published sample can be read', () => {
    for (const name of readdirSync(join(shared, 'registry/samples'))) {
      expect(readXml(sample(name)).name, name).toBe('Envelope')
    }
  })

  test('published replies are understood', () => {
    expect(readReply(sample('response-correct.xml'))).toMatchObject({
      kind: 'answer',
      state: 'Correcto',
      csv: 'A-SAMPLE00000001',
      waitSeconds: 60,
    })
    expect(readReply(sample('response-partial.xml'))).toMatchObject({
      state: 'ParcialmenteCorrecto',
      waitSeconds: 75,
      lines: [
        { state: 'Correcto' },
        { number: 'FV-2 & CO', state: 'AceptadoConErrores', code: '2005' },
        { state: 'Incorrecto', code: '1189' },
      ],
    })
    const duplicate = readReply(sample('response-duplicate.xml'))
    expect(duplicate).toMatchObject({
      state: 'Incorrecto',
      lines: [{ code: '3000', duplicate: { state: 'Correcta', requestId: '20261116100002000001' } }],
    })
    expect(duplicate).not.toHaveProperty('csv')
    expect(readReply(sample('fault-header.xml'))).toMatchObject({
      kind: 'fault',
      faultCode: 'Client',
      code: '4104',
    })
    expect(readReply(sample('query-response.xml')).kind).toBe('unreadable')
  })

  test('the chain of the published requests verifies from the first record to the last', () => {
    const records = ['request-first-alta.xml', 'request-mixed-batch.xml'].flatMap((name) => {
      const xml = sample(name)
      const sf = /xmlns:sf="[^"]+"/.exec(xml)?.[0] ?? ''
      return [...xml.matchAll(/<sf:(RegistroAlta|RegistroAnulacion)>[\s\S]*?<\/sf:\1>/g)].map(([text]) =>
        text.replace('>', ` ${sf}>`),
      )
    })
    expect(records).toHaveLength(8)
    let previous = null
    for (const xml of records) {
      const record = readSealedRecord(xml)
      expect(verifyLink(record, previous)).toBeNull()
      previous = record.link
    }
  })

  test('the simulated authority accepts the published first record and sorts the mixed batch', async () => {
    let now = NOW
    const { simulator } = openSimulator({ now: () => now })
    expect(readReply(await simulator.submit(sample('request-first-alta.xml')))).toMatchObject({
      state: 'Correcto',
      lines: [{ number: 'FV-1' }],
    })
    now = new Date('2026-11-16T09:08:00Z')
    const reply = readReply(await simulator.submit(sample('request-mixed-batch.xml')))
    if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply))
    expect(reply.lines.map(({ number, operation, state, code }) => [number, operation, state, code])).toEqual(
      [
        ['FV-2 & CO', 'registration', 'Correcto', undefined],
        ['FS-1', 'registration', 'Correcto', undefined],
        // Not simulated yet: rectifying invoices, corrections, cancellations.
        ['FR-1', 'registration', 'Incorrecto', '1106'],
        ['FR-2', 'registration', 'Incorrecto', '1106'],
        ['FV-3', 'registration', 'Correcto', undefined],
        ['FV-2 & CO', 'registration', 'Incorrecto', '1171'],
        ['FS-1', 'cancellation', 'Incorrecto', '1100'],
      ],
    )
  })
})
