/**
 * Writes Facturae 3.2.2 without its signature, which is inserted later as the last child of the root. The output has
 * no blanks between elements, as canonical XML. Sources: Orden HAP/1650/2015 with its schema; Orden HAP/1074/2014 and
 * its checks of amounts: lines with two decimals, each total the sum of its parts.
 */
import { addDays } from '../../domain/dates.ts'
import { centsToText, divideRounded, microToText, percentOf } from '../../domain/money.ts'
import type { BasisPoints, Cents } from '../../domain/money.ts'
import { xmlDocumentCompact } from '../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../domain/formats/xml-writer.ts'
import { ONE_STOP_SHOP } from '../../domain/tax/totals.ts'
import { MEANS, unitOf } from './codes.ts'
import { corrective, MAX_NUMBER, numberParts } from './facturae-corrective.ts'
import { cut, facturaeParty, opt, taxNumber } from './facturae-parties.ts'
import type { EGroup, EInvoice, ELine } from './invoice.ts'
import { percentText, eInvoiceMessages } from './messages.ts'

const NAMESPACE = 'xmlns:fe="http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml"'

const amount = (name: string, cents: Cents): XmlNode => [name, centsToText(cents)]

/** Writes a rate with two decimals: basis points have the same format as cents. */
const rate = (name: string, rateBp: BasisPoints): XmlNode => [name, centsToText(rateBp)]

function inEuros(invoice: EInvoice, cents: Cents): Cents | null {
  if (invoice.exchange === null) return null
  return Number(divideRounded(BigInt(cents) * 1_000_000n, BigInt(invoice.exchange.fxMicro)))
}

/** Writes an amount, with its value in euros when the document is in another currency. */
function total(name: string, cents: Cents, euros: Cents | null | undefined): XmlNode {
  return [
    name,
    [
      amount('TotalAmount', cents),
      euros === null || euros === undefined ? undefined : amount('EquivalentInEuros', euros),
    ],
  ]
}

/** Returns Facturae's code of a tax: VAT, IPSI, IGIC; another state's VAT is "other tax". */
function taxTypeOf({ regimeKey, taxTreatment }: EGroup, tax: EInvoice['tax']): string {
  return taxTreatment === 'N2' && regimeKey === ONE_STOP_SHOP ? '05' : tax
}

/** Suplidos are not operations of the invoice and are stated beside its total. */
const ownGroups = ({ groups }: EInvoice): EGroup[] => groups.filter(({ isDisbursement }) => !isDisbursement)
const sum = (values: readonly Cents[]): Cents => values.reduce((whole, each) => whole + each, 0)

interface Sums {
  grossCents: Cents
  discountsCents: Cents
  roundingCents: Cents
  baseCents: Cents
  outputsCents: Cents
  withheldCents: Cents
  invoiceCents: Cents
  outstandingCents: Cents
  reimbursableCents: Cents
  executableCents: Cents
}

function sumsOf(invoice: EInvoice): Sums {
  const groups = ownGroups(invoice)
  const of = (pick: (group: EGroup) => Cents) => sum(groups.map(pick))
  const baseCents = of((group) => group.baseCents)
  const outputsCents = of((group) => group.taxCents + group.surchargeCents)
  const withheldCents = invoice.withholding?.amountCents ?? 0
  const invoiceCents = baseCents + outputsCents - withheldCents
  const outstandingCents = invoiceCents - invoice.replacedCents
  const reimbursableCents = invoice.totalCents - baseCents - outputsCents
  return {
    grossCents: of((group) => group.linesCents),
    discountsCents: of((group) => group.discountCents),
    roundingCents: of((group) => group.roundingCents),
    baseCents,
    outputsCents,
    withheldCents,
    invoiceCents,
    outstandingCents,
    reimbursableCents,
    executableCents: outstandingCents + reimbursableCents,
  }
}

