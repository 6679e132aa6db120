/**
 * What an invoice in UBL 2.5 of the exchange profile says, read from its text. Against UBL 2.1 the signs are those of the books,
 * what is collected for others and what is withheld are lines of their own, and each line names its regime.
 */
import { standardFacts } from './en16931.ts'
import type { StandardTax } from './en16931.ts'
import { saidByQr } from './registered.ts'
import type { Said, SaidLine, Wanted } from './said.ts'
import { basisPoints, cents, inside, micro, partsOf, splitAt, textOf } from './scan.ts'
import { allowancesOf, lineOf, withoutCreditor } from './ubl.ts'

const WITHHELD = 'RETE'

/** Regimes that the profile names, by national tax: any other one is general. Source: Orden HAC/1028/2026, lists L3A to L3C. */
const REGIMES: Readonly<Record<string, string>> = {
  IVA: '01 02 03 04 05 06 07 08 09 11 14 15',
  IGIC: '01 02 03 04 05 06 07 08 09 11 14 15 17 18 19',
  IPSI: '01 08 11 19 20',
}

/** Returns the value of a reference with a meaning of its own, such as the kind of a rectification. */
const referenceIn = (references: readonly string[], id: string, name: string): string | null =>
  textOf(references.find((part) => textOf(part, 'cbc:ID') === id) ?? '', name)

/** Returns the numbers of a party, one for each of its tax schemes. */
const numbersOf = (party: string): (string | null)[] =>
  partsOf(party, 'cac:PartyTaxScheme').map((part) => textOf(part, 'cbc:CompanyID'))

/** Returns a line, and adds its national tax to those found. A regime that the profile does not name stands for the stored one. */
function regimeLine(xml: string, stored: string | undefined, taxes: Set<string>): SaidLine {
  const [, property] = splitAt(xml, 'cac:AdditionalItemProperty')
  const regime = textOf(property, 'cbc:Value') ?? ''
  const tax = textOf(property, 'cbc:ValueQualifier') ?? ''
  taxes.add(tax)
  const isUnnamed = stored !== undefined && !(REGIMES[tax]?.includes(stored) ?? false)
  const line = lineOf(xml, false, 1)
  line.regime = regime === '01' && isUnnamed ? stored : regime
  return line
}

