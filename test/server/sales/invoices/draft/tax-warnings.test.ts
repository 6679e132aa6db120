/** Warnings that a tax adviser expects: they keep nothing from being issued, and are silent where all is well. */
import { describe, expect, test } from 'vitest'
import { openBooks } from '../../../../support/books.ts'
import type { DraftInput } from '../../../../support/books.ts'
import { openWorld } from '../../../../support/world.ts'

const line = (changes: object = {}) => ({ description: 'Servicio', quantity: 1, unitPrice: 100, ...changes })
const address = (postalCode: string, country = 'ES') => ({
  street: 'Calle Mayor, 1',
  postalCode,
  city: 'Ciudad',
  country,
})
const FRENCH = {
  clientNif: 'FR40303265045',
  client: { country: 'FR', idType: '02' as const, address: address('75001', 'FR') },
}
const PERSON = { clientNif: '12345678Z', client: { address: address('28013') } }
const COMPANY = { clientNif: 'B87654323', client: { address: address('28013') } }
const ISLANDER = { clientNif: 'B87654323', client: { address: address('35003') } }

const CODES = [
  'vat_to_eu_business',
  'vat_to_islands',
  'withholding_of_company',
  'withholding_private_client',
  'withholding_foreign_client',
  'reverse_charge_private',
]

type Case = [
  name: string,
  issuer: 'natural' | 'legal',
  input: Partial<DraftInput>,
  codes: string[],
  field?: string,
]

describe('on validating', () => {
  test.each<Case>([
    [
      '21 % to a business of the EU',
      'legal',
      { ...FRENCH, lines: [line()] },
      ['vat_to_eu_business'],
      'lines[0].taxTreatment',
    ],
    ['no VAT to it', 'legal', { ...FRENCH, lines: [line({ taxTreatment: 'N2' })] }, []],
    [
      'the second line only',
      'legal',
      { ...FRENCH, lines: [line({ taxTreatment: 'N2' }), line()] },
      ['vat_to_eu_business'],
      'lines[1].taxTreatment',
    ],
    [
      '21 % to the Canary Islands',
      'legal',
      { ...ISLANDER, lines: [line()] },
      ['vat_to_islands'],
      'lines[0].taxTreatment',
    ],
    ['21 % to a company of the mainland', 'legal', { ...COMPANY, lines: [line()] }, []],
    [
      'withholding on a company’s invoice',
      'legal',
      { ...COMPANY, withholdingPct: 15, lines: [line()] },
      ['withholding_of_company'],
      'withholdingPct',
    ],
    [
      'withholding on a company’s rent',
      'legal',
      { ...COMPANY, withholdingPct: 19, lines: [line({ account: '752' })] },
      [],
    ],
    ['withholding of a professional', 'natural', { ...COMPANY, withholdingPct: 15, lines: [line()] }, []],
    [
      'withholding to a private person',
      'natural',
      { ...PERSON, withholdingPct: 15, lines: [line()] },
      ['withholding_private_client'],
      'withholdingPct',
    ],
    [
      'withholding to a customer abroad',
      'natural',
      { ...FRENCH, withholdingPct: 15, lines: [line({ taxTreatment: 'N2' })] },
      ['withholding_foreign_client'],
      'withholdingPct',
    ],
    [
      'reverse charge to a private person',
      'legal',
      { ...PERSON, lines: [line({ taxTreatment: 'S2' })] },
      ['reverse_charge_private'],
      'lines[0].taxTreatment',
    ],
    ['reverse charge to a company', 'legal', { ...COMPANY, lines: [line({ taxTreatment: 'S2' })] }, []],
  ])('%s', async (_name, issuer, input, codes, field) => {
    const world = await openBooks()
    if (issuer === 'natural') await world.tamper("update companies set kind = 'natural', nif = '12345678Z'")
    else await world.tamper("update companies set nif = 'B11111119'")
    const draft = await world.draft({ clientName: 'Cliente', ...input })
    const { issues, confirmation } = await world.run('invoices.validate', { id: draft.id })
    const found = issues.filter(({ code }) => CODES.includes(code))
    expect(found.map(({ code }) => code)).toEqual(codes)
    for (const issue of found) expect(issue).toMatchObject({ severity: 'warning', field })
    expect(confirmation).not.toBeNull()
  })
})

describe('on the received side', () => {
  const BILL = {
    supplierName: 'Proveedor',
    supplierNif: 'B58818501',
    supplierNumber: 'V-1',
    issueDate: '2026-06-20',
    receptionDate: '2026-06-22',
    taxLines: [{ base: 100, vatRate: 21 }],
  }
  test.each<[string, object, string[]]>([
    ['a plain invoice', {}, []],
    [
      'a negative one that is not rectifying',
      { taxLines: [{ base: -100, vatRate: 21 }] },
      ['negative_not_rectifying'],
    ],
    [
      'a rectifying one',
      {
        kind: 'rectifying',
        taxLines: [{ base: -100, vatRate: 21 }],
        rectifies: [{ supplierNumber: 'V-0', issueDate: '2026-05-01' }],
      },
      [],
    ],
    ['withholding of a company', { withholding: { rate: 15 } }, ['withholding_of_company']],
    ['withholding of a professional', { supplierNif: '12345678Z', withholding: { rate: 15 } }, []],
    ['a rent of a company', { concept: 'G12', withholding: { rate: 19 }, property: { situation: 1 } }, []],
  ])('%s', async (_name, changes, codes) => {
    const world = await openWorld()
    const answer = await world.post('/api/v1/received-invoices', { ...BILL, ...changes })
    expect(answer.status, answer.raw.body).toBe(201)
    expect(answer.body.data.warnings.map(({ code }: { code: string }) => code)).toEqual(codes)
  })

  test('what is withheld and not paid within the period is warned of on 111, until it is paid', async () => {
    const world = await openWorld()
    const answer = await world.post('/api/v1/received-invoices', {
      ...BILL,
      supplierNif: '12345678Z',
      withholding: { rate: 15 },
    })
    const warned = async () =>
      (await world.run('fiscal.model', { model: '111', year: 2026, quarter: 2 })).warnings.find(
        ({ code }) => code === 'withheld_unpaid',
      )
    expect(await warned()).toMatchObject({ severity: 'warning', count: 1 })
    const paid = await world.run('payments.payReceived', {
      id: answer.body.data.id,
      amount: 106,
      date: '2026-06-25',
      method: 'transfer',
    })
    expect(paid).toBeTruthy()
    expect(await warned()).toBeUndefined()
  })
})
