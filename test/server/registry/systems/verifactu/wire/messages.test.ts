/** Submissions and queries: golden messages, records unchanged and in order, limits. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { verifyLink } from '../../../../../../server/registry/systems/verifactu/record/chain.ts'
import { readSealedRecord } from '../../../../../../server/registry/systems/verifactu/record/sealed.ts'
import { buildRegistration } from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import {
  buildQuery,
  buildSubmission,
  MAX_RECORDS_PER_SUBMISSION,
} from '../../../../../../server/registry/systems/verifactu/wire/messages.ts'
import {
  NS_QUERY,
  NS_RECORD,
  NS_SOAP,
  NS_SUBMISSION,
} from '../../../../../../server/registry/systems/verifactu/wire/namespaces.ts'
import { onlyChild, readXml } from '../../../../../../server/registry/systems/verifactu/wire/reader.ts'
import { builtMessage, goldenMessages } from '../../../golden.ts'
import { GENERATED_AT, invoice, ISSUER, PREVIOUS, SYSTEM } from '../../../plain-records.ts'
import type { XmlElement } from '../../../../../../server/registry/systems/verifactu/wire/reader.ts'

/** Returns the content of the body of a SOAP message. */
function contentOf(message: string): XmlElement {
  const body = onlyChild(readXml(message), NS_SOAP, 'Body')
  const [content] = body.children
  if (!content || body.children.length !== 1) throw new Error('One content was expected.')
  return content
}

const namesOf = (element: XmlElement) => element.children.map(({ name }) => name)

describe('golden messages', () => {
  test.each(goldenMessages)('are written unchanged: $file: $facts.name', ({ facts, xml: file }) => {
    const message = builtMessage(facts)
    if (process.env['SELLO_UPDATE_GOLDEN'] === '1') writeFileSync(file, `${message}\n`)
    expect(`${message}\n`).toBe(readFileSync(file, 'utf8'))
    const content = contentOf(message)
    if ('query' in facts)
      expect([content.ns, content.name]).toEqual([NS_QUERY, 'ConsultaFactuSistemaFacturacion'])
    else expect([content.ns, content.name]).toEqual([NS_SUBMISSION, 'RegFactuSistemaFacturacion'])
  })

  test('have submissions whose records follow each other in the chain', () => {
    const [mixed] = goldenMessages.filter(({ file }) => file.includes('submission-mixed'))
    const message = mixed ? builtMessage(mixed.facts) : ''
    const records = [...message.matchAll(/<sfLR:RegistroFactura>(.*?)<\/sfLR:RegistroFactura>/gs)]
    expect(records).toHaveLength(6)
    let previous = PREVIOUS
    for (const [, xml = ''] of records) {
      const record = readSealedRecord(xml)
      expect(verifyLink(record, previous)).toBeNull()
      previous = record.link
    }
  })
})

describe('submissions', () => {
  const { xml } = buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT)

  test('carry the records unchanged and in order', () => {
    const other = buildRegistration(invoice({ number: 'T-F2026-0003' }), PREVIOUS, SYSTEM, GENERATED_AT).xml
    const message = buildSubmission({ issuer: ISSUER }, [xml, other])
    expect(message.indexOf(xml)).toBeGreaterThan(0)
    expect(message.indexOf(other)).toBeGreaterThan(message.indexOf(xml))
    expect(namesOf(contentOf(message))).toEqual(['Cabecera', 'RegistroFactura', 'RegistroFactura'])
  })

  test('state in this order who represents the issuer, when it leaves, and that a failure delayed them', () => {
    const header = { issuer: ISSUER, representative: { name: 'GESTORÍA & HIJOS', nif: '89890002E' } }
    const message = buildSubmission(header, [xml], { incident: true, leavingOn: '2026-12-31' })
    const head = onlyChild(contentOf(message), NS_SUBMISSION, 'Cabecera')
    expect(namesOf(head)).toEqual(['ObligadoEmision', 'Representante', 'RemisionVoluntaria'])
    expect(onlyChild(head, NS_RECORD, 'Representante').children.map(({ text }) => text)).toEqual([
      'GESTORÍA & HIJOS',
      '89890002E',
    ])
    const remission = onlyChild(head, NS_RECORD, 'RemisionVoluntaria')
    expect(remission.children.map(({ name, text }) => [name, text])).toEqual([
      ['FechaFinVeriFactu', '31-12-2026'],
      ['Incidencia', 'S'],
    ])
  })

  test('omit empty facts', () => {
    const message = buildSubmission({ issuer: ISSUER }, [xml], { incident: false })
    expect(namesOf(onlyChild(contentOf(message), NS_SUBMISSION, 'Cabecera'))).toEqual(['ObligadoEmision'])
  })

  test('accept 1 to 1000 records', () => {
    const many = (length: number) => buildSubmission({ issuer: ISSUER }, Array<string>(length).fill(xml))
    expect(MAX_RECORDS_PER_SUBMISSION).toBe(1000)
    expect(() => many(0)).toThrow(RangeError)
    expect(() => many(1001)).toThrow(RangeError)
    expect(contentOf(many(1000)).children).toHaveLength(1001)
  })
})

describe('queries', () => {
  test('request the system of each record, whatever their filters', () => {
    for (const { facts } of goldenMessages) {
      if (!('query' in facts)) continue
      const more = onlyChild(contentOf(builtMessage(facts)), NS_QUERY, 'DatosAdicionalesRespuesta')
      expect(more.children.map(({ name, text }) => [name, text])).toEqual([
        ['MostrarSistemaInformatico', 'S'],
      ])
    }
  })

  test.each(['2026', '2026-13', '2026-00', '2026-1', '11-2026', '2026-11-16', ''])(
    'reject the month %j',
    (month) => {
      expect(() => buildQuery({ issuer: ISSUER, month })).toThrow(RangeError)
    },
  )
})
