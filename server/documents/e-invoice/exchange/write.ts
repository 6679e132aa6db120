/**
 * Writes an invoice as UBL 2.5 in the profile of the exchange (Orden HAC/1028/2026, annex I). Paths: CEN/TS 16931-3-2:2026 and the
 * annex; where they differ, see the assumptions `notes`, `buyer_reference` and `bg24_code`.
 */
import { basisPointsToText, centsToText, microToText } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import { xmlDocumentCompact } from '../../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../../domain/formats/xml-writer.ts'
import type { EnAllowance, EnCategory, EnTax } from '../en16931.ts'
import type { EInvoice } from '../invoice.ts'
import {
  CUSTOMIZATION,
  LOCAL_NUMBER,
  LOCAL_SCHEME,
  PROFILE,
  QR_REFERENCE,
  RECTIFICATION_KIND_REFERENCE,
  RECTIFICATION_METHOD_REFERENCE,
  REGIME_PROPERTY,
  WITHHOLDING_SCHEME,
} from './codes.ts'
import { exchangeInvoiceOf } from './terms.ts'
import type { ExchangeInvoice, ExchangeLine, ExchangeParty } from './terms.ts'
import { rootAttributes } from './ubl.ts'

type Optional = XmlNode | undefined
type Reasons = { reason: string | null; reasonCode: string | null }

const opt = (name: string, text: string | null, attributes?: string): Optional =>
  text === null || text === '' ? undefined : attributes ? [name, text, attributes] : [name, text]
/** Returns a group with one element, or undefined when the element would be empty. */
const holding = (name: string, child: string, text: string | null): Optional =>
  text === null || text === '' ? undefined : [name, [[child, text]]]
const scheme = (id: string): XmlNode => ['cac:TaxScheme', [['cbc:ID', id]]]
const VAT = scheme('VAT')

function money(currency: string) {
  const attribute = `currencyID="${currency}"`
  return (name: string, cents: Cents): XmlNode => [name, centsToText(cents), attribute]
}
type Money = ReturnType<typeof money>

