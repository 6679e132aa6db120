/** Rules of the profile about sums, to the cent: BR-CO-10 to BR-CO-17 of EN 16931, with the collection lines (BG-34). */
import { child, children, textAt } from '../../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../domain/formats/xml-reader.ts'
import type { Cents } from '../../../../domain/money.ts'
import { WITHHELD_MARK, WITHHOLDING_KEYS, WITHHOLDING_SCHEME } from '../codes.ts'
import { centsOf, placed } from './document.ts'
import type { Document, Placed } from './document.ts'
import { categoryRules } from './lines.ts'

const total = (values: readonly Cents[]): Cents => values.reduce((sum, each) => sum + each, 0)

/** Amounts that keep decimals of their own. */
const PRICES: readonly string[] = ['PriceAmount']

/** Every amount has at most two decimals and the document's currency, but for the tax in the currency of the tax. */
function amounts(document: Document, element: XmlElement, path: string): void {
  for (const each of element.children) {
    const here = `${path}${path === '' ? '' : '/'}${each.name}`
    const currency = each.attributes['currencyID']
    if (currency !== undefined) {
      const isAccounting =
        element.name === 'TaxTotal' && child(element, 'TaxSubtotal') === null && path === 'TaxTotal'
      const expected = isAccounting ? document.text('TaxCurrencyCode') : document.currency
      document.must(currency === expected, 'CURRENCY', here, 'An amount is in another currency.')
      if (!PRICES.includes(each.name))
        document.must(
          centsOf(each.text.trim()) !== null,
          'DECIMALS',
          here,
          'An amount has more than two decimals.',
        )
    }
    amounts(document, each, here)
  }
}

class Sums {
  readonly document: Document
  readonly own: XmlElement | null
  constructor(document: Document) {
    this.document = document
    this.own = document.at('LegalMonetaryTotal')
  }
  of(name: string): Cents {
    return centsOf(textAt(this.own, name)) ?? 0
  }
  must(rule: `BR-CO-1${0 | 1 | 2 | 3 | 5 | 6}`, name: string, expected: Cents): void {
    this.document.must(
      this.of(name) === expected,
      `SUM-${rule}`,
      `LegalMonetaryTotal/${name}`,
      `${name} is ${this.of(name)} cents and should be ${expected}.`,
    )
  }
}

const amountIn = (element: XmlElement, name: string): Cents => centsOf(textAt(element, name)) ?? 0
const isCharge = ({ element }: Placed): boolean =>
  /^(?:true|1)$/.test(textAt(element, 'ChargeIndicator') ?? '')

const keyOf = (category: XmlElement | null): string =>
  `${textAt(category, 'ID')} ${Number(textAt(category, 'Percent') ?? 0)}`

/** Largest deviation of a tax from its base times its rate, in cents: other programs round each line. */
const ROUNDING_CENTS = 100

function breakdown(document: Document): void {
  const parts = document.breakdown
  document.must(parts.length > 0, 'BR-CO-18', 'TaxTotal', 'There is no breakdown of the tax.')
  const totals = document.all('TaxTotal')
  document.must(
    totals.filter(({ element }) => child(element, 'TaxSubtotal') !== null).length <= 1,
    'TAX-TOTALS',
    'TaxTotal',
    'There are several breakdowns.',
  )
  const taxCurrency = document.text('TaxCurrencyCode')
  const inTaxCurrency = totals.filter(
    ({ element }) => child(element, 'TaxAmount')?.attributes['currencyID'] === taxCurrency,
  )
  document.must(
    taxCurrency === null || inTaxCurrency.length === 1,
    'BR-53',
    'TaxTotal',
    'The tax in the currency of the tax is missing.',
  )
  const bases = new Map<string, Cents>()
  const add = (key: string, cents: Cents) => bases.set(key, (bases.get(key) ?? 0) + cents)
  for (const { element } of document.all('InvoiceLine'))
    add(
      keyOf(child(child(element, 'Item'), 'ClassifiedTaxCategory')),
      amountIn(element, 'LineExtensionAmount'),
    )
  for (const each of document.all('AllowanceCharge'))
    add(
      keyOf(child(each.element, 'TaxCategory')),
      (isCharge(each) ? 1 : -1) * amountIn(each.element, 'Amount'),
    )
  const keys = parts.map(({ element }) => keyOf(child(element, 'TaxCategory')))
  document.must(
    new Set(keys).size === keys.length,
    'BREAKDOWN',
    'TaxTotal',
    'A category and rate has two parts.',
  )
  for (const key of bases.keys())
    document.must(keys.includes(key), 'BREAKDOWN', 'TaxTotal', `The breakdown lacks ${key}.`)
  for (const [index, { element, path }] of parts.entries()) {
    const category = child(element, 'TaxCategory')
    categoryRules(document, category, `${path}/TaxCategory`)
    document.must(
      textAt(category, 'Percent') !== null,
      'BT-119',
      path,
      'The rate is missing; it is 0 without tax.',
    )
    const baseCents = amountIn(element, 'TaxableAmount')
    const expected = bases.get(keys[index] ?? '') ?? 0
    document.must(
      baseCents === expected,
      'SUM-BASE',
      path,
      `The base is ${baseCents} cents; its lines give ${expected}.`,
    )
    const taxCents = amountIn(element, 'TaxAmount')
    const rate = Number(textAt(category, 'Percent') ?? 0)
    const exact = (baseCents * rate) / 100
    document.must(
      rate === 0 ? taxCents === 0 : Math.abs(taxCents - exact) < ROUNDING_CENTS,
      'SUM-BR-CO-17',
      path,
      'The tax is not its base at its rate.',
    )
    if (['E', 'AE', 'G', 'O'].includes(textAt(category, 'ID') ?? ''))
      document.must(
        textAt(category, 'TaxExemptionReason') !== null ||
          textAt(category, 'TaxExemptionReasonCode') !== null,
        'REASON',
        path,
        'There is no reason why no tax is charged.',
      )
  }
}

