/** What an invoice in Facturae 3.2.2 says, read from its text. */
import { addTax } from './said.ts'
import type { Said, SaidLine, SaidTax, Wanted } from './said.ts'
import { basisPoints, cents, inside, micro, partsOf, splitAt, textOf } from './scan.ts'
import { sum } from './stored.ts'
import { product } from './ubl.ts'

function partyOf(xml: string): { taxId: string | null; name: string | null } {
  const person = inside(xml, 'Individual')
  const names = ['Name', 'FirstSurname', 'SecondSurname'].map((name) => textOf(person, name))
  return {
    taxId: textOf(xml, 'TaxIdentificationNumber'),
    name:
      person === ''
        ? textOf(xml, 'CorporateName')
        : // A name of one word has a dash for the surname that the format requires.
          names.filter((name) => name !== null && name !== '-').join(' '),
  }
}

/** Series and number in one: readers join them, with the hyphen that the two fields lose. */
function numberOf(xml: string, [number, series]: readonly [string, string]): string | null {
  const [ownNumber, ownSeries] = [textOf(xml, number), textOf(xml, series)]
  if (ownNumber === null) return null
  return ownSeries === null ? ownNumber : `${ownSeries}-${ownNumber}`
}

const amountIn = (xml: string, name: string): number => {
  const part = inside(xml, name)
  return part === '' ? 0 : cents(textOf(part, 'TotalAmount') ?? part)
}

const optional = (xml: string, name: string): number => {
  const text = textOf(xml, name)
  return text === null ? 0 : cents(text)
}

const sumOf = (xml: string, name: string): number => sum(partsOf(xml, name).map((text) => cents(text)))

function lineOf(xml: string): SaidLine {
  const quantityMicro = micro(textOf(xml, 'Quantity'))
  const priceMicro = micro(textOf(xml, 'UnitPriceWithoutTax'))
  const hasMore = xml.includes('<DiscountAmount>') || xml.includes('<ChargeAmount>')
  const reduced = hasMore ? sumOf(xml, 'DiscountAmount') - sumOf(xml, 'ChargeAmount') : 0
  return {
    description: textOf(xml, 'ItemDescription') ?? '',
    quantityMicro,
    priceMicro,
    netCents: cents(textOf(xml, 'GrossAmount')),
    computedCents: product(quantityMicro, priceMicro) - reduced,
    rateBp: basisPoints(textOf(xml, 'TaxRate')),
  }
}

interface Taxes {
  shown: Map<string, SaidTax>
  untaxed: number
  base: number
  quotas: number
}

function taxesOf(xml: string): Taxes {
  const shown = new Map<string, SaidTax>()
  const taxes: Taxes = { shown, untaxed: 0, base: 0, quotas: 0 }
  for (const tax of partsOf(xml, 'Tax')) {
    const rate = basisPoints(textOf(tax, 'TaxRate'))
    const base = amountIn(tax, 'TaxableBase')
    const quota = amountIn(tax, 'TaxAmount')
    const surcharge = amountIn(tax, 'EquivalenceSurchargeAmount')
    taxes.base += base
    taxes.quotas += quota + surcharge
    if (rate > 0) addTax(shown, `vat ${rate}`, { base, tax: quota, surcharge: 0 })
    else taxes.untaxed += base
    if (surcharge !== 0)
      addTax(shown, `surcharge ${basisPoints(textOf(tax, 'EquivalenceSurcharge'))}`, {
        base: 0,
        tax: surcharge,
        surcharge: 0,
      })
  }
  return taxes
}

const ISSUERS: Readonly<Record<string, string | null>> = { EM: null, RE: 'recipient', TE: 'third_party' }

