/** Invoices between businesses in Spain, of every treatment, and an independent reading of their documents. */
import fc from 'fast-check'
import { eInvoiceOf } from '../../../../server/documents/e-invoice/index.ts'
import type { EInvoice } from '../../../../server/documents/e-invoice/index.ts'
import { at, child, children, textAt } from '../../../../server/domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../server/domain/formats/xml-reader.ts'
import { totalsOf } from '../../../../server/sales/invoices/index.ts'
import type { DraftContent } from '../../../../server/sales/invoices/index.ts'
import { readXml } from '../../../../server/purchases/intake/xml.ts'
import { COMPANY, issued, PERSON, randomContent } from './samples.ts'

const QR_URL =
  'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=F2026-0042&fecha=03-06-2026&importe=1.00'

const KINDS = ['R1', 'R2', 'R3', 'R4'] as const

/** Random invoices that the exchange takes: the content of `randomContent` with customers in Spain. */
export const exchangeInvoices: fc.Arbitrary<EInvoice> = fc
  .record({
    content: randomContent,
    client: fc.constantFrom(COMPANY, PERSON),
    kind: fc.constantFrom(...KINDS),
    isPaid: fc.integer({ min: 0, max: 4 }).map((side) => side === 0),
    hasQr: fc.boolean(),
    hasNotes: fc.boolean(),
    order: fc.constantFrom(null, 'PED-77', 'P & Q <1>'),
    hasDebit: fc.boolean(),
  })
  .map(({ content, client, kind, isPaid, hasQr, hasNotes, order, hasDebit }) => {
    const own: DraftContent = {
      ...content,
      client,
      kind: content.kind === 'R1' ? kind : content.kind,
      issuedBy: content.issuedBy?.kind === 'third_party' ? null : content.issuedBy,
      notes: hasNotes ? 'Gracias.\nDos líneas & <signos>' : null,
      customerReferences: order === null ? null : { order, contract: 'C-1', file: null },
      // A document needs a line of its own beside disbursements.
      lines: content.lines.every(({ isDisbursement }) => isDisbursement)
        ? content.lines.map((line) => ({
            ...line,
            isDisbursement: false,
            taxTreatment: 'S1' as const,
            regimeKey: '01',
            vatRateBp: 2100,
          }))
        : content.lines,
    }
    return eInvoiceOf(
      own,
      totalsOf(own),
      issued({
        qrUrl: hasQr ? QR_URL : null,
        paidOn: isPaid ? (own.operationDate ?? '2026-06-03') : null,
        debit: hasDebit
          ? { mandate: 'M-1', creditorId: 'ES90000B12345674', payerIban: 'ES7921000813610123456789' }
          : null,
      }),
    )
  })

const cents = (text: string | null): number => Math.round(Number(text ?? 0) * 100)

function partyOf(root: XmlElement, name: string) {
  const party = at(root, name, 'Party')
  const numbers = children(party, 'PartyTaxScheme').map((each) => [
    textAt(each, 'TaxScheme', 'ID'),
    textAt(each, 'CompanyID'),
  ])
  return {
    name: textAt(party, 'PartyLegalEntity', 'RegistrationName'),
    numbers: Object.fromEntries(numbers) as Record<string, string>,
    address: ['StreetName', 'PostalZone', 'CityName'].map((each) => textAt(party, 'PostalAddress', each)),
    contact: [textAt(party, 'Contact', 'Telephone'), textAt(party, 'Contact', 'ElectronicMail')],
  }
}

