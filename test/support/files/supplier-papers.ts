/** Documents of suppliers for tests that need no OCR: electronic invoices and text PDFs. */
import { readFileSync } from 'node:fs'
import { personalNif } from '../nif.ts'
import { greyPng, pageOf, pdfOf } from './page-pictures.ts'

export interface SupplierPaper {
  name: string
  /** Base64. */
  content: string
}

const FACTURAE = readFileSync(
  new URL('../../server/purchases/intake/samples/facturae.xml', import.meta.url),
  'utf8',
)

/** Returns an electronic invoice in which everything is proven; each number has a supplier of its own. */
export function electronicInvoice(number: number, customer = 'B12345674'): SupplierPaper {
  const xml = FACTURAE.replace('<InvoiceNumber>118<', `<InvoiceNumber>${number}<`)
    .replace('A-118', `A-${number}`)
    .replaceAll('B12345674', customer)
    .replaceAll('12345678Z', personalNif(31_000_000 + number))
    .replaceAll('<Name>Lucía<', `<Name>Lucía ${number}<`)
  return { name: `electronica-${number}.xml`, content: Buffer.from(xml).toString('base64') }
}

/** Returns a text PDF of one page by its lines. */
export async function textInvoice(name: string, lines: readonly string[]): Promise<SupplierPaper> {
  const pdf = await pdfOf(lines, { size: [595, 842], fontSize: 13 })
  return { name, content: pdf.toString('base64') }
}

const euros = (amount: number): string => amount.toFixed(2).replace('.', ',')

/** Returns the lines of a plain invoice; its number and its day stand at labels, which proves neither. */
export const plainLines = (
  number: string,
  { base = 100, nif = 'B58818501', name = 'Ferretería Luna, S.L.' } = {},
): string[] => [
  name,
  `NIF ${nif}`,
  `Factura nº ${number}`,
  'Fecha: 20/06/2026',
  `Base imponible 21% ${euros(base)}`,
  `Cuota IVA ${euros(base * 0.21)}`,
  `Total a pagar ${euros(base * 1.21)} EUR`,
]

/** Returns the picture of a page, which only the OCR can read. */
export async function pictureInvoice(name: string, lines: readonly string[]): Promise<SupplierPaper> {
  return { name, content: greyPng(await pageOf(lines)).toString('base64') }
}
