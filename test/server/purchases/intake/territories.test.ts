/** IGIC and IPSI on a supplier's file: a cost to a company of the mainland, and the tax of a company under it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { InputOf } from '../../../../server/api/contracts.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'

const golden = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../golden/einvoice', name)).toString('base64')
const text = (lines: readonly string[]) => Buffer.from(lines.join('\n')).toString('base64')

const openAt = (territory: 'mainland' | 'canary' | 'ceuta_melilla', postalCode: string) =>
  openBooks({
    at: '2026-11-30T10:00:00+01:00',
    company: {
      territory,
      nif: 'A39000013',
      address: { street: 'Calle Real, 1', postalCode, city: 'Ciudad', country: 'ES' },
    },
  })

async function linesOf(world: TestBooks, input: InputOf<'received.read'>) {
  const answer = await world.run('received.read', input)
  if (!('proposal' in answer)) throw new Error('It was not read at once.')
  return answer.proposal.taxLines.map(({ base, vatRate, tax, taxTreatment }) => [
    base,
    vatRate,
    tax,
    taxTreatment,
  ])
}

const FORMATS = ['14-igic.facturae.xml', '14-igic.ubl.xml', '14-igic.cii.xml']

describe('a structured invoice with IGIC', () => {
  test.each(FORMATS)(
    '%s is a cost on the mainland and in Ceuta, and deductible IGIC in Las Palmas',
    async (name) => {
      const content = golden(name)
      const mainland = await openAt('mainland', '28013')
      expect(await linesOf(mainland, { name, content })).toEqual([[2.15, undefined, undefined, 'N1']])
      const ceuta = await openAt('ceuta_melilla', '51001')
      expect(await linesOf(ceuta, { name, content })).toEqual([[2.15, undefined, undefined, 'N1']])
      const islands = await openAt('canary', '35002')
      expect(await linesOf(islands, { name, content })).toEqual([[2.01, 7, 0.14, undefined]])
    },
  )
})

describe('a structured invoice with IPSI', () => {
  test.each(['15-ipsi.facturae.xml', '15-ipsi.ubl.xml', '15-ipsi.cii.xml'])(
    '%s is a cost on the mainland, and IPSI in Ceuta',
    async (name) => {
      const content = golden(name)
      expect(await linesOf(await openAt('mainland', '28013'), { name, content })).toEqual([
        [2.09, undefined, undefined, 'N1'],
      ])
      expect(await linesOf(await openAt('ceuta_melilla', '51001'), { name, content })).toEqual([
        [2.01, 4, 0.08, undefined],
      ])
    },
  )
})

describe('a written invoice', () => {
  const paper = (tax: string) =>
    text([
      'Suministros del Puerto, S.L.',
      'CIF B58818501',
      'Factura V-77',
      'Fecha 20/06/2026',
      'Base imponible 100,00',
      tax,
      'Total factura 107,00',
    ])

  test('with IGIC is a cost on the mainland and deductible in Las Palmas', async () => {
    const file = { name: 'factura.txt', content: paper('IGIC 7 % 7,00') }
    expect(await linesOf(await openAt('mainland', '28013'), file)).toEqual([
      [107, undefined, undefined, 'N1'],
    ])
    expect(await linesOf(await openAt('canary', '35002'), file)).toEqual([[100, 7, 7, undefined]])
  })
})

test('VAT of the mainland is a cost in Las Palmas, structured or written', async () => {
  const world = await openAt('canary', '35002')
  const name = '01-one-rate.ubl.xml'
  const [first] = await linesOf(world, { name, content: golden(name) })
  expect(first?.[3]).toBe('N1')
  const paper = text([
    'Suministros de Madrid, S.L.',
    'CIF B58818501',
    'Factura V-78',
    'Fecha 20/06/2026',
    'Base imponible 100,00',
    'IVA 21 % 21,00',
    'Total factura 121,00',
  ])
  expect(await linesOf(world, { name: 'factura.txt', content: paper })).toEqual([
    [121, undefined, undefined, 'N1'],
  ])
})