/** Returns everything that a document says, by paths that share nothing with the writer. Amounts in cents. */
export function statedIn(xml: string) {
  const root = readXml(Buffer.from(xml))
  const code = (id: string, name: string) =>
    textAt(
      children(root, 'AdditionalDocumentReference').find((each) => textAt(each, 'ID') === id) ?? null,
      name,
    )
  const sums = child(root, 'LegalMonetaryTotal')
  const withheld = at(root, 'WithholdingTaxTotal', 'TaxSubtotal')
  const means = child(root, 'PaymentMeans')
  return {
    number: textAt(root, 'ID'),
    copy: textAt(root, 'CopyIndicator') === 'true',
    issueDate: textAt(root, 'IssueDate'),
    dueDate: textAt(root, 'DueDate'),
    operationDate: textAt(root, 'TaxPointDate') ?? textAt(root, 'Delivery', 'ActualDeliveryDate'),
    typeCode: textAt(root, 'InvoiceTypeCode'),
    currency: textAt(root, 'DocumentCurrencyCode'),
    isCashAccounting: textAt(root, 'InvoicePeriod', 'DescriptionCode') === '432',
    order: textAt(root, 'OrderReference', 'ID'),
    qrUrl: code('QR', 'UUID'),
    rectification: [code('RECT:TIPO', 'DocumentTypeCode'), code('RECT:MODALIDAD', 'DocumentTypeCode')],
    preceding: children(root, 'BillingReference').map((each) => [
      textAt(each, 'InvoiceDocumentReference', 'ID'),
      textAt(each, 'InvoiceDocumentReference', 'IssueDate'),
    ]),
    notes: children(root, 'Annotation').map((each) => textAt(each, 'AnnotationContent')),
    seller: partyOf(root, 'AccountingSupplierParty'),
    buyer: partyOf(root, 'AccountingCustomerParty'),
    iban: textAt(means, 'PayeeFinancialAccount', 'ID'),
    mandate: textAt(means, 'PaymentMandate', 'ID'),
    paidOn: textAt(root, 'PrepaidPayment', 'PaidDate'),
    rate: textAt(root, 'TaxExchangeRate', 'CalculationRate'),
    taxInEuros:
      children(root, 'TaxTotal').length > 1
        ? cents(textAt(children(root, 'TaxTotal')[1], 'TaxAmount'))
        : null,
    taxCents: cents(textAt(root, 'TaxTotal', 'TaxAmount')),
    withholding: withheld && [
      cents(textAt(withheld, 'TaxCategory', 'Percent')),
      cents(textAt(withheld, 'TaxableAmount')),
      cents(textAt(withheld, 'TaxAmount')),
    ],
    collected: children(root, 'CollectionInvoiceLine').map(
      (each) =>
        [
          textAt(each, 'Item', 'Description'),
          cents(textAt(each, 'TaxInclusiveLineExtensionAmount')),
        ] as const,
    ),
    lines: children(root, 'InvoiceLine').map((each) => ({
      name: textAt(each, 'Item', 'Name'),
      quantity: Math.round(Number(textAt(each, 'InvoicedQuantity')) * 1_000_000),
      price: Math.round(Number(textAt(each, 'Price', 'PriceAmount')) * 1_000_000),
      netCents: cents(textAt(each, 'LineExtensionAmount')),
      regime: textAt(each, 'Item', 'AdditionalItemProperty', 'Value'),
      tax: textAt(each, 'Item', 'AdditionalItemProperty', 'ValueQualifier'),
    })),
    totalCents: cents(textAt(sums, 'TaxInclusiveAmount')),
    paidCents: cents(textAt(sums, 'PrepaidAmount')),
    dueCents: cents(textAt(sums, 'PayableAmount')),
  }
}

/** Regime keys that the lists of the profile name, by tax. */
const NAMED: Record<EInvoice['tax'], readonly string[]> = {
  '01': '01 02 03 04 05 06 07 08 09 11 14 15'.split(' '),
  '02': '01 08 11 19 20'.split(' '),
  '03': '01 02 03 04 05 06 07 08 09 11 14 15 17 18 19'.split(' '),
}
const TAX_NAMES = { '01': 'IVA', '02': 'IPSI', '03': 'IGIC' }
const nothing = (cents: number): number => (cents === 0 ? 0 : cents)

