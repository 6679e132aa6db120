/**
 * Writes EN 16931 as UBL 2.1: an Invoice, or a CreditNote, which orders a few elements differently and has no due
 * date of its own. Sources: CEN/TS 16931-3-2; OASIS UBL 2.1. Peppol BIS Billing 3.0 is the same with a profile and addresses.
 */
import { basisPointsToText, centsToText, microToText } from '../../domain/money.ts'
import type { Cents } from '../../domain/money.ts'
import { xmlDocument } from '../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../domain/formats/xml-writer.ts'
import { enInvoiceOf } from './en16931.ts'
import type { EnAllowance, EnCategory, EnInvoice, EnLine, EnParty, EnTax } from './en16931.ts'
import type { EInvoice } from './invoice.ts'

/** What a profile of the standard adds to the plain document. */
interface UblProfile {
  /** BT-24. */
  customization: string
  /** BT-23. */
  profile: string | null
  /** BT-34 and BT-49. Null without one. */
  endpoints: Record<'seller' | 'buyer', { scheme: string; id: string } | null>
  /** BT-3, where the profile has another type for the same document. */
  typeCode?: string
}

const CUSTOMIZATION = 'urn:cen.eu:en16931:2017'
const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:'

const opt = (name: string, text: string | null, attributes?: string): XmlNode | undefined =>
  text === null || text === '' ? undefined : attributes ? [name, text, attributes] : [name, text]
/** Returns a group with one element, or undefined when the element would be empty. */
const holding = (name: string, child: string, text: string | null): XmlNode | undefined =>
  text === null || text === '' ? undefined : [name, [[child, text]]]
const VAT: XmlNode = ['cac:TaxScheme', [['cbc:ID', 'VAT']]]

function money(currency: string) {
  const attribute = `currencyID="${currency}"`
  return (name: string, cents: Cents): XmlNode => [name, centsToText(cents), attribute]
}
type Money = ReturnType<typeof money>

function category(name: string, one: EnCategory, reasons: XmlNode[] = []): XmlNode {
  return [
    name,
    [
      ['cbc:ID', one.category],
      one.rateBp === null ? undefined : ['cbc:Percent', basisPointsToText(one.rateBp)],
      ...reasons,
      VAT,
    ],
  ]
}

function allowance(one: EnAllowance & Partial<EnCategory>, amount: Money): XmlNode {
  return [
    'cac:AllowanceCharge',
    [
      ['cbc:ChargeIndicator', String(one.isCharge)],
      opt('cbc:AllowanceChargeReasonCode', one.reasonCode),
      ['cbc:AllowanceChargeReason', one.reason],
      one.share === null ? undefined : ['cbc:MultiplierFactorNumeric', basisPointsToText(one.share.rateBp)],
      amount('cbc:Amount', one.amountCents),
      one.share === null ? undefined : amount('cbc:BaseAmount', one.share.baseCents),
      one.category === undefined
        ? undefined
        : category('cac:TaxCategory', { category: one.category, rateBp: one.rateBp ?? null }),
    ],
  ]
}

function line(one: EnLine, isCreditNote: boolean, currency: string): XmlNode {
  const amount = money(currency)
  return [
    isCreditNote ? 'cac:CreditNoteLine' : 'cac:InvoiceLine',
    [
      ['cbc:ID', one.id],
      opt('cbc:Note', one.note),
      [
        isCreditNote ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity',
        microToText(one.quantityMicro),
        `unitCode="${one.unitCode}"`,
      ],
      amount('cbc:LineExtensionAmount', one.netCents),
      ...one.allowances.map((each) => allowance(each, amount)),
      [
        'cac:Item',
        [
          opt('cbc:Description', one.description),
          ['cbc:Name', one.name],
          category('cac:ClassifiedTaxCategory', one),
        ],
      ],
      ['cac:Price', [['cbc:PriceAmount', microToText(one.priceMicro), `currencyID="${currency}"`]]],
    ],
  ]
}