/** Returns who made the invoice: the seller (EM), the buyer (RE), or a third party (TE) with its data. */
function issuerType({ issuedBy }: EInvoice): XmlNode[] {
  if (issuedBy === null) return [['InvoiceIssuerType', 'EM']]
  if (issuedBy.kind === 'recipient') return [['InvoiceIssuerType', 'RE']]
  return [['InvoiceIssuerType', 'TE'], facturaeParty('ThirdParty', issuedBy.party)]
}

function header(invoice: EInvoice, sums: Sums): XmlNode {
  const parts = numberParts(invoice.number, invoice.seriesCode)
  const batch = `${taxNumber(invoice.seller)}${parts?.number ?? ''}${parts?.series ?? ''}`
  const both = (name: string, cents: Cents) => total(name, cents, inEuros(invoice, cents))
  return [
    'FileHeader',
    [
      ['SchemaVersion', '3.2.2'],
      ['Modality', 'I'],
      ...issuerType(invoice),
      [
        'Batch',
        [
          ['BatchIdentifier', cut(batch, 70)],
          ['InvoicesCount', '1'],
          both('TotalInvoicesAmount', sums.invoiceCents),
          both('TotalOutstandingAmount', sums.outstandingCents),
          both('TotalExecutableAmount', sums.executableCents),
          ['InvoiceCurrencyCode', invoice.currency],
        ],
      ],
    ],
  ]
}

function invoiceHeader(invoice: EInvoice): XmlNode {
  const parts = numberParts(invoice.number, invoice.seriesCode)
  if (parts === null) throw new RangeError('The number of the invoice does not fit into Facturae.')
  return [
    'InvoiceHeader',
    [
      ['InvoiceNumber', parts.number],
      opt('InvoiceSeriesCode', parts.series),
      ['InvoiceDocumentType', invoice.isSimplified ? 'FA' : 'FC'],
      ['InvoiceClass', invoice.rectification === null ? 'OO' : 'OR'],
      corrective(invoice),
    ],
  ]
}

const REFERENCES = [
  ['order', 'ReceiverTransactionReference'],
  ['file', 'FileReference'],
  ['contract', 'ReceiverContractReference'],
] as const

function issueData(invoice: EInvoice): XmlNode {
  const { exchange, operationDate, issueDate, customerReferences } = invoice
  return [
    'InvoiceIssueData',
    [
      ['IssueDate', issueDate],
      opt('OperationDate', operationDate === issueDate ? null : operationDate),
      ['InvoiceCurrencyCode', invoice.currency],
      exchange === null
        ? undefined
        : [
            'ExchangeRateDetails',
            [
              ['ExchangeRate', microToText(exchange.fxMicro)],
              ['ExchangeRateDate', exchange.fxDate],
            ],
          ],
      ['TaxCurrencyCode', 'EUR'],
      ['LanguageName', invoice.language],
      // A cut reference would be a different one, so one that is too long is added to the remarks.
      ...REFERENCES.map(([key, name]) => {
        const text = customerReferences?.[key] ?? ''
        return opt(name, text.length <= MAX_NUMBER ? text : null)
      }),
    ],
  ]
}

/** Returns true when the customer accounts for the tax, here or in another member state. */
function isReverse({ taxTreatment, category }: EGroup): boolean {
  return taxTreatment === 'S2' || category === 'AE'
}

/**
 * Writes the taxes and merges groups that the format does not distinguish: same tax, rate and surcharge. Reverse
 * charge stays separate from exempt groups and comes last, because readers use that to match them with the lines,
 * which state which one they are.
 */
