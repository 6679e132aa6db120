/**
 * Requirements of Facturae 3.2.2 beyond its schema, checked on a read file: totals that add up and parts that must be
 * present. Sources: the schema's own notes on each element; Orden HAP/1074/2014 annex II (lines in two decimals,
 * totals as sums).
 */
import { at, child, children, textAt } from '../../../../server/domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../server/domain/formats/xml-reader.ts'
import { readXml } from '../../../../server/purchases/intake/xml.ts'

/** Returns exact cents; NaN for more than two decimals. */
function cents(text: string | null): number {
  const match = /^(-?)(\d+)(?:\.(\d\d?))?$/.exec(text ?? '')
  if (!match) return Number.NaN
  const value = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  return match[1] ? -value : value
}
const centsAt = (node: XmlElement | null, ...path: string[]): number => cents(textAt(node, ...path))
const orNone = (node: XmlElement | null, ...path: string[]): number =>
  at(node, ...path) ? centsAt(node, ...path) : 0
const total = (nodes: readonly XmlElement[], ...path: string[]): number =>
  nodes.reduce((sum, each) => sum + orNone(each, ...path), 0)

function micro(text: string | null): bigint {
  const [whole = '0', fraction = ''] = (text ?? '0').split('.')
  return BigInt(`${whole}${fraction.padEnd(6, '0').slice(0, 6)}`)
}

function lineFaults(line: XmlElement): string[] {
  const exact = micro(textAt(line, 'Quantity')) * micro(textAt(line, 'UnitPriceWithoutTax'))
  const half = exact < 0n ? -5_000_000_000n : 5_000_000_000n
  const cost = centsAt(line, 'TotalCost')
  const less = total(children(child(line, 'DiscountsAndRebates'), 'Discount'), 'DiscountAmount')
  const more = total(children(child(line, 'Charges'), 'Charge'), 'ChargeAmount')
  const gross = centsAt(line, 'GrossAmount')
  const taxes = children(child(line, 'TaxesOutputs'), 'Tax')
  return [
    ...(cost === Number((exact + half) / 10_000_000_000n) ? [] : ['line cost']),
    ...(gross === cost - less + more ? [] : ['line gross']),
    ...(taxes.length === 1 && taxes.every((tax) => centsAt(tax, 'TaxableBase', 'TotalAmount') === gross)
      ? []
      : ['line tax base']),
    ...(taxes.every((tax) => isProduct(tax, 'TaxRate', 'TaxAmount', 0) && isSurcharge(tax, 0))
      ? []
      : ['line tax']),
  ]
}

function isProduct(tax: XmlElement, rate: string, amount: string, tolerance: number): boolean {
  const base = centsAt(tax, 'TaxableBase', 'TotalAmount')
  const exact = (base * centsAt(tax, rate)) / 10_000
  return Math.abs(centsAt(tax, amount, 'TotalAmount') - exact) <= 0.5 + tolerance
}

function isSurcharge(tax: XmlElement, tolerance: number): boolean {
  if (child(tax, 'EquivalenceSurcharge') === null) return child(tax, 'EquivalenceSurchargeAmount') === null
  return isProduct(tax, 'EquivalenceSurcharge', 'EquivalenceSurchargeAmount', tolerance)
}

/**
 * Returns the faults of a file; empty when everything adds up. `groups` is the maximum of our tax groups in one tax
 * of the file.
 */
