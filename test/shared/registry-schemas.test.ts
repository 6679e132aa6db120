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
import {
  cancellationHash,
  registrationHash,
  verifyLink,
} from '../../server/registry/systems/verifactu/record/chain.ts'
import {
  cancellationText,
  registrationText,
  trimValue,
} from '../../server/registry/systems/verifactu/record/hashed.ts'
import { qrAddress } from '../../server/registry/systems/verifactu/record/qr.ts'
import { readSealedRecord } from '../../server/registry/systems/verifactu/record/sealed.ts'
import { buildRegistration } from '../../server/registry/systems/verifactu/record/xml.ts'
import { buildQuery, buildSubmission } from '../../server/registry/systems/verifactu/wire/messages.ts'
import { readQueryReply } from '../../server/registry/systems/verifactu/wire/query-reply.ts'
import { readXml } from '../../server/registry/systems/verifactu/wire/reader.ts'
import { readReply } from '../../server/registry/systems/verifactu/wire/reply.ts'
import { builtRecord, goldenMessages, goldenRecords } from '../server/registry/golden.ts'
import {
  admittedInvoice,
  GENERATED_AT,
  invoice,
  ISSUER,
  NOW,
  openSimulator,
  PREVIOUS,
  SYSTEM,
  validCancellation,
  validInvoice,
  validQuery,
} from '../server/registry/samples.ts'
import ourVectors from '../server/registry/vectors.json' with { type: 'json' }