function taxesOutputs(invoice: EInvoice): XmlNode {
  const merged = new Map<string, EGroup[]>()
  const ordered = ownGroups(invoice).toSorted((a, b) => Number(isReverse(a)) - Number(isReverse(b)))
  for (const group of ordered) {
    const key = [
      taxTypeOf(group, invoice.tax),
      group.isMargin ? 0 : (group.vatRateBp ?? 0),
      group.surchargeRateBp,
      isReverse(group),
    ].join(' ')
    merged.set(key, [...(merged.get(key) ?? []), group])
  }
  return [
    'TaxesOutputs',
    Array.from(merged.values(), (groups): XmlNode => {
      const [first] = groups as [EGroup]
      const of = (pick: 'baseCents' | 'taxCents' | 'surchargeCents') => sum(groups.map((one) => one[pick]))
      const euros = (pick: 'baseCents' | 'taxCents' | 'surchargeCents') =>
        invoice.exchange === null ? null : sum(groups.map((one) => one.inEuros?.[pick] ?? 0))
      return [
        'Tax',
        [
          ['TaxTypeCode', taxTypeOf(first, invoice.tax)],
          rate('TaxRate', first.isMargin ? 0 : (first.vatRateBp ?? 0)),
          total('TaxableBase', of('baseCents'), euros('baseCents')),
          total('TaxAmount', of('taxCents'), euros('taxCents')),
          first.surchargeRateBp === null ? undefined : rate('EquivalenceSurcharge', first.surchargeRateBp),
          first.surchargeRateBp === null
            ? undefined
            : total('EquivalenceSurchargeAmount', of('surchargeCents'), euros('surchargeCents')),
        ],
      ]
    }),
  ]
}

const INCOME_TAX = '04'

function taxesWithheld(invoice: EInvoice): XmlNode | undefined {
  const { withholding } = invoice
  if (withholding === null) return undefined
  const { rateBp, baseCents, amountCents } = withholding
  return [
    'TaxesWithheld',
    [
      [
        'Tax',
        [
          ['TaxTypeCode', INCOME_TAX],
          rate('TaxRate', rateBp),
          total('TaxableBase', baseCents, inEuros(invoice, baseCents)),
          total('TaxAmount', amountCents, inEuros(invoice, amountCents)),
        ],
      ],
    ],
  ]
}

/** Returns a discount, or a charge for a negative amount; nothing for zero. */
function reductions(
  list: readonly (readonly [cents: Cents, reason: string])[],
  names: { discounts: string; charges: string },
): (XmlNode | undefined)[] {
  const less = list.filter(([cents]) => cents > 0)
  const more = list.filter(([cents]) => cents < 0)
  return [
    less.length === 0
      ? undefined
      : [
          names.discounts,
          less.map(([cents, reason]): XmlNode => [
            'Discount',
            [['DiscountReason', reason], amount('DiscountAmount', cents)],
          ]),
        ],
    more.length === 0
      ? undefined
      : [
          names.charges,
          more.map(([cents, reason]): XmlNode => [
            'Charge',
            [['ChargeReason', reason], amount('ChargeAmount', -cents)],
          ]),
        ],
  ]
}

function invoiceTotals(invoice: EInvoice, sums: Sums): XmlNode {
  const words = eInvoiceMessages(invoice.language)
  const { language, discountBp } = invoice
  const percent = discountBp === 0 ? '' : ` ${percentText(language, discountBp)}`
  const general: (readonly [Cents, string])[] = [
    [sums.discountsCents, `${words.discount}${percent}`],
    [-sums.roundingCents, words.rounding],
  ]
  const of = (sign: 1 | -1) => sum(general.map(([cents]) => Math.max(0, sign * cents)))
  const [less, more] = [of(1), of(-1)]
  const paid = invoice.replacedCents
  return [
    'InvoiceTotals',
    [
      amount('TotalGrossAmount', sums.grossCents),
      ...reductions(general, { discounts: 'GeneralDiscounts', charges: 'GeneralSurcharges' }),
      amount('TotalGeneralDiscounts', less),
      amount('TotalGeneralSurcharges', more),
      amount('TotalGrossAmountBeforeTaxes', sums.baseCents),
      amount('TotalTaxOutputs', sums.outputsCents),
      amount('TotalTaxesWithheld', sums.withheldCents),
      amount('InvoiceTotal', sums.invoiceCents),
      // Amounts already requested by the replaced invoices count as payments on account.
      paid === 0
        ? undefined
        : [
            'PaymentsOnAccount',
            [
              [
                'PaymentOnAccount',
                [
                  ['PaymentOnAccountDate', invoice.references[0]?.issueDate ?? invoice.issueDate],
                  amount('PaymentOnAccountAmount', paid),
                ],
              ],
            ],
          ],
      sums.reimbursableCents === 0
        ? undefined
        : [
            'ReimbursableExpenses',
            [['ReimbursableExpenses', [amount('ReimbursableExpensesAmount', sums.reimbursableCents)]]],
          ],
      amount('TotalOutstandingAmount', sums.outstandingCents),
      paid === 0 ? undefined : amount('TotalPaymentsOnAccount', paid),
      amount('TotalExecutableAmount', sums.executableCents),
      sums.reimbursableCents === 0 ? undefined : amount('TotalReimbursableExpenses', sums.reimbursableCents),
    ],
  ]
}

