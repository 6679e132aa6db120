/**
 * Reads a structured invoice back into the business terms of EN 16931, from either syntax, by paths of the standard's
 * own bindings (CEN/TS 16931-3-2 UBL, 3-3 CII). It is independent of the writers; the rules check its result.
 */
import { at, child, children, textAt } from '../../../../server/domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../server/domain/formats/xml-reader.ts'
import { readXml } from '../../../../server/purchases/intake/xml.ts'

interface Category {
  code: string | null
  rate: string | null
}
export interface Allowance extends Category {
  isCharge: boolean
  amount: string
  reason: string | null
  reasonCode: string | null
}
export interface Breakdown extends Category {
  base: string
  tax: string
  reason: string | null
  reasonCode: string | null
}
export interface Line extends Category {
  id: string | null
  name: string | null
  quantity: string | null
  unit: string | null
  price: string | null
  net: string
  allowances: Allowance[]
}
interface Party {
  name: string | null
  id: string | null
  legalId: string | null
  vat: string | null
  hasAddress: boolean
  country: string | null
  endpoint: string | null
  endpointScheme: string | null
}
/** Amounts as text, so that decimals can be counted; null where the term is absent. */
export interface Model {
  syntax: 'cii' | 'ubl'
  root: string
  specification: string | null
  number: string | null
  issueDate: string | null
  typeCode: string | null
  currency: string | null
  taxCurrency: string | null
  dueDate: string | null
  terms: string | null
  taxPointCode: string | null
  buyerReference: string | null
  order: string | null
  contract: string | null
  tender: string | null
  notes: string[]
  preceding: { number: string | null; date: string | null }[]
  seller: Party
  buyer: Party
  deliveryDate: string | null
  deliverTo: string | null
  means: { code: string | null; iban: string | null; mandate: string | null; creditor: string | null } | null
  allowances: Allowance[]
  breakdowns: Breakdown[]
  lines: Line[]
  linesTotal: string | null
  allowancesTotal: string | null
  chargesTotal: string | null
  base: string | null
  tax: string | null
  taxInAccounting: string | null
  total: string | null
  paid: string | null
  due: string | null
}

const day = (text: string | null): string | null =>
  text === null
    ? null
    : /^\d{8}$/.test(text)
      ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
      : text

function ciiParty(node: XmlElement | null): Party {
  const registrations = children(node, 'SpecifiedTaxRegistration').map((each) => child(each, 'ID'))
  const endpoint = at(node, 'URIUniversalCommunication', 'URIID')
  return {
    name: textAt(node, 'Name'),
    id: textAt(node, 'ID'),
    legalId: textAt(node, 'SpecifiedLegalOrganization', 'ID'),
    vat: registrations.find((id) => id?.attributes.schemeID === 'VA')?.text ?? null,
    hasAddress: child(node, 'PostalTradeAddress') !== null,
    country: textAt(node, 'PostalTradeAddress', 'CountryID'),
    endpoint: endpoint?.text ?? null,
    endpointScheme: endpoint?.attributes.schemeID ?? null,
  }
}

const ciiCategory = (node: XmlElement | null): Category => ({
  code: textAt(node, 'CategoryCode'),
  rate: textAt(node, 'RateApplicablePercent'),
})
const ciiAllowances = (node: XmlElement | null): Allowance[] =>
  children(node, 'SpecifiedTradeAllowanceCharge').map((each) => ({
    ...ciiCategory(child(each, 'CategoryTradeTax')),
    isCharge: textAt(each, 'ChargeIndicator', 'Indicator') === 'true',
    amount: textAt(each, 'ActualAmount') ?? '',
    reason: textAt(each, 'Reason'),
    reasonCode: textAt(each, 'ReasonCode'),
  }))