function category(name: string, { category: id, rateBp }: EnCategory, reasons?: Reasons): XmlNode {
  return [
    name,
    [
      ['cbc:ID', id],
      rateBp === null ? undefined : ['cbc:Percent', basisPointsToText(rateBp)],
      opt('cbc:TaxExemptionReasonCode', reasons?.reasonCode ?? null),
      opt('cbc:TaxExemptionReason', reasons?.reason ?? null),
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

function references(e: ExchangeInvoice): Optional[] {
  const additional = (id: string, ...more: XmlNode[]): XmlNode => [
    'cac:AdditionalDocumentReference',
    [['cbc:ID', id], ...more],
  ]
  const { rectification } = e
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
    holding('cac:OriginatorDocumentReference', 'cbc:ID', e.tender),
    holding('cac:ContractDocumentReference', 'cbc:ID', e.contract),
    e.qrUrl === null
      ? undefined
      : additional(QR_REFERENCE, ['cbc:UUID', e.qrUrl], ['cbc:DocumentDescription', 'VERIFACTU']),
    rectification
      ? additional(RECTIFICATION_KIND_REFERENCE, ['cbc:DocumentTypeCode', rectification.kind])
      : undefined,
    rectification
      ? additional(RECTIFICATION_METHOD_REFERENCE, ['cbc:DocumentTypeCode', rectification.method])
      : undefined,
    ...e.notes.map((note): XmlNode => ['cac:Annotation', [['cbc:AnnotationContent', note]]]),
  ]
}

function contact({ phone, email }: ExchangeParty): Optional {
  if (phone === null && email === null) return undefined
  return ['cac:Contact', [opt('cbc:Telephone', phone), opt('cbc:ElectronicMail', email)]]
}

function party(name: string, one: ExchangeParty, isSeller: boolean, creditorId: string | null): XmlNode {
  return [
    name,
    [
      [
        'cac:Party',
        [
          creditorId === null
            ? undefined
            : ['cac:PartyIdentification', [['cbc:ID', creditorId, 'schemeID="SEPA"']]],
          holding('cac:PartyName', 'cbc:Name', one.tradeName),
          [
            'cac:PostalAddress',
            [
              ['cbc:StreetName', one.street],
              ['cbc:CityName', one.city],
              ['cbc:PostalZone', one.postalCode],
              ['cbc:CountrySubentity', one.province],
              ['cac:Country', [['cbc:IdentificationCode', one.country]]],
            ],
          ],
          one.vatNumber === null
            ? undefined
            : ['cac:PartyTaxScheme', [['cbc:CompanyID', one.vatNumber], VAT]],
          [
            'cac:PartyTaxScheme',
            [['cbc:CompanyID', one.nif, `schemeID="${LOCAL_NUMBER}"`], scheme(LOCAL_SCHEME)],
          ],
          [
            'cac:PartyLegalEntity',
            [
              ['cbc:RegistrationName', one.name],
              // BT-30. The buyer's number stands in its tax scheme alone, as the annex has it.
              isSeller ? ['cbc:CompanyID', one.nif] : undefined,
              opt('cbc:CompanyLegalForm', one.legalInfo),
            ],
          ],
          contact(one),
        ],
      ],
    ],
  ]
}

function payment(e: ExchangeInvoice): Optional[] {
  const { payment: one, paidOn } = e
  return [
    one === null
      ? undefined
      : [
          'cac:PaymentMeans',
          [
            one.text === null
              ? ['cbc:PaymentMeansCode', one.code]
              : ['cbc:PaymentMeansCode', one.code, `name="${one.text}"`],
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
        ],
    ...e.terms.map((note): XmlNode => ['cac:PaymentTerms', [['cbc:Note', note]]]),
    holding('cac:PrepaidPayment', 'cbc:PaidDate', paidOn),
  ]
}

function subtotal(one: EnTax, amount: Money): XmlNode {
  // The annex asks for the rate in every part of the breakdown, also where it is 0 or there is no tax.
  return [
    'cac:TaxSubtotal',
    [
      amount('cbc:TaxableAmount', one.baseCents),
      amount('cbc:TaxAmount', one.taxCents),
      category('cac:TaxCategory', { category: one.category, rateBp: one.rateBp ?? 0 }, one),
    ],
  ]
}

function taxes(e: ExchangeInvoice, amount: Money): Optional[] {
  const { accounting, withholding } = e
  return [
    accounting
      ? [
          'cac:TaxExchangeRate',
          [
            ['cbc:SourceCurrencyCode', 'EUR'],
            ['cbc:TargetCurrencyCode', e.currency],
            ['cbc:CalculationRate', microToText(accounting.rateMicro)],
            ['cbc:Date', accounting.rateDate],
          ],
        ]
      : undefined,
    ['cac:TaxTotal', [amount('cbc:TaxAmount', e.taxCents), ...e.taxes.map((one) => subtotal(one, amount))]],
    accounting ? ['cac:TaxTotal', [money('EUR')('cbc:TaxAmount', accounting.taxCents)]] : undefined,
    withholding
      ? [
          'cac:WithholdingTaxTotal',
          [
            amount('cbc:TaxAmount', withholding.amountCents),
            [
              'cac:TaxSubtotal',
              [
                amount('cbc:TaxableAmount', withholding.baseCents),
                amount('cbc:TaxAmount', withholding.amountCents),
                [
                  'cac:TaxCategory',
                  [
                    ['cbc:ID', withholding.key],
                    ['cbc:Percent', basisPointsToText(withholding.rateBp)],
                    scheme(WITHHOLDING_SCHEME),
                  ],
                ],
              ],
            ],
          ],
        ]
      : undefined,
  ]
}

function totals(e: ExchangeInvoice, amount: Money): XmlNode {
  const unlessNone = (name: string, cents: Cents): Optional => (cents === 0 ? undefined : amount(name, cents))
  return [
    'cac:LegalMonetaryTotal',
    [
      amount('cbc:LineExtensionAmount', e.linesCents),
      amount('cbc:TaxExclusiveAmount', e.baseCents),
      amount('cbc:TaxInclusiveAmount', e.totalCents),
      unlessNone('cbc:AllowanceTotalAmount', e.allowancesCents),
      unlessNone('cbc:ChargeTotalAmount', e.chargesCents),
      unlessNone('cbc:PrepaidAmount', e.paidCents),
      amount('cbc:PayableAmount', e.dueCents),
    ],
  ]
}

function line(one: ExchangeLine, currency: string): XmlNode {
  const amount = money(currency)
  return [
    'cac:InvoiceLine',
    [
      ['cbc:ID', one.id],
      ['cbc:InvoicedQuantity', microToText(one.quantityMicro), `unitCode="${one.unitCode}"`],
      amount('cbc:LineExtensionAmount', one.netCents),
      ...one.allowances.map((each) => allowance(each, amount)),
      [
        'cac:Item',
        [
          opt('cbc:Description', one.description),
          ['cbc:Name', one.name],
          category('cac:ClassifiedTaxCategory', one, one),
          [
            'cac:AdditionalItemProperty',
            [
              ['cbc:Name', REGIME_PROPERTY],
              ['cbc:Value', one.regime.key],
              ['cbc:ValueQualifier', one.regime.tax],
            ],
          ],
        ],
      ],
      ['cac:Price', [['cbc:PriceAmount', microToText(one.priceMicro), `currencyID="${currency}"`]]],
    ],
  ]
}

/**
 * Returns the document for the exchange: an original, or with `copy` the faithful copy of one that took another way. Check
 * `exchangeFault` first; what it rests on without proof, `assumptionsOf` names.
 */
export function ubl25Xml(invoice: EInvoice, { copy }: { copy: boolean }): string {
  const e = exchangeInvoiceOf(invoice)
  const amount = money(e.currency)
  return xmlDocumentCompact([
    'Invoice',
    [
      ['cbc:CustomizationID', CUSTOMIZATION],
      ['cbc:ProfileID', PROFILE],
      ['cbc:ID', e.number],
      ['cbc:CopyIndicator', String(copy)],
      ['cbc:IssueDate', e.issueDate],
      opt('cbc:DueDate', e.dueDate),
      ['cbc:InvoiceTypeCode', e.typeCode],
      e.operation?.isTaxPoint ? ['cbc:TaxPointDate', e.operation.date] : undefined,
      ['cbc:DocumentCurrencyCode', e.currency],
      e.accounting ? ['cbc:TaxCurrencyCode', 'EUR'] : undefined,
      // BT-8 in UNTDID 2005: 432 is the day of payment.
      e.isCashAccounting ? ['cac:InvoicePeriod', [['cbc:DescriptionCode', '432']]] : undefined,
      ...references(e),
      party('cac:AccountingSupplierParty', e.seller, true, e.payment?.debit?.creditorId ?? null),
      party('cac:AccountingCustomerParty', e.buyer, false, null),
      e.operation?.isTaxPoint === false
        ? holding('cac:Delivery', 'cbc:ActualDeliveryDate', e.operation.date)
        : undefined,
      ...payment(e),
      ...e.allowances.map((each) => allowance(each, amount)),
      ...taxes(e, amount),
      totals(e, amount),
      ...e.collected.map(({ cents, description }, index): XmlNode => [
        'cac:CollectionInvoiceLine',
        [
          ['cbc:ID', String(index + 1)],
          amount('cbc:TaxInclusiveLineExtensionAmount', cents),
          ['cac:Item', [['cbc:Description', description]]],
        ],
      ]),
      ...e.lines.map((one) => line(one, e.currency)),
    ],
    rootAttributes('Invoice'),
  ])
}