/** Returns what a document says. */
export function saidByUbl25(xml: string, source: string, { isSuplido, mentions, regimes }: Wanted): Said[] {
  const [head, tail] = splitAt(xml, 'cac:InvoiceLine')
  const [top, below] = splitAt(head, 'cac:AccountingSupplierParty')
  const supplier = withoutCreditor(inside(below, 'cac:AccountingSupplierParty'))
  const customer = inside(below, 'cac:AccountingCustomerParty')
  const [beforeTotals, totals] = splitAt(below, 'cac:TaxTotal')
  const sums = inside(totals, 'cac:LegalMonetaryTotal')
  const [taxTotal = '', inEuros] = partsOf(totals, 'cac:TaxTotal')
  const [ownTax, subtotals] = splitAt(taxTotal, 'cac:TaxSubtotal')
  const withholding = inside(totals, 'cac:WithholdingTaxTotal')
  const amount = (name: string): number => {
    const text = textOf(sums, name)
    return text === null ? 0 : cents(text)
  }
  const collected = partsOf(totals, 'cac:CollectionInvoiceLine').map((part) => ({
    cents: cents(textOf(part, 'cbc:TaxInclusiveLineExtensionAmount')),
    isWithheld: textOf(part, 'cbc:Description') === WITHHELD,
  }))
  const sumOf = (isWithheld: boolean): number =>
    collected.reduce((sum, one) => (one.isWithheld === isWithheld ? sum + one.cents : sum), 0)
  const withheld = withholding === '' ? 0 : cents(textOf(withholding, 'cbc:TaxAmount'))
  const items = partsOf(tail, 'cac:InvoiceLine')
  const stored = regimes.filter((_, index) => !isSuplido[index])
  const taxes = new Set<string>()
  const own = items.map((item, index) => regimeLine(item, stored[index], taxes))
  let next = 0
  // The collected ones are no lines of the invoice.
  const lines = isSuplido.map((suplido) => (suplido ? undefined : own[next++]))
  const references = partsOf(top, 'cac:AdditionalDocumentReference')
  const kind = referenceIn(references, 'RECT:TIPO', 'cbc:DocumentTypeCode')
  const method = referenceIn(references, 'RECT:MODALIDAD', 'cbc:DocumentTypeCode')
  const qrUrl = referenceIn(references, 'QR', 'cbc:UUID')
  const [sellerNumber = null, ...sellerNumbers] = numbersOf(supplier)
  const rate = inside(beforeTotals, 'cac:TaxExchangeRate')
  const [said, stated, added, ...more] = standardFacts({
    source,
    number: textOf(top, 'cbc:ID'),
    issueDate: textOf(top, 'cbc:IssueDate'),
    dueDate: textOf(top, 'cbc:DueDate'),
    operationDate:
      textOf(top, 'cbc:TaxPointDate') ?? textOf(inside(below, 'cac:Delivery'), 'cbc:ActualDeliveryDate'),
    typeCode: textOf(top, 'cbc:InvoiceTypeCode') ?? '',
    currency: textOf(top, 'cbc:DocumentCurrencyCode'),
    notes: partsOf(top, 'cac:Annotation')
      .map((part) => textOf(part, 'cbc:AnnotationContent') ?? '')
      .join('\n'),
    terms: partsOf(beforeTotals, 'cac:PaymentTerms')
      .map((part) => textOf(part, 'cbc:Note') ?? '')
      .join('\n'),
    preceding: partsOf(top, 'cac:BillingReference').map((part) => ({
      number: textOf(part, 'cbc:ID') ?? '',
      issueDate: textOf(part, 'cbc:IssueDate') ?? '',
    })),
    mentions,
    seller: { taxId: sellerNumber, name: textOf(supplier, 'cbc:RegistrationName') },
    buyer: { taxId: numbersOf(customer)[0] ?? null, name: textOf(customer, 'cbc:RegistrationName') },
    iban: textOf(inside(beforeTotals, 'cac:PayeeFinancialAccount'), 'cbc:ID'),
    paymentId: textOf(inside(beforeTotals, 'cac:PaymentMeans'), 'cbc:PaymentID'),
    sign: 1,
    taxes: partsOf(subtotals, 'cac:TaxSubtotal').map((part): StandardTax => {
      const category = inside(part, 'cac:TaxCategory')
      return {
        category: textOf(category, 'cbc:ID') ?? '',
        rateBp: basisPoints(textOf(category, 'cbc:Percent')),
        baseCents: cents(textOf(part, 'cbc:TaxableAmount')),
        taxCents: cents(textOf(part, 'cbc:TaxAmount')),
      }
    }),
    taxCents: cents(textOf(ownTax, 'cbc:TaxAmount')),
    eurosTaxCents: inEuros === undefined ? null : cents(textOf(inEuros, 'cbc:TaxAmount')),
    ...allowancesOf(beforeTotals, 1),
    lineSum: amount('cbc:LineExtensionAmount'),
    statedAllowances: amount('cbc:AllowanceTotalAmount'),
    statedCharges: amount('cbc:ChargeTotalAmount'),
    baseCents: amount('cbc:TaxExclusiveAmount'),
    totalCents: amount('cbc:TaxInclusiveAmount'),
    paidCents: amount('cbc:PrepaidAmount'),
    dueCents: amount('cbc:PayableAmount'),
    lines: own,
    collected: { disbursementsCents: sumOf(false), withheldCents: -sumOf(true) },
    withheld: {
      cents: withheld,
      rateBp: basisPoints(textOf(inside(withholding, 'cac:TaxCategory'), 'cbc:Percent')),
      baseCents: withholding === '' ? null : cents(textOf(withholding, 'cbc:TaxableAmount')),
    },
  })
  Object.assign(said.facts, {
    disbursements: sumOf(false) + 0,
    method,
    nationalTax: [...taxes].join(' '),
    ...(kind === null ? {} : { kind }),
    ...(rate === '' ? {} : { fx: micro(textOf(rate, 'cbc:CalculationRate')) }),
    // The sum of the lines has no place for what is collected, and a line that is missing is one too few.
    lineSum: undefined,
    lineCount: own.length === stored.length ? undefined : own.length,
    [`${source}.lines`]: said.facts['lineSum'],
  })
  said.lines = lines
  Object.assign(added.facts, { lineSum: undefined, [`${source}.lines`]: added.facts['lineSum'] })
  const numbers = sellerNumbers.map((taxId): Said => ({
    source: `local number of ${source}`,
    facts: { sellerTaxId: taxId },
  }))
  return [
    said,
    stated,
    added,
    ...more,
    ...numbers,
    ...(qrUrl === null ? [] : [saidByQr(qrUrl, `QR of ${source}`)]),
  ]
}
