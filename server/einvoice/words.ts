/** Words that the formats need and the paper has not, in Spanish and English; the other languages of Spain get the Spanish ones. */
import { basisPointsToText } from '../core/money.ts'
import type { BasisPoints } from '../core/money.ts'
import type { DraftContent } from '../invoices/index.ts'

const WORDS = {
  es: {
    discount: 'Descuento',
    rounding: 'Redondeo',
    disbursement: 'Suplido: gasto pagado en nombre y por cuenta del cliente (art. 78.Tres.3º Ley 37/1992)',
    surcharge: 'Recargo de equivalencia',
    surchargeReason: 'Recargo de equivalencia (arts. 154 a 163 Ley 37/1992): su cuota va como cargo',
    withholding: 'Retención del IRPF',
    withholdingNote: 'figura como importe ya pagado',
    replaced: 'Importe pedido ya en las facturas que esta sustituye',
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
    disbursement:
      'Disbursement paid in the name and on behalf of the customer (art. 79.c Directive 2006/112/EC)',
    surcharge: 'Equivalence surcharge',
    surchargeReason: 'Equivalence surcharge (arts. 154 to 163 Ley 37/1992): its amount is a charge',
    withholding: 'Spanish income tax withheld',
    withholdingNote: 'shown as paid',
    replaced: 'Asked for already by the invoices it replaces',
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

export function wordsOf(language: DraftContent['language']): (typeof WORDS)['es' | 'en'] {
  return SPANISH.includes(language) ? WORDS.es : WORDS.en
}

/** `5,2 %`, or `5.2 %` in English. */
export function percentText(language: DraftContent['language'], rateBp: BasisPoints): string {
  const text = basisPointsToText(rateBp)
  return `${wordsOf(language) === WORDS.es ? text.replace('.', ',') : text} %`
}

/** The name of a means of payment. */
export function methodName(language: DraftContent['language'], method: string): string {
  const { methods } = wordsOf(language)
  return Object.hasOwn(methods, method) ? methods[method as keyof typeof methods] : methods.other
}