function contact({ phone, email }: EnParty): XmlNode | undefined {
  if (phone === null && email === null) return undefined
  return ['cac:Contact', [opt('cbc:Telephone', phone), opt('cbc:ElectronicMail', email)]]
}

type Endpoint = UblProfile['endpoints']['seller']

/** An e-mail address is an electronic address too (scheme EM). */
const emailOf = ({ email }: EnParty): Endpoint => (email === null ? null : { scheme: 'EM', id: email })

function party(name: string, one: EnParty, endpoint: Endpoint, creditorId: string | null): XmlNode {
  const identification = (id: string | null, attributes?: string): XmlNode | undefined =>
    id === null
      ? undefined
      : ['cac:PartyIdentification', [attributes ? ['cbc:ID', id, attributes] : ['cbc:ID', id]]]
  return [
    name,
    [
      [
        'cac:Party',
        [
          endpoint === null ? undefined : ['cbc:EndpointID', endpoint.id, `schemeID="${endpoint.scheme}"`],
          identification(one.id),
          // BT-90: the creditor of a direct debit is among the seller's identifiers.
          identification(creditorId, 'schemeID="SEPA"'),
          holding('cac:PartyName', 'cbc:Name', one.tradeName),
          [
            'cac:PostalAddress',
            [
              opt('cbc:StreetName', one.street),
              opt('cbc:CityName', one.city),
              opt('cbc:PostalZone', one.postalCode),
              opt('cbc:CountrySubentity', one.province),
              ['cac:Country', [['cbc:IdentificationCode', one.country]]],
            ],
          ],
          one.vatNumber === null
            ? undefined
            : ['cac:PartyTaxScheme', [['cbc:CompanyID', one.vatNumber], VAT]],
          [
            'cac:PartyLegalEntity',
            [
              ['cbc:RegistrationName', one.name],
              opt('cbc:CompanyID', one.legalId),
              opt('cbc:CompanyLegalForm', one.legalInfo),
            ],
          ],
          contact(one),
        ],
      ],
    ],
  ]
}

function delivery({ delivery: one }: EnInvoice): XmlNode | undefined {
  if (one === null) return undefined
  return [
    'cac:Delivery',
    [
      opt('cbc:ActualDeliveryDate', one.date),
      one.country === null
        ? undefined
        : [
            'cac:DeliveryLocation',
            [['cac:Address', [['cac:Country', [['cbc:IdentificationCode', one.country]]]]]],
          ],
    ],
  ]
}

/** Writes the payment. A credit note states its due date here (BT-9), because it has no other field for it. */
function payment(e: EnInvoice, isCreditNote: boolean): XmlNode | undefined {
  const { payment: one } = e
  if (one === null) return undefined
  return [
    'cac:PaymentMeans',
    [
      one.text === null
        ? ['cbc:PaymentMeansCode', one.code]
        : ['cbc:PaymentMeansCode', one.code, `name="${one.text}"`],
      opt('cbc:PaymentDueDate', isCreditNote ? e.dueDate : null),
      ['cbc:PaymentID', e.number],
      holding('cac:PayeeFinancialAccount', 'cbc:ID', one.iban),
      one.debit
        ? [
            'cac:PaymentMandate',
            [
              ['cbc:ID', one.debit.mandate],
              holding('cac:PayerFinancialAccount', 'cbc:ID', one.debit.payerIban),
            ],
          ]
        : undefined,
    ],
  ]
}

function tax(one: EnTax, amount: Money): XmlNode {
  const reasons = [
    opt('cbc:TaxExemptionReasonCode', one.reasonCode),
    opt('cbc:TaxExemptionReason', one.reason),
  ].filter((node) => node !== undefined)
  return [
    'cac:TaxSubtotal',
    [
      amount('cbc:TaxableAmount', one.baseCents),
      amount('cbc:TaxAmount', one.taxCents),
      category('cac:TaxCategory', one, reasons),
    ],
  ]
}

