/** What an invoice in UBL says (an Invoice or a CreditNote), read from its text. */
import { standardFacts } from './en16931.ts'
import type { StandardParts, StandardTax } from './en16931.ts'
import type { Said, SaidLine, Wanted } from './said.ts'
import { basisPoints, cents, inside, micro, partsOf, splitAt, textOf } from './scan.ts'

/** Returns the number of a party for VAT, of its register, or of another kind. */
function taxIdOf(party: string): string | null {
  return (
    textOf(inside(party, 'cac:PartyTaxScheme'), 'cbc:CompanyID') ??
    textOf(inside(party, 'cac:PartyLegalEntity'), 'cbc:CompanyID') ??
    partsOf(party, 'cac:PartyIdentification')
      .map((part) => textOf(part, 'cbc:ID'))
      .find((id) => id !== null) ??
    null
  )
}

/** Returns the sums of the allowances and charges of a document or a line, and those with a rate. */
export function allowancesOf(xml: string, sign: 1 | -1) {
  let allowances = 0
  let charges = 0
  const surcharges: { rateBp: number; cents: number }[] = []
  for (const part of partsOf(xml, 'cac:AllowanceCharge')) {
    const amount = cents(textOf(part, 'cbc:Amount'))
    if (textOf(part, 'cbc:ChargeIndicator') === 'true') charges += amount
    else allowances += amount
    const rate = textOf(part, 'cbc:MultiplierFactorNumeric')
    const isCharge = textOf(part, 'cbc:ChargeIndicator') === 'true'
    if (rate !== null)
      surcharges.push({ rateBp: basisPoints(rate), cents: sign * (isCharge ? amount : -amount) })
  }
  return { allowances: sign * allowances, charges: sign * charges, surcharges }
}

