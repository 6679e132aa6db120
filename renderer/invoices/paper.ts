/** The invoice as the paper on screen shows it, from a draft's form or from the books, and its words in both languages. Pure. */
import type { OutputOf } from '../../server/contracts.ts'
import { eurosFromCents, numberFromMicro, percentFromBasisPoints } from '../../server/core/money.ts'
import type { TaxTreatment, Totals } from '../../server/core/totals.ts'
import { clientNameOf, isBlank, totalsLineOf } from './draft.ts'
import type { DraftForm, Invoice } from './draft.ts'

export type Company = OutputOf<'company.current'>

export interface PaperParty {
  name: string
  nif: string | null
  lines: string[]
}

export interface PaperLine {
  description: string
  quantity: number
  unit: string
  unitPrice: number
  discountPct: number
  vat: string
  net: number
  isDisbursement: boolean
}

export interface PaperSum {
  label: string
  amount: number
  tone: 'plain' | 'total' | 'strong'
}

export interface Paper {
  language: 'es' | 'en'
  title: string
  number: string | null
  issueDate: string
  operationDate: string | null
  dueDate: string | null
  issuer: PaperParty
  client: PaperParty | null
  lines: PaperLine[]
  showsDiscount: boolean
  priceMode: 'net' | 'gross'
  sums: PaperSum[]
  mentions: string[]
  notes: string | null
  foot: string
  qrUrl: string | null
  watermark: string | null
}

const ES = {
  invoice: 'Factura',
  simplified: 'Factura simplificada',
  draft: 'Borrador',
  issued: 'Expedida',
  operation: 'Operación',
  due: 'Vence',
  client: 'Cliente',
  description: 'Concepto',
  quantity: 'Cant.',
  price: 'Precio',
  grossPrice: 'Precio con IVA',
  discount: 'Dto.',
  vat: 'IVA',
  amount: 'Importe',
  base: 'Base',
  surcharge: 'Recargo',
  exempt: 'Exenta',
  notSubject: 'No sujeta',
  reverse: 'ISP',
  reverseLong: 'Inversión del sujeto pasivo',
  disbursement: 'Suplido',
  disbursements: 'Suplidos',
  total: 'Total factura',
  withholding: 'Retención IRPF',
  due_amount: 'Total a pagar',
  notes: 'Observaciones',
  payTo: 'Pago por transferencia a',
  watermark: 'BORRADOR',
  test: 'PRUEBA',
  annulled: 'ANULADA',
  page: 'Sigue en otra página',
}
const EN: typeof ES = {
  invoice: 'Invoice',
  simplified: 'Simplified invoice',
  draft: 'Draft',
  issued: 'Issued',
  operation: 'Date of supply',
  due: 'Due',
  client: 'Bill to',
  description: 'Description',
  quantity: 'Qty',
  price: 'Price',
  grossPrice: 'Price incl. VAT',
  discount: 'Disc.',
  vat: 'VAT',
  amount: 'Amount',
  base: 'Net',
  surcharge: 'Surcharge',
  exempt: 'Exempt',
  notSubject: 'Not subject',
  reverse: 'Rev. charge',
  reverseLong: 'Reverse charge',
  disbursement: 'Disbursement',
  disbursements: 'Disbursements',
  total: 'Invoice total',
  withholding: 'Income tax withheld (IRPF)',
  due_amount: 'Amount due',
  notes: 'Notes',
  payTo: 'Payment by transfer to',
  watermark: 'DRAFT',
  test: 'TEST',
  annulled: 'ANNULLED',
  page: 'Continues on another page',
}

export type PaperWords = typeof ES
export const paperWords = (language: 'es' | 'en'): PaperWords => (language === 'es' ? ES : EN)

const TAGS = { es: 'es-ES', en: 'en-GB' } as const
const formats = new Map<string, Intl.NumberFormat>()

function format(language: 'es' | 'en', least: number, most: number): Intl.NumberFormat {
  const key = `${language}${least}${most}`
  let found = formats.get(key)
  if (!found) {
    found = new Intl.NumberFormat(TAGS[language], {
      useGrouping: 'always',
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    } as Intl.NumberFormatOptions)
    formats.set(key, found)
  }
  return found
}

/** Figures in the invoice's language, which may not be the page's. */
export const paperFigures = (language: 'es' | 'en') => {
  const minus = (text: string) => text.replace('-', '\u2212')
  return {
    amount: (euros: number) => minus(format(language, 2, 2).format(euros)),
    price: (euros: number) => minus(format(language, 2, 6).format(euros)),
    quantity: (value: number) => minus(format(language, 0, 6).format(value)),
    percent: (value: number) =>
      `${format(language, 0, 2).format(value)}${language === 'es' ? '\u00a0' : ''}%`,
    day: (date: string) =>
      language === 'es'
        ? date.split('-').reverse().join('/')
        : new Intl.DateTimeFormat('en-GB', {
            day: 'numeric',
            month: 'short',
            year: 'numeric',
            timeZone: 'UTC',
          }).format(new Date(`${date}T00:00:00Z`)),
  }
}