/** Returns the special event: subject and exempt, or not subject. Lines with VAT and with reverse charge have none. */
function specialEvent(group: EGroup): XmlNode | undefined {
  const { taxTreatment, reason, isMargin, taxCents } = group
  if (reason === null || taxTreatment === 'S2' || taxCents !== 0) return undefined
  const code = taxTreatment.startsWith('N') && !isMargin ? '02' : '01'
  return [
    'SpecialTaxableEvent',
    [
      ['SpecialTaxableEventCode', code],
      ['SpecialTaxableEventReason', cut(reason, 2500)],
    ],
  ]
}

/**
 * Returns the customer's references as a line has them, in the order of the schema, which is not that of the invoice:
 * contract before order. Public bodies match lines by them; other customers have them once for the invoice.
 */
function lineReferences({ buyer, customerReferences }: EInvoice): (XmlNode | undefined)[] {
  if (!buyer.dir3) return []
  const written = (key: (typeof REFERENCES)[number][0], name: string): XmlNode | undefined => {
    const text = customerReferences?.[key] ?? ''
    return opt(name, text.length <= MAX_NUMBER ? text : null)
  }
  return [
    written('contract', 'ReceiverContractReference'),
    written('order', 'ReceiverTransactionReference'),
    written('file', 'FileReference'),
  ]
}

function invoiceLine(line: ELine, invoice: EInvoice): XmlNode {
  const group = invoice.groups[line.group]
  if (!group) throw new Error('A line of an electronic invoice is in no group.')
  const words = eInvoiceMessages(invoice.language)
  const rateBp = group.isMargin ? 0 : (group.vatRateBp ?? 0)
  const { surchargeRateBp } = group
  const reason = line.isDiscounted
    ? `${words.discount}${line.discountBp === 0 ? '' : ` ${percentText(invoice.language, line.discountBp)}`}`
    : words.rounding
  return [
    'InvoiceLine',
    [
      ...lineReferences(invoice),
      ['ItemDescription', line.description],
      ['Quantity', microToText(line.quantityMicro)],
      ['UnitOfMeasure', unitOf(line.unit).facturae],
      ['UnitPriceWithoutTax', microToText(line.unitPriceMicro)],
      amount('TotalCost', line.listedCents),
      ...reductions([[line.listedCents - line.netCents, reason]], {
        discounts: 'DiscountsAndRebates',
        charges: 'Charges',
      }),
      amount('GrossAmount', line.netCents),
      [
        'TaxesOutputs',
        [
          [
            'Tax',
            [
              ['TaxTypeCode', taxTypeOf(group, invoice.tax)],
              rate('TaxRate', rateBp),
              total('TaxableBase', line.netCents, inEuros(invoice, line.netCents)),
              total(
                'TaxAmount',
                percentOf(line.netCents, rateBp),
                inEuros(invoice, percentOf(line.netCents, rateBp)),
              ),
              surchargeRateBp === null ? undefined : rate('EquivalenceSurcharge', surchargeRateBp),
              surchargeRateBp === null
                ? undefined
                : total('EquivalenceSurchargeAmount', percentOf(line.netCents, surchargeRateBp), null),
            ],
          ],
        ],
      ],
      // The mention is beside its line (RD 1619/2012 art. 6.1.m).
      isReverse(group) && group.reason !== null
        ? ['AdditionalLineItemInformation', cut(group.reason, 2500)]
        : undefined,
      specialEvent(group),
    ],
  ]
}

