/** What stands on an invoice made from a quote, in the language of the document. Pure. */
import { basisPointsToText } from '../core/money.ts'
import type { BasisPoints } from '../core/money.ts'
import type { QuoteKind } from './contract.ts'

interface ConversionWords {
  /** "Según presupuesto P2026-0001." */
  origin: (kind: QuoteKind, numbers: readonly string[]) => string
  deposit: (shareBp: BasisPoints, kind: QuoteKind, number: string) => string
  deducted: (numbers: readonly string[]) => string
  discount: (discountBp: BasisPoints) => string
}

function listed(items: readonly string[], and: string): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${and} ${items.at(-1)}`
}

const ES: Record<QuoteKind, [one: string, several: string]> = {
  quote: ['presupuesto', 'presupuestos'],
  proforma: ['proforma', 'proformas'],
  delivery_note: ['albarán', 'albaranes'],
}
const EN: Record<QuoteKind, [one: string, several: string]> = {
  quote: ['quote', 'quotes'],
  proforma: ['pro forma', 'pro formas'],
  delivery_note: ['delivery note', 'delivery notes'],
}

const words: Record<'es' | 'en', ConversionWords> = {
  es: {
    origin: (kind, numbers) => `Según ${ES[kind][numbers.length > 1 ? 1 : 0]} ${listed(numbers, 'y')}.`,
    deposit: (shareBp, kind, number) =>
      `Anticipo del ${basisPointsToText(shareBp).replace('.', ',')} % del ${ES[kind][0]} ${number}`.replace(
        'del proforma',
        'de la proforma',
      ),
    deducted: (numbers) =>
      numbers.length === 0 ? 'Anticipo ya facturado' : `Anticipo ya facturado (${listed(numbers, 'y')})`,
    discount: (discountBp) =>
      discountBp === 0 ? 'Descuento' : `Descuento (${basisPointsToText(discountBp).replace('.', ',')} %)`,
  },
  en: {
    origin: (kind, numbers) => `As per ${EN[kind][numbers.length > 1 ? 1 : 0]} ${listed(numbers, 'and')}.`,
    deposit: (shareBp, kind, number) =>
      `Deposit of ${basisPointsToText(shareBp)}% of ${EN[kind][0]} ${number}`,
    deducted: (numbers) =>
      numbers.length === 0
        ? 'Deposit already invoiced'
        : `Deposit already invoiced (${listed(numbers, 'and')})`,
    discount: (discountBp) =>
      discountBp === 0 ? 'Discount' : `Discount (${basisPointsToText(discountBp)}%)`,
  },
}

export function conversionWords(language: 'es' | 'en'): ConversionWords {
  return words[language]
}
