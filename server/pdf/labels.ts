/** The words of the invoice in Spanish and English. What the law words itself (`QR tributario:`, `VERI*FACTU`) is Spanish in both. */
import { rate } from './figures.ts'
import type { InvoicePaper, PaperLanguage, PaperTax } from './paper.ts'

export interface Labels {
  invoice: string
  simplifiedInvoice: string
  rectifyingInvoice: string
  rectifyingSimplified: string
  quote: string
  proforma: string
  deliveryNote: string
  validUntil: string
  rectifies: string
  bySubstitution: string
  byDifferences: string
  reason: string
  substitutes: string
  documentDiscount: string
  marginScheme: string
  alreadyInvoiced: string
  stillOwed: string
  inEuros: (rate: string, currency: string, date: string) => string
  taxInEuros: (tax: string) => string
  totalInEuros: string
  notAnInvoice: string
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
  /** Ways to pay by their codes; a code that is not here (other) says nothing worth printing. */
  methods: Readonly<Partial<Record<string, string>>>
  notes: string
  qrPlaceholder: string
  registryRecord: string
  hash: string
  page: (page: number, pages: number) => string
}

const ES: Labels = {
  invoice: 'Factura',
  simplifiedInvoice: 'Factura simplificada',
  rectifyingInvoice: 'Factura rectificativa',
  rectifyingSimplified: 'Factura simplificada rectificativa',
  quote: 'Presupuesto',
  proforma: 'Factura proforma',
  deliveryNote: 'Albarán',
  validUntil: 'Válido hasta',
  rectifies: 'Rectifica',
  bySubstitution: 'por sustitución',
  byDifferences: 'por diferencias',
  reason: 'Motivo',
  substitutes: 'Sustituye a',
  documentDiscount: 'Descuento',
  marginScheme: 'Régimen especial, IVA incluido',
  alreadyInvoiced: 'Ya facturado en lo que sustituye',
  stillOwed: 'Base que se sigue debiendo',
  inEuros: (rate, currency, date) => `Cambio: 1 € = ${rate} ${currency}${date === '' ? '' : ` (${date})`}`,
  taxInEuros: (tax) => `${tax} en euros`,
  totalInEuros: 'Total en euros',
  notAnInvoice: 'Documento sin valor de factura.',
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
  methods: {
    transfer: 'Transferencia bancaria',
    direct_debit: 'Domiciliación bancaria',
    card: 'Tarjeta',
    cash: 'Efectivo',
    bizum: 'Bizum',
    cheque: 'Cheque',
  },
  notes: 'OBSERVACIONES',
  qrPlaceholder: 'El QR tributario aparece al emitir la factura',
  registryRecord: 'Registro de facturación',
  hash: 'Huella',
  page: (page, pages) => `Página ${page} de ${pages}`,
}

const EN: Labels = {
  invoice: 'Invoice',
  simplifiedInvoice: 'Simplified invoice',
  rectifyingInvoice: 'Rectifying invoice',
  rectifyingSimplified: 'Rectifying simplified invoice',
  quote: 'Quote',
  proforma: 'Proforma invoice',
  deliveryNote: 'Delivery note',
  validUntil: 'Valid until',
  rectifies: 'Rectifies',
  bySubstitution: 'by substitution',
  byDifferences: 'by differences',
  reason: 'Reason',
  substitutes: 'In place of',
  documentDiscount: 'Discount',
  marginScheme: 'Margin scheme, VAT included',
  alreadyInvoiced: 'Invoiced before in what it replaces',
  stillOwed: 'Price without tax, still owed',
  inEuros: (rate, currency, date) => `Rate: 1 € = ${rate} ${currency}${date === '' ? '' : ` (${date})`}`,
  taxInEuros: (tax) => `${tax} in euros`,
  totalInEuros: 'Total in euros',
  notAnInvoice: 'This document is not an invoice.',
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
  methods: {
    transfer: 'Bank transfer',
    direct_debit: 'Direct debit',
    card: 'Card',
    cash: 'Cash',
    bizum: 'Bizum',
    cheque: 'Cheque',
  },
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

type Taxed = Pick<PaperTax, 'taxTreatment' | 'vatRateBp' | 'surchargeRateBp' | 'isMargin'>

/** The tax's name: in English VAT is called so, the others keep theirs. */
export function taxName(paper: Pick<InvoicePaper, 'language' | 'taxName'>): string {
  return paper.taxName === 'IVA' ? LABELS[paper.language].vat : paper.taxName
}

/** The VAT column of a line: the rate, with the surcharge's when there is one, or why there is none. */
export function vatOfLine(line: Taxed, language: PaperLanguage): string {
  const labels = LABELS[language]
  if (line.isMargin) return '—'
  if (line.taxTreatment === 'S2') return labels.reverseChargeShort
  const vat = vatName(line, labels) ?? rate(line.vatRateBp ?? 0, language)
  return line.surchargeRateBp === null || line.surchargeRateBp === 0
    ? vat
    : `${vat} + ${rate(line.surchargeRateBp, language)}`
}

/** The row of a tax group in the totals. */
export function vatOfGroup(tax: Taxed, paper: InvoicePaper): string {
  const labels = LABELS[paper.language]
  if (tax.isMargin) return labels.marginScheme
  return vatName(tax, labels) ?? `${taxName(paper)} ${rate(tax.vatRateBp ?? 0, paper.language)}`
}

/** Taxed in another member state (one-stop shop): not subject here, but at that state's rate. */
function isTaxedAbroad({ taxTreatment, vatRateBp }: Taxed): boolean {
  return taxTreatment === 'N2' && vatRateBp !== null
}

function vatName(taxed: Taxed, labels: Labels): string | null {
  if (isTaxedAbroad(taxed)) return null
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
