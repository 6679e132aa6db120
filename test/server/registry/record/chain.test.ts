import { describe, expect, test } from 'vitest'
import {
  cancellationHash,
  cancellationText,
  chainHash,
  registrationHash,
  registrationText,
  trimValue,
  verifyLink,
} from '../../../../server/registry/record/chain.ts'
import { readSealedRecord } from '../../../../server/registry/record/sealed.ts'
import { buildRegistration } from '../../../../server/registry/record/xml.ts'
import { GENERATED_AT, invoice, PREVIOUS, SYSTEM } from '../samples.ts'
import vectors from '../vectors.json' with { type: 'json' }

describe('hash of records', () => {
  test.each(vectors.registrations)('registration: $name', ({ fields, text, hash }) => {
    expect(registrationText(fields)).toBe(text)
    expect(registrationHash(fields)).toBe(hash)
  })

  test.each(vectors.cancellations)('cancellation: $name', ({ fields, text, hash }) => {
    expect(cancellationText(fields)).toBe(text)
    expect(cancellationHash(fields)).toBe(hash)
  })

  test.each(vectors.trims)('only outer characters up to the blank are trimmed: %j', ({ raw, value }) => {
    expect(trimValue(raw)).toBe(value)
  })

  test('outer blanks do not change the hash, trailing zeros do', () => {
    const fields = vectors.registrations[0]!.fields
    expect(registrationHash({ ...fields, number: `  ${fields.number}\n` })).toBe(registrationHash(fields))
    expect(registrationHash({ ...fields, total: '123.450' })).not.toBe(registrationHash(fields))
  })

  test('an ampersand in a number enters the text as it is', () => {
    const fields = { ...vectors.registrations[0]!.fields, number: 'A & B' }
    expect(registrationText(fields)).toContain('&NumSerieFactura=A & B&Fecha')
  })
})

describe('a chain of stored records', () => {
  const first = buildRegistration(invoice({ number: 'F-1' }), null, SYSTEM, GENERATED_AT)
  const link = { issuerNif: '89890001K', number: 'F-1', issueDate: '2026-11-16', hash: first.hash }
  const second = buildRegistration(invoice({ number: 'F-2 & CO' }), link, SYSTEM, GENERATED_AT)

  test('reads back what was built', () => {
    expect(readSealedRecord(first.xml)).toMatchObject({
      kind: 'registration',
      link,
      previous: null,
      recordId: 'rec_0000000000000001',
    })
    expect(readSealedRecord(second.xml)).toMatchObject({
      previous: link,
      link: { number: 'F-2 & CO', hash: second.hash },
      text: { total: '121.00', taxTotal: '21.00', generatedAt: GENERATED_AT },
    })
  })

  test('verifies link by link', () => {
    expect(verifyLink(readSealedRecord(first.xml), null)).toBeNull()
    expect(verifyLink(readSealedRecord(second.xml), link)).toBeNull()
  })

  test('says which link is broken', () => {
    expect(verifyLink(readSealedRecord(first.xml), PREVIOUS)).toBe('unexpected_first')
    expect(verifyLink(readSealedRecord(second.xml), null)).toBe('first_expected')
    expect(verifyLink(readSealedRecord(second.xml), { ...link, hash: second.hash })).toBe('previous_mismatch')
    expect(verifyLink(readSealedRecord(second.xml), { ...link, number: 'F-9' })).toBe('previous_mismatch')
    expect(verifyLink(readSealedRecord(second.xml), { ...link, issueDate: '2026-11-15' })).toBe(
      'previous_mismatch',
    )
    const altered = second.xml.replace('<sf:ImporteTotal>121.00', '<sf:ImporteTotal>121.01')
    expect(verifyLink(readSealedRecord(altered), link)).toBe('hash_mismatch')
  })

  test('reads and verifies a cancellation', () => {
    const text = {
      issuerNif: '89890001K',
      number: 'F-1',
      issueDate: '16-11-2026',
      previousHash: second.hash,
      generatedAt: GENERATED_AT,
    }
    const hash = chainHash(cancellationText(text))
    const key =
      '<sf:IDEmisorFacturaAnulada>89890001K</sf:IDEmisorFacturaAnulada><sf:NumSerieFacturaAnulada>F-1</sf:NumSerieFacturaAnulada><sf:FechaExpedicionFacturaAnulada>16-11-2026</sf:FechaExpedicionFacturaAnulada>'
    const chain = `<sf:RegistroAnterior><sf:IDEmisorFactura>89890001K</sf:IDEmisorFactura><sf:NumSerieFactura>F-2 &amp; CO</sf:NumSerieFactura><sf:FechaExpedicionFactura>16-11-2026</sf:FechaExpedicionFactura><sf:Huella>${second.hash}</sf:Huella></sf:RegistroAnterior>`
    const opening = /<sf:RegistroAlta( xmlns:sf="[^"]+")>/.exec(first.xml)?.[1] ?? ''
    const xml = `<sf:RegistroAnulacion${opening}><sf:IDFactura>${key}</sf:IDFactura><sf:Encadenamiento>${chain}</sf:Encadenamiento><sf:FechaHoraHusoGenRegistro>${GENERATED_AT}</sf:FechaHoraHusoGenRegistro><sf:Huella>${hash}</sf:Huella></sf:RegistroAnulacion>`
    const record = readSealedRecord(xml)
    expect(record).toMatchObject({ kind: 'cancellation', text, recordId: null })
    expect(
      verifyLink(record, {
        issuerNif: '89890001K',
        number: 'F-2 & CO',
        issueDate: '2026-11-16',
        hash: second.hash,
      }),
    ).toBeNull()
  })

  test.each([
    ['another root', '<RegistroAlta/>'],
    ['no chain block', first.xml.replace(/<sf:Encadenamiento>.*<\/sf:Encadenamiento>/, '')],
    ['an empty chain block', first.xml.replace(/<sf:PrimerRegistro>S<\/sf:PrimerRegistro>/, '')],
    ['two hashes', first.xml.replace('</sf:RegistroAlta>', '<sf:Huella>A</sf:Huella></sf:RegistroAlta>')],
    ['an impossible day', first.xml.replace('16-11-2026', '31-11-2026')],
  ])('does not read a record with %s', (_what, xml) => {
    expect(() => readSealedRecord(xml)).toThrow(/unexpected_element|missing_element|duplicate_element|syntax/)
  })
})