/** Returns what a document says. */
export function saidByFacturae(xml: string, source: string, { isSuplido, mentions }: Wanted): Said[] {
  const [header, rest] = splitAt(xml, 'Parties')
  const [parties, invoices] = splitAt(rest, 'Invoices')
  const [front, withTotals] = splitAt(invoices, 'InvoiceTotals')
  const [head, withTaxes] = splitAt(front, 'TaxesOutputs')
  const [outputs, withheldTaxes] = splitAt(withTaxes, 'TaxesWithheld')
  const [totals, withItems] = splitAt(withTotals, 'Items')
  const [items, tail] = splitBehind(withItems, '</Items>')
  const issue = inside(head, 'InvoiceIssueData')
  const corrective = inside(head, 'Corrective')
  const hasRate = inside(issue, 'ExchangeRateDetails')
  const taxes = taxesOf(outputs)
  const seller = partyOf(inside(parties, 'SellerParty'))
  const buyer = partyOf(inside(parties, 'BuyerParty'))
  const third = partyOf(inside(header, 'ThirdParty'))
  const own = partsOf(items, 'InvoiceLine').map(lineOf)
  let next = 0
  const lines = isSuplido.map((suplido) => (suplido ? undefined : own[next++]))
  const withheld = cents(textOf(totals, 'TotalTaxesWithheld'))
  const disbursements = optional(totals, 'TotalReimbursableExpenses')
  const invoiceTotal = cents(textOf(totals, 'InvoiceTotal'))
  const replaced = optional(totals, 'TotalPaymentsOnAccount')
  const due = cents(textOf(totals, 'TotalExecutableAmount'))
  const issuer = textOf(header, 'InvoiceIssuerType') ?? ''
  const method = textOf(corrective, 'CorrectionMethod')
  const instalments = partsOf(tail, 'Installment').map((part) => ({
    date: textOf(part, 'InstallmentDueDate') ?? '',
    cents: cents(textOf(part, 'InstallmentAmount')),
  }))
  const literals = partsOf(tail, 'LegalReference')
    .map((part) => textOf(`<x>${part}</x>`, 'x') ?? '')
    .join('')
  const unsaid = mentions.find((mention) => !compact(literals).includes(compact(mention)))
  const iban = textOf(inside(tail, 'AccountToBeCredited'), 'IBAN')
  const said: Said = {
    source,
    facts: {
      number: numberOf(head, ['InvoiceNumber', 'InvoiceSeriesCode']),
      issueDate: textOf(issue, 'IssueDate'),
      operationDate: textOf(issue, 'OperationDate'),
      isRectifying: textOf(head, 'InvoiceClass') === 'OR' ? 1 : 0,
      method: method === null ? null : method === '01' ? 'S' : 'I',
      sellerTaxId: seller.taxId,
      sellerName: seller.name,
      buyerTaxId: buyer.taxId,
      buyerName: buyer.name,
      currency: textOf(issue, 'InvoiceCurrencyCode'),
      issuedBy: issuer in ISSUERS ? ISSUERS[issuer] : issuer,
      thirdPartyName: issuer === 'TE' ? third.name : null,
      thirdPartyTaxId: issuer === 'TE' ? third.taxId : null,
      total: invoiceTotal + withheld + disbursements,
      due,
      withheld,
      withholdingRate: basisPoints(textOf(withheldTaxes, 'TaxRate')),
      ...(withheldTaxes === '' ? {} : { withholdingBase: amountIn(withheldTaxes, 'TaxableBase') }),
      replaced,
      disbursements,
      untaxed: taxes.untaxed,
      mentions: unsaid === undefined ? '' : `missing: ${unsaid}`,
      ...(hasRate === '' ? {} : { fx: micro(textOf(hasRate, 'ExchangeRate')) }),
      ...(own.length === lines.filter((line) => line !== undefined).length ? {} : { lineCount: own.length }),
      ...(instalments.length > 1
        ? {
            instalmentDates: instalments.map(({ date }) => date).join(' '),
            instalments: instalments.map(({ date, cents: amount }) => `${date} ${amount}`).join('; '),
          }
        : {}),
      ...(instalments.length > 0 ? { iban, instalmentTotal: sum(instalments.map((one) => one.cents)) } : {}),
      [`${source}.ownLines`]: cents(textOf(totals, 'TotalGrossAmount')),
      [`${source}.outputs`]: cents(textOf(totals, 'TotalTaxOutputs')),
      [`${source}.base`]: cents(textOf(totals, 'TotalGrossAmountBeforeTaxes')),
      [`${source}.outstanding`]: cents(textOf(totals, 'TotalOutstandingAmount')),
    },
    shown: taxes.shown,
    lines,
  }
  const added: Said = {
    source: `sums of ${source}`,
    facts: {
      total: taxes.base + taxes.quotas + disbursements,
      due: invoiceTotal - replaced + disbursements,
      ...(instalments.length > 0 ? { instalmentTotal: due } : {}),
      withheld: withheldTaxes === '' ? 0 : amountIn(withheldTaxes, 'TaxAmount'),
      replaced: sumOf(totals, 'PaymentOnAccountAmount'),
      disbursements: sumOf(totals, 'ReimbursableExpensesAmount'),
      [`${source}.ownLines`]: sum(own.map(({ netCents = 0 }) => netCents)),
      [`${source}.outputs`]: taxes.quotas,
      [`${source}.base`]: taxes.base,
      [`${source}.outstanding`]: invoiceTotal - replaced,
    },
  }
  const batch: Said = {
    source: `batch of ${source}`,
    facts: {
      due: amountIn(header, 'TotalExecutableAmount'),
      currency: textOf(header, 'InvoiceCurrencyCode'),
      [`${source}.outstanding`]: amountIn(header, 'TotalOutstandingAmount'),
    },
  }
  const rectified = numberOf(corrective, ['InvoiceNumber', 'InvoiceSeriesCode'])
  // A number that is too long for its field stands among the reasons.
  if (rectified !== null) said.facts.rectified = rectified
  return [said, added, batch]
}

const compact = (text: string): string => text.replace(/\s+/g, '')

function splitBehind(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}
