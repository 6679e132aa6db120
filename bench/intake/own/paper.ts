/** Draws an own invoice as the product does, with its embedded e-invoice, and returns its truth. */
import { ciiXml, availableFormats, eInvoiceOf } from '../../../server/documents/e-invoice/index.ts'
import { drawInvoice } from '../../../server/documents/pdf/index.ts'
import type { InvoicePaper } from '../../../server/documents/pdf/index.ts'
import { contentOnPaper, partyOf } from '../../../server/documents/rendering/paper-of.ts'
import { paymentOf } from '../../../server/documents/rendering/payment.ts'
import { centsToText } from '../../../server/domain/money.ts'
import { totalsOf } from '../../../server/sales/invoices/index.ts'
import type { TruthFields } from '../truth.ts'
import type { OwnInvoice } from './contents.ts'

/** Designs of companies: plain, coloured, with a footer, with both. */
const DESIGNS = [
  { accent: null, footer: null },
  { accent: '#7A2E8E', footer: null },
  { accent: null, footer: 'Condiciones generales en penamunoz.example/condiciones · Horario: de 9 a 14 h' },
  { accent: '#1D4ED8', footer: 'Gracias por confiar en nosotros desde 1998' },
]

function qrUrlOf({ issuer, number, issueDate }: OwnInvoice, totalCents: number): string {
  const [year, month, day] = issueDate.split('-')
  return `https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=${issuer.nif}&numserie=${encodeURIComponent(number)}&fecha=${day}-${month}-${year}&importe=${centsToText(totalCents)}`
}

function paperOf(invoice: OwnInvoice): InvoicePaper {
  const { content, issuer, number, issueDate, isTicket, design } = invoice
  const onPaper = contentOnPaper(content, totalsOf(content))
  return {
    ...onPaper,
    ...(DESIGNS[design] ?? DESIGNS[0]!),
    logo: null,
    document: 'invoice',
    format: isTicket ? 'ticket' : 'a4',
    hidesPrices: false,
    state: 'issued',
    environment: 'production',
    number,
    issueDate,
    validUntil: null,
    issuer: { ...partyOf(issuer), registryInscription: issuer.registryInscription },
    payment: paymentOf({
      content,
      issuer,
      number,
      amountDueCents: onPaper.amountDueCents,
      isPayable: true,
      withQr: true,
    }),
    registry: { qrUrl: qrUrlOf(invoice, totalsOf(content).totalCents) },
    createdAt: `${issueDate}T10:00:00.000Z`,
  }
}

/** Returns the invoice as XML where it can be embedded. */
function xmlOf({ content, issuer, number, issueDate }: OwnInvoice): string | null {
  const seriesCode = number.slice(0, number.lastIndexOf('-'))
  const invoice = eInvoiceOf(content, totalsOf(content), {
    number,
    seriesCode,
    issueDate,
    issuer,
    debit: null,
  })
  return availableFormats(invoice).cii === null ? ciiXml(invoice) : null
}

const euros = (cents: number): number => cents / 100

/** Returns the tax lines as a purchase states them. Only VAT is deducted: margins, IGIC and IPSI are part of the cost. */
function linesOf({ taxes, taxName }: InvoicePaper): TruthFields['taxLines'] {
  return taxes.map((tax) => {
    const isCost = tax.isMargin || taxName !== 'IVA'
    return {
      base: euros(isCost ? tax.baseCents + tax.taxCents + tax.outsideCents : tax.baseCents),
      vatRate: isCost ? 0 : (tax.vatRateBp ?? 0) / 100,
      tax: isCost ? 0 : euros(tax.taxCents),
      ...(tax.surchargeRateBp
        ? { surchargeRate: tax.surchargeRateBp / 100, surcharge: euros(tax.surchargeCents) }
        : {}),
    }
  })
}

function truthOf({ content, issuer, number, issueDate }: OwnInvoice, paper: InvoicePaper): TruthFields {
  const { withholding, disbursementsCents, totalCents, amountDueCents, payment } = paper
  const isPrinted = payment.method !== null
  return {
    docType: content.rectification ? 'credit' : content.kind === 'F2' ? 'simplified' : 'invoice',
    supplierName: issuer.name,
    supplierNif: issuer.nif,
    customerNif: paper.client?.nif ?? null,
    number,
    issueDate,
    dueDate: content.dueDate,
    currency: paper.currency,
    taxLines: linesOf(paper),
    withholding: withholding && { rate: withholding.rateBp / 100, amount: euros(withholding.amountCents) },
    supplied: disbursementsCents === 0 ? null : euros(disbursementsCents),
    total: euros(totalCents - disbursementsCents),
    payable: euros(amountDueCents),
    paymentMethod: isPrinted ? content.paymentMethod : payment.account === null ? null : 'transfer',
    iban: payment.account,
    category: null,
  }
}

interface DrawnInvoice {
  bytes: Uint8Array
  /** An e-invoice is embedded. */
  hasXml: boolean
  truth: TruthFields
}

/** Draws an invoice as it would be sent. */
export async function drawOwn(invoice: OwnInvoice): Promise<DrawnInvoice> {
  const paper = paperOf(invoice)
  const xml = xmlOf(invoice)
  const { bytes } = await drawInvoice(paper, xml)
  return { bytes: new Uint8Array(bytes), hasXml: xml !== null, truth: truthOf(invoice, paper) }
}
