/** Mapping of Spanish invoicing to the terms of EN 16931 and Facturae: one case for each decision. */
import { describe, expect, test } from 'vitest'
import {
  availableFormats,
  ciiXml,
  facturaeXml,
  ublXml,
} from '../../../../server/documents/e-invoice/index.ts'
import type { EInvoice } from '../../../../server/documents/e-invoice/index.ts'
import { alpha3Of, provinceOf, unitOf } from '../../../../server/documents/e-invoice/codes.ts'
import { numberParts } from '../../../../server/documents/e-invoice/facturae-corrective.ts'
import { cut, personName } from '../../../../server/documents/e-invoice/facturae-parties.ts'
import { partyOf } from '../../../../server/documents/e-invoice/party.ts'
import { xmlText } from '../../../../server/domain/formats/xml-writer.ts'
import { modelOf } from './model.ts'
import { AMERICAN, COMPANY, FRENCH, invoiceOf, ISSUER, line, PERSON, SAMPLES } from './samples.ts'
import type { DraftContent } from '../../../../server/sales/invoices/index.ts'

const sample = (name: string): EInvoice => {
  const make = SAMPLES[name]
  if (!make) throw new Error(`No sample is called ${name}.`)
  return make()
}
const cii = (name: string) => modelOf(ciiXml(sample(name)))
const categories = (invoice: EInvoice): string[] =>
  modelOf(ciiXml(invoice)).breakdowns.map(
    ({ code, rate, reasonCode }) => `${code} ${rate ?? '-'}${reasonCode ? ` ${reasonCode}` : ''}`,
  )

describe('categories of VAT', () => {
  test('each treatment has its own category', () => {
    expect(categories(sample('02-three-rates-discounts-withholding'))).toEqual(['S 21', 'S 10', 'S 4'])
    expect(categories(sample('05-reverse-charge-and-taxed'))).toEqual(['S 21', 'AE 0 VATEX-EU-AE'])
    expect(categories(sample('06-intra-community'))).toEqual(['K 0 VATEX-EU-IC'])
    expect(categories(sample('07-service-to-union-business'))).toEqual(['AE 0 VATEX-EU-AE'])
    expect(categories(sample('08-service-outside-union'))).toEqual(['O - VATEX-EU-O'])
    expect(categories(sample('09-export-in-dollars'))).toEqual(['S 21', 'G 0 VATEX-EU-G'])
    expect(categories(sample('11-margin-used-goods'))).toEqual(['S 21', 'E 0 VATEX-EU-F'])
    expect(categories(sample('12-travel-agency'))).toEqual(['E 0 VATEX-EU-D'])
    expect(categories(sample('13-one-stop-shop'))).toEqual(['S 19'])
    expect(categories(sample('14-igic'))).toEqual(['L 7'])
    expect(categories(sample('15-ipsi'))).toEqual(['M 4'])
    expect(categories(sample('20-zero-rate-and-cash-accounting'))).toEqual(['S 21', 'Z 0'])
  })

  test('art, antiques and dental care have codes of their own', () => {
    const margin = (cause: string) =>
      categories(invoiceOf({ lines: [line('Cuadro', 900, { regimeKey: '03', costCents: 100, cause })] }))
    expect(margin('margin_art')).toEqual(['E 0 VATEX-EU-I'])
    expect(margin('margin_antiques')).toEqual(['E 0 VATEX-EU-J'])
    const exempt = (cause: string | null) =>
      categories(invoiceOf({ lines: [line('Cura', 90, { taxTreatment: 'E1', vatRateBp: null, cause })] }))
    expect(exempt('dental')).toEqual(['E 0 VATEX-EU-132-1E'])
    expect(exempt(null)).toEqual(['E 0'])
  })

  test('an operation that is not subject is O when alone, and E with its reason beside any other', () => {
    const outside = line('Indemnización', 80, { taxTreatment: 'N1', vatRateBp: null, cause: 'compensation' })
    expect(categories(invoiceOf({ lines: [outside] }))).toEqual(['O - VATEX-EU-O'])
    const mixed = modelOf(ciiXml(invoiceOf({ lines: [outside, line('Servicio', 10)] })))
    expect(mixed.breakdowns).toMatchObject([
      { code: 'S', reason: null },
      { code: 'E', reason: expect.stringContaining('Operación no sujeta (art. 78.Tres.1º Ley 37/1992)') },
    ])
  })

  test('under O there is no VAT number, and the NIF is the registration number', () => {
    const { seller, buyer } = cii('08-service-outside-union')
    expect([seller.vat, seller.legalId, buyer.vat, buyer.legalId]).toEqual([
      null,
      'B12345674',
      null,
      '123456789',
    ])
  })

  test('a customer without a VAT number cannot be under AE or K: the line is exempt, with the same text', () => {
    const unknown = { ...FRENCH, idType: '04' as const }
    const of = (taxTreatment: 'E5' | 'S2') =>
      modelOf(
        ublXml(
          invoiceOf({
            client: unknown,
            lines: [line('Piezas', 10, { taxTreatment, vatRateBp: taxTreatment === 'S2' ? 0 : null })],
          }),
        ),
      ).breakdowns[0]
    expect(of('E5')).toMatchObject({ code: 'E', reason: expect.stringContaining('art. 25') })
    expect(of('S2')).toMatchObject({ code: 'E', reason: expect.stringContaining('Inversión') })
  })

  test('several regimes at one rate are one breakdown', () => {
    const model = modelOf(
      ciiXml(invoiceOf({ lines: [line('Uno', 100), line('Dos', 50, { regimeKey: '07' })] })),
    )
    expect(model.breakdowns).toEqual([
      expect.objectContaining({ code: 'S', rate: '21', base: '150.00', tax: '31.50' }),
    ])
  })

  test('goods for Northern Ireland are goods for the Union, services are not', () => {
    const belfast = { ...FRENCH, name: 'Lagan Ltd', nif: 'XI123456789', country: 'XI', city: 'Belfast' }
    const of = (taxTreatment: 'E5' | 'N2') =>
      modelOf(
        ciiXml(invoiceOf({ client: belfast, lines: [line('Lino', 10, { taxTreatment, vatRateBp: null })] })),
      )
    expect(of('E5')).toMatchObject({ deliverTo: 'GB', breakdowns: [{ code: 'K' }], buyer: { country: 'GB' } })
    expect(of('N2').breakdowns[0]?.code).toBe('O')
  })

  test('goods within the Union state when and where they went', () => {
    expect(cii('06-intra-community')).toMatchObject({ deliveryDate: '2026-05-30', deliverTo: 'FR' })
  })

  test('cash accounting states that VAT falls due on payment', () => {
    expect(cii('20-zero-rate-and-cash-accounting').taxPointCode).toBe('72')
    expect(modelOf(ublXml(sample('20-zero-rate-and-cash-accounting'))).taxPointCode).toBe('432')
  })
})

