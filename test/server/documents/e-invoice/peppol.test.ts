/** Peppol BIS Billing 3.0: who has a document, the network's rules on each, and a document that breaks each rule. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkPeppol,
  eInvoiceOf,
  peppolFault,
  peppolXml,
} from '../../../../server/documents/e-invoice/index.ts'
import type { PeppolFault } from '../../../../server/documents/e-invoice/index.ts'
import { PEPPOL_RULES } from '../../../../server/documents/e-invoice/peppol/rules.ts'
import { totalsOf } from '../../../../server/sales/invoices/index.ts'
import { sweptCount } from '../../../support/sweep.ts'
import { brokenRules } from './en16931-rules.ts'
import { modelOf } from './model.ts'
import { AMERICAN, COMPANY, FRENCH, invoiceOf, issued, line, PERSON, randomContent } from './samples.ts'

const ORDER = { customerReferences: { order: 'PED-77', contract: null, file: null } }
const rulesOf = (xml: string): string[] => checkPeppol(xml).map(({ rule }) => rule)

describe('the document', () => {
  test('has the profile, the addresses and the reference of the network', () => {
    const xml = peppolXml(invoiceOf({ ...ORDER, client: FRENCH, lines: [line('Diseño', 900)] }))
    expect(xml).toContain(
      '<cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0<',
    )
    expect(xml).toContain('<cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0<')
    expect(xml).toContain('<cbc:EndpointID schemeID="9920">ESB12345674<')
    expect(xml).toContain('<cbc:EndpointID schemeID="9957">FR40303265045<')
    expect(checkPeppol(xml)).toEqual([])
  })

  test('of random invoices follows the rules of the network and of the standard', () => {
    let count = 0
    fc.assert(
      fc.property(randomContent, fc.constantFrom(COMPANY, PERSON, FRENCH), (random, client) => {
        // The one-stop shop and intra-Community supplies have customers of their own.
        const content = { ...random, ...ORDER, client: random.client === FRENCH ? FRENCH : client }
        const invoice = eInvoiceOf(content, totalsOf(content), issued())
        if (peppolFault(invoice) !== null) return
        count += 1
        const xml = peppolXml(invoice)
        expect(checkPeppol(xml)).toEqual([])
        const own = brokenRules({ ...modelOf(xml), specification: 'urn:cen.eu:en16931:2017' })
        // The network has other types: a corrected invoice is 380.
        expect(own).toEqual([])
      }),
      { numRuns: sweptCount(1_000, 60), seed: 20_261_130 },
    )
    expect(count).toBeGreaterThan(30)
  })

  test('is missing without address or reference, and for what the customer issued', () => {
    const none: PeppolFault | null = peppolFault(invoiceOf(ORDER))
    expect(none).toBe(null)
    expect(peppolFault(invoiceOf({ ...ORDER, client: AMERICAN }))).toBe('electronic_address_missing')
    expect(peppolFault(invoiceOf({}))).toBe('customer_reference_missing')
    expect(
      peppolFault(
        invoiceOf({
          ...ORDER,
          issuedBy: {
            kind: 'recipient',
            name: null,
            nif: null,
            idType: null,
            country: null,
            street: null,
            postalCode: null,
            city: null,
            province: null,
          },
        }),
      ),
    ).toBe('self_billed')
  })

  test('of a corrected invoice is an invoice that refers to it', () => {
    const xml = peppolXml(
      invoiceOf({
        ...ORDER,
        kind: 'R1',
        references: [{ role: 'rectifies', targetId: 1, number: 'F2026-0012', issueDate: '2026-03-15' }],
        rectification: {
          method: 'S',
          cause: 'wrong_amount',
          reason: 'x',
          rectified: { baseCents: 1, taxCents: 0, surchargeCents: null },
        },
      }),
    )
    expect(xml).toContain('<cbc:InvoiceTypeCode>380<')
    expect(xml).toContain('<cbc:ID>F2026-0012<')
    expect(checkPeppol(xml)).toEqual([])
  })

  test('of a direct debit without its mandate names the means in words', () => {
    const xml = peppolXml(invoiceOf({ ...ORDER, paymentMethod: 'direct_debit' }))
    expect(xml).toContain('<cbc:PaymentMeansCode name="Domiciliación bancaria">ZZZ<')
    expect(checkPeppol(xml)).toEqual([])
  })
})

describe('each rule', () => {
  const base = peppolXml(
    invoiceOf({
      ...ORDER,
      discountBp: 500,
      paymentMethod: 'transfer',
      lines: [
        line('Uno', 100, { surchargeRateBp: 520 }),
        line('Obra', 50, { taxTreatment: 'S2', vatRateBp: 0, cause: 'reverse_works' }),
      ],
    }),
  )
  const dollars = peppolXml(
    invoiceOf({ ...ORDER, currency: { code: 'USD', fxMicro: 1_083_700, fxDate: null, fxSource: null } }),
  )
  const returned = peppolXml(
    invoiceOf({
      ...ORDER,
      kind: 'R1',
      references: [{ role: 'rectifies', targetId: 1, number: 'F2026-0012', issueDate: '2026-03-15' }],
      rectification: { method: 'I', cause: 'returned_goods', reason: null, rectified: null },
      lines: [line('Silla', 10, { quantityMicro: -1_000_000 })],
    }),
  )
  const BREAKS: Record<string, [xml: string, from: string | RegExp, to: string]> = {
    R001: [base, /<cbc:ProfileID>.*?<\/cbc:ProfileID>/, ''],
    R002: [
      base,
      '<cbc:DocumentCurrencyCode>',
      '<cbc:Note>a</cbc:Note><cbc:Note>b</cbc:Note><cbc:DocumentCurrencyCode>',
    ],
    R003: [base, /<cac:OrderReference>[^]*?<\/cac:OrderReference>/, ''],
    R004: [base, 'poacc:billing:3.0', 'poacc:billing:2.0'],
    R005: [dollars, '<cbc:TaxCurrencyCode>EUR', '<cbc:TaxCurrencyCode>USD'],
    R007: [base, 'billing:01:1.0', 'billing:1:1.0'],
    R008: [base, '<cbc:DueDate>2026-07-03<', '<cbc:DueDate><'],
    R010: [base, /<cbc:EndpointID schemeID="9920">ESA39000013<\/cbc:EndpointID>/, ''],
    R020: [base, /<cbc:EndpointID schemeID="9920">ESB12345674<\/cbc:EndpointID>/, ''],
    R040: [base, '<cbc:MultiplierFactorNumeric>5.2<', '<cbc:MultiplierFactorNumeric>6<'],
    R041: [base, /<cbc:BaseAmount.*?<\/cbc:BaseAmount>/, ''],
    R042: [base, /<cbc:MultiplierFactorNumeric>5\.2<\/cbc:MultiplierFactorNumeric>/, ''],
    R043: [base, '<cbc:ChargeIndicator>false<', '<cbc:ChargeIndicator>0<'],
    R051: [base, '<cbc:PriceAmount currencyID="EUR"', '<cbc:PriceAmount currencyID="USD"'],
    R053: [base, /<cac:TaxTotal>[^]*<\/cac:TaxTotal>/, ''],
    R054: [dollars, /<cbc:TaxCurrencyCode>EUR<\/cbc:TaxCurrencyCode>/, ''],
    R055: [dollars, /(<cac:TaxTotal>\s*<cbc:TaxAmount currencyID="EUR">)/, '$1-'],
    R061: [
      base,
      '<cbc:PaymentMeansCode name="Transferencia">58',
      '<cbc:PaymentMeansCode name="Transferencia">59',
    ],
    R120: [base, '<cbc:PriceAmount currencyID="EUR">100<', '<cbc:PriceAmount currencyID="EUR">100.03<'],
    R121: [base, '</cbc:PriceAmount>', '</cbc:PriceAmount><cbc:BaseQuantity>-1</cbc:BaseQuantity>'],
    P0100: [base, '<cbc:InvoiceTypeCode>380', '<cbc:InvoiceTypeCode>384'],
    P0101: [returned, '<cbc:CreditNoteTypeCode>381', '<cbc:CreditNoteTypeCode>261'],
    P0104: [base, 'VATEX-EU-AE', 'VATEX-EU-O'],
    F001: [base, '<cbc:IssueDate>2026-06-03', '<cbc:IssueDate>03-06-2026'],
    CL008: [base, 'schemeID="9920">ESA', 'schemeID="NIF">ESA'],
  }
  /** Rules that one change breaks as well. */
  const BESIDE: Record<string, readonly string[]> = { R001: ['R007'], R008: ['F001'], R121: ['R120'] }

  test.each(Object.entries(BREAKS))('%s is broken, and said', (rule, [xml, from, to]) => {
    expect(checkPeppol(xml)).toEqual([])
    const broken = xml.replace(from, to)
    expect(broken).not.toBe(xml)
    const said = rulesOf(broken).map((each) => each.replace('PEPPOL-EN16931-', ''))
    expect(said.toSorted()).toEqual([rule, ...(BESIDE[rule] ?? [])].toSorted())
  })

  test('has its case', () => {
    expect(
      Object.keys(BREAKS)
        .map((rule) => `PEPPOL-EN16931-${rule}`)
        .toSorted(),
    ).toEqual([...PEPPOL_RULES].toSorted())
  })
})
