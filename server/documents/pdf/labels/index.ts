/** Labels of documents by language, and the few that depend on the taxation of a line. */
import type { DocumentLanguage } from '../../../domain/languages.ts'
import { rate } from '../number-format.ts'
import type { InvoicePaper, PaperTax } from '../paper.ts'
import { CA } from './ca.ts'
import { DE } from './de.ts'
import { EN } from './en.ts'
import { ES } from './es.ts'
import { EU } from './eu.ts'
import { FR } from './fr.ts'
import { GL } from './gl.ts'
import type { Labels } from './labels.ts'
import { PT } from './pt.ts'

export type { Labels } from './labels.ts'

const LABELS: Record<DocumentLanguage, Labels> = {
  es: ES,
  ca: CA,
  eu: EU,
  gl: GL,
  en: EN,
  fr: FR,
  de: DE,
  pt: PT,
}

export function labelsFor(language: DocumentLanguage): Labels {
  return LABELS[language]
}

/** The authority's wording, the same in all languages: above and below the QR. */
export const QR_ABOVE = 'QR tributario:'
export const QR_BELOW = 'VERI*FACTU'

const NOT_REAL = 'PRUEBA - SIN VALIDEZ FISCAL'
const BANDS: Record<InvoicePaper['environment'], string | null> = {
  production: null,
  preproduction: `PREPRODUCCIÓN · ${NOT_REAL}`,
  sandbox: `SANDBOX · ${NOT_REAL}`,
  simulated: NOT_REAL,
}

/** Returns the band on every page of documents that the real registry does not hold. */
export function testBand(paper: InvoicePaper): string | null {
  return BANDS[paper.environment]
}

type Taxed = Pick<PaperTax, 'taxTreatment' | 'vatRateBp' | 'surchargeRateBp' | 'isMargin'>

/** Returns the tax's name: VAT has one in each language; the islands' and cities' taxes keep theirs. */
export function taxName(paper: Pick<InvoicePaper, 'language' | 'taxName'>): string {
  return paper.taxName === 'IVA' ? LABELS[paper.language].vat : paper.taxName
}

/** Returns a label that names VAT with the document's own tax in its place. */
export function withTaxName(label: string, paper: Pick<InvoicePaper, 'language' | 'taxName'>): string {
  return label.replace(LABELS[paper.language].vat, taxName(paper))
}

/** Returns the VAT column of a line: the rate, with the surcharge's when there is one, or the reason for none. */
export function vatOfLine(line: Taxed, language: DocumentLanguage): string {
  const labels = LABELS[language]
  if (line.isMargin) return '—'
  if (line.taxTreatment === 'S2') return labels.reverseChargeShort
  const vat = vatName(line, labels) ?? rate(line.vatRateBp ?? 0, language)
  return line.surchargeRateBp === null || line.surchargeRateBp === 0
    ? vat
    : `${vat} + ${rate(line.surchargeRateBp, language)}`
}

/** Returns the label of a tax group in the totals. */
export function vatOfGroup(tax: Taxed, paper: InvoicePaper): string {
  const labels = LABELS[paper.language]
  if (tax.isMargin) return withTaxName(labels.marginScheme, paper)
  return vatName(tax, labels) ?? `${taxName(paper)} ${rate(tax.vatRateBp ?? 0, paper.language)}`
}

/**
 * Returns true for operations taxed in another member state (one-stop shop): not subject here, but at that state's
 * rate.
 */
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
