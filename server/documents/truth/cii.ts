/** What an invoice in UN/CEFACT CII says, read from its text. */
import { standardFacts } from './en16931.ts'
import type { StandardTax } from './en16931.ts'
import type { Said, SaidLine, Wanted } from './said.ts'
import { basisPoints, cents, inside, micro, partsOf, splitAt, textOf } from './scan.ts'
import { product } from './ubl.ts'

/** `20260603` as `2026-06-03`. */
function isoDay(text: string | null): string | null {
  if (text === null) return null
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
}

const dayIn = (xml: string, name: string, prefix = 'udt'): string | null =>
  isoDay(textOf(inside(xml, name), `${prefix}:DateTimeString`))

function partyOf(xml: string): { taxId: string | null; name: string | null } {
  const [identity] = splitAt(xml, 'ram:Name')
  return {
    taxId:
      textOf(inside(xml, 'ram:SpecifiedTaxRegistration'), 'ram:ID') ??
      textOf(inside(xml, 'ram:SpecifiedLegalOrganization'), 'ram:ID') ??
      textOf(identity, 'ram:ID'),
    name: textOf(xml, 'ram:Name'),
  }
}

function allowancesOf(xml: string, sign: 1 | -1) {
  let allowances = 0
  let charges = 0
  const surcharges: { rateBp: number; cents: number }[] = []
  for (const part of partsOf(xml, 'ram:SpecifiedTradeAllowanceCharge')) {
    const amount = cents(textOf(part, 'ram:ActualAmount'))
    const isCharge = textOf(part, 'udt:Indicator') === 'true'
    if (isCharge) charges += amount
    else allowances += amount
    const rate = textOf(part, 'ram:CalculationPercent')
    if (rate !== null)
      surcharges.push({ rateBp: basisPoints(rate), cents: sign * (isCharge ? amount : -amount) })
  }
  return { allowances: sign * allowances, charges: sign * charges, surcharges }
}

function lineOf(xml: string, sign: 1 | -1): SaidLine {
  const goods = inside(xml, 'ram:SpecifiedTradeProduct')
  const quantityMicro = sign * micro(textOf(xml, 'ram:BilledQuantity'))
  const priceMicro = micro(textOf(xml, 'ram:ChargeAmount'))
  const { allowances, charges } = xml.includes('<ram:SpecifiedTradeAllowanceCharge')
    ? allowancesOf(xml, sign)
    : { allowances: 0, charges: 0 }
  return {
    description: `${textOf(goods, 'ram:Name') ?? ''} ${textOf(goods, 'ram:Description') ?? ''}`,
    quantityMicro,
    priceMicro,
    netCents: sign * cents(textOf(xml, 'ram:LineTotalAmount')),
    computedCents: product(quantityMicro, priceMicro) - allowances + charges,
    rateBp: basisPoints(textOf(inside(xml, 'ram:ApplicableTradeTax'), 'ram:RateApplicablePercent')),
  }
}

/** Returns what a document says, with the signs of the invoice. */
export function saidByCii(xml: string, source: string, { mentions }: Wanted): Said[] {
  const [head, rest] = splitAt(xml, 'rsm:SupplyChainTradeTransaction')
  const [items, header] = splitAt(rest, 'ram:ApplicableHeaderTradeAgreement')
  const [agreement, settlement] = splitAt(header, 'ram:ApplicableHeaderTradeSettlement')
  const document = inside(head, 'rsm:ExchangedDocument')
  const typeCode = textOf(document, 'ram:TypeCode') ?? ''
  const sign = typeCode === '381' || typeCode === '261' ? -1 : 1
  const sums = inside(settlement, 'ram:SpecifiedTradeSettlementHeaderMonetarySummation')
  const [statedTax, eurosTax] = partsOf(sums, 'ram:TaxTotalAmount')
  const [beforeAllowances] = splitAt(settlement, 'ram:SpecifiedTradeAllowanceCharge')
  const terms = inside(settlement, 'ram:SpecifiedTradePaymentTerms')
  const amount = (name: string): number => sign * cents(textOf(sums, name))
  return standardFacts({
    source,
    number: textOf(document, 'ram:ID'),
    issueDate: dayIn(document, 'ram:IssueDateTime'),
    dueDate: dayIn(terms, 'ram:DueDateDateTime'),
    operationDate: dayIn(agreement, 'ram:OccurrenceDateTime'),
    typeCode,
    currency: textOf(settlement, 'ram:InvoiceCurrencyCode'),
    notes: partsOf(document, 'ram:IncludedNote')
      .map((note) => textOf(note, 'ram:Content') ?? '')
      .join('\n'),
    terms: textOf(terms, 'ram:Description'),
    preceding: partsOf(settlement, 'ram:InvoiceReferencedDocument').map((part) => ({
      number: textOf(part, 'ram:IssuerAssignedID') ?? '',
      issueDate: dayIn(part, 'ram:FormattedIssueDateTime', 'qdt') ?? '',
    })),
    mentions,
    seller: partyOf(inside(agreement, 'ram:SellerTradeParty')),
    buyer: partyOf(inside(agreement, 'ram:BuyerTradeParty')),
    iban: textOf(inside(settlement, 'ram:PayeePartyCreditorFinancialAccount'), 'ram:IBANID'),
    paymentId: null,
    sign,
    taxes: partsOf(beforeAllowances, 'ram:ApplicableTradeTax').map((part): StandardTax => ({
      category: textOf(part, 'ram:CategoryCode') ?? '',
      rateBp: basisPoints(textOf(part, 'ram:RateApplicablePercent')),
      baseCents: sign * cents(textOf(part, 'ram:BasisAmount')),
      taxCents: sign * cents(textOf(part, 'ram:CalculatedAmount')),
    })),
    taxCents: sign * cents(statedTax ?? null),
    eurosTaxCents: eurosTax === undefined ? null : sign * cents(eurosTax),
    ...allowancesOf(settlement, sign),
    statedAllowances: amount('ram:AllowanceTotalAmount'),
    statedCharges: amount('ram:ChargeTotalAmount'),
    lineSum: amount('ram:LineTotalAmount'),
    baseCents: amount('ram:TaxBasisTotalAmount'),
    totalCents: amount('ram:GrandTotalAmount'),
    paidCents: amount('ram:TotalPrepaidAmount'),
    dueCents: amount('ram:DuePayableAmount'),
    lines: partsOf(items, 'ram:IncludedSupplyChainTradeLineItem').map((line) => lineOf(line, sign)),
  })
}