/** Returns what the document of an invoice must say, from the invoice itself. */
function statementOf(invoice: EInvoice): ReturnType<typeof statedIn> {
  const { groups, rectification, issuedBy, withholding, exchange, paidOn, seller, buyer, replacedCents } =
    invoice
  const sold = invoice.lines.filter(({ group }) => groups[group]?.isDisbursement === false)
  const suppliedCents = groups.reduce((sum, each) => sum + (each.isDisbursement ? each.baseCents : 0), 0)
  const withheldCents = withholding?.amountCents ?? 0
  const openCents = invoice.totalCents - withheldCents - replacedCents
  const isCash = groups.some((each) => each.regimeKey === '07' && each.taxTreatment === 'S1')
  const isSelf = issuedBy?.kind === 'recipient'
  const isOutside = groups.every(({ isDisbursement, category }) => isDisbursement || category === 'O')
  const party = (own: typeof seller, numbers: Record<string, string>) => ({
    name: own.name,
    numbers,
    address: [own.street, own.postalCode, own.city],
    contact: [own.phone, own.email],
  })
  const paysByTransfer = [null, 'transfer'].includes(invoice.payment.method)
  const replaced = replacedCents === 0 ? [] : [expectNote]
  return {
    number: invoice.number,
    copy: false,
    issueDate: invoice.issueDate,
    dueDate: invoice.dueDate,
    operationDate: invoice.operationDate,
    typeCode: rectification ? (isSelf ? '471' : '384') : isSelf ? '389' : '380',
    currency: invoice.currency,
    isCashAccounting: isCash,
    order: invoice.customerReferences?.order ?? null,
    qrUrl: invoice.qrUrl,
    rectification: rectification ? [invoice.kind, rectification.method] : [null, null],
    preceding: invoice.references.map(({ number, issueDate }) => [number, issueDate]),
    notes: [
      ...invoice.mentions,
      ...(invoice.notes === null ? [] : [invoice.notes]),
      ...(rectification?.reason ? [rectification.reason] : []),
      ...replaced,
    ],
    seller: party(seller, {
      ...(invoice.tax === '01' && !isOutside ? { VAT: `ES${seller.nif}` } : {}),
      LOC: seller.nif ?? '',
    }),
    buyer: party(buyer, { LOC: buyer.nif ?? '' }),
    iban: paysByTransfer && openCents > 0 ? seller.iban : null,
    mandate: invoice.payment.method === 'direct_debit' ? (invoice.payment.debit?.mandate ?? null) : null,
    paidOn,
    rate: exchange && String(exchange.fxMicro / 1_000_000),
    taxInEuros: exchange && nothing(groups.reduce((sum, each) => sum + (each.inEuros?.taxCents ?? 0), 0)),
    taxCents: nothing(groups.reduce((sum, each) => sum + each.taxCents, 0)),
    withholding: withholding && [withholding.rateBp, withholding.baseCents, withholding.amountCents],
    collected: [],
    lines: sold.map((line) => {
      const key = groups[line.group]?.regimeKey ?? ''
      return {
        name: line.description.split('\n')[0] ?? '',
        quantity: line.quantityMicro,
        price: line.unitPriceMicro,
        netCents: line.netCents,
        regime: NAMED[invoice.tax].includes(key) ? key : '01',
        tax: TAX_NAMES[invoice.tax],
      }
    }),
    totalCents: nothing(invoice.totalCents - suppliedCents),
    paidCents: nothing(replacedCents + (paidOn === null ? 0 : openCents)),
    dueCents: paidOn === null ? nothing(openCents) : 0,
  }
}

/** Stands for the note on what replaced invoices asked for, whose words are tested elsewhere. */
const expectNote = '(replaced)'

/** Returns both statements, alike where they must be, with the sums of what is collected in place of its lines. */
export function comparable(stated: ReturnType<typeof statedIn>, invoice: EInvoice) {
  const { collected, notes, ...rest } = stated
  const sumOf = (isWithheld: boolean) =>
    collected.reduce((sum, [text, amount]) => sum + ((text === 'RETE') === isWithheld ? amount : 0), 0)
  return {
    ...rest,
    notes: notes.map((note) => (invoice.replacedCents !== 0 && note === notes.at(-1) ? expectNote : note)),
    suppliedCents: nothing(sumOf(false)),
    withheldCents: nothing(sumOf(true)),
  }
}

/** Returns what `comparable` must give. */
export function expected(invoice: EInvoice): ReturnType<typeof comparable> {
  const { collected: _none, ...rest } = statementOf(invoice)
  const suppliedCents = invoice.groups.reduce(
    (sum, each) => sum + (each.isDisbursement ? each.baseCents : 0),
    0,
  )
  return {
    ...rest,
    suppliedCents: nothing(suppliedCents),
    withheldCents: nothing(-(invoice.withholding?.amountCents ?? 0)),
  }
}