/** Checks the withholding (BG-ES-4): its key, its sums, and the collection line that takes it off the amount due. */
function withholding(document: Document): void {
  const totals = document.all('WithholdingTaxTotal')
  const collected = document
    .all('CollectionInvoiceLine')
    .filter(({ element }) => textAt(element, 'Item', 'Description') === WITHHELD_MARK)
  const withheld = total(totals.map(({ element }) => amountIn(element, 'TaxAmount')))
  const taken = total(collected.map(({ element }) => amountIn(element, 'TaxInclusiveLineExtensionAmount')))
  document.must(
    withheld === -taken && totals.length > 0 === collected.length > 0,
    'WITHHOLDING',
    'WithholdingTaxTotal',
    'What is withheld and the line RETE are not the same.',
  )
  for (const { element, path } of totals) {
    const parts = placed(element, 'TaxSubtotal', path)
    document.must(
      total(parts.map((part) => amountIn(part.element, 'TaxAmount'))) === amountIn(element, 'TaxAmount'),
      'WITHHOLDING',
      path,
      'The parts of the withholding are not its total.',
    )
    for (const part of parts) {
      const category = child(part.element, 'TaxCategory')
      document.must(
        WITHHOLDING_KEYS.includes(textAt(category, 'ID') ?? ''),
        'L5',
        part.path,
        'The key is not in the list L5.',
      )
      document.must(
        textAt(category, 'TaxScheme', 'ID') === WITHHOLDING_SCHEME,
        'WITHHOLDING',
        part.path,
        'The scheme of a withholding is WTH.',
      )
    }
  }
}

/** Checks all sums. */
export function sumRules(document: Document): void {
  amounts(document, document.root, '')
  const sums = new Sums(document)
  const charges = document.all('AllowanceCharge')
  const of = (charged: boolean) =>
    total(
      charges.filter((each) => isCharge(each) === charged).map(({ element }) => amountIn(element, 'Amount')),
    )
  const lines = total(
    document.all('InvoiceLine').map(({ element }) => amountIn(element, 'LineExtensionAmount')),
  )
  const collected = total(
    document
      .all('CollectionInvoiceLine')
      .map(({ element }) => amountIn(element, 'TaxInclusiveLineExtensionAmount')),
  )
  const own = document.all('TaxTotal').find(({ element }) => child(element, 'TaxSubtotal') !== null)
  const tax = own ? amountIn(own.element, 'TaxAmount') : 0
  sums.must('BR-CO-10', 'LineExtensionAmount', lines)
  sums.must('BR-CO-11', 'AllowanceTotalAmount', of(false))
  sums.must('BR-CO-12', 'ChargeTotalAmount', of(true))
  sums.must(
    'BR-CO-13',
    'TaxExclusiveAmount',
    sums.of('LineExtensionAmount') - sums.of('AllowanceTotalAmount') + sums.of('ChargeTotalAmount'),
  )
  document.must(
    tax === total(document.breakdown.map(({ element }) => amountIn(element, 'TaxAmount'))),
    'SUM-BR-CO-14',
    'TaxTotal/TaxAmount',
    'The tax is not the sum of its breakdown.',
  )
  sums.must('BR-CO-15', 'TaxInclusiveAmount', sums.of('TaxExclusiveAmount') + tax)
  sums.must(
    'BR-CO-16',
    'PayableAmount',
    sums.of('TaxInclusiveAmount') - sums.of('PrepaidAmount') + sums.of('PayableRoundingAmount') + collected,
  )
  for (const name of ['LineExtensionAmount', 'TaxExclusiveAmount', 'TaxInclusiveAmount', 'PayableAmount'])
    document.must(
      children(sums.own, name).length === 1,
      'TOTALS',
      `LegalMonetaryTotal/${name}`,
      `${name} is missing.`,
    )
  breakdown(document)
  withholding(document)
}
