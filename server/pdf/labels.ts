/** The words of the invoice in Spanish and English. What the law words itself (`QR tributario:`, `VERI*FACTU`) is Spanish in both. */
import { rate } from './figures.ts'
import type { InvoicePaper, PaperLanguage, PaperTax } from './paper.ts'

export interface Labels {
  invoice: string
  simplifiedInvoice: string
  draft: string
  draftNumber: string
  draftFooter: string
  number: string
  issueDate: string
  operationDate: string
  dueDate: string
  issuer: string
  client: string
  taxId: string
  description: string
  quantity: string
  price: string
  priceWithVat: string
  discount: string
  vat: string
  amount: string
  amountWithoutVat: string
  unit: string
  disbursements: string
  disbursementsHeading: string
  carriedIn: string
  carriedOut: string
  base: string
  taxAmount: string
  sum: string
  surcharge: string
  exempt: string
  notSubject: string
  reverseCharge: string
  reverseChargeShort: string
  total: string
  withholding: (rate: string, base: string) => string
  amountDue: string
  payment: string
  notes: string
  qrPlaceholder: string
  registryRecord: string
  hash: string
  page: (page: number, pages: number) => string
}

const ES: Labels = {
  invoice: 'Factura',
  simplifiedInvoice: 'Factura simplificada',
  draft: 'BORRADOR',
  draftNumber: 'Sin número hasta su emisión',
  draftFooter: 'Borrador sin valor de factura: se numera y se registra al emitirla.',
  number: 'Número',
  issueDate: 'Fecha de expedición',
  operationDate: 'Fecha de operación',
  dueDate: 'Vencimiento',
  issuer: 'EMISOR',
  client: 'CLIENTE',
  taxId: 'NIF',
  description: 'Concepto',
  quantity: 'Cantidad',
  price: 'Precio',
  priceWithVat: 'Precio IVA incl.',
  discount: 'Dto.',
  vat: 'IVA',
  amount: 'Importe',
  amountWithoutVat: 'Importe sin IVA',
  unit: 'Unidad',
  disbursements: 'Suplidos',
  disbursementsHeading: 'Suplidos, pagados en nombre y por cuenta del cliente',
  carriedIn: 'Suma anterior',
  carriedOut: 'Suma y sigue',
  base: 'Base',
  taxAmount: 'Cuota',
  sum: 'Suma',
  surcharge: 'Recargo equiv.',
  exempt: 'Exenta',
  notSubject: 'No sujeta',
  reverseCharge: 'Inversión del sujeto pasivo',
  reverseChargeShort: 'ISP',
  total: 'Total factura',
  withholding: (percent, base) => `Retención IRPF ${percent} sobre ${base}`,
  amountDue: 'Total a pagar',
  payment: 'FORMA DE PAGO',
  notes: 'OBSERVACIONES',
  qrPlaceholder: 'El QR tributario aparece al emitir la factura',
  registryRecord: 'Registro de facturación',
  hash: 'Huella',
  page: (page, pages) => `Página ${page} de ${pages}`,
}

const EN: Labels = {
  invoice: 'Invoice',
  simplifiedInvoice: 'Simplified invoice',
  draft: 'DRAFT',
  draftNumber: 'No number until issued',
  draftFooter: 'Draft, not an invoice: it is numbered and registered when issued.',
  number: 'Number',
  issueDate: 'Issue date',
  operationDate: 'Date of supply',
  dueDate: 'Due date',
  issuer: 'FROM',
  client: 'BILL TO',
  taxId: 'Tax ID',
  description: 'Description',
  quantity: 'Quantity',
  price: 'Price',
  priceWithVat: 'Price incl. VAT',
  discount: 'Disc.',
  vat: 'VAT',
  amount: 'Amount',
  amountWithoutVat: 'Amount excl. VAT',
  unit: 'Unit',
  disbursements: 'Disbursements',
  disbursementsHeading: 'Disbursements paid in the name and on behalf of the client',
  carriedIn: 'Brought forward',
  carriedOut: 'Carried forward',
  base: 'Net',
  taxAmount: 'Tax',
  sum: 'Sum',
  surcharge: 'Equivalence surcharge',
  exempt: 'Exempt',
  notSubject: 'Not subject',
  reverseCharge: 'Reverse charge',
  reverseChargeShort: 'Rev. charge',
  total: 'Invoice total',
  withholding: (percent, base) => `Income tax withheld (IRPF) ${percent} of ${base}`,
  amountDue: 'Amount due',
  payment: 'PAYMENT',
  notes: 'NOTES',
  qrPlaceholder: 'The tax QR code appears when the invoice is issued',
  registryRecord: 'Registry record',
  hash: 'Hash',
  page: (page, pages) => `Page ${page} of ${pages}`,
}

const LABELS: Record<PaperLanguage, Labels> = { es: ES, en: EN }

export function labelsFor(language: PaperLanguage): Labels {
  return LABELS[language]
}

/** Wording of the authority, in both languages alike: above and below the QR. */
export const QR_ABOVE = 'QR tributario:'
export const QR_BELOW = 'VERI*FACTU'

const NOT_REAL = 'PRUEBA - SIN VALIDEZ FISCAL'
const BANDS: Record<InvoicePaper['environment'], string | null> = {
  production: null,
  preproduction: `PREPRODUCCIÓN · ${NOT_REAL}`,
  sandbox: `SANDBOX · ${NOT_REAL}`,
  simulated: NOT_REAL,
}

/** The band, on every page, of what the real registry does not hold. */
export function testBand(paper: InvoicePaper): string | null {
  return BANDS[paper.environment]
}

type Taxed = Pick<PaperTax, 'taxTreatment' | 'vatRateBp' | 'surchargeRateBp'>

/** The VAT column of a line: the rate, with the surcharge's when there is one, or why there is none. */
export function vatOfLine(line: Taxed, language: PaperLanguage): string {
  const labels = LABELS[language]
  if (line.taxTreatment === 'S2') return labels.reverseChargeShort
  const vat = vatName(line, labels) ?? rate(line.vatRateBp ?? 0, language)
  return line.surchargeRateBp === null || line.surchargeRateBp === 0
    ? vat
    : `${vat} + ${rate(line.surchargeRateBp, language)}`
}

/** The row of a tax group in the totals. */
export function vatOfGroup(tax: Taxed, language: PaperLanguage): string {
  const labels = LABELS[language]
  return vatName(tax, labels) ?? `${labels.vat} ${rate(tax.vatRateBp ?? 0, language)}`
}

function vatName(taxed: Taxed, labels: Labels): string | null {
  switch (taxed.taxTreatment) {
    case 'S1':
      return null
    case 'S2':
      return labels.reverseCharge
    case 'N1':
    case 'N2':
      return labels.notSubject
    default:
      return labels.exempt
  }
}