function ciiModel(root: XmlElement): Model {
  const document = child(root, 'ExchangedDocument')
  const whole = child(root, 'SupplyChainTradeTransaction')
  const agreement = child(whole, 'ApplicableHeaderTradeAgreement')
  const delivery = child(whole, 'ApplicableHeaderTradeDelivery')
  const settlement = child(whole, 'ApplicableHeaderTradeSettlement')
  const sums = child(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation')
  const currency = textAt(settlement, 'InvoiceCurrencyCode')
  const taxTotal = (code: string | null) =>
    children(sums, 'TaxTotalAmount').find((each) => each.attributes.currencyID === code)?.text ?? null
  const taxCurrency = textAt(settlement, 'TaxCurrencyCode')
  const means = child(settlement, 'SpecifiedTradeSettlementPaymentMeans')
  const terms = child(settlement, 'SpecifiedTradePaymentTerms')
  return {
    syntax: 'cii',
    root: root.name,
    specification: textAt(
      root,
      'ExchangedDocumentContext',
      'GuidelineSpecifiedDocumentContextParameter',
      'ID',
    ),
    number: textAt(document, 'ID'),
    issueDate: day(textAt(document, 'IssueDateTime', 'DateTimeString')),
    typeCode: textAt(document, 'TypeCode'),
    currency,
    taxCurrency,
    dueDate: day(textAt(terms, 'DueDateDateTime', 'DateTimeString')),
    terms: textAt(terms, 'Description'),
    taxPointCode: textAt(settlement, 'ApplicableTradeTax', 'DueDateTypeCode'),
    buyerReference: textAt(agreement, 'BuyerReference'),
    order: textAt(agreement, 'BuyerOrderReferencedDocument', 'IssuerAssignedID'),
    contract: textAt(agreement, 'ContractReferencedDocument', 'IssuerAssignedID'),
    tender: textAt(agreement, 'AdditionalReferencedDocument', 'IssuerAssignedID'),
    notes: children(document, 'IncludedNote').map((each) => textAt(each, 'Content') ?? ''),
    preceding: children(settlement, 'InvoiceReferencedDocument').map((each) => ({
      number: textAt(each, 'IssuerAssignedID'),
      date: day(textAt(each, 'FormattedIssueDateTime', 'DateTimeString')),
    })),
    seller: ciiParty(child(agreement, 'SellerTradeParty')),
    buyer: ciiParty(child(agreement, 'BuyerTradeParty')),
    deliveryDate: day(
      textAt(delivery, 'ActualDeliverySupplyChainEvent', 'OccurrenceDateTime', 'DateTimeString'),
    ),
    deliverTo: textAt(delivery, 'ShipToTradeParty', 'PostalTradeAddress', 'CountryID'),
    means: means && {
      code: textAt(means, 'TypeCode'),
      iban: textAt(means, 'PayeePartyCreditorFinancialAccount', 'IBANID'),
      mandate: textAt(terms, 'DirectDebitMandateID'),
      creditor: textAt(settlement, 'CreditorReferenceID'),
    },
    allowances: ciiAllowances(settlement),
    breakdowns: children(settlement, 'ApplicableTradeTax').map((each) => ({
      ...ciiCategory(each),
      base: textAt(each, 'BasisAmount') ?? '',
      tax: textAt(each, 'CalculatedAmount') ?? '',
      reason: textAt(each, 'ExemptionReason'),
      reasonCode: textAt(each, 'ExemptionReasonCode'),
    })),
    lines: children(whole, 'IncludedSupplyChainTradeLineItem').map((each) => {
      const quantity = at(each, 'SpecifiedLineTradeDelivery', 'BilledQuantity')
      const own = child(each, 'SpecifiedLineTradeSettlement')
      return {
        ...ciiCategory(child(own, 'ApplicableTradeTax')),
        id: textAt(each, 'AssociatedDocumentLineDocument', 'LineID'),
        name: textAt(each, 'SpecifiedTradeProduct', 'Name'),
        quantity: quantity?.text ?? null,
        unit: quantity?.attributes.unitCode ?? null,
        price: textAt(each, 'SpecifiedLineTradeAgreement', 'NetPriceProductTradePrice', 'ChargeAmount'),
        net: textAt(own, 'SpecifiedTradeSettlementLineMonetarySummation', 'LineTotalAmount') ?? '',
        allowances: ciiAllowances(own),
      }
    }),
    linesTotal: textAt(sums, 'LineTotalAmount'),
    allowancesTotal: textAt(sums, 'AllowanceTotalAmount'),
    chargesTotal: textAt(sums, 'ChargeTotalAmount'),
    base: textAt(sums, 'TaxBasisTotalAmount'),
    tax: taxTotal(currency),
    taxInAccounting: taxCurrency === null ? null : taxTotal(taxCurrency),
    total: textAt(sums, 'GrandTotalAmount'),
    paid: textAt(sums, 'TotalPrepaidAmount'),
    due: textAt(sums, 'DuePayableAmount'),
  }
}

function ublParty(node: XmlElement | null): Party {
  const party = child(node, 'Party')
  const own = children(party, 'PartyIdentification').map((each) => child(each, 'ID'))
  const vat = children(party, 'PartyTaxScheme').find((each) => textAt(each, 'TaxScheme', 'ID') === 'VAT')
  const endpoint = child(party, 'EndpointID')
  return {
    name: textAt(party, 'PartyLegalEntity', 'RegistrationName'),
    id: own.find((id) => id?.attributes.schemeID !== 'SEPA')?.text ?? null,
    legalId: textAt(party, 'PartyLegalEntity', 'CompanyID'),
    vat: textAt(vat ?? null, 'CompanyID'),
    hasAddress: child(party, 'PostalAddress') !== null,
    country: textAt(party, 'PostalAddress', 'Country', 'IdentificationCode'),
    endpoint: endpoint?.text ?? null,
    endpointScheme: endpoint?.attributes.schemeID ?? null,
  }
}

const ublCategory = (node: XmlElement | null): Category => ({
  code: textAt(node, 'ID'),
  rate: textAt(node, 'Percent'),
})
const ublAllowances = (node: XmlElement | null): Allowance[] =>
  children(node, 'AllowanceCharge').map((each) => ({
    ...ublCategory(child(each, 'TaxCategory')),
    isCharge: textAt(each, 'ChargeIndicator') === 'true',
    amount: textAt(each, 'Amount') ?? '',
    reason: textAt(each, 'AllowanceChargeReason'),
    reasonCode: textAt(each, 'AllowanceChargeReasonCode'),
  }))

function ublModel(root: XmlElement): Model {
  const isCredit = root.name === 'CreditNote'
  const totals = children(root, 'TaxTotal')
  const withGroups = totals.find((each) => child(each, 'TaxSubtotal') !== null) ?? null
  const sums = child(root, 'LegalMonetaryTotal')
  const means = child(root, 'PaymentMeans')
  const note = textAt(root, 'Note')
  const seller = child(root, 'AccountingSupplierParty')
  const creditor = children(child(seller, 'Party'), 'PartyIdentification')
    .map((each) => child(each, 'ID'))
    .find((id) => id?.attributes.schemeID === 'SEPA')
  return {
    syntax: 'ubl',
    root: root.name,
    specification: textAt(root, 'CustomizationID'),
    number: textAt(root, 'ID'),
    issueDate: textAt(root, 'IssueDate'),
    typeCode: textAt(root, isCredit ? 'CreditNoteTypeCode' : 'InvoiceTypeCode'),
    currency: textAt(root, 'DocumentCurrencyCode'),
    taxCurrency: textAt(root, 'TaxCurrencyCode'),
    dueDate: isCredit ? textAt(means, 'PaymentDueDate') : textAt(root, 'DueDate'),
    terms: textAt(root, 'PaymentTerms', 'Note'),
    taxPointCode: textAt(root, 'InvoicePeriod', 'DescriptionCode'),
    buyerReference: textAt(root, 'BuyerReference'),
    order: textAt(root, 'OrderReference', 'ID'),
    contract: textAt(root, 'ContractDocumentReference', 'ID'),
    tender: textAt(root, 'OriginatorDocumentReference', 'ID'),
    notes: note === null ? [] : note.split('\n'),
    preceding: children(root, 'BillingReference').map((each) => ({
      number: textAt(each, 'InvoiceDocumentReference', 'ID'),
      date: textAt(each, 'InvoiceDocumentReference', 'IssueDate'),
    })),
    seller: ublParty(seller),
    buyer: ublParty(child(root, 'AccountingCustomerParty')),
    deliveryDate: textAt(root, 'Delivery', 'ActualDeliveryDate'),
    deliverTo: textAt(root, 'Delivery', 'DeliveryLocation', 'Address', 'Country', 'IdentificationCode'),
    means: means && {
      code: textAt(means, 'PaymentMeansCode'),
      iban: textAt(means, 'PayeeFinancialAccount', 'ID'),
      mandate: textAt(means, 'PaymentMandate', 'ID'),
      creditor: creditor?.text ?? null,
    },
    allowances: ublAllowances(root),
    breakdowns: children(withGroups, 'TaxSubtotal').map((each) => ({
      ...ublCategory(child(each, 'TaxCategory')),
      base: textAt(each, 'TaxableAmount') ?? '',
      tax: textAt(each, 'TaxAmount') ?? '',
      reason: textAt(each, 'TaxCategory', 'TaxExemptionReason'),
      reasonCode: textAt(each, 'TaxCategory', 'TaxExemptionReasonCode'),
    })),
    lines: children(root, isCredit ? 'CreditNoteLine' : 'InvoiceLine').map((each) => {
      const quantity = child(each, isCredit ? 'CreditedQuantity' : 'InvoicedQuantity')
      return {
        ...ublCategory(at(each, 'Item', 'ClassifiedTaxCategory')),
        id: textAt(each, 'ID'),
        name: textAt(each, 'Item', 'Name'),
        quantity: quantity?.text ?? null,
        unit: quantity?.attributes.unitCode ?? null,
        price: textAt(each, 'Price', 'PriceAmount'),
        net: textAt(each, 'LineExtensionAmount') ?? '',
        allowances: ublAllowances(each),
      }
    }),
    linesTotal: textAt(sums, 'LineExtensionAmount'),
    allowancesTotal: textAt(sums, 'AllowanceTotalAmount'),
    chargesTotal: textAt(sums, 'ChargeTotalAmount'),
    base: textAt(sums, 'TaxExclusiveAmount'),
    tax: textAt(withGroups, 'TaxAmount'),
    taxInAccounting:
      totals.map((each) => (each === withGroups ? null : textAt(each, 'TaxAmount'))).find(Boolean) ?? null,
    total: textAt(sums, 'TaxInclusiveAmount'),
    paid: textAt(sums, 'PrepaidAmount'),
    due: textAt(sums, 'PayableAmount'),
  }
}

/** Returns the business terms of a CII or UBL file. */
export function modelOf(xml: string): Model {
  const root = readXml(Buffer.from(xml))
  return root.name === 'CrossIndustryInvoice' ? ciiModel(root) : ublModel(root)
}