describe('amounts', () => {
  test('the equivalence surcharge is a charge beside the bases, which stay those of Spanish law', () => {
    const model = cii('04-surcharge')
    expect(
      model.allowances.map(({ isCharge, amount, code, reason }) => [isCharge, amount, code, reason]),
    ).toEqual([
      [true, '5.21', 'E', 'Recargo de equivalencia 5,2 % (IVA 21 %: 21.02 EUR)'],
      [true, '0.47', 'E', 'Recargo de equivalencia 1,4 % (IVA 10 %: 3.33 EUR)'],
    ])
    expect(model.breakdowns.map(({ code, rate, base, tax }) => [code, rate, base, tax])).toEqual([
      ['S', '21', '110.12', '23.12'],
      ['E', '0', '5.68', '0.00'],
      ['S', '10', '33.33', '3.33'],
    ])
    expect([model.total, model.due]).toEqual(['175.58', '175.58'])
  })

  test('withheld income tax is an amount paid, and a note names it', () => {
    const model = modelOf(ciiXml(invoiceOf({ withholdingBp: 1500, lines: [line('Honorarios', 1000)] })))
    expect([model.total, model.paid, model.due]).toEqual(['1210.00', '150.00', '1060.00'])
    expect(model.notes).toEqual([
      'Retención del IRPF 15 % (1000.00 EUR): 150.00 EUR, figura como importe ya pagado',
    ])
  })

  test('suplidos are owed, but not taxed', () => {
    const model = cii('10-exempt-suplidos-and-taxed')
    expect(model.lines[2]).toMatchObject({ net: '45.50', code: 'E' })
    expect([model.base, model.tax, model.due]).toEqual(['625.50', '42.00', '667.50'])
    const xml = facturaeXml(sample('10-exempt-suplidos-and-taxed'))
    expect(xml).toContain('<TotalReimbursableExpenses>45.50</TotalReimbursableExpenses>')
    expect(xml).toContain('<TotalExecutableAmount>667.50</TotalExecutableAmount>')
    expect(xml).not.toContain('Tasa del registro')
  })

  test('the document discount is deducted from each category separately', () => {
    const model = modelOf(
      ciiXml(
        invoiceOf({ discountBp: 1000, lines: [line('Uno', 100), line('Dos', 50, { vatRateBp: 1000 })] }),
      ),
    )
    expect(
      model.allowances.map(({ amount, rate, reason, reasonCode }) => [amount, rate, reason, reasonCode]),
    ).toEqual([
      ['10.00', '21', 'Descuento 10 %', '95'],
      ['5.00', '10', 'Descuento 10 %', '95'],
    ])
  })

  test('lines are those of the printed invoice, and their rounding is a separate amount', () => {
    const model = modelOf(ciiXml(invoiceOf({ lines: [1, 2, 3].map((n) => line(`Pieza ${n}`, 1.005)) })))
    expect(model.lines.map(({ net }) => net)).toEqual(['1.01', '1.01', '1.01'])
    expect(model.allowances).toEqual([
      expect.objectContaining({ isCharge: false, amount: '0.01', reason: 'Redondeo' }),
    ])
    expect(model.base).toBe('3.02')
  })

  test('prices that include tax are written without it', () => {
    const model = modelOf(ciiXml(invoiceOf({ priceMode: 'gross', lines: [line('Taza', 9.99)] })))
    expect(model.lines[0]).toMatchObject({ price: '8.256198', net: '8.26' })
    expect([model.base, model.tax, model.total]).toEqual(['8.26', '1.73', '9.99'])
  })

  test('a negative line is a negative quantity', () => {
    const model = modelOf(
      ciiXml(invoiceOf({ lines: [line('Mesa', 100), line('Vale', -10, { discountBp: 1000 })] })),
    )
    expect(model.lines[1]).toMatchObject({
      quantity: '-1',
      price: '10',
      net: '-9.00',
      allowances: [expect.objectContaining({ isCharge: true, amount: '1.00' })],
    })
  })

  test('in another currency the VAT is also stated in euros', () => {
    expect(cii('09-export-in-dollars')).toMatchObject({
      currency: 'USD',
      taxCurrency: 'EUR',
      tax: '6.65',
      taxInAccounting: '6.13',
    })
    expect(facturaeXml(sample('09-export-in-dollars'))).toContain(
      '<ExchangeRateDetails><ExchangeRate>1.0837</ExchangeRate><ExchangeRateDate>2026-06-02</ExchangeRateDate></ExchangeRateDetails>',
    )
  })

  test('a margin sale shows its price and no VAT', () => {
    const model = cii('11-margin-used-goods')
    expect(model.lines[0]).toMatchObject({ net: '9000.00', code: 'E' })
    expect(model.tax).toBe('31.50')
    expect(model.breakdowns[1]?.reason).toContain('Régimen especial de los bienes usados')
  })
})

