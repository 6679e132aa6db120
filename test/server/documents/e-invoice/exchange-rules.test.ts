/** Each rule of the exchange profile has a document that breaks it, and no other rule speaks of that document. */
import { describe, expect, test } from 'vitest'
import {
  checkExchangeInvoice,
  EXCHANGE_RULES,
  ubl25Xml,
} from '../../../../server/documents/e-invoice/index.ts'
import { COMPANY, invoiceOf, line, SAMPLES } from './samples.ts'
import type { EInvoice } from '../../../../server/documents/e-invoice/index.ts'

type Rule = (typeof EXCHANGE_RULES)[number]

const write = (invoice: EInvoice): string => ubl25Xml(invoice, { copy: false })
const sample = (name: string): string => write((SAMPLES[name] as () => EInvoice)())

const plain = write(
  invoiceOf(
    { operationDate: '2026-05-31', customerReferences: { order: 'P', contract: null, file: null } },
    { qrUrl: 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674' },
  ),
)
const discounted = write(
  invoiceOf({ discountBp: 500, lines: [line('Uno', 10), line('Dos', 20, { discountBp: 1000 })] }),
)
const rectifying = sample('16-rectifying-by-differences')
const withheld = sample('02-three-rates-discounts-withholding')
const collected = sample('10-exempt-suplidos-and-taxed')
const foreign = write(
  invoiceOf({
    client: COMPANY,
    currency: { code: 'USD', fxMicro: 1_083_700, fxDate: '2026-06-02', fxSource: 'BCE' },
  }),
)

/** Replaces the first place; throws if there is none, so that no case is empty. */
function put(xml: string, from: string | RegExp, to: string): string {
  const changed = xml.replace(from, to)
  if (changed === xml) throw new Error(`${from} is not in the document.`)
  return changed
}
const cut = (xml: string, name: string): string =>
  put(xml, new RegExp(`<${name}[ >](?:(?!</${name}>).)*</${name}>`), '')

const PROPERTY = '<cac:AdditionalItemProperty>'
const FIRST_BILL = /<cac:BillingReference>.*?<\/cac:BillingReference>/

const BREAKS: Record<Rule, () => string> = {
  XML: () => put(plain, '</Invoice>', ''),
  'XML-DOCTYPE': () => put(plain, '\n', '\n<!DOCTYPE Invoice [<!ENTITY a "b">]>'),
  SIZE: () => put(plain, '</Invoice>', ' '.repeat(5_300_000) + '</Invoice>'),
  'UBL-ROOT': () => plain.replaceAll('Invoice-2"', 'CreditNote-2"'),
  'UBL-ORDER': () => {
    const [id = ''] = /<cbc:ID>F2026-0042<\/cbc:ID>/.exec(plain) ?? []
    return put(put(plain, id, ''), '<cbc:DocumentCurrencyCode>', `${id}<cbc:DocumentCurrencyCode>`)
  },
  'UBL-UNKNOWN': () => put(plain, '<cbc:DueDate>', '<cbc:Surprise>1</cbc:Surprise><cbc:DueDate>'),
  'UBL-NUMBER': () => put(plain, '<cbc:DueDate>', '<cbc:DueDate>2026-01-01</cbc:DueDate><cbc:DueDate>'),
  'UBL-MISSING': () => cut(plain, 'cbc:IssueDate'),
  'UBL-CONTENT': () => put(plain, '<cac:TaxTotal>', '<cac:TaxTotal>text'),
  'UBL-VALUE': () => put(plain, '<cbc:DueDate>2026-07-03', '<cbc:DueDate>2026-02-30'),
  'UBL-ATTRIBUTE': () => put(plain, ' currencyID="EUR"', ''),
  'BT-24': () => put(plain, '1.0.0:extended', '1.0.1:extended'),
  'BT-23': () => cut(plain, 'cbc:ProfileID'),
  'BR-02': () => put(plain, '<cbc:ID>F2026-0042</cbc:ID>', '<cbc:ID> </cbc:ID>'),
  L1: () => put(plain, '<cbc:InvoiceTypeCode>380', '<cbc:InvoiceTypeCode>381'),
  'BR-05': () => put(plain.replaceAll('currencyID="EUR"', 'currencyID="euro"'), '>EUR<', '>euro<'),
  'BT-6': () =>
    put(
      plain,
      '</cbc:DocumentCurrencyCode>',
      '</cbc:DocumentCurrencyCode><cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>',
    ),
  ATTACHMENT: () =>
    put(
      plain,
      '<cbc:DocumentDescription>VERIFACTU</cbc:DocumentDescription>',
      '<cbc:DocumentDescription>VERIFACTU</cbc:DocumentDescription><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf">QUJD</cbc:EmbeddedDocumentBinaryObject></cac:Attachment>',
    ),
  'BR-55': () => put(rectifying, FIRST_BILL, '<cac:BillingReference/>'),
  'BT-26': () => put(rectifying, /<cbc:IssueDate>2026-03-15<\/cbc:IssueDate>/, ''),
  QR: () => put(plain, 'https://prewww2', 'ftp://prewww2'),
  'BR-CO-3': () =>
    put(
      plain,
      '<cac:OrderReference>',
      '<cac:InvoicePeriod><cbc:DescriptionCode>432</cbc:DescriptionCode></cac:InvoicePeriod><cac:OrderReference>',
    ),
  'BR-29': () =>
    put(
      plain,
      '<cac:OrderReference>',
      '<cac:InvoicePeriod><cbc:StartDate>2026-06-02</cbc:StartDate><cbc:EndDate>2026-06-01</cbc:EndDate></cac:InvoicePeriod><cac:OrderReference>',
    ),
  'BT-ES-2': () =>
    put(
      plain,
      '<cac:TaxTotal>',
      '<cac:PrepaidPayment><cbc:PaidDate>2026-06-04</cbc:PaidDate></cac:PrepaidPayment><cac:TaxTotal>',
    ),
  RECT: () => put(rectifying, '<cbc:InvoiceTypeCode>384', '<cbc:InvoiceTypeCode>380'),
  L2A: () => put(rectifying, '<cbc:DocumentTypeCode>R1<', '<cbc:DocumentTypeCode>R5<'),
  L2B: () => put(rectifying, '<cbc:DocumentTypeCode>I<', '<cbc:DocumentTypeCode>X<'),
  'BG-3': () => put(rectifying, FIRST_BILL, ''),
  'SELLER-NIF': () => put(plain, '>ESB12345674<', '>ESB99999013<'),
  'BUYER-NIF': () =>
    put(plain, /<cac:PartyTaxScheme><cbc:CompanyID schemeID="FC">A39000013.*?<\/cac:PartyTaxScheme>/, ''),
  'BT-31': () => put(plain, '>ESB12345674<', '>XXB12345674<'),
  'BT-32': () => put(plain, 'schemeID="FC">B12345674', 'schemeID="XX">B12345674'),
  'BT-47': () => put(plain, 'schemeID="FC">A39000013', 'schemeID="XX">A39000013'),
  'BT-48': () => {
    const vat =
      '<cac:PartyTaxScheme><cbc:CompanyID>A39000013</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>'
    const [local = ''] =
      /<cac:PartyTaxScheme><cbc:CompanyID schemeID="FC">A39000013.*?<\/cac:PartyTaxScheme>/.exec(plain) ?? []
    return put(plain, local, vat)
  },
  'BR-06': () => put(plain, /<cbc:RegistrationName>Estudio.*?<\/cbc:RegistrationName>/, ''),
  'BR-07': () => put(plain, /<cbc:RegistrationName>Conservas.*?<\/cbc:RegistrationName>/, ''),
  'SELLER-ADDRESS': () => put(plain, '<cbc:PostalZone>28004', '<cbc:PostalZone>53004'),
  'BUYER-ADDRESS': () => put(plain, '<cbc:CityName>El Astillero</cbc:CityName>', ''),
  REGI: () => cut(plain, 'cac:AdditionalItemProperty'),
  'REGI-TAX': () => put(plain, '>IVA<', '>VAT<'),
  L3A: () => put(plain, '<cbc:Value>01<', '<cbc:Value>17<'),
  L3B: () => put(sample('14-igic'), '<cbc:Value>01<', '<cbc:Value>20<'),
  L3C: () => put(sample('15-ipsi'), '<cbc:Value>01<', '<cbc:Value>02<'),
  L4: () => plain.replaceAll('<cbc:ID>S<', '<cbc:ID>K<'),
  'TAX-SCHEME': () => put(plain, /(<cac:ClassifiedTaxCategory>.*?)<cbc:ID>VAT</, '$1<cbc:ID>GST<'),
  RATE: () =>
    put(collected, '<cbc:ID>E</cbc:ID><cbc:Percent>0<', '<cbc:ID>E</cbc:ID><cbc:Percent>0.000<').replace(
      /(<cac:InvoiceLine>.*?<cbc:ID>E<\/cbc:ID>)<cbc:Percent>0<\/cbc:Percent>/,
      '$1',
    ),
  'BR-22': () => cut(plain, 'cbc:InvoicedQuantity'),
  'BR-23': () => put(plain, ' unitCode="C62"', ''),
  'BR-24': () =>
    put(
      plain,
      /(<cac:InvoiceLine>.*?)<cbc:LineExtensionAmount currencyID="EUR">100.00<\/cbc:LineExtensionAmount>/,
      '$1',
    ),
  'BR-25': () => put(plain, /<cbc:Name>Mantenimiento.*?<\/cbc:Name>/, ''),
  'BR-26': () => cut(plain, 'cac:Price'),
  'BR-27': () => put(plain, '<cbc:PriceAmount currencyID="EUR">', '<cbc:PriceAmount currencyID="EUR">-'),
  'BR-CO-4': () => put(plain, /(<cac:ClassifiedTaxCategory>.*?<\/cac:ClassifiedTaxCategory>)/, '$1$1'),
  'BR-CO-21': () =>
    put(
      discounted,
      /<cbc:AllowanceChargeReasonCode>95<\/cbc:AllowanceChargeReasonCode><cbc:AllowanceChargeReason>Descuento 5 %<\/cbc:AllowanceChargeReason>/,
      '',
    ),
  'NEGATIVE-ALLOWANCE': () =>
    put(discounted, /(<cac:InvoiceLine>.*<cbc:Amount currencyID="EUR">)(\d)/, '$1-$2'),
  'BT-126': () => put(discounted, '<cac:InvoiceLine><cbc:ID>2<', '<cac:InvoiceLine><cbc:ID>1<'),
  'BT-179': () =>
    put(collected, /<cbc:TaxInclusiveLineExtensionAmount.*?<\/cbc:TaxInclusiveLineExtensionAmount>/, ''),
  'BT-180': () =>
    put(collected, /(<cac:CollectionInvoiceLine>.*?)<cbc:Description>.*?<\/cbc:Description>/, '$1'),
  CURRENCY: () => put(plain, /(<cbc:PriceAmount currencyID=")EUR/, '$1USD'),
  DECIMALS: () => put(plain, '>121.00<', '>121.001<'),
  TOTALS: () => cut(foreign, 'cbc:TaxInclusiveAmount'),
  'SUM-BR-CO-10': () =>
    put(
      plain,
      /(<cac:LegalMonetaryTotal>)<cbc:LineExtensionAmount currencyID="EUR">100.00/,
      '$1<cbc:LineExtensionAmount currencyID="EUR">100.01',
    ),
  'SUM-BR-CO-11': () =>
    put(
      discounted,
      /<cbc:AllowanceTotalAmount currencyID="EUR">\d+\.\d\d/,
      '<cbc:AllowanceTotalAmount currencyID="EUR">9.99',
    ),
  'SUM-BR-CO-12': () =>
    put(
      plain,
      '<cbc:PayableAmount',
      '<cbc:ChargeTotalAmount currencyID="EUR">1.00</cbc:ChargeTotalAmount><cbc:PayableAmount',
    ),
  'SUM-BR-CO-13': () =>
    put(
      plain,
      '<cbc:TaxExclusiveAmount currencyID="EUR">100.00',
      '<cbc:TaxExclusiveAmount currencyID="EUR">100.01',
    ),
  'SUM-BR-CO-14': () =>
    put(
      plain,
      '<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">21.00',
      '<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">21.01',
    ),
  'SUM-BR-CO-15': () =>
    put(
      plain,
      '<cbc:TaxInclusiveAmount currencyID="EUR">121.00',
      '<cbc:TaxInclusiveAmount currencyID="EUR">121.01',
    ),
  'SUM-BR-CO-16': () =>
    put(plain, '<cbc:PayableAmount currencyID="EUR">121.00', '<cbc:PayableAmount currencyID="EUR">120.99'),
  'SUM-BR-CO-17': () =>
    put(
      plain,
      /(<cac:TaxSubtotal>.*?)<cbc:TaxAmount currencyID="EUR">21.00/,
      '$1<cbc:TaxAmount currencyID="EUR">23.00',
    ),
  'SUM-BASE': () =>
    put(plain, '<cbc:TaxableAmount currencyID="EUR">100.00', '<cbc:TaxableAmount currencyID="EUR">100.01'),
  'BR-CO-18': () => put(plain, /<cac:TaxSubtotal>.*<\/cac:TaxSubtotal>/, ''),
  'TAX-TOTALS': () => put(plain, /(<cac:TaxTotal>.*?<\/cac:TaxTotal>)/, '$1$1'),
  'BR-53': () => put(foreign, /<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">.*?<\/cac:TaxTotal>/, ''),
  BREAKDOWN: () => put(plain, /(<cac:TaxSubtotal>.*?<\/cac:TaxSubtotal>)/, '$1$1'),
  'BT-119': () =>
    put(
      sample('22-instalments-by-direct-debit'),
      /(<cac:TaxSubtotal>.*?)<cbc:Percent>21<\/cbc:Percent>/,
      '$1',
    ),
  REASON: () =>
    put(
      collected,
      /(<cac:TaxSubtotal>(?:(?!<\/cac:TaxSubtotal>).)*<cbc:ID>E<\/cbc:ID><cbc:Percent>0<\/cbc:Percent>)<cbc:TaxExemptionReason(?:Code)?>.*?(<cac:TaxScheme>)/,
      '$1$2',
    ),
  WITHHOLDING: () => put(withheld, '<cbc:Description>RETE<', '<cbc:Description>Otra<'),
  L5: () => put(withheld, /(<cac:WithholdingTaxTotal>.*?)<cbc:ID>01</, '$1<cbc:ID>12<'),
}

/** Rules that speak beside another one, because one change breaks both. */
const BESIDE: Partial<Record<Rule, readonly Rule[]>> = {
  'UBL-ORDER': ['UBL-MISSING'],
  'BR-05': ['BT-6'],
  'BR-55': ['BT-26'],
  'BT-6': ['BR-53'],
  'BT-31': ['SELLER-NIF'],
  L4: ['RATE'],
  'BR-24': ['SUM-BR-CO-10', 'SUM-BASE'],
  'BT-179': ['SUM-BR-CO-16'],
  DECIMALS: ['SUM-BR-CO-15', 'SUM-BR-CO-16'],
  TOTALS: ['SUM-BR-CO-15', 'SUM-BR-CO-16'],
  'SUM-BR-CO-10': ['SUM-BR-CO-13'],
  'SUM-BR-CO-11': ['SUM-BR-CO-13'],
  'SUM-BR-CO-12': ['SUM-BR-CO-13'],
  'SUM-BR-CO-13': ['SUM-BR-CO-15'],
  'SUM-BR-CO-14': ['SUM-BR-CO-15'],
  'SUM-BR-CO-15': ['SUM-BR-CO-16'],
  'SUM-BR-CO-17': ['SUM-BR-CO-14'],
  'BR-CO-18': ['CURRENCY', 'SUM-BR-CO-14', 'SUM-BR-CO-15', 'BREAKDOWN'],
  BREAKDOWN: ['SUM-BR-CO-14'],
  'BT-119': ['RATE', 'BREAKDOWN', 'SUM-BASE', 'SUM-BR-CO-17'],
}

describe('a document that follows every rule', () => {
  test('is what each case starts from', () => {
    for (const xml of [plain, discounted, rectifying, withheld, collected, foreign])
      expect(checkExchangeInvoice(xml)).toEqual([])
    expect(plain).toContain(PROPERTY)
  })
})

test.each(Object.entries(BREAKS) as [Rule, () => string][])('%s is broken, and said', (rule, make) => {
  const rules = [...new Set(checkExchangeInvoice(make()).map((each) => each.rule as Rule))]
  expect(rules).toContain(rule)
  for (const other of rules) if (other !== rule) expect(BESIDE[rule] ?? []).toContain(other)
})

test('every rule has its case', () => {
  expect(Object.keys(BREAKS).toSorted()).toEqual([...EXCHANGE_RULES].toSorted())
})