function vatWord(
  treatment: TaxTreatment,
  rate: number | null,
  surcharge: number | null,
  language: 'es' | 'en',
): string {
  const words = paperWords(language)
  const { percent } = paperFigures(language)
  if (treatment === 'S2') return words.reverse
  if (treatment.startsWith('N')) return words.notSubject
  if (treatment.startsWith('E')) return words.exempt
  return percent(rate ?? 0) + (surcharge ? ` + ${percent(surcharge)}` : '')
}

interface SumsInput {
  language: 'es' | 'en'
  taxes: readonly {
    taxTreatment: TaxTreatment
    vatRate: number | null
    base: number
    tax: number
    surchargeRate: number | null
    surcharge: number
  }[]
  disbursements: number
  total: number
  withholding: { rate: number; amount: number } | null
  toPay: number
}

function sumsOf(input: SumsInput): PaperSum[] {
  const words = paperWords(input.language)
  const { percent } = paperFigures(input.language)
  const sums: PaperSum[] = []
  const plain = (label: string, amount: number) => sums.push({ label, amount, tone: 'plain' })
  for (const tax of input.taxes) {
    if (tax.taxTreatment === 'S1') {
      const rate = percent(tax.vatRate ?? 0)
      plain(`${words.base} ${rate}`, tax.base)
      plain(`${words.vat} ${rate}`, tax.tax)
      if (tax.surchargeRate !== null && tax.surchargeRate !== 0)
        plain(`${words.surcharge} ${percent(tax.surchargeRate)}`, tax.surcharge)
    } else
      plain(
        tax.taxTreatment === 'S2' ? words.reverseLong : vatWord(tax.taxTreatment, null, null, input.language),
        tax.base,
      )
  }
  if (input.disbursements !== 0) plain(words.disbursements, input.disbursements)
  sums.push({ label: words.total, amount: input.total, tone: 'total' })
  if (input.withholding) {
    plain(`${words.withholding} ${percent(input.withholding.rate)}`, -input.withholding.amount)
    sums.push({ label: words.due_amount, amount: input.toPay, tone: 'strong' })
  }
  return sums
}

function place(
  address:
    | { street?: string; postalCode?: string; city?: string; province?: string; country?: string }
    | undefined
    | null,
  language: 'es' | 'en',
): string[] {
  if (!address) return []
  const town = [address.postalCode, address.city].filter(Boolean).join(' ')
  const province = address.province && address.province !== address.city ? ` (${address.province})` : ''
  const country =
    address.country && address.country !== 'ES'
      ? (new Intl.DisplayNames([TAGS[language]], { type: 'region' }).of(address.country) ?? address.country)
      : ''
  return [address.street ?? '', town + province, country].filter((line) => line.trim() !== '')
}

/** Methods by which money comes to the company's account, so that the account is worth printing. */
const TO_ACCOUNT: readonly (string | null)[] = [null, 'transfer', 'direct_debit']

function footOf(
  iban: string | undefined,
  method: string | null,
  inscription: string | undefined,
  language: 'es' | 'en',
): string {
  const account =
    iban && TO_ACCOUNT.includes(method)
      ? `${paperWords(language).payTo} ${iban.replace(/\s+/g, '').replace(/(.{4})(?=.)/g, '$1 ')}`
      : ''
  return [account, inscription ?? ''].filter(Boolean).join(' · ')
}

function issuerOf(company: Company): PaperParty {
  return {
    name: company.legalName,
    nif: company.nif,
    lines: [
      ...place(company.address, 'es'),
      [company.email, company.phone].filter(Boolean).join(' · '),
    ].filter(Boolean),
  }
}

