/** Invoices of companies in the Canary Islands, Ceuta and the mainland: rates, schemes, places, papers and records. */
import { describe, expect, test } from 'vitest'
import { CLIENT_ADDRESS, openBooks } from '../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../support/books.ts'
import type { InputOf } from '../../../../server/api/contracts.ts'

const LAS_PALMAS: Partial<InputOf<'company.create'>> = {
  territory: 'canary',
  address: { street: 'Calle Triana, 1', postalCode: '35002', city: 'Las Palmas', country: 'ES' },
}
const CEUTA: Partial<InputOf<'company.create'>> = {
  territory: 'ceuta_melilla',
  address: { street: 'Calle Real, 1', postalCode: '51001', city: 'Ceuta', country: 'ES' },
}
const at = (postalCode: string) => ({ client: { address: { ...CLIENT_ADDRESS, postalCode } } })
const line = (changes: object = {}) => ({ description: 'Servicio', quantity: 1, unitPrice: 100, ...changes })

async function issuesOf(world: TestBooks, input: Partial<DraftInput>): Promise<string[]> {
  const { id } = await world.draft(input)
  const { issues } = await world.run('invoices.validate', { id })
  return issues.map(({ code, field }) => `${field}: ${code}`)
}

/** Issues an invoice, sends its record and returns both. */
async function issued(world: TestBooks, input: Partial<DraftInput>) {
  const invoice = await world.invoice({ ...at('35001'), ...input })
  await world.send()
  const { registrations } = await world.run('registry.status', { invoiceId: invoice.id })
  const last = registrations?.at(-1)
  const xml = last?.xml ?? ''
  const said = (name: string) => new RegExp(`<sf:${name}>([^<]*)<`).exec(xml)?.[1] ?? null
  return {
    invoice: await world.run('invoices.get', { id: invoice.id }),
    state: last?.status,
    detail: [
      said('Impuesto'),
      said('ClaveRegimen'),
      said('CalificacionOperacion') ?? said('OperacionExenta'),
      said('TipoImpositivo'),
      said('CuotaRepercutida'),
    ],
  }
}

describe('a company of Las Palmas', () => {
  test('charges IGIC at 7 % by default, and the record says Impuesto 03', async () => {
    const world = await openBooks({ company: LAS_PALMAS })
    const { invoice, state, detail } = await issued(world, { lines: [line()] })
    expect(invoice).toMatchObject({ taxName: 'IGIC', base: 100, tax: 7, total: 107 })
    expect(detail).toEqual(['03', '01', 'S1', '7', '7.00'])
    expect(state).toBe('accepted')
  })

  test('has zero as a rate: taxed, without a cause and without a mention', async () => {
    const world = await openBooks({ company: LAS_PALMAS })
    const { invoice, state, detail } = await issued(world, { lines: [line({ vatRate: 0 })] })
    expect(invoice).toMatchObject({ tax: 0, total: 100, legalMentions: [] })
    expect(detail).toEqual(['03', '01', 'S1', '0', '0.00'])
    expect(state).toBe('accepted')
  })

  test.each([
    ['small_business', ['03', '18', 'E7', null, null], 'pequeño empresario o profesional'],
    ['retailer', ['03', '17', 'E1', null, null], 'Comerciante minorista'],
    ['exempt', ['03', '01', 'E1', null, null], 'art. 50 Ley 4/2012'],
  ] as const)('under the scheme %s charges nothing and says why', async (vatRegime, expected, words) => {
    const world = await openBooks({ company: { ...LAS_PALMAS, vatRegime } })
    const { invoice, state, detail } = await issued(world, { lines: [line()] })
    expect(invoice).toMatchObject({ tax: 0, total: 100 })
    expect(invoice.legalMentions.join()).toContain(words)
    expect(detail).toEqual(expected)
    expect(state).toBe('accepted')
  })

  test.each([
    ['goods to the mainland', { taxTreatment: 'E2', cause: 'export' }, ['03', '02', 'E2', null, null]],
    [
      'advice to a business there',
      { taxTreatment: 'N2', cause: 'services_third' },
      ['03', '01', 'N2', null, null],
    ],
    ['reverse charge', { taxTreatment: 'S2', cause: 'reverse_igic' }, ['03', '01', 'S2', '0', '0.00']],
    ['investment goods', { taxTreatment: 'E5', cause: 'investment_goods' }, ['03', '01', 'E5', null, null]],
    ['the Special Zone', { taxTreatment: 'E6', cause: 'special_zone' }, ['03', '01', 'E6', null, null]],
    ['another exemption', { taxTreatment: 'E8', cause: 'igic_other' }, ['03', '01', 'E8', null, null]],
  ] as const)('registers %s', async (_name, tax, expected) => {
    const world = await openBooks({ company: LAS_PALMAS })
    const { invoice, state, detail } = await issued(world, { ...at('28013'), lines: [line(tax)] })
    expect(invoice.legalMentions.join()).not.toContain('37/1992')
    expect(invoice.legalMentions.join()).toMatch(/\w/)
    expect(detail.slice(0, 3)).toEqual(expected.slice(0, 3))
    expect(state).toBe('accepted')
  })

  test('is warned when it charges IGIC to the mainland, and not within the islands', async () => {
    const world = await openBooks({ company: LAS_PALMAS })
    expect(await issuesOf(world, { ...at('28013'), lines: [line()] })).toEqual([
      'lines[0].taxTreatment: tax_to_outside',
    ])
    expect(await issuesOf(world, { ...at('38001'), lines: [line()] })).toEqual([])
  })

  test.each([
    ['the Union', { clientNif: 'FR40303265045', country: 'FR', idType: '02' }],
    ['a third country', { clientNif: '123456789', country: 'US', idType: '04' }],
  ] as const)('is warned when it charges IGIC to %s', async (_name, { clientNif, country, idType }) => {
    const world = await openBooks({ company: LAS_PALMAS })
    const client = { country, idType, address: { ...CLIENT_ADDRESS, country } }
    expect(await issuesOf(world, { clientName: 'Client', clientNif, client, lines: [line()] })).toContain(
      'lines[0].taxTreatment: tax_to_outside',
    )
  })

  test.each([
    ['the last day of 6.5 %', '2019-12-31', 6.5, false],
    ['a day later', '2020-01-01', 6.5, true],
    ['the last day of 13.5 %', '2019-12-31', 13.5, false],
    ['the first of 7 % again', '2020-01-01', 7, false],
  ] as const)(
    'takes the rate of the day of the operation: %s',
    async (_name, operationDate, vatRate, isFault) => {
      const world = await openBooks({ company: LAS_PALMAS })
      const issues = await issuesOf(world, { ...at('35001'), operationDate, lines: [line({ vatRate })] })
      expect(issues.includes('lines[0].vatRate: rate_unknown_in_tax')).toBe(isFault)
    },
  )

  test.each([
    ['a rate of VAT', { vatRate: 21 }, 'lines[0].vatRate: rate_unknown_in_tax'],
    ['the general rate of 2019', { vatRate: 6.5 }, 'lines[0].vatRate: rate_unknown_in_tax'],
    ['a surcharge', { vatRate: 7, surcharge: 0.7 }, 'lines[0].surcharge: surcharge_not_of_tax'],
    ['a cause of VAT alone', { taxTreatment: 'E5', cause: 'intra_eu' }, 'lines[0].cause: cause_unknown'],
  ])('cannot use %s', async (_name, changes, fault) => {
    const world = await openBooks({ company: LAS_PALMAS })
    expect(await issuesOf(world, { ...at('35001'), lines: [line(changes)] })).toContain(fault)
  })

  test('adds no surcharge for a customer that is a retailer', async () => {
    const world = await openBooks({ company: LAS_PALMAS })
    const contact = await world.run('contacts.create', { name: 'Tienda', nif: 'B87654323', surcharge: true })
    const draft = await world.draft({ clientId: contact.id, ...at('35001'), lines: [line()] })
    expect(draft.lines[0]).toMatchObject({ vatRate: 7, surcharge: null })
  })
})

