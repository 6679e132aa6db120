/** Reader of UN/CEFACT Cross Industry Invoice D16B (EN 16931; also inside Factur-X and ZUGFeRD). */
import { centsOfText, dayOfText, eurosOrNull, lineOf, rateOfText } from './amounts.ts'
import { ibanOf } from './iban.ts'
import { isSelfBilledType, kindOf, nifOrNull, paymentMethodOf, readSums } from './en16931.ts'
import type { PrintedSums } from './en16931.ts'
import { USUAL_TAX } from './own-tax.ts'
import type { OwnTax } from './own-tax.ts'
import { emptyProposal, setFields } from './read-result.ts'
import type { ReadResult } from './read-result.ts'
import { child, children, textAt } from '../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../domain/formats/xml-reader.ts'

export function isCii(root: XmlElement): boolean {
  return root.name === 'CrossIndustryInvoice' && /uncefact.*CrossIndustryInvoice/i.test(root.ns)
}

function vatNumberOf(party: XmlElement | null): string | null {
  const ids = children(party, 'SpecifiedTaxRegistration').flatMap((each) => child(each, 'ID') ?? [])
  const chosen = ids.find((id) => id.attributes.schemeID === 'VA') ?? ids[0]
  const number = chosen?.text ?? textAt(party, 'SpecifiedLegalOrganization', 'ID')
  return lineOf(number, 20)?.replace(/^ES(?=[A-Z0-9]{9}$)/, '') ?? null
}

const dayAt = (node: XmlElement | null, ...path: string[]) =>
  dayOfText(textAt(node, ...path, 'DateTimeString'))

/** Breakdowns, document-level charges and lines. */
function partsOf(
  transaction: XmlElement | null,
  settlement: XmlElement | null,
): Pick<PrintedSums, 'taxes' | 'charges' | 'lines'> {
  return {
    taxes: children(settlement, 'ApplicableTradeTax').map((tax) => ({
      category: textAt(tax, 'CategoryCode'),
      rateBp: rateOfText(textAt(tax, 'RateApplicablePercent')),
      baseCents: centsOfText(textAt(tax, 'BasisAmount')),
      taxCents: centsOfText(textAt(tax, 'CalculatedAmount')),
      reason: textAt(tax, 'ExemptionReason'),
    })),
    charges: children(settlement, 'SpecifiedTradeAllowanceCharge').map((charge) => ({
      cents:
        (textAt(charge, 'ChargeIndicator', 'Indicator') === 'true' ? 1 : -1) *
        (centsOfText(textAt(charge, 'ActualAmount')) ?? 0),
      baseCents: centsOfText(textAt(charge, 'BasisAmount')),
      reason: textAt(charge, 'Reason') ?? '',
    })),
    lines: children(transaction, 'IncludedSupplyChainTradeLineItem').map((line) => ({
      netCents: centsOfText(
        textAt(
          line,
          'SpecifiedLineTradeSettlement',
          'SpecifiedTradeSettlementLineMonetarySummation',
          'LineTotalAmount',
        ),
      ),
      note: textAt(line, 'AssociatedDocumentLineDocument', 'IncludedNote', 'Content'),
    })),
  }
}

/** Reads one document. */
export function readCii(root: XmlElement, ownTax: OwnTax = USUAL_TAX): ReadResult {
  const proposal = emptyProposal('cii', 'CII D16B')
  const document = child(root, 'ExchangedDocument')
  const transaction = child(root, 'SupplyChainTradeTransaction')
  const agreement = child(transaction, 'ApplicableHeaderTradeAgreement')
  const settlement = child(transaction, 'ApplicableHeaderTradeSettlement')
  const seller = child(agreement, 'SellerTradeParty')
  const address = child(seller, 'PostalTradeAddress')
  const country = /^[A-Z]{2}$/.exec(textAt(address, 'CountryID') ?? '')?.[0] ?? null
  const { kind, sign } = kindOf(textAt(document, 'TypeCode'))
  const street = lineOf(textAt(address, 'LineOne'), 120)
  const postalCode = lineOf(textAt(address, 'PostcodeCode'), 12)
  const city = lineOf(textAt(address, 'CityName'), 80)
  const sums = child(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation')
  const signed = (name: string): number | null => {
    const cents = centsOfText(textAt(sums, name))
    return eurosOrNull(cents === null ? null : sign * cents)
  }
  const issueDate = dayAt(document, 'IssueDateTime')
  const operationDate = dayAt(
    transaction,
    'ApplicableHeaderTradeDelivery',
    'ActualDeliverySupplyChainEvent',
    'OccurrenceDateTime',
  )
  const said = readSums({
    ownTax,
    sign,
    country,
    date: operationDate ?? issueDate,
    notes: children(document, 'IncludedNote')
      .map((note) => textAt(note, 'Content') ?? '')
      .join('\n'),
    ...partsOf(transaction, settlement),
    prepaidCents: centsOfText(textAt(sums, 'TotalPrepaidAmount')) ?? 0,
    withholding: null,
  })
  const rectifies = children(settlement, 'InvoiceReferencedDocument').flatMap((reference) => {
    const number = lineOf(textAt(reference, 'IssuerAssignedID'), 60)
    const day = dayAt(reference, 'FormattedIssueDateTime')
    return number && day ? [{ supplierNumber: number, issueDate: day }] : []
  })
  const means = child(settlement, 'SpecifiedTradeSettlementPaymentMeans')
  const buyer = child(agreement, 'BuyerTradeParty')
  setFields(proposal, 'high', {
    kind,
    supplierName: lineOf(textAt(seller, 'Name'), 120),
    supplierNif: vatNumberOf(seller),
    supplierCountry: country,
    supplierAddress:
      street && postalCode && city ? { street, postalCode, city, country: country ?? 'ES' } : null,
    supplierNumber: lineOf(textAt(document, 'ID'), 60),
    issueDate,
    operationDate: operationDate === issueDate ? null : operationDate,
    dueDate: dayAt(settlement, 'SpecifiedTradePaymentTerms', 'DueDateDateTime'),
    currency: /^[A-Z]{3}$/.exec(textAt(settlement, 'InvoiceCurrencyCode') ?? '')?.[0],
    taxLines: said.lines.length > 0 ? said.lines : null,
    withholding: said.withholding,
    prepaid: said.prepaid,
    total: signed('GrandTotalAmount'),
    payable: signed('DuePayableAmount'),
    paymentMethod: paymentMethodOf(textAt(means, 'TypeCode'), textAt(means, 'Information')),
    iban: ibanOf(textAt(means, 'PayeePartyCreditorFinancialAccount', 'IBANID')),
    customerNif: vatNumberOf(buyer) ?? nifOrNull(textAt(buyer, 'ID')),
    rectifies: rectifies.length > 0 ? rectifies : null,
    isSelfBilled: isSelfBilledType(textAt(document, 'TypeCode')) || null,
  })
  return { proposal, warnings: said.warnings }
}