/** The paper of what is being written. `totals` are those of the form. */
export function paperOfForm(form: DraftForm, totals: Totals, company: Company): Paper {
  const { language, client } = form
  const words = paperWords(language)
  const lines = form.lines.filter((line) => !isBlank(line))
  const isTest = company.registry.environment !== 'production'
  const name = clientNameOf(form, '')
  return {
    language,
    title: form.kind === 'F2' ? words.simplified : words.invoice,
    number: null,
    issueDate: form.issueDate ?? company.today,
    operationDate: form.operationDate,
    dueDate: form.dueDate,
    issuer: issuerOf(company),
    client:
      form.kind === 'F2' && client.nif.trim() === ''
        ? null
        : { name: name || '…', nif: client.nif.trim() || null, lines: place(client, language) },
    lines: lines.map((line, index) => {
      const exact = totalsLineOf(line)
      return {
        description: line.description.trim() || '…',
        quantity: numberFromMicro(exact.quantityMicro),
        unit: line.unit.trim(),
        unitPrice: numberFromMicro(exact.unitPriceMicro),
        discountPct: percentFromBasisPoints(exact.discountBp),
        vat: line.isDisbursement
          ? words.disbursement
          : vatWord(
              line.taxTreatment,
              exact.vatRateBp === null ? null : percentFromBasisPoints(exact.vatRateBp),
              exact.surchargeRateBp === null ? null : percentFromBasisPoints(exact.surchargeRateBp),
              language,
            ),
        net: eurosFromCents(totals.lineNetsCents[index] ?? 0),
        isDisbursement: line.isDisbursement,
      }
    }),
    showsDiscount: lines.some((line) => (line.discountBp ?? 0) !== 0),
    priceMode: form.priceMode,
    sums: sumsOf({
      language,
      taxes: totals.taxes.map((tax) => ({
        taxTreatment: tax.taxTreatment,
        vatRate: tax.vatRateBp === null ? null : percentFromBasisPoints(tax.vatRateBp),
        base: eurosFromCents(tax.baseCents),
        tax: eurosFromCents(tax.taxCents),
        surchargeRate: tax.surchargeRateBp === null ? null : percentFromBasisPoints(tax.surchargeRateBp),
        surcharge: eurosFromCents(tax.surchargeCents),
      })),
      disbursements: eurosFromCents(totals.disbursementsCents),
      total: eurosFromCents(totals.totalCents),
      withholding: totals.withholding
        ? {
            rate: percentFromBasisPoints(totals.withholding.rateBp),
            amount: eurosFromCents(totals.withholding.amountCents),
          }
        : null,
      toPay: eurosFromCents(totals.amountDueCents),
    }),
    mentions: [],
    notes: form.notes.trim() || null,
    foot: footOf(company.iban, form.paymentMethod, company.registryInscription, language),
    qrUrl: null,
    watermark: isTest ? words.test : words.watermark,
  }
}

/** The paper of an invoice of the books: an issued one as it was issued, a draft with the company as it is. */
export function paperOfInvoice(invoice: Invoice, company: Company | null): Paper {
  const { language } = invoice
  const words = paperWords(language)
  const isTest = company !== null && company.registry.environment !== 'production'
  const issuer: PaperParty = invoice.issuer
    ? {
        name: invoice.issuer.name,
        nif: invoice.issuer.nif,
        lines: [...place(invoice.issuer.address, 'es'), invoice.issuer.email ?? ''].filter(Boolean),
      }
    : company
      ? issuerOf(company)
      : { name: '', nif: null, lines: [] }
  return {
    language,
    title: invoice.kind === 'F2' ? words.simplified : words.invoice,
    number: invoice.number,
    issueDate: invoice.issueDate ?? company?.today ?? invoice.createdAt.slice(0, 10),
    operationDate: invoice.operationDate,
    dueDate: invoice.dueDate,
    issuer,
    client:
      invoice.kind === 'F2' && !invoice.client.nif
        ? null
        : {
            name: invoice.client.name,
            nif: invoice.client.nif,
            lines: place(invoice.client.address, language),
          },
    lines: invoice.lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      unit: line.unit ?? '',
      unitPrice: line.unitPrice,
      discountPct: line.discountPct,
      vat: line.isDisbursement
        ? words.disbursement
        : vatWord(line.taxTreatment, line.vatRate, line.surcharge, language),
      net: line.net,
      isDisbursement: line.isDisbursement,
    })),
    showsDiscount: invoice.lines.some((line) => line.discountPct !== 0),
    priceMode: invoice.priceMode,
    sums: sumsOf({
      language,
      taxes: invoice.taxBreakdown.map((tax) => ({
        ...tax,
        surchargeRate: tax.surchargeRate ?? null,
        surcharge: tax.surcharge ?? 0,
      })),
      disbursements: invoice.disbursements,
      total: invoice.total,
      withholding: invoice.withholding ?? null,
      toPay: (Math.round(invoice.total * 100) - Math.round((invoice.withholding?.amount ?? 0) * 100)) / 100,
    }),
    mentions: invoice.legalMentions,
    notes: invoice.notes,
    foot: footOf(company?.iban, invoice.paymentMethod, company?.registryInscription, language),
    qrUrl: invoice.registry.qrUrl ?? null,
    watermark: invoice.cancelledAt
      ? words.annulled
      : isTest
        ? words.test
        : invoice.state === 'draft'
          ? words.watermark
          : null,
  }
}
