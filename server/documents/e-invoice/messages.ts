/**
 * Texts that the formats need and the printed invoice does not have, in Spanish and English; the other languages of
 * Spain use the Spanish ones.
 */
import { NOTE_MESSAGES, ratePercent } from '../../domain/tax/en16931-notes.ts'
import type { NoteLanguage } from '../../domain/tax/en16931-notes.ts'
import type { BasisPoints } from '../../domain/money.ts'
import type { DraftContent } from '../../sales/invoices/index.ts'

const WORDS = {
  es: {
    discount: 'Descuento',
    rounding: 'Redondeo',
    disbursement: NOTE_MESSAGES.es.disbursement,
    surchargeReason: NOTE_MESSAGES.es.surchargeReason,
    instalments: 'Vencimientos',
    terms: 'Según lo acordado; en su defecto, en el plazo de la Ley 3/2004',
    rate: 'Cambio',
    perEuro: 'por 1 EUR',
    references: { order: 'Pedido', contract: 'Contrato', file: 'Expediente' },
    dir3: 'DIR3: oficina contable, órgano gestor, unidad tramitadora',
    methods: {
      transfer: 'Transferencia',
      direct_debit: 'Domiciliación bancaria',
      card: 'Tarjeta',
      cash: 'Efectivo',
      bizum: 'Bizum',
      cheque: 'Cheque',
      other: 'Otro medio',
    },
  },
  en: {
    discount: 'Discount',
    rounding: 'Rounding',
    disbursement: NOTE_MESSAGES.en.disbursement,
    surchargeReason: NOTE_MESSAGES.en.surchargeReason,
    instalments: 'Instalments',
    terms: 'As agreed; otherwise within the term of Ley 3/2004',
    rate: 'Exchange rate',
    perEuro: 'for 1 EUR',
    references: { order: 'Order', contract: 'Contract', file: 'File' },
    dir3: 'DIR3: accounting office, managing body, processing unit',
    methods: {
      transfer: 'Credit transfer',
      direct_debit: 'Direct debit',
      card: 'Card',
      cash: 'Cash',
      bizum: 'Bizum',
      cheque: 'Cheque',
      other: 'Another means',
    },
  },
} as const

const SPANISH: readonly string[] = ['es', 'ca', 'eu', 'gl']

export function eInvoiceMessages(language: DraftContent['language']): (typeof WORDS)['es' | 'en'] {
  return WORDS[noteLanguage(language)]
}

/** Returns the language of the formats' own texts: Spanish, or English for a foreign reader. */
export function noteLanguage(language: DraftContent['language']): NoteLanguage {
  return SPANISH.includes(language) ? 'es' : 'en'
}

/** Formats a percentage: `5,2 %`, or `5.2 %` in English. */
export function percentText(language: DraftContent['language'], rateBp: BasisPoints): string {
  return ratePercent(noteLanguage(language), rateBp)
}

/** Returns the name of a means of payment. */
export function methodName(language: DraftContent['language'], method: string): string {
  const { methods } = eInvoiceMessages(language)
  return Object.hasOwn(methods, method) ? methods[method as keyof typeof methods] : methods.other
}
