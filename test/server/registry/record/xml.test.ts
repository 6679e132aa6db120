import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { madridInstant } from '../../../../server/core/dates.ts'
import { NS_RECORD, NS_SUBMISSION } from '../../../../server/registry/wire/namespaces.ts'
import { onlyChild, optionalChild, readXml } from '../../../../server/registry/wire/reader.ts'
import { buildRegistration, escapeText } from '../../../../server/registry/record/xml.ts'
import { buildSubmission } from '../../../../server/registry/wire/messages.ts'
import { checkRecord } from '../../../../server/registry/record/rules.ts'
import { GENERATED_AT, invoice, ISSUER, PREVIOUS, SYSTEM, TODAY, validInvoice } from '../samples.ts'
import type { ChainLink, RegistryInvoice } from '../../../../server/registry/record/fields.ts'

const GOLDEN = new URL('../../../golden/registry/', import.meta.url)
const cases = readdirSync(GOLDEN).filter((name) => name.endsWith('.json'))

describe('records as they have always been written', () => {
  test('there are at least twelve', () => {
    expect(cases.length).toBeGreaterThanOrEqual(12)
  })

  test.each(cases)('%s', (name) => {
    const { invoice: facts, previous } = JSON.parse(readFileSync(new URL(name, GOLDEN), 'utf8')) as {
      invoice: RegistryInvoice
      previous: ChainLink | null
    }
    expect(checkRecord(facts, TODAY).filter(({ severity }) => severity === 'error')).toEqual([])
    const { xml, hash } = buildRegistration(facts, previous, SYSTEM, GENERATED_AT)
    const file = new URL(name.replace(/json$/, 'xml'), GOLDEN)
    if (process.env['SELLO_UPDATE_GOLDEN'] === '1') writeFileSync(file, `${xml}\n`)
    expect(`${xml}\n`).toBe(readFileSync(file, 'utf8'))
    expect(xml).toContain(`<sf:Huella>${hash}</sf:Huella></sf:RegistroAlta>`)
  })
})

describe('text in records', () => {
  test('only what XML demands is escaped, and outer blanks never get in', () => {
    expect(escapeText('  a & b < c > d "e" \'f\' ]]> ')).toBe('a &amp; b &lt; c > d "e" \'f\' ]]&gt;')
    expect(escapeText('&amp;')).toBe('&amp;amp;')
  })

  test('what XML cannot carry is refused', () => {
    for (const bad of ['a\u0000b', 'a\u001bb', 'a\rb', 'a\uffffb'])
      expect(() => escapeText(bad)).toThrow(RangeError)
    const half = invoice({ description: 'x\ud800y' })
    expect(() => buildRegistration(half, PREVIOUS, SYSTEM, GENERATED_AT)).toThrow(RangeError)
  })

  test('every value can be read back as it was given', () => {
    fc.assert(
      fc.property(validInvoice, (made) => {
        const record = readXml(buildRegistration(made, PREVIOUS, SYSTEM, GENERATED_AT).xml)
        const value = (name: string) => onlyChild(record, NS_RECORD, name).text
        expect(value('DescripcionOperacion')).toBe(made.description)
        expect(value('NombreRazonEmisor')).toBe(made.issuer.name)
        expect(onlyChild(onlyChild(record, NS_RECORD, 'IDFactura'), NS_RECORD, 'NumSerieFactura').text).toBe(
          made.number,
        )
        expect(optionalChild(record, NS_RECORD, 'Destinatarios') === undefined).toBe(made.recipient === null)
        expect(onlyChild(record, NS_RECORD, 'Desglose').children).toHaveLength(made.breakdown.length)
      }),
      { numRuns: 200 },
    )
  })
})

describe('times of records', () => {
  test.each([
    ['2026-07-01T08:00:00.900Z', '2026-07-01T10:00:00+02:00'],
    ['2026-12-31T23:30:00Z', '2027-01-01T00:30:00+01:00'],
    ['2026-10-25T00:59:59Z', '2026-10-25T02:59:59+02:00'],
    ['2026-10-25T01:00:00Z', '2026-10-25T02:00:00+01:00'],
  ])('%s is written %s', (instant, written) => {
    expect(madridInstant(new Date(instant))).toBe(written)
    expect(buildRegistration(invoice(), null, SYSTEM, written).xml).toContain(
      `<sf:FechaHoraHusoGenRegistro>${written}<`,
    )
  })

  test.each(['2026-07-01T08:00:00Z', '2026-07-01T10:00:00.000+02:00', '2026-07-01T10:00:00+0200', ''])(
    '%j is refused',
    (time) => {
      expect(() => buildRegistration(invoice(), null, SYSTEM, time)).toThrow(RangeError)
    },
  )
})

describe('submissions', () => {
  const { xml } = buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT)

  test('carry the records untouched and in order', () => {
    const other = buildRegistration(invoice({ number: 'T-F2026-0003' }), PREVIOUS, SYSTEM, GENERATED_AT).xml
    const message = buildSubmission({ issuer: ISSUER }, [xml, other])
    expect(message.indexOf(xml)).toBeGreaterThan(0)
    expect(message.indexOf(other)).toBeGreaterThan(message.indexOf(xml))
    expect(message).not.toContain('RemisionVoluntaria')
  })

  test('say who represents the issuer and that a failure delayed them', () => {
    const representative = { name: 'GESTORÍA & HIJOS', nif: '89890002E' }
    const envelope = readXml(buildSubmission({ issuer: ISSUER, representative }, [xml], { incident: true }))
    const body = envelope.children[1]?.children[0]
    const header = onlyChild(body!, NS_SUBMISSION, 'Cabecera')
    expect(header.children.map(({ name }) => name)).toEqual([
      'ObligadoEmision',
      'Representante',
      'RemisionVoluntaria',
    ])
    expect(onlyChild(onlyChild(header, NS_RECORD, 'Representante'), NS_RECORD, 'NombreRazon').text).toBe(
      'GESTORÍA & HIJOS',
    )
    expect(onlyChild(onlyChild(header, NS_RECORD, 'RemisionVoluntaria'), NS_RECORD, 'Incidencia').text).toBe(
      'S',
    )
  })

  test('take 1 to 1000 records', () => {
    expect(() => buildSubmission({ issuer: ISSUER }, [])).toThrow(RangeError)
    expect(() => buildSubmission({ issuer: ISSUER }, Array<string>(1001).fill(xml))).toThrow(RangeError)
    expect(buildSubmission({ issuer: ISSUER }, Array<string>(1000).fill(xml))).toContain(
      '</soapenv:Envelope>',
    )
  })
})