const shared = process.env['SELLO_SHARED'] ?? ''
const hasLinter = spawnSync('xmllint', ['--version']).status === 0
const SEED = 20261116

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

  test('golden records and messages are valid', () => {
    expect(goldenRecords.length).toBeGreaterThanOrEqual(40)
    expect(complaints(goldenRecords.map(({ xml }) => readFileSync(xml, 'utf8')))).toBe('')
    expect(goldenMessages.length).toBeGreaterThanOrEqual(10)
    expect(complaints(goldenMessages.map(({ xml }) => bodyOf(readFileSync(xml, 'utf8'))))).toBe('')
  })

  test('the linter does see a spoiled record, and a spoiled message', () => {
    const { xml } = buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT)
    expect(complaints([xml.replace('<sf:TipoFactura>F1</sf:TipoFactura>', '')])).toContain('TipoFactura')
    const query = bodyOf(buildQuery({ issuer: ISSUER, month: '2026-11' }))
    expect(complaints([query.replace('>11<', '>13<')])).toContain('Periodo')
  })

  test('500 random records and queries are valid', () => {
    const registrations = fc.sample(admittedInvoice, { numRuns: 300, seed: SEED })
    const cancellations = fc.sample(validCancellation, { numRuns: 100, seed: SEED })
    const queries = fc.sample(validQuery, { numRuns: 100, seed: SEED })
    const documents = [
      ...registrations.map(
        (made, index) => builtRecord({ invoice: made }, index === 0 ? null : PREVIOUS).xml,
      ),
      ...cancellations.map(
        (made, index) => builtRecord({ cancellation: made }, index === 0 ? null : PREVIOUS).xml,
      ),
      ...queries.map((query) => bodyOf(buildQuery(query))),
    ]
    expect(documents).toHaveLength(500)
    expect(complaints(documents)).toBe('')
  })

  test('random submissions, and the simulated answers to them, are valid', async () => {
    const { simulator } = openSimulator()
    const bodies: string[] = []
    const states = new Set<string>()
    const batches = fc.sample(
      fc.array(fc.oneof(admittedInvoice, validInvoice), { minLength: 1, maxLength: 4 }),
      {
        numRuns: 60,
        seed: SEED,
      },
    )
    const cancellations = fc.sample(validCancellation, { numRuns: batches.length, seed: SEED })
    for (const [index, batch] of batches.entries()) {
      const records = [
        ...batch.map((made) => builtRecord({ invoice: made }, PREVIOUS).xml),
        builtRecord({ cancellation: cancellations[index]! }, PREVIOUS).xml,
      ]
      const representative = index % 3 === 0 ? { name: 'R & R', nif: '89890002E' } : undefined
      const message = buildSubmission(
        { issuer: ISSUER, ...(representative ? { representative } : {}) },
        // The last one twice: a duplicate is answered with what is held already.
        [...records, ...records.slice(-1)],
        { incident: index % 2 === 0, ...(index % 5 === 0 ? { leavingOn: '2026-12-31' } : {}) },
      )
      const answer = await simulator.submit(message)
      const reply = readReply(answer)
      if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply))
      for (const { state, code } of reply.lines) states.add(code === undefined ? state : `${state} ${code}`)
      bodies.push(bodyOf(message), bodyOf(answer))
    }
    expect(complaints(bodies)).toBe('')
    for (const state of ['Correcto', 'AceptadoConErrores 2001', 'Incorrecto 3000', 'Incorrecto 3002'])
      expect([...states]).toContain(state)
  })

  test('answers with rejections, warnings and duplicates are valid', async () => {
    const { simulator } = openSimulator()
    const records = [
      invoice(),
      invoice(),
      invoice({ number: 'F-2', totalCents: 99_999 }),
      invoice({ number: 'F-2' }),
      invoice({ number: 'F-3', recipients: [] }),
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

  test('the simulated answers to queries are valid and tell what was registered, page by page', async () => {
    const { simulator } = openSimulator({ pageSize: 5 })
    const made = fc.sample(validInvoice, { numRuns: 100, seed: SEED }).map((one, index) => ({
      ...one,
      number: `Q-${String(index).padStart(3, '0')}`,
      recordId: `rec-${index}`,
    }))
    const cancelled = made[0]!
    const built = made.map((one) => builtRecord({ invoice: one }, PREVIOUS))
    const key = { issuerNif: ISSUER.nif, number: cancelled.number, issueDate: cancelled.issueDate }
    const cancellation = { recordId: 'rec-999', turn: 'first' as const, key, madeBy: null }
    const records = [...built.map(({ xml }) => xml), builtRecord({ cancellation }, PREVIOUS).xml]
    expect(readReply(await simulator.submit(buildSubmission({ issuer: ISSUER }, records)))).toMatchObject({
      state: 'Correcto',
    })
    const monthOf = (one: (typeof made)[number]) => (one.operationDate ?? one.issueDate).slice(0, 7)
    const bodies: string[] = []
    let turned = 0
    for (const month of new Set(made.map(monthOf))) {
      const held = []
      for (let after; ; turned++) {
        const answer = await simulator.query(
          buildQuery({ issuer: ISSUER, month, ...(after ? { after } : {}) }),
        )
        bodies.push(bodyOf(answer))
        const reply = readQueryReply(answer)
        if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply))
        expect(reply.month).toBe(month)
        held.push(...reply.items)
        if (reply.next === null) break
        after = reply.next
      }
      const expected = made.flatMap((one, index) =>
        monthOf(one) === month ? [{ one, link: built[index]!.link }] : [],
      )
      expect(held).toHaveLength(expected.length)
      for (const { one, link } of expected)
        expect(held.find((item) => item.key.number === one.number)).toMatchObject({
          key: { issuerNif: ISSUER.nif, number: one.number, issueDate: one.issueDate },
          recordRef: one.recordId,
          hash: link.hash,
          kind: one.kind,
          generatedAt: GENERATED_AT,
          state: one === cancelled ? 'Anulado' : 'Correcto',
          system: {
            producerId: SYSTEM.producer.nif,
            id: SYSTEM.id,
            installation: SYSTEM.installationNumber,
          },
          recipients: one.recipients.map((who) => ({ name: who.name, id: 'nif' in who ? who.nif : who.id })),
          description: one.description,
        })
    }
    expect(turned).toBeGreaterThan(5)
    const none = await simulator.query(buildQuery({ issuer: ISSUER, month: '2025-07' }))
    expect(readQueryReply(none)).toMatchObject({ kind: 'answer', items: [] })
    expect(complaints([...bodies, bodyOf(none)])).toBe('')
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
    expect(readQueryReply(sample('response-correct.xml')).kind).toBe('unreadable')
    expect(readQueryReply(sample('fault-header.xml'))).toMatchObject({ kind: 'fault', code: '4104' })
    expect(readQueryReply(sample('query-response.xml'))).toEqual({
      kind: 'answer',
      issuerNif: '89890001K',
      month: '2026-11',
      hasMore: false,
      next: null,
      items: [
        {
          key: { issuerNif: '89890001K', number: 'FV-1', issueDate: '2026-11-16' },
          recordRef: null,
          hash: null,
          kind: 'F1',
          taxTotal: '21.00',
          total: '121.00',
          generatedAt: null,
          state: 'Correcto',
          code: null,
          message: null,
          modifiedAt: '2026-11-16T10:00:02+01:00',
          requestId: '20261116100002000001',
          presentedAt: '2026-11-16T10:00:02+01:00',
          system: null,
          recipients: [],
          description: null,
        },
      ],
    })
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

  test('published vectors of hashes, trims and addresses match, and are all among ours', () => {
    interface Vector {
      id: string
      kind: string
      input: Record<string, string>
      canonical: string
      expected: string
      expected_any_of: string[]
    }
    const file = readFileSync(join(shared, 'registry/vectors.json'), 'utf8')
    const { vectors } = JSON.parse(file) as { vectors: Vector[] }
    const checked = vectors.map(({ id, kind, input, canonical, expected, expected_any_of }) => {
      const of = (name: string) => input[name] ?? ''
      const suffix = kind === 'hash-anulacion' ? 'Anulada' : ''
      const common = {
        issuerNif: of(`IDEmisorFactura${suffix}`),
        number: of(`NumSerieFactura${suffix}`),
        issueDate: of(`FechaExpedicionFactura${suffix}`),
        previousHash: of('Huella'),
        generatedAt: of('FechaHoraHusoGenRegistro'),
      }
      if (kind === 'hash-alta') {
        const fields = {
          ...common,
          invoiceKind: of('TipoFactura'),
          taxTotal: of('CuotaTotal'),
          total: of('ImporteTotal'),
        }
        expect(registrationText(fields), id).toBe(canonical)
        expect(registrationHash(fields), id).toBe(expected)
        expect(ourVectors.registrations.map(({ hash }) => hash)).toContain(expected)
      } else if (kind === 'hash-anulacion') {
        expect(cancellationText(common), id).toBe(canonical)
        expect(cancellationHash(common), id).toBe(expected)
        expect(ourVectors.cancellations.map(({ hash }) => hash)).toContain(expected)
      } else if (kind === 'trim') {
        expect(trimValue(of('NumSerieFactura')), id).toBe(expected)
        expect(ourVectors.trims.map(({ raw }) => raw)).toContain(of('NumSerieFactura'))
      } else if (kind === 'qr-url') {
        const environment = of('environment') === 'prod' ? 'production' : 'test'
        const url = qrAddress(environment, of('nif'), of('numserie'), of('fecha'), of('importe'))
        expect(expected_any_of, id).toContain(url)
        expect(ourVectors.qr.map((vector) => vector.url)).toContain(url)
      } else {
        // Events are for programs that do not send; the checker's page is tried with the simulated authority.
        expect(['hash-evento', 'qr-reply'], id).toContain(kind)
        return null
      }
      return kind
    })
    expect(checked.filter((kind) => kind !== null).sort()).toEqual([
      'hash-alta',
      'hash-alta',
      'hash-anulacion',
      'qr-url',
      'qr-url',
      'trim',
    ])
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
        ['FR-1', 'registration', 'Correcto', undefined],
        ['FR-2', 'registration', 'Correcto', undefined],
        ['FV-3', 'registration', 'Correcto', undefined],
        // Sent as one the registry does not hold, but the first line was registered.
        ['FV-2 & CO', 'registration', 'Incorrecto', '3000'],
        ['FS-1', 'cancellation', 'Correcto', undefined],
      ],
    )
  })
})