describe('a company of Ceuta', () => {
  test('chooses the rate of each thing, and the record says Impuesto 02', async () => {
    const world = await openBooks({ company: CEUTA })
    expect(await issuesOf(world, { ...at('51001'), lines: [line()] })).toEqual([
      'lines[0].vatRate: rate_not_chosen',
    ])
    const { invoice, state, detail } = await issued(world, { ...at('51001'), lines: [line({ vatRate: 4 })] })
    expect(invoice).toMatchObject({ taxName: 'IPSI', tax: 4, total: 104 })
    expect(detail).toEqual(['02', '01', 'S1', '4', '4.00'])
    expect(state).toBe('accepted')
  })

  test('remembers the rate that was chosen last for an item', async () => {
    const world = await openBooks({ company: CEUTA })
    const item = await world.run('items.create', { name: 'Reforma', unitPrice: 100 })
    const withItem = { description: 'Reforma', quantity: 1, unitPrice: 100, itemId: item.id }
    const first = await world.draft({ ...at('51001'), lines: [withItem] })
    expect(first.lines[0]?.vatRate ?? null).toBeNull()
    await world.draft({ ...at('51001'), lines: [{ ...withItem, vatRate: 8 }] })
    const second = await world.draft({ ...at('51001'), lines: [withItem] })
    expect(second.lines[0]).toMatchObject({ vatRate: 8 })
  })

  test.each([
    ['exempt', { taxTreatment: 'E1' }, ['02', '19', 'E1'], 'arts. 7 y 8 Ley 8/1991'],
    ['trade', { taxTreatment: 'N1', cause: 'trade' }, ['02', '01', 'N1'], 'art. 3 Ley 8/1991'],
    ['an export', { taxTreatment: 'E2', cause: 'export' }, ['02', '01', 'E2'], 'Exportación exenta'],
  ] as const)('registers %s', async (_name, tax, expected, words) => {
    const world = await openBooks({ company: CEUTA })
    const { invoice, state, detail } = await issued(world, { ...at('51001'), lines: [line(tax)] })
    expect(invoice.legalMentions.join()).toContain(words)
    expect(detail.slice(0, 3)).toEqual(expected)
    expect(state).toBe('accepted')
  })

  test('has no exemption of the Canary Islands', async () => {
    const world = await openBooks({ company: CEUTA })
    expect(await issuesOf(world, { ...at('51001'), lines: [line({ taxTreatment: 'E7' })] })).toContain(
      'lines[0].taxTreatment: treatment_not_of_tax',
    )
  })
})

test('a mainland company that charges VAT to the Canaries is warned as before', async () => {
  const world = await openBooks()
  expect(await issuesOf(world, { ...at('35001'), lines: [line()] })).toEqual([
    'lines[0].taxTreatment: vat_to_islands',
  ])
})