function totals(e: EnInvoice, amount: Money): (XmlNode | undefined)[] {
  return [
    ['cac:TaxTotal', [amount('cbc:TaxAmount', e.taxCents), ...e.taxes.map((one) => tax(one, amount))]],
    e.accounting
      ? ['cac:TaxTotal', [money(e.accounting.currency)('cbc:TaxAmount', e.accounting.taxCents)]]
      : undefined,
    [
      'cac:LegalMonetaryTotal',
      [
        amount('cbc:LineExtensionAmount', e.linesCents),
        amount('cbc:TaxExclusiveAmount', e.baseCents),
        amount('cbc:TaxInclusiveAmount', e.totalCents),
        amount('cbc:AllowanceTotalAmount', e.allowancesCents),
        amount('cbc:ChargeTotalAmount', e.chargesCents),
        amount('cbc:PrepaidAmount', e.paidCents),
        amount('cbc:PayableAmount', e.dueCents),
      ],
    ],
  ]
}

/** Returns the references of an invoice, in the order of its kind of document. */
function references(e: EnInvoice, isCreditNote: boolean): (XmlNode | undefined)[] {
  const tender = holding('cac:OriginatorDocumentReference', 'cbc:ID', e.tender)
  const contract = holding('cac:ContractDocumentReference', 'cbc:ID', e.contract)
  return [
    holding('cac:OrderReference', 'cbc:ID', e.order),
    ...e.preceding.map(({ number, issueDate }): XmlNode => [
      'cac:BillingReference',
      [
        [
          'cac:InvoiceDocumentReference',
          [
            ['cbc:ID', number],
            ['cbc:IssueDate', issueDate],
          ],
        ],
      ],
    ]),
    ...(isCreditNote ? [contract, tender] : [tender, contract]),
  ]
}

/** Returns the file. Check `availableFormats` first. */
export function ublXml(invoice: EInvoice): string {
  const e = enInvoiceOf(invoice)
  const endpoints = { seller: emailOf(e.seller), buyer: emailOf(e.buyer) }
  return ublDocument(e, { customization: CUSTOMIZATION, profile: null, endpoints })
}

/** Returns the document of an invoice in a profile of the standard. */
export function ublDocument(e: EnInvoice, own: UblProfile): string {
  const { isCreditNote } = e
  const amount = money(e.currency)
  const root = isCreditNote ? 'CreditNote' : 'Invoice'
  return xmlDocument([
    root,
    [
      ['cbc:CustomizationID', own.customization],
      opt('cbc:ProfileID', own.profile),
      ['cbc:ID', e.number],
      ['cbc:IssueDate', e.issueDate],
      isCreditNote ? undefined : opt('cbc:DueDate', e.dueDate),
      [isCreditNote ? 'cbc:CreditNoteTypeCode' : 'cbc:InvoiceTypeCode', own.typeCode ?? e.typeCode],
      opt('cbc:Note', e.notes.join('\n')),
      ['cbc:DocumentCurrencyCode', e.currency],
      opt('cbc:TaxCurrencyCode', e.accounting?.currency ?? null),
      opt('cbc:BuyerReference', e.buyerReference),
      // BT-8 in UNTDID 2005: 432 is the day of payment.
      e.isCashAccounting ? ['cac:InvoicePeriod', [['cbc:DescriptionCode', '432']]] : undefined,
      ...references(e, isCreditNote),
      party(
        'cac:AccountingSupplierParty',
        e.seller,
        own.endpoints.seller,
        e.payment?.debit?.creditorId ?? null,
      ),
      party('cac:AccountingCustomerParty', e.buyer, own.endpoints.buyer, null),
      delivery(e),
      payment(e, isCreditNote),
      holding('cac:PaymentTerms', 'cbc:Note', e.terms),
      ...e.allowances.map((each) => allowance(each, amount)),
      ...totals(e, amount),
      ...e.lines.map((one) => line(one, isCreditNote, e.currency)),
    ],
    `xmlns="${UBL}${root}-2" xmlns:cac="${UBL}CommonAggregateComponents-2" xmlns:cbc="${UBL}CommonBasicComponents-2"`,
  ])
}