describe('rectifying invoices', () => {
  test('by differences, a refund is a credit note in positive figures', () => {
    const model = cii('16-rectifying-by-differences')
    expect(model).toMatchObject({ typeCode: '381', due: '240.19', paid: '32.40' })
    expect(model.preceding).toEqual([{ number: 'F2026-0012', date: '2026-03-15' }])
    expect(model.means).toBeNull()
    expect(modelOf(ublXml(sample('16-rectifying-by-differences'))).root).toBe('CreditNote')
    expect(facturaeXml(sample('16-rectifying-by-differences'))).toContain(
      '<CorrectionMethod>02</CorrectionMethod><CorrectionMethodDescription>Rectificación por diferencias</CorrectionMethodDescription>',
    )
  })

  test('a difference that increases the amount, and a substitution, are corrected invoices', () => {
    const more = invoiceOf({
      kind: 'R1',
      rectification: { method: 'I', cause: 'price_change', reason: null, rectified: null },
    })
    expect(modelOf(ublXml(more))).toMatchObject({ typeCode: '384', root: 'Invoice' })
    const substitution = cii('17-rectifying-by-substitution')
    expect(substitution).toMatchObject({ typeCode: '384', total: '121.00', paid: '60.50', due: '60.50' })
    expect(substitution.preceding).toHaveLength(2)
  })

  test('a volume discount names its period and no invoice', () => {
    const xml = facturaeXml(
      invoiceOf({
        kind: 'R1',
        operationDate: '2026-02-28',
        rectification: { method: 'I', cause: 'period_discount', reason: 'Rappel', rectified: null },
        lines: [line('Rappel', -50)],
      }),
    )
    expect(xml).toContain(
      '<Corrective><ReasonCode>83</ReasonCode><ReasonDescription>Base imponible modificada por descuentos y bonificaciones</ReasonDescription><TaxPeriod><StartDate>2026-02-01</StartDate><EndDate>2026-02-28</EndDate></TaxPeriod><CorrectionMethod>03</CorrectionMethod>',
    )
  })

  test('a number too long for one field of Facturae is split, and joined again when read', () => {
    expect(numberParts('F2026-0001', 'F2026')).toEqual({ series: 'F2026', number: '0001' })
    expect(numberParts('2026/15', null)).toEqual({ series: null, number: '2026/15' })
    expect(numberParts('X'.repeat(30), null)).toEqual({ series: 'X'.repeat(10), number: 'X'.repeat(20) })
    expect(numberParts('X'.repeat(41), null)).toBeNull()
  })
})

