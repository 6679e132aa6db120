import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packXml, storedDictionaries, unpackXml } from '../../../../../../server/registry/systems/packing.ts'
import { buildRegistration } from '../../../../../../server/registry/systems/verifactu/record/xml.ts'
import { GENERATED_AT, invoice, PREVIOUS, SYSTEM, validInvoice } from '../../../samples.ts'

describe('stored records', () => {
  test('are restored character by character, whatever the invoice', () => {
    fc.assert(
      fc.property(validInvoice, (made) => {
        const { xml } = buildRegistration(made, PREVIOUS, SYSTEM, GENERATED_AT)
        return unpackXml(packXml(xml)) === xml && unpackXml(packXml(xml, 'quickly')) === xml
      }),
      { numRuns: 200 },
    )
  })

  test('restore any text, also an empty one, one with a byte order mark, and one larger than the window', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 500 }),
        (text) => unpackXml(packXml(text)) === text,
      ),
    )
    for (const text of ['', '\ufeff<a/>', 'ñ漢😀'.repeat(20_000)]) expect(unpackXml(packXml(text))).toBe(text)
  })

  test('need less than 500 bytes for an ordinary record', () => {
    const { xml } = buildRegistration(invoice(), PREVIOUS, SYSTEM, GENERATED_AT)
    expect(xml.length).toBeGreaterThan(2_000)
    expect(packXml(xml).length).toBeLessThan(500)
  })

  test('depend on dictionaries that never change, or they would be lost', () => {
    const digests = Object.entries(storedDictionaries).map(([version, dictionary]) => [
      version,
      createHash('sha256').update(dictionary).digest('hex'),
    ])
    expect(digests).toEqual([['1', '377e895e8724b26f420df278acd55be5d710def306af84f0b4361b7ada4f2fa3']])
  })

  test('reject an unknown dictionary, cut bytes and half a surrogate pair', () => {
    const stored = packXml('<a>some record</a>')
    expect(() => unpackXml(Buffer.concat([Buffer.from([9]), stored.subarray(1)]))).toThrow(RangeError)
    expect(() => unpackXml(stored.subarray(0, stored.length - 3))).toThrow()
    expect(() => unpackXml(new Uint8Array())).toThrow(RangeError)
    expect(() => packXml('\ud800')).toThrow(RangeError)
  })
})