function items(invoice: EInvoice): XmlNode {
  const own = invoice.lines.filter((line) => invoice.groups[line.group]?.isDisbursement === false)
  return ['Items', own.map((line) => invoiceLine(line, invoice))]
}

/** Days until payment where nothing was agreed (Ley 3/2004 art. 4.1): the format requires a date. */
const LEGAL_TERM_DAYS = 30

function paymentDetails(invoice: EInvoice, sums: Sums): XmlNode | undefined {
  const { iban, debit } = invoice.payment
  // A transfer without an account is not a usable means of payment, but the format still requires date and amount.
  const method = invoice.payment.method === 'transfer' && iban === null ? 'other' : invoice.payment.method
  const { instalments } = invoice
  if (method === null && iban === null && instalments.length === 0) return undefined
  const dueDate = invoice.dueDate ?? addDays(invoice.operationDate ?? invoice.issueDate, LEGAL_TERM_DAYS)
  const account = (name: string, number: string | null | undefined): XmlNode | undefined =>
    number ? [name, [['IBAN', number]]] : undefined
  const due = instalments.length > 0 ? instalments : [{ dueDate, cents: sums.executableCents }]
  return [
    'PaymentDetails',
    due.map((one): XmlNode => [
      'Installment',
      [
        ['InstallmentDueDate', one.dueDate],
        amount('InstallmentAmount', one.cents),
        ['PaymentMeans', MEANS[method ?? (iban === null ? 'other' : 'transfer')]?.facturae ?? '13'],
        account('AccountToBeCredited', iban),
        account('AccountToBeDebited', debit?.payerIban),
      ],
    ]),
  ]
}

/** Splits a text into pieces of at most `max` characters, so that no part of a legal mention is lost. */
function pieces(text: string, max: number): string[] {
  const characters = Array.from(text)
  return Array.from({ length: Math.ceil(characters.length / max) }, (_, index) =>
    characters.slice(index * max, (index + 1) * max).join(''),
  )
}

function legalLiterals({ mentions }: EInvoice): XmlNode | undefined {
  if (mentions.length === 0) return undefined
  return [
    'LegalLiterals',
    mentions.flatMap((mention) => pieces(mention, 250)).map((text): XmlNode => ['LegalReference', text]),
  ]
}

function additionalData(invoice: EInvoice): XmlNode | undefined {
  const substituted = invoice.references
    .filter(({ role }) => role === 'substitutes')
    .map(({ number, issueDate }) => `${number} (${issueDate})`)
  const long = REFERENCES.flatMap(([key]) => {
    const text = invoice.customerReferences?.[key] ?? ''
    return text.length > MAX_NUMBER ? [`${eInvoiceMessages(invoice.language).references[key]}: ${text}`] : []
  })
  const text = [...long, substituted.join(', '), invoice.notes ?? ''].filter((part) => part !== '').join('\n')
  return text === '' ? undefined : ['AdditionalData', [['InvoiceAdditionalInformation', cut(text, 2500)]]]
}

/** Returns the file without its signature. Check `availableFormats` first: throws when something does not fit. */
export function facturaeXml(invoice: EInvoice): string {
  const sums = sumsOf(invoice)
  if (sums.executableCents !== invoice.amountDueCents)
    throw new Error(`Facturae gives ${sums.executableCents} cents, the invoice ${invoice.amountDueCents}.`)
  return xmlDocumentCompact([
    'fe:Facturae',
    [
      header(invoice, sums),
      ['Parties', [facturaeParty('SellerParty', invoice.seller), facturaeParty('BuyerParty', invoice.buyer)]],
      [
        'Invoices',
        [
          [
            'Invoice',
            [
              invoiceHeader(invoice),
              issueData(invoice),
              taxesOutputs(invoice),
              taxesWithheld(invoice),
              invoiceTotals(invoice, sums),
              items(invoice),
              paymentDetails(invoice, sums),
              legalLiterals(invoice),
              additionalData(invoice),
            ],
          ],
        ],
      ],
    ],
    NAMESPACE,
  ])
}