describe('payment', () => {
  const means = (method: DraftContent['paymentMethod'], changes: Parameters<typeof invoiceOf>[0] = {}) =>
    modelOf(ciiXml(invoiceOf({ paymentMethod: method, ...changes }))).means
  test('each method has its code, and the account appears only where money is sent to it', () => {
    expect(means('transfer')).toMatchObject({ code: '58', iban: ISSUER.iban })
    expect(means(null)).toMatchObject({ code: '58', iban: ISSUER.iban })
    expect(
      means('transfer', { currency: { code: 'USD', fxMicro: 1_100_000, fxDate: null, fxSource: null } }),
    ).toMatchObject({
      code: '30',
    })
    for (const [method, code] of [
      ['card', '48'],
      ['cash', '10'],
      ['cheque', '20'],
      ['bizum', '68'],
      ['direct_debit', '59'],
    ] as const)
      expect(means(method)).toMatchObject({ code, iban: null })
    expect(
      modelOf(ciiXml(invoiceOf({ paymentMethod: 'transfer' }, { issuer: { ...ISSUER, iban: null } }))).means
        ?.code,
    ).toBeUndefined()
  })

  test('a direct debit names its mandate and its creditor', () => {
    for (const write of [ciiXml, ublXml])
      expect(modelOf(write(sample('10-exempt-suplidos-and-taxed'))).means).toEqual({
        code: '59',
        iban: null,
        mandate: 'M-0007',
        creditor: 'ES12000B12345674',
      })
  })

  test('without a due date the terms state when', () => {
    expect(cii('05-reverse-charge-and-taxed')).toMatchObject({
      dueDate: null,
      terms: 'Según lo acordado; en su defecto, en el plazo de la Ley 3/2004',
    })
  })
})

describe('parties', () => {
  test("VAT numbers have their country's prefix; passports are not VAT numbers", () => {
    expect(partyOf(COMPANY)).toMatchObject({ vatNumber: 'ESA39000013', isPerson: false })
    expect(partyOf(PERSON)).toMatchObject({ vatNumber: 'ES12345678Z', isPerson: true })
    expect(partyOf(FRENCH)).toMatchObject({ vatNumber: 'FR40303265045', isPerson: false })
    expect(partyOf(AMERICAN)).toMatchObject({ vatNumber: null, isPerson: false })
    expect(partyOf({ ...AMERICAN, name: 'John Smith', idType: '03' })).toMatchObject({ isPerson: true })
    const { buyer } = cii('13-one-stop-shop')
    expect(buyer).toMatchObject({ id: 'C01X00T47', legalId: null, vat: null })
  })

  test('names of people are split into given name and surnames', () => {
    const parts = (name: string, isSpanish = true) => Object.values(personName(name, isSpanish))
    expect(parts('María del Carmen López de la Fuente')).toEqual([
      'María del Carmen',
      'López',
      'de la Fuente',
    ])
    expect(parts('Ana Ruiz')).toEqual(['Ana', 'Ruiz', null])
    expect(parts('López Pérez, José Luis')).toEqual(['José Luis', 'López', 'Pérez'])
    expect(parts('José Luis García Pérez')).toEqual(['José Luis', 'García', 'Pérez'])
    expect(parts('John Fitzgerald Kennedy', false)).toEqual(['John Fitzgerald', 'Kennedy', null])
    expect(parts('Cher')).toEqual(['Cher', '-', null])
    expect(parts('Pérez,')).toEqual(['Pérez', '-', null])
  })

  test('a public body has its offices, and its references in the fields of each format', () => {
    const xml = facturaeXml(sample('18-public-body'))
    for (const [role, code] of [
      ['01', 'L01280921'],
      ['02', 'L01280922'],
      ['03', 'L01280923'],
    ] as const)
      expect(xml).toContain(
        `<CentreCode>${code}</CentreCode><RoleTypeCode>${role}</RoleTypeCode><AddressInSpain>`,
      )
    expect(xml).toContain('<ReceiverTransactionReference>PED-2026/77</ReceiverTransactionReference>')
    expect(xml).toContain('<ReceiverContractReference>C-15</ReceiverContractReference>')
    // Longer than the 20 characters of the field: complete among the remarks instead of cut.
    expect(xml).not.toContain('<FileReference>')
    expect(xml).toContain('Expediente: EXP/2026/000000000000000123')
    expect(cii('18-public-body')).toMatchObject({
      order: 'PED-2026/77',
      contract: 'C-15',
      tender: 'EXP/2026/000000000000000123',
      buyerReference: 'L01280921/L01280922/L01280923',
    })
  })

  test('texts are cut between characters, never within a surrogate pair', () => {
    expect(cut('a😀'.repeat(30), 5)).toBe('a😀a😀a')
    expect(cut('corto', 80)).toBe('corto')
    expect(xmlText('a\u0000b\ud800c & <d>\r')).toBe('ab\ufffdc &amp; &lt;d&gt;&#xD;')
  })
})