export function facturaeFaults(xml: string, groups = 1): string[] {
  const root = readXml(Buffer.from(xml))
  const batch = at(root, 'FileHeader', 'Batch')
  const invoice = at(root, 'Invoices', 'Invoice')
  const totals = child(invoice, 'InvoiceTotals')
  const lines = children(child(invoice, 'Items'), 'InvoiceLine')
  const outputs = children(child(invoice, 'TaxesOutputs'), 'Tax')
  const withheld = children(child(invoice, 'TaxesWithheld'), 'Tax')
  const discounts = children(child(totals, 'GeneralDiscounts'), 'Discount')
  const surcharges = children(child(totals, 'GeneralSurcharges'), 'Charge')
  const expenses = children(child(totals, 'ReimbursableExpenses'), 'ReimbursableExpenses')
  const onAccount = children(child(totals, 'PaymentsOnAccount'), 'PaymentOnAccount')
  const of = (name: string) => orNone(totals, name)
  const equal: [string, number, number][] = [
    ['TotalGrossAmount', of('TotalGrossAmount'), total(lines, 'GrossAmount')],
    ['TotalGeneralDiscounts', of('TotalGeneralDiscounts'), total(discounts, 'DiscountAmount')],
    ['TotalGeneralSurcharges', of('TotalGeneralSurcharges'), total(surcharges, 'ChargeAmount')],
    [
      'TotalGrossAmountBeforeTaxes',
      of('TotalGrossAmountBeforeTaxes'),
      of('TotalGrossAmount') - of('TotalGeneralDiscounts') + of('TotalGeneralSurcharges'),
    ],
    ['TaxableBase', of('TotalGrossAmountBeforeTaxes'), total(outputs, 'TaxableBase', 'TotalAmount')],
    [
      'TotalTaxOutputs',
      of('TotalTaxOutputs'),
      total(outputs, 'TaxAmount', 'TotalAmount') +
        total(outputs, 'EquivalenceSurchargeAmount', 'TotalAmount'),
    ],
    ['TotalTaxesWithheld', of('TotalTaxesWithheld'), total(withheld, 'TaxAmount', 'TotalAmount')],
    [
      'InvoiceTotal',
      of('InvoiceTotal'),
      of('TotalGrossAmountBeforeTaxes') + of('TotalTaxOutputs') - of('TotalTaxesWithheld'),
    ],
    ['TotalPaymentsOnAccount', of('TotalPaymentsOnAccount'), total(onAccount, 'PaymentOnAccountAmount')],
    [
      'TotalOutstandingAmount',
      of('TotalOutstandingAmount'),
      of('InvoiceTotal') - of('TotalPaymentsOnAccount'),
    ],
    [
      'TotalReimbursableExpenses',
      of('TotalReimbursableExpenses'),
      total(expenses, 'ReimbursableExpensesAmount'),
    ],
    [
      'TotalExecutableAmount',
      of('TotalExecutableAmount'),
      of('TotalOutstandingAmount') + of('TotalReimbursableExpenses'),
    ],
    ['Batch total', centsAt(batch, 'TotalInvoicesAmount', 'TotalAmount'), of('InvoiceTotal')],
    ['Batch due', centsAt(batch, 'TotalOutstandingAmount', 'TotalAmount'), of('TotalOutstandingAmount')],
    ['Batch executable', centsAt(batch, 'TotalExecutableAmount', 'TotalAmount'), of('TotalExecutableAmount')],
  ]
  const installments = children(child(invoice, 'PaymentDetails'), 'Installment')
  if (installments.length > 0)
    equal.push(['Installments', total(installments, 'InstallmentAmount'), of('TotalExecutableAmount')])
  const faults = equal.flatMap(([name, one, other]) => (one === other ? [] : [name]))
  // Gross prices move a cent to the tax, and so does each further group within one tax.
  if (!outputs.every((tax) => isProduct(tax, 'TaxRate', 'TaxAmount', groups) && isSurcharge(tax, groups)))
    faults.push('tax is base times rate')
  if (!withheld.every((tax) => isProduct(tax, 'TaxRate', 'TaxAmount', 0))) faults.push('withheld')
  const isCorrective = at(invoice, 'InvoiceHeader', 'Corrective') !== null
  if (isCorrective !== (textAt(invoice, 'InvoiceHeader', 'InvoiceClass') === 'OR')) faults.push('class')
  const isForeign = textAt(invoice, 'InvoiceIssueData', 'InvoiceCurrencyCode') !== 'EUR'
  if (isForeign !== (at(invoice, 'InvoiceIssueData', 'ExchangeRateDetails') !== null)) faults.push('exchange')
  if (isForeign && !outputs.every((tax) => at(tax, 'TaxAmount', 'EquivalentInEuros'))) faults.push('euros')
  return [...faults, ...lines.flatMap(lineFaults)]
}
