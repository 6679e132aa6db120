/**
 * Invoices for the exchange: golden files, structure and rules of the profile, and everything read back. `SELLO_UPDATE_GOLDEN=1`
 * writes the golden files again; a person then reviews every change.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ASSUMPTIONS,
  assumptionsOf,
  availableFormats,
  blockingLive,
  checkExchangeInvoice,
  EXCHANGE_FAULTS,
  exchangeFault,
  readInvoiceCode,
  ubl25Xml,
} from '../../../../server/documents/e-invoice/index.ts'
import type {
  AssumptionId,
  EInvoice,
  ExchangeFault,
  NamedInvoice,
} from '../../../../server/documents/e-invoice/index.ts'
import { readStructured } from '../../../../server/purchases/intake/structured.ts'
import { comparable, exchangeInvoices, expected, statedIn } from './exchange-samples.ts'
import { differencesOf, factsOf, factsRead } from './round-trip.ts'
import { COMPANY, FRENCH, invoiceOf, ISSUER, line, SAMPLES } from './samples.ts'

const FOLDER = join(import.meta.dirname, '../../../golden/exchange')
const write = (invoice: EInvoice): string => ubl25Xml(invoice, { copy: false })
const taken = Object.entries(SAMPLES).filter(([, make]) => exchangeFault(make()) === null)
const readable = (xml: string): string => xml.replaceAll('><', '>\n<')
const rulesOf = (xml: string): string[] => checkExchangeInvoice(xml).map(({ rule }) => rule)

describe('the golden file', () => {
  test.each(taken)('of %s is written unchanged', (name, make) => {
    const file = join(FOLDER, `${name}.ubl25.xml`)
    const xml = readable(write(make()))
    if (process.env.SELLO_UPDATE_GOLDEN === '1') writeFileSync(file, xml)
    expect(existsSync(file), `${name}.ubl25.xml is there`).toBe(true)
    expect(xml).toBe(readFileSync(file, 'utf8'))
  })

  test('of every name has its invoice', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(taken.map(([name]) => `${name}.ubl25.xml`).toSorted())
  })
})

describe('the document', () => {
  test.each(taken)('of %s follows all rules and says what the invoice says', (_name, make) => {
    const invoice = make()
    const xml = write(invoice)
    expect(checkExchangeInvoice(xml)).toEqual([])
    expect(comparable(statedIn(xml), invoice)).toEqual(expected(invoice))
  })

  test('of random invoices of every treatment follows all rules and is read back to the cent', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(exchangeInvoices, (invoice) => {
        expect(exchangeFault(invoice)).toBe(null)
        const xml = write(invoice)
        expect(checkExchangeInvoice(xml)).toEqual([])
        expect(comparable(statedIn(xml), invoice)).toEqual(expected(invoice))
        const read = readStructured(Buffer.from(xml))
        const facts = factsOf(invoice, 'ubl25')
        if (invoice.paidOn !== null) {
          facts.prepaid = invoice.amountDueCents + invoice.replacedCents
          facts.payable = 0
        }
        expect(read && factsRead(read.proposal)).toEqual(facts)
        for (const { category } of invoice.groups) seen.add(category)
      }),
      { numRuns: 100, seed: 20_261_130 },
    )
    expect([...seen].toSorted()).toEqual(['AE', 'E', 'G', 'L', 'M', 'O', 'S', 'Z'])
  })

  test('a copy differs from the original in the indicator alone', () => {
    const invoice = invoiceOf({})
    expect(ubl25Xml(invoice, { copy: true })).toBe(
      write(invoice).replace('<cbc:CopyIndicator>false<', '<cbc:CopyIndicator>true<'),
    )
    const named: NamedInvoice = {
      issuerTaxId: 'B12345674',
      issuerName: invoice.seller.name,
      number: 'F2026-0042',
      issueDate: '2026-06-03',
      recipientTaxId: 'A39000013',
      typeCode: '380',
      copy: true,
      total: '121.00',
      paidOn: null,
    }
    expect(readInvoiceCode(ubl25Xml(invoice, { copy: true }))).toEqual(named)
  })

  test('paid at its issue, it asks for nothing and says the day', () => {
    const paid = invoiceOf({ lines: [line('Servicio', 100)] }, { paidOn: '2026-06-03' })
    const xml = write(paid)
    expect(checkExchangeInvoice(xml)).toEqual([])
    expect(readInvoiceCode(xml).paidOn).toBe('2026-06-03')
    const proposal = readStructured(Buffer.from(xml))?.proposal
    expect(proposal).toMatchObject({ paidOn: '2026-06-03', prepaid: 121, payable: 0, total: 121 })
    const late = xml.replace('<cbc:PaidDate>2026-06-03<', '<cbc:PaidDate>2026-06-04<')
    expect(rulesOf(late)).toEqual(['BT-ES-2'])
  })

  test('the day of the operation and the accrual on payment exclude each other', () => {
    const cash = invoiceOf({
      operationDate: '2026-05-31',
      lines: [line('Servicio', 100, { regimeKey: '07' })],
    })
    expect(statedIn(write(cash))).toMatchObject({ isCashAccounting: true, operationDate: '2026-05-31' })
    expect(write(cash)).not.toContain('TaxPointDate')
    expect(checkExchangeInvoice(write(cash))).toEqual([])
  })

  test('a 10,000-line invoice is refused for its size, and 2,000 lines are written', () => {
    const many = (count: number) =>
      invoiceOf({ lines: Array.from({ length: count }, (_, index) => line(`Artículo ${index}`, 1)) })
    expect(exchangeFault(many(10_000))).toBe('too_large')
    expect(exchangeFault(many(2_000))).toBe(null)
    expect(checkExchangeInvoice(write(many(2_000)))).toEqual([])
  })
})

describe('an invoice without document', () => {
  const cases: Record<ExchangeFault, () => EInvoice> = {
    simplified: () => invoiceOf({ kind: 'F2' }),
    customer_outside_spain: () => invoiceOf({ client: FRENCH }),
    customer_number_missing: () => invoiceOf({ client: { ...COMPANY, nif: 'B00000000' } }),
    public_body: () => invoiceOf({ client: { ...COMPANY, nif: 'P2809200E' } }),
    customer_address_incomplete: () => invoiceOf({ client: { ...COMPANY, postalCode: '99001' } }),
    issuer_address_incomplete: () => invoiceOf({}, { issuer: { ...ISSUER, city: ' ' } }),
    foral: () => invoiceOf({}, { issuer: { ...ISSUER, postalCode: '48001', province: 'Bizkaia' } }),
    third_party_issue: () => (SAMPLES['23-issued-by-third-party'] as () => EInvoice)(),
    only_disbursements: () =>
      invoiceOf({
        lines: [line('Tasa', 10, { isDisbursement: true, vatRateBp: null, withholdable: false })],
      }),
    too_large: () => invoiceOf({ lines: [line('x'.repeat(6_000_000), 1)] }),
  }
  test('has a case for each reason', () => {
    expect(Object.keys(cases)).toEqual([...EXCHANGE_FAULTS])
  })

  test.each(Object.entries(cases))('because of %s', (fault, make) => {
    expect(exchangeFault(make())).toBe(fault)
    expect(availableFormats(make()).ubl25).toBe(fault)
  })

  test('a qualified simplified invoice has one, a ticket and what rectifies it have none', () => {
    expect(exchangeFault(invoiceOf({ simplifiedArt7273: true }))).toBe(null)
    expect(exchangeFault(invoiceOf({ kind: 'R5' }))).toBe('simplified')
  })
})

describe('assumptions', () => {
  test('have distinct identifiers and titles, and each its title, text and source in both languages', () => {
    for (const each of [
      ASSUMPTIONS.map(({ id }) => id),
      ASSUMPTIONS.map(({ title }) => title.es),
      ASSUMPTIONS.map(({ title }) => title.en),
      ASSUMPTIONS.map(({ assumed }) => assumed.es),
      ASSUMPTIONS.map(({ assumed }) => assumed.en),
    ])
      expect(new Set<string>(each).size).toBe(each.length)
    for (const { id, source, assumed, title } of ASSUMPTIONS) {
      for (const text of [source, assumed, title])
        for (const words of [text.es, text.en]) expect(words, id).toMatch(/^\S.+\S$/)
      expect(assumed.es, id).not.toBe(assumed.en)
      expect(title.es, id).not.toBe(title.en)
      for (const words of [assumed.es, source.es])
        expect(words, id).not.toMatch(/\b(the|of|and|not|which|slides|reader|section)\b/i)
      for (const words of [assumed.en, source.en])
        expect(words, id).not.toMatch(/\b(que|del|los|las|una|según|sección|diapositivas)\b/i)
    }
  })

  test('keep the real platform closed while one of them blocks it', () => {
    expect(blockingLive()).toEqual(ASSUMPTIONS.filter(({ blocks }) => blocks === 'live'))
    expect(blockingLive().length).toBeGreaterThan(0)
  })

  test('of an invoice are those of its content', () => {
    const of = (name: string): AssumptionId[] => assumptionsOf((SAMPLES[name] as () => EInvoice)())
    expect(of('01-one-rate')).toEqual([])
    expect(of('02-three-rates-discounts-withholding')).toEqual(['withholding', 'notes'])
    expect(of('04-surcharge')).toContain('surcharge')
    expect(of('10-exempt-suplidos-and-taxed')).toContain('disbursements')
    expect(of('11-margin-used-goods')).toContain('margin')
    expect(of('17-rectifying-by-substitution')).toEqual(
      expect.arrayContaining(['rectified_amount', 'bg24_code', 'replaced_amount']),
    )
    expect(of('25-self-billed-return')).toContain('self_billed_code')
    expect(assumptionsOf(invoiceOf({ lines: [line('Venta', 10, { regimeKey: '20' })] }))).toEqual(['regimes'])
    expect(assumptionsOf(invoiceOf({ client: { ...COMPANY, postalCode: '31001' } }))).toEqual(['foral'])
  })
})

test('every sample is read back with the same facts in every format that it has', () => {
  for (const [, make] of Object.entries(SAMPLES)) {
    const invoice = make()
    const has = Object.values(availableFormats(invoice)).filter((fault) => fault === null).length
    const { files, differences } = differencesOf(invoice)
    expect(files).toBe(has)
    expect(differences).toEqual([])
  }
})
