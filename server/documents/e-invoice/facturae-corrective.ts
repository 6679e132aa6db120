/**
 * Writes the part of a rectifying Facturae 3.2.2 invoice about the one that it rectifies, and splits numbers for the
 * format.
 */
import type { BusinessDate } from '../../domain/dates.ts'
import { monthPeriod } from '../../domain/dates.ts'
import type { XmlNode } from '../../domain/formats/xml-writer.ts'
import { cut, opt } from './facturae-parties.ts'
import type { EInvoice } from './invoice.ts'

/** Maximum characters of InvoiceNumber, InvoiceSeriesCode and the references. */
export const MAX_NUMBER = 20

/** Splits a printed number into the format's two fields of at most 20 characters each; null when it does not fit. */
export function numberParts(
  printed: string,
  seriesCode: string | null,
): { series: string | null; number: string } | null {
  const series = seriesCode ?? /^(.+)-\d+$/.exec(printed)?.[1] ?? null
  if (series !== null && series.length <= MAX_NUMBER && printed.startsWith(`${series}-`)) {
    const number = printed.slice(series.length + 1)
    if (number !== '' && number.length <= MAX_NUMBER) return { series, number }
  }
  if (printed.length <= MAX_NUMBER) return { series: null, number: printed }
  if (printed.length > 2 * MAX_NUMBER) return null
  // Both fields together are the printed number.
  return { series: printed.slice(0, -MAX_NUMBER), number: printed.slice(-MAX_NUMBER) }
}

/**
 * Reason codes of a rectification by our causes, with the texts that the schema fixes: 01 to 16 are mistakes on the
 * invoice, 80 to 85 are article 80 LIVA. Returned goods and changed prices have no code of their own and count as a
 * change of the base.
 */
const BASE_CHANGED = ['16', 'Base imponible'] as const
const REASONS: Readonly<Record<string, readonly [code: string, words: string]>> = {
  returned_packaging: ['82', 'Base imponible modificada por devolución de envases / embalajes'],
  discount: ['83', 'Base imponible modificada por descuentos y bonificaciones'],
  period_discount: ['83', 'Base imponible modificada por descuentos y bonificaciones'],
  wrong_vat: ['11', 'Porcentaje impositivo a aplicar'],
  wrong_amount: ['10', 'Detalle Operación'],
  wrong_text: ['10', 'Detalle Operación'],
  wrong_client: ['05', 'Nombre y apellidos/Razón Social-Receptor'],
  insolvency: [
    '85',
    'Base imponible modificada cuotas repercutidas no satisfechas. Auto de declaración de concurso',
  ],
  uncollectible: ['80', 'Cálculo de cuotas repercutidas'],
}

function methodOf({ method, cause }: NonNullable<EInvoice['rectification']>): [code: string, words: string] {
  if (method === 'S') return ['01', 'Rectificación íntegra']
  if (cause === 'period_discount')
    return ['03', 'Rectificación por descuento por volumen de operaciones durante un periodo']
  return ['02', 'Rectificación por diferencias']
}

const monthOf = (date: BusinessDate) => monthPeriod(Number(date.slice(0, 4)), Number(date.slice(5, 7)))

/** Returns the group of a rectifying invoice; undefined for other invoices. */
export function corrective(invoice: EInvoice): XmlNode | undefined {
  const { rectification, references, issueDate, operationDate } = invoice
  if (rectification === null) return undefined
  const [first, ...others] = references
  const parts = first ? numberParts(first.number, null) : null
  const [code, words] = REASONS[rectification.cause ?? ''] ?? BASE_CHANGED
  const [method, methodWords] = methodOf(rectification)
  const days = references.map((each) => each.issueDate).toSorted()
  const start = monthOf(days[0] ?? operationDate ?? issueDate)
  const end = monthOf(days.at(-1) ?? operationDate ?? issueDate)
  // The format has a field for one invoice; where there are more, or the number is too long, the reason text names
  // them.
  const named = others.length > 0 || parts === null ? references.map(({ number }) => number).join(', ') : ''
  const explained = [rectification.reason ?? '', named].filter((text) => text !== '').join(': ')
  return [
    'Corrective',
    [
      opt('InvoiceNumber', parts?.number),
      opt('InvoiceSeriesCode', parts?.series),
      ['ReasonCode', code],
      ['ReasonDescription', words],
      [
        'TaxPeriod',
        [
          ['StartDate', start.from],
          ['EndDate', end.to],
        ],
      ],
      ['CorrectionMethod', method],
      ['CorrectionMethodDescription', methodWords],
      opt('AdditionalReasonDescription', cut(explained, 2500)),
      opt('InvoiceIssueDate', first?.issueDate),
    ],
  ]
}
