/**
 * What a Spanish invoice says and EN 16931 has no field for, as words with their amounts: income tax withheld, equivalence
 * surcharge, disbursements, amounts asked for before. Writers and readers share them, so that a file reads back as it was.
 */
import type { BasisPoints, Cents } from '../money.ts'
import { basisPointsToText, centsToText } from '../money.ts'

export const NOTE_MESSAGES = {
  es: {
    disbursement: 'Suplido: gasto pagado en nombre y por cuenta del cliente (art. 78.Tres.3º Ley 37/1992)',
    disbursementRounding: 'Redondeo de los suplidos',
    surcharge: 'Recargo de equivalencia',
    surchargeReason: 'Recargo de equivalencia (arts. 154 a 163 Ley 37/1992): su cuota va como cargo',
    vat: 'IVA',
    withholding: 'Retención del IRPF',
    withholdingNote: 'figura como importe ya pagado',
    replaced: 'Importe pedido ya en las facturas que esta sustituye',
  },
  en: {
    disbursement:
      'Disbursement paid in the name and on behalf of the customer (art. 79.c Directive 2006/112/EC)',
    disbursementRounding: 'Rounding of disbursements',
    surcharge: 'Equivalence surcharge',
    surchargeReason: 'Equivalence surcharge (arts. 154 to 163 Ley 37/1992): its amount is a charge',
    vat: 'VAT',
    withholding: 'Spanish income tax withheld',
    withholdingNote: 'shown as paid',
    replaced: 'Asked for already by the invoices it replaces',
  },
} as const

export type NoteLanguage = keyof typeof NOTE_MESSAGES

/** `5,2 %`, or `5.2 %` in English. */
export function ratePercent(language: NoteLanguage, rateBp: BasisPoints): string {
  const text = basisPointsToText(rateBp)
  return `${language === 'es' ? text.replace('.', ',') : text} %`
}

export interface WithheldNote {
  rateBp: BasisPoints
  baseCents: Cents
  amountCents: Cents
}

/** Income tax that the buyer keeps back: EN 16931 holds it as an amount paid (BT-113), and this note says which. */
export function withholdingNote(language: NoteLanguage, withheld: WithheldNote, currency: string): string {
  const words = NOTE_MESSAGES[language]
  const { rateBp, baseCents, amountCents } = withheld
  return `${words.withholding} ${ratePercent(language, rateBp)} (${centsToText(baseCents)} ${currency}): ${centsToText(amountCents)} ${currency}, ${words.withholdingNote}`
}

/** What replaced invoices asked for, which is an amount paid as well. */
export function replacedNote(language: NoteLanguage, cents: Cents, currency: string): string {
  const words = NOTE_MESSAGES[language]
  return `${words.replaced}: ${centsToText(cents)} ${currency}, ${words.withholdingNote}`
}

export interface SurchargeReason {
  rateBp: BasisPoints
  vatRateBp: BasisPoints
  /** VAT of the same base. */
  taxCents: Cents
}
/** As a file says it: others name the surcharge and its rate alone. */
export type ReadSurcharge = Pick<SurchargeReason, 'rateBp'> & Partial<SurchargeReason>

/** Reason of the charge that is an equivalence surcharge, with the VAT beside which it stands. */
export function surchargeReason(
  language: NoteLanguage,
  { rateBp, vatRateBp, taxCents }: SurchargeReason,
  currency: string,
): string {
  const words = NOTE_MESSAGES[language]
  return `${words.surcharge} ${ratePercent(language, rateBp)} (${words.vat} ${ratePercent(language, vatRateBp)}: ${centsToText(taxCents)} ${currency})`
}

const either = (key: keyof (typeof NOTE_MESSAGES)['es']): string =>
  `(?:${NOTE_MESSAGES.es[key]}|${NOTE_MESSAGES.en[key]})`
const RATE = String.raw`(\d{1,3}(?:[.,]\d{1,2})?) %`
const AMOUNT = String.raw`(-?\d{1,12}\.\d{2}) [A-Z]{3}`

const WITHHOLDING = new RegExp(
  `^${either('withholding')} ${RATE} \\(${AMOUNT}\\): ${AMOUNT}, ${either('withholdingNote')}$`,
  'gm',
)
const REPLACED = new RegExp(`^${either('replaced')}: ${AMOUNT}, ${either('withholdingNote')}$`, 'gm')
const SURCHARGE = new RegExp(
  `^${either('surcharge')} ${RATE}(?: \\(${either('vat')} ${RATE}: ${AMOUNT}\\))?$`,
)

const hundredths = (text = '0'): number => Math.round(Number(text.replace(',', '.')) * 100)

/** The last note of a text that says what was withheld: the writer puts it behind whatever a person typed. */
export function readWithholdingNote(notes: string): WithheldNote | null {
  const match = [...notes.matchAll(WITHHOLDING)].at(-1)
  if (!match) return null
  const [, rate, base, amount] = match
  return { rateBp: hundredths(rate), baseCents: hundredths(base), amountCents: hundredths(amount) }
}

/** What replaced invoices asked for, of a document's notes; null when none says it. */
export function readReplacedNote(notes: string): Cents | null {
  const match = [...notes.matchAll(REPLACED)].at(-1)
  return match ? hundredths(match[1]) : null
}

/** What the reason of a charge says when it is an equivalence surcharge. */
export function readSurchargeReason(reason: string): ReadSurcharge | null {
  const match = SURCHARGE.exec(reason.trim())
  if (!match) return null
  const [, rate, vatRate, tax] = match
  if (vatRate === undefined) return { rateBp: hundredths(rate) }
  return { rateBp: hundredths(rate), vatRateBp: hundredths(vatRate), taxCents: hundredths(tax) }
}

type Mark = 'disbursement' | 'disbursementRounding' | 'surchargeReason'
const isOf = (...keys: Mark[]) => {
  const known: readonly string[] = keys.flatMap((key) => [NOTE_MESSAGES.es[key], NOTE_MESSAGES.en[key]])
  return (text: string | null): boolean => text !== null && known.includes(text)
}
/** The note of a line that is a disbursement, paid in the customer's name. */
export const isDisbursementNote = isOf('disbursement')
export const isDisbursementRounding = isOf('disbursementRounding')
/** A reason that surcharge or disbursements bring into the breakdown of what is exempt. */
export const isOwnReason = isOf('disbursement', 'surchargeReason')