/** Returns what a line says, with the sign of the invoice. */
export function lineOf(xml: string, isCreditNote: boolean, sign: 1 | -1): SaidLine {
  const item = inside(xml, 'cac:Item')
  const quantityMicro =
    sign * micro(textOf(xml, isCreditNote ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity'))
  const priceMicro = micro(textOf(inside(xml, 'cac:Price'), 'cbc:PriceAmount'))
  const { allowances, charges } = xml.includes('<cac:AllowanceCharge')
    ? allowancesOf(xml, sign)
    : { allowances: 0, charges: 0 }
  return {
    description: `${textOf(item, 'cbc:Name') ?? ''} ${textOf(item, 'cbc:Description') ?? ''}`,
    quantityMicro,
    priceMicro,
    netCents: sign * cents(textOf(xml, 'cbc:LineExtensionAmount')),
    computedCents: product(quantityMicro, priceMicro) - allowances + charges,
    rateBp: basisPoints(textOf(inside(item, 'cac:ClassifiedTaxCategory'), 'cbc:Percent')),
  }
}

/** Returns quantity times price in cents, rounded half away from zero. */
export function product(quantityMicro: number, priceMicro: number): number {
  if (Number.isNaN(quantityMicro) || Number.isNaN(priceMicro)) return Number.NaN
  const exact = quantityMicro * priceMicro
  const half = 5_000_000_000
  if (Number.isSafeInteger(exact) && Math.abs(exact) < 4e15)
    return Math.sign(exact) * Math.floor((Math.abs(exact) + half) / (2 * half)) + 0
  const whole = BigInt(quantityMicro) * BigInt(priceMicro)
  const rounded = (whole < 0n ? whole - BigInt(half) : whole + BigInt(half)) / BigInt(2 * half)
  return Number(rounded)
}

/** Returns what a document says. Amounts of a credit note are refunds: their signs are those of the invoice. */
export function saidByUbl(xml: string, source: string, { mentions }: Wanted): Said[] {
  const isCreditNote = /<(?:\w+:)?CreditNote[\s>]/.test(xml.slice(0, 300))
  const sign = isCreditNote ? -1 : 1
  const item = isCreditNote ? 'cac:CreditNoteLine' : 'cac:InvoiceLine'
  const [head, tail] = splitAt(xml, item)
  const [top, below] = splitAt(head, 'cac:AccountingSupplierParty')
  const supplier = inside(below, 'cac:AccountingSupplierParty')
  const customer = inside(below, 'cac:AccountingCustomerParty')
  const [beforeTotals, totals] = splitAt(below, 'cac:TaxTotal')
  const sums = inside(totals, 'cac:LegalMonetaryTotal')
  const [taxTotal = '', inEuros] = partsOf(totals, 'cac:TaxTotal')
  const [ownTax, subtotals] = splitAt(taxTotal, 'cac:TaxSubtotal')
  const amount = (name: string): number => sign * cents(textOf(sums, name))
  const taxes = partsOf(subtotals, 'cac:TaxSubtotal').map((part): StandardTax => {
    const category = inside(part, 'cac:TaxCategory')
    return {
      category: textOf(category, 'cbc:ID') ?? '',
      rateBp: basisPoints(textOf(category, 'cbc:Percent')),
      baseCents: sign * cents(textOf(part, 'cbc:TaxableAmount')),
      taxCents: sign * cents(textOf(part, 'cbc:TaxAmount')),
    }
  })
  const typeCode = textOf(top, isCreditNote ? 'cbc:CreditNoteTypeCode' : 'cbc:InvoiceTypeCode') ?? ''
  const parts: StandardParts = {
    source,
    number: textOf(top, 'cbc:ID'),
    issueDate: textOf(top, 'cbc:IssueDate'),
    dueDate: textOf(top, 'cbc:DueDate') ?? textOf(beforeTotals, 'cbc:PaymentDueDate'),
    operationDate: textOf(inside(below, 'cac:Delivery'), 'cbc:ActualDeliveryDate'),
    typeCode,
    currency: textOf(top, 'cbc:DocumentCurrencyCode'),
    notes: textOf(top, 'cbc:Note') ?? '',
    terms: textOf(inside(beforeTotals, 'cac:PaymentTerms'), 'cbc:Note'),
    preceding: partsOf(top, 'cac:BillingReference').map((part) => ({
      number: textOf(part, 'cbc:ID') ?? '',
      issueDate: textOf(part, 'cbc:IssueDate') ?? '',
    })),
    mentions,
    seller: { taxId: taxIdOf(withoutCreditor(supplier)), name: textOf(supplier, 'cbc:RegistrationName') },
    buyer: { taxId: taxIdOf(customer), name: textOf(customer, 'cbc:RegistrationName') },
    iban: textOf(inside(beforeTotals, 'cac:PayeeFinancialAccount'), 'cbc:ID'),
    paymentId: textOf(inside(beforeTotals, 'cac:PaymentMeans'), 'cbc:PaymentID'),
    sign,
    taxes,
    taxCents: sign * cents(textOf(ownTax, 'cbc:TaxAmount')),
    eurosTaxCents: inEuros === undefined ? null : sign * cents(textOf(inEuros, 'cbc:TaxAmount')),
    ...allowancesOf(beforeTotals, sign),
    lineSum: amount('cbc:LineExtensionAmount'),
    statedAllowances: amount('cbc:AllowanceTotalAmount'),
    statedCharges: amount('cbc:ChargeTotalAmount'),
    baseCents: amount('cbc:TaxExclusiveAmount'),
    totalCents: amount('cbc:TaxInclusiveAmount'),
    paidCents: amount('cbc:PrepaidAmount'),
    dueCents: amount('cbc:PayableAmount'),
    lines: partsOf(tail, item).map((line) => lineOf(line, isCreditNote, sign)),
  }
  return standardFacts(parts)
}

/** Returns a party without the creditor of a direct debit, which stands among the identifiers of the seller. */
export function withoutCreditor(party: string): string {
  return party.replace(/<cbc:ID schemeID="SEPA">[^<]*<\/cbc:ID>/, '')
}

/** Returns what a document of Peppol BIS Billing 3.0 says, with the addresses of both parties in the network. */
export function saidByPeppol(xml: string, source: string, wanted: Wanted): Said[] {
  const [said, ...more] = saidByUbl(xml, source, wanted)
  const endpoint = (party: string): string | null => textOf(inside(xml, party), 'cbc:EndpointID')
  // The network has no corrected invoice between parties of other countries than Germany: a plain one names what it corrects.
  if (said !== undefined && said.facts['references'] !== '' && xml.includes('<cbc:InvoiceTypeCode>380<'))
    said.facts['isRectifying'] = undefined
  return [
    ...(said === undefined ? [] : [said]),
    ...more,
    {
      source: `addresses of ${source}`,
      facts: {
        sellerTaxId: endpoint('cac:AccountingSupplierParty'),
        buyerTaxId: endpoint('cac:AccountingCustomerParty'),
      },
    },
  ]
}
