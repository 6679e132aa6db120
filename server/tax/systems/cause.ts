/** Row type of the catalogue of causes: a reason why VAT is not charged as usual, with its article and its texts. */
import type { TaxTreatment } from '../../domain/tax/totals.ts'

export interface Cause {
  /** Stable name for programs; never reused. */
  code: string
  taxTreatment: TaxTreatment
  regimeKey: string
  /** Of Ley 37/1992 unless it names another law. */
  article: string
  /** The case, as a question to the owner. */
  question: { es: string; en: string }
  /** Invoice text when that of the treatment is not enough; `{article}` is filled in. */
  mention?: { es: string; en: string }
  /** The law requires no mention, and none is printed. */
  silent?: true
}

/** Returns a row of the tables. */
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
