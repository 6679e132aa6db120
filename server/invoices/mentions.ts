/** The legal words an invoice must carry because of how its operations are taxed (RD 1619/2012 art. 6.1.j and m). */
import type { TaxTreatment, TaxTotal } from '../core/totals.ts'

const MENTIONS: Partial<Record<TaxTreatment, string>> = {
  S2: 'Inversión del sujeto pasivo (art. 84 Ley 37/1992)',
  N1: 'Operación no sujeta (art. 7 Ley 37/1992)',
  N2: 'Operación no sujeta por reglas de localización. Inversión del sujeto pasivo / Reverse charge',
  E1: 'Operación exenta (art. 20 Ley 37/1992)',
  E2: 'Exportación exenta (art. 21 Ley 37/1992)',
  E3: 'Operación exenta (art. 22 Ley 37/1992)',
  E4: 'Operación exenta (arts. 23 y 24 Ley 37/1992)',
  E5: 'Entrega intracomunitaria exenta (art. 25 Ley 37/1992)',
  E6: 'Operación exenta',
}

/** Mentions in the order of the breakdown, each once. */
export function legalMentions(taxes: readonly TaxTotal[]): string[] {
  const mentions = taxes.map((tax) => MENTIONS[tax.taxTreatment]).filter((mention) => mention !== undefined)
  if (taxes.some((tax) => tax.regimeKey === '07')) mentions.push('Régimen especial del criterio de caja')
  return [...new Set(mentions)]
}