describe('codes', () => {
  test('common spellings of units are recognized', () => {
    expect(['h', 'Horas', 'ud.', 'kg', 'm', 'L', 'día', 'mes', 'm2', 'km', null].map((text) => unitOf(text).rec20)).toEqual([
      'HUR', 'HUR', 'C62', 'KGM', 'MTR', 'LTR', 'DAY', 'MON', 'MTK', 'KMT', 'C62',
    ]) // prettier-ignore
    expect(unitOf('cosas raras')).toEqual({ rec20: 'C62', facturae: '05' })
    expect(unitOf('cajas').facturae).toBe('06')
  })

  test('countries and provinces are recognized', () => {
    expect([alpha3Of('ES'), alpha3Of('DE'), alpha3Of('XI'), alpha3Of('SS')]).toEqual([
      'ESP',
      'DEU',
      'GBR',
      null,
    ])
    expect([provinceOf('01001'), provinceOf('28004'), provinceOf('52006'), provinceOf('99000')]).toEqual([
      'Araba/Álava', 'Madrid', 'Melilla', null,
    ]) // prettier-ignore
  })
})

describe('availability', () => {
  const WITHOUT_PROFILE = ['cii', 'ubl', 'facturae'] as const
  const faults = (changes: Parameters<typeof invoiceOf>[0], facts?: Parameters<typeof invoiceOf>[1]) =>
    WITHOUT_PROFILE.map((format) => availableFormats(invoiceOf(changes, facts))[format])
  test('a ticket without a customer has no structured form', () => {
    const nobody = { ...COMPANY, name: 'Venta al público', nif: null, street: null }
    expect(faults({ kind: 'F2', client: nobody })).toEqual(Array(3).fill('recipient_not_identified'))
  })

  test('Facturae has more requirements than the others', () => {
    const only = (code: string) => [null, null, code]
    expect(faults({})).toEqual([null, null, null])
    expect(faults({ client: { ...COMPANY, city: null } })).toEqual(only('recipient_address_missing'))
    expect(faults({ client: { ...COMPANY, postalCode: '2800' } })).toEqual(
      only('recipient_postal_code_unfit'),
    )
    expect(faults({ client: { ...AMERICAN, nif: null } })).toEqual(only('recipient_number_missing'))
    expect(faults({ client: { ...AMERICAN, country: 'SS' } })).toEqual(only('recipient_country_without_code'))
    expect(faults({}, { issuer: { ...ISSUER, street: null } })).toEqual(only('issuer_address_missing'))
    expect(faults({}, { issuer: { ...ISSUER, postalCode: 'x' } })).toEqual(only('issuer_postal_code_unfit'))
    expect(faults({}, { number: 'X'.repeat(50) })).toEqual(only('number_too_long'))
    expect(
      faults({ lines: [line('Tasa', 10, { isDisbursement: true, vatRateBp: null, withholdable: false })] }),
    ).toEqual(only('only_disbursements'))
  })
})
