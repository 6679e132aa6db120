/**
 * Writes EN 16931 as UN/CEFACT Cross Industry Invoice D16B, which is also Factur-X and ZUGFeRD in the profile EN
 * 16931. Sources: CEN/TS 16931-3-3; Factur-X 1.07, whose schema fixes the order of the elements.
 */
import { basisPointsToText, centsToText, microToText } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { xmlDocument } from '../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../domain/formats/xml-writer.ts'
import { enInvoiceOf } from './en16931.ts'
import type { EnAllowance, EnCategory, EnInvoice, EnLine, EnParty, EnTax } from './en16931.ts'
import type { EInvoice } from './invoice.ts'

const GUIDELINE = 'urn:cen.eu:en16931:2017'
const NAMESPACES =
  'xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"'

const opt = (name: string, text: string | null, attributes?: string): XmlNode | undefined =>
  text === null || text === '' ? undefined : attributes ? [name, text, attributes] : [name, text]
const amount = (name: string, cents: Cents): XmlNode => [name, centsToText(cents)]

/** Writes a date in format 102, which is `YYYYMMDD`. */
const day = (date: string, prefix = 'udt'): XmlNode => [
  `${prefix}:DateTimeString`,
  date.replaceAll('-', ''),
  'format="102"',
]

function category({ category: code, rateBp }: EnCategory): XmlNode[] {
  return [
    ['ram:TypeCode', 'VAT'],
    ['ram:CategoryCode', code],
    ...(rateBp === null ? [] : [['ram:RateApplicablePercent', basisPointsToText(rateBp)] as const]),
  ]
}

function allowance(one: EnAllowance & Partial<EnCategory>): XmlNode {
  return [
    'ram:SpecifiedTradeAllowanceCharge',
    [
      ['ram:ChargeIndicator', [['udt:Indicator', String(one.isCharge)]]],
      one.share === null ? undefined : ['ram:CalculationPercent', basisPointsToText(one.share.rateBp)],
      one.share === null ? undefined : amount('ram:BasisAmount', one.share.baseCents),
      amount('ram:ActualAmount', one.amountCents),
      opt('ram:ReasonCode', one.reasonCode),
      ['ram:Reason', one.reason],
      one.category === undefined
        ? undefined
        : ['ram:CategoryTradeTax', category({ category: one.category, rateBp: one.rateBp ?? null })],
    ],
  ]
}

function line(one: EnLine): XmlNode {
  return [
    'ram:IncludedSupplyChainTradeLineItem',
    [
      [
        'ram:AssociatedDocumentLineDocument',
        [
          ['ram:LineID', one.id],
          one.note === null ? undefined : ['ram:IncludedNote', [['ram:Content', one.note]]],
        ],
      ],
      ['ram:SpecifiedTradeProduct', [['ram:Name', one.name], opt('ram:Description', one.description)]],
      [
        'ram:SpecifiedLineTradeAgreement',
        [['ram:NetPriceProductTradePrice', [['ram:ChargeAmount', microToText(one.priceMicro)]]]],
      ],
      [
        'ram:SpecifiedLineTradeDelivery',
        [['ram:BilledQuantity', microToText(one.quantityMicro), `unitCode="${one.unitCode}"`]],
      ],
      [
        'ram:SpecifiedLineTradeSettlement',
        [
          ['ram:ApplicableTradeTax', category(one)],
          ...one.allowances.map(allowance),
          [
            'ram:SpecifiedTradeSettlementLineMonetarySummation',
            [amount('ram:LineTotalAmount', one.netCents)],
          ],
        ],
      ],
    ],
  ]
}

function contact({ phone, email }: EnParty): XmlNode | undefined {
  if (phone === null && email === null) return undefined
  return [
    'ram:DefinedTradeContact',
    [
      phone === null ? undefined : ['ram:TelephoneUniversalCommunication', [['ram:CompleteNumber', phone]]],
      email === null ? undefined : ['ram:EmailURIUniversalCommunication', [['ram:URIID', email]]],
    ],
  ]
}

function party(name: string, one: EnParty): XmlNode {
  const hasLegal = one.legalId !== null || one.tradeName !== null
  return [
    name,
    [
      opt('ram:ID', one.id),
      ['ram:Name', one.name],
      opt('ram:Description', one.legalInfo),
      hasLegal
        ? [
            'ram:SpecifiedLegalOrganization',
            [opt('ram:ID', one.legalId), opt('ram:TradingBusinessName', one.tradeName)],
          ]
        : undefined,
      contact(one),
      [
        'ram:PostalTradeAddress',
        [
          opt('ram:PostcodeCode', one.postalCode),
          opt('ram:LineOne', one.street),
          opt('ram:CityName', one.city),
          ['ram:CountryID', one.country],
          opt('ram:CountrySubDivisionName', one.province),
        ],
      ],
      // BT-34, BT-49: the scheme EM is an e-mail address.
      one.email === null
        ? undefined
        : ['ram:URIUniversalCommunication', [['ram:URIID', one.email, 'schemeID="EM"']]],
      one.vatNumber === null
        ? undefined
        : ['ram:SpecifiedTaxRegistration', [['ram:ID', one.vatNumber, 'schemeID="VA"']]],
    ],
  ]
}

