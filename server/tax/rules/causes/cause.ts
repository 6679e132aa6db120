/** What a row of the catalogue is: one reason why VAT is not charged as usual, with its article and its words. */
import type { TaxTreatment } from '../../../domain/tax/totals.ts'

export interface Cause {
  /** Stable name for programs; never reused. */
  code: string
  taxTreatment: TaxTreatment
  regimeKey: string
  /** Of Ley 37/1992 unless it names another law. */
  article: string
  /** The case as an owner would ask for it. */
  question: { es: string; en: string }
  /** Words for the invoice where those of the treatment are not enough; `{article}` is filled in. */
  mention?: { es: string; en: string }
  /** The law asks for no words, and none are printed. */
  silent?: true
}

/** Shorthand for the rows of the tables. */
export function cause(
  code: string,
  taxTreatment: TaxTreatment,
  regimeKey: string,
  article: string,
  es: string,
  en: string,
  mention?: { es: string; en: string },
): Cause {
  return { code, taxTreatment, regimeKey, article, question: { es, en }, ...(mention ? { mention } : {}) }
}
