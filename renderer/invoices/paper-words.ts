/** Words and figures of the paper on screen, as the printed one has them: in the invoice's language, not the page's. Pure. */

/** Words of the paper, the printed one's, in both languages. */
const ES = {
  invoice: 'Factura',
  simplified: 'Factura simplificada',
  rectifying: 'Factura rectificativa',
  rectifyingSimplified: 'Factura simplificada rectificativa',
  draft: 'Borrador',
  issued: 'Expedida',
  operation: 'Operación',
  due: 'Vence',
  client: 'Cliente',
  description: 'Concepto',
  quantity: 'Cant.',
  price: 'Precio',
  grossPrice: 'Precio IVA incl.',
  discount: 'Dto.',
  vat: 'IVA',
  amount: 'Importe',
  amountWithoutVat: 'Importe sin IVA',
  taxId: 'NIF',
  base: 'Base',
  surcharge: 'Recargo equiv.',
  exempt: 'Exenta',
  notSubject: 'No sujeta',
  reverse: 'ISP',
  reverseLong: 'Inversión del sujeto pasivo',
  disbursements: 'Suplidos',
  documentDiscount: 'Descuento',
  marginScheme: 'Régimen especial, IVA incluido',
  alreadyInvoiced: 'Ya facturado en lo que sustituye',
  rate: 'Cambio',
  taxInEuros: '{tax} en euros',
  totalInEuros: 'Total en euros',
  rectifies: 'Rectifica',
  bySubstitution: 'por sustitución',
  byDifferences: 'por diferencias',
  reason: 'Motivo',
  substitutes: 'Sustituye a',
  total: 'Total factura',
  withholding: 'Retención IRPF {rate} sobre {base}',
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
  rectifying: 'Rectifying invoice',
  rectifyingSimplified: 'Rectifying simplified invoice',
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
  amountWithoutVat: 'Amount excl. VAT',
  taxId: 'Tax ID',
  base: 'Net',
  surcharge: 'Equivalence surcharge',
  exempt: 'Exempt',
  notSubject: 'Not subject',
  reverse: 'Rev. charge',
  reverseLong: 'Reverse charge',
  disbursements: 'Disbursements',
  documentDiscount: 'Discount',
  marginScheme: 'Margin scheme, VAT included',
  alreadyInvoiced: 'Invoiced before in what it replaces',
  rate: 'Rate',
  taxInEuros: '{tax} in euros',
  totalInEuros: 'Total in euros',
  rectifies: 'Rectifies',
  bySubstitution: 'by substitution',
  byDifferences: 'by differences',
  reason: 'Reason',
  substitutes: 'In place of',
  total: 'Invoice total',
  withholding: 'Income tax withheld (IRPF) {rate} of {base}',
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

export const TAGS = { es: 'es-ES', en: 'en-GB' } as const
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
    money: (euros: number, currency = 'EUR') =>
      `${minus(format(language, 2, 2).format(euros))}\u00a0${currency === 'EUR' ? '€' : currency}`,
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
