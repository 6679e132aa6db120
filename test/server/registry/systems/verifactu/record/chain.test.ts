import { describe, expect, test } from 'vitest'
import {
  cancellationHash,
  chainHash,
  registrationHash,
  verifyLink,
} from '../../../../../../server/registry/systems/verifactu/record/chain.ts'
import {
  cancellationText,
  registrationText,
  trimValue,
} from '../../../../../../server/registry/systems/verifactu/record/hashed.ts'
import { readSealedRecord } from '../../../../../../server/registry/systems/verifactu/record/sealed.ts'
import {
  buildCancellation,
  buildRegistration,
} from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import { cancellation, GENERATED_AT, invoice, PREVIOUS, SYSTEM } from '../../../plain-records.ts'
import vectors from '../../../vectors.json' with { type: 'json' }

describe('the hash of a record', () => {
  test.each(vectors.registrations)('matches the published registration: $name', ({ fields, text, hash }) => {
    expect(registrationText(fields)).toBe(text)
    expect(registrationHash(fields)).toBe(hash)
  })

  test.each(vectors.cancellations)('matches the published cancellation: $name', ({ fields, text, hash }) => {
    expect(cancellationText(fields)).toBe(text)
    expect(cancellationHash(fields)).toBe(hash)
  })

  test.each(vectors.trims)(
    'trims only leading and trailing characters up to the blank: %j',
    ({ raw, value }) => {
      expect(trimValue(raw)).toBe(value)
    },
  )

  test('ignores outer blanks, but not trailing zeros', () => {
    const fields = vectors.registrations[0]!.fields
    expect(registrationHash({ ...fields, number: `  ${fields.number}\n` })).toBe(registrationHash(fields))
    expect(registrationHash({ ...fields, total: '123.450' })).not.toBe(registrationHash(fields))
  })

  test('includes an ampersand of a number unchanged', () => {
    const fields = { ...vectors.registrations[0]!.fields, number: 'A & B' }
    expect(registrationText(fields)).toContain('&NumSerieFactura=A & B&Fecha')
  })
})

describe('a chain of stored records', () => {
  const first = buildRegistration(invoice({ number: 'F-1' }), null, SYSTEM, GENERATED_AT)
  const link = { issuerNif: '89890001K', number: 'F-1', issueDate: '2026-11-16', hash: first.hash }
  const second = buildRegistration(invoice({ number: 'F-2 & CO' }), link, SYSTEM, GENERATED_AT)

  test('is read back as it was built', () => {
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

  test('is verified link by link', () => {
    expect(verifyLink(readSealedRecord(first.xml), null)).toBeNull()
    expect(verifyLink(readSealedRecord(second.xml), link)).toBeNull()
  })

  test('names the broken link', () => {
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

  test('includes cancellations', () => {
    const key = { issuerNif: '89890001K', number: 'F-1', issueDate: '2026-11-16' }
    const before = { ...key, number: 'F-2 & CO', hash: second.hash }
    const { xml, hash } = buildCancellation(cancellation({ key }), before, SYSTEM, GENERATED_AT)
    const record = readSealedRecord(xml)
    expect(record).toMatchObject({
      kind: 'cancellation',
      link: { ...key, hash },
      previous: before,
      recordId: 'rec_0000000000000002',
    })
    expect(verifyLink(record, before)).toBeNull()
    expect(hash).toBe(
      chainHash(
        `IDEmisorFacturaAnulada=89890001K&NumSerieFacturaAnulada=F-1&FechaExpedicionFacturaAnulada=16-11-2026&Huella=${second.hash}&FechaHoraHusoGenRegistro=${GENERATED_AT}`,
      ),
    )
    const altered = xml.replace('NumSerieFacturaAnulada>F-1<', 'NumSerieFacturaAnulada>F-3<')
    expect(verifyLink(readSealedRecord(altered), before)).toBe('hash_mismatch')
  })

  test.each([
    ['another root', 'unexpected_element', '<RegistroAlta/>'],
    [
      'no chain block',
      'missing_element',
      first.xml.replace(/<sf:Encadenamiento>.*<\/sf:Encadenamiento>/, ''),
    ],
    [
      'an empty chain block',
      'missing_element',
      first.xml.replace(/<sf:PrimerRegistro>S<\/sf:PrimerRegistro>/, ''),
    ],
    [
      'two places in the chain',
      'unexpected_element',
      second.xml.replace(
        '<sf:RegistroAnterior>',
        '<sf:PrimerRegistro>S</sf:PrimerRegistro><sf:RegistroAnterior>',
      ),
    ],
    [
      'two hashes',
      'duplicate_element',
      first.xml.replace('</sf:RegistroAlta>', '<sf:Huella>A</sf:Huella></sf:RegistroAlta>'),
    ],
    ['an impossible day', 'syntax', first.xml.replace('16-11-2026', '31-11-2026')],
  ])('does not include a record with %s', (_what, fault, xml) => {
    expect(() => readSealedRecord(xml)).toThrow(expect.objectContaining({ fault }))
  })
})