function agreement(e: EnInvoice): XmlNode {
  return [
    'ram:ApplicableHeaderTradeAgreement',
    [
      opt('ram:BuyerReference', e.buyerReference),
      party('ram:SellerTradeParty', e.seller),
      party('ram:BuyerTradeParty', e.buyer),
      e.order === null
        ? undefined
        : ['ram:BuyerOrderReferencedDocument', [['ram:IssuerAssignedID', e.order]]],
      e.contract === null
        ? undefined
        : ['ram:ContractReferencedDocument', [['ram:IssuerAssignedID', e.contract]]],
      // BT-17: type 50 is a tender or lot.
      e.tender === null
        ? undefined
        : [
            'ram:AdditionalReferencedDocument',
            [
              ['ram:IssuerAssignedID', e.tender],
              ['ram:TypeCode', '50'],
            ],
          ],
    ],
  ]
}

function delivery({ delivery: one }: EnInvoice): XmlNode {
  return [
    'ram:ApplicableHeaderTradeDelivery',
    [
      one?.country
        ? ['ram:ShipToTradeParty', [['ram:PostalTradeAddress', [['ram:CountryID', one.country]]]]]
        : undefined,
      one?.date
        ? ['ram:ActualDeliverySupplyChainEvent', [['ram:OccurrenceDateTime', [day(one.date)]]]]
        : undefined,
    ],
  ]
}

function tax(one: EnTax, isCashAccounting: boolean): XmlNode {
  return [
    'ram:ApplicableTradeTax',
    [
      amount('ram:CalculatedAmount', one.taxCents),
      ['ram:TypeCode', 'VAT'],
      opt('ram:ExemptionReason', one.reason),
      amount('ram:BasisAmount', one.baseCents),
      ['ram:CategoryCode', one.category],
      opt('ram:ExemptionReasonCode', one.reasonCode),
      // BT-8 in UNTDID 2475: 72 is the day of payment.
      isCashAccounting ? ['ram:DueDateTypeCode', '72'] : undefined,
      one.rateBp === null ? undefined : ['ram:RateApplicablePercent', basisPointsToText(one.rateBp)],
    ],
  ]
}

function payment({ payment: one }: EnInvoice): XmlNode | undefined {
  if (one === null) return undefined
  const account = (name: string, iban: string | null | undefined): XmlNode | undefined =>
    iban ? [name, [['ram:IBANID', iban]]] : undefined
  return [
    'ram:SpecifiedTradeSettlementPaymentMeans',
    [
      ['ram:TypeCode', one.code],
      opt('ram:Information', one.text),
      account('ram:PayerPartyDebtorFinancialAccount', one.debit?.payerIban),
      account('ram:PayeePartyCreditorFinancialAccount', one.iban),
    ],
  ]
}

function terms(e: EnInvoice): XmlNode | undefined {
  const mandate = e.payment?.debit?.mandate ?? null
  if (e.terms === null && e.dueDate === null && mandate === null) return undefined
  return [
    'ram:SpecifiedTradePaymentTerms',
    [
      opt('ram:Description', e.terms),
      e.dueDate === null ? undefined : ['ram:DueDateDateTime', [day(e.dueDate)]],
      opt('ram:DirectDebitMandateID', mandate),
    ],
  ]
}

function summation(e: EnInvoice): XmlNode {
  return [
    'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
    [
      amount('ram:LineTotalAmount', e.linesCents),
      amount('ram:ChargeTotalAmount', e.chargesCents),
      amount('ram:AllowanceTotalAmount', e.allowancesCents),
      amount('ram:TaxBasisTotalAmount', e.baseCents),
      ['ram:TaxTotalAmount', centsToText(e.taxCents), `currencyID="${e.currency}"`],
      e.accounting
        ? ['ram:TaxTotalAmount', centsToText(e.accounting.taxCents), `currencyID="${e.accounting.currency}"`]
        : undefined,
      amount('ram:GrandTotalAmount', e.totalCents),
      amount('ram:TotalPrepaidAmount', e.paidCents),
      amount('ram:DuePayableAmount', e.dueCents),
    ],
  ]
}

function settlement(e: EnInvoice): XmlNode {
  return [
    'ram:ApplicableHeaderTradeSettlement',
    [
      opt('ram:CreditorReferenceID', e.payment?.debit?.creditorId ?? null),
      ['ram:PaymentReference', e.number],
      opt('ram:TaxCurrencyCode', e.accounting?.currency ?? null),
      ['ram:InvoiceCurrencyCode', e.currency],
      payment(e),
      ...e.taxes.map((one) => tax(one, e.isCashAccounting)),
      ...e.allowances.map(allowance),
      terms(e),
      summation(e),
      ...e.preceding.map(({ number, issueDate }): XmlNode => [
        'ram:InvoiceReferencedDocument',
        [
          ['ram:IssuerAssignedID', number],
          ['ram:FormattedIssueDateTime', [day(issueDate, 'qdt')]],
        ],
      ]),
    ],
  ]
}

/** Returns the file, which a Factur-X PDF carries as `factur-x.xml`. Check `availableFormats` first. */
export function ciiXml(invoice: EInvoice): string {
  const e = enInvoiceOf(invoice)
  return xmlDocument([
    'rsm:CrossIndustryInvoice',
    [
      [
        'rsm:ExchangedDocumentContext',
        [['ram:GuidelineSpecifiedDocumentContextParameter', [['ram:ID', GUIDELINE]]]],
      ],
      [
        'rsm:ExchangedDocument',
        [
          ['ram:ID', e.number],
          ['ram:TypeCode', e.typeCode],
          ['ram:IssueDateTime', [day(e.issueDate)]],
          ...e.notes.map((note): XmlNode => ['ram:IncludedNote', [['ram:Content', note]]]),
        ],
      ],
      ['rsm:SupplyChainTradeTransaction', [...e.lines.map(line), agreement(e), delivery(e), settlement(e)]],
    ],
    NAMESPACES,
  ])
}
