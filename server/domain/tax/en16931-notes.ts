/**
 * Notes for content of a Spanish invoice that has no field in EN 16931, with the amounts in words: income tax
 * withheld, equivalence surcharge, disbursements, amounts requested before. Writers and readers share them, so that a
 * file reads back unchanged.
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

/** Formats a rate as `5,2 %`, or `5.2 %` in English. */
export function ratePercent(language: NoteLanguage, rateBp: BasisPoints): string {
  const text = basisPointsToText(rateBp)
  return `${language === 'es' ? text.replace('.', ',') : text} %`
}

interface WithheldNote {
  rateBp: BasisPoints
  baseCents: Cents
  amountCents: Cents
}

/**
 * Returns the note on income tax withheld by the buyer: EN 16931 holds it as an amount paid (BT-113), and this note
 * names it.
 */
export function withholdingNote(language: NoteLanguage, withheld: WithheldNote, currency: string): string {
  const words = NOTE_MESSAGES[language]
  const { rateBp, baseCents, amountCents } = withheld
  return `${words.withholding} ${ratePercent(language, rateBp)} (${centsToText(baseCents)} ${currency}): ${centsToText(amountCents)} ${currency}, ${words.withholdingNote}`
}

/** Returns the note on the amount requested by replaced invoices, which is an amount paid as well. */
export function replacedNote(language: NoteLanguage, cents: Cents, currency: string): string {
  const words = NOTE_MESSAGES[language]
  return `${words.replaced}: ${centsToText(cents)} ${currency}, ${words.withholdingNote}`
}

interface SurchargeReason {
  rateBp: BasisPoints
  vatRateBp: BasisPoints
  /** VAT on the same base. */
  taxCents: Cents
}
/** The surcharge as read from a file: other programs name only the surcharge and its rate. */
type ReadSurcharge = Pick<SurchargeReason, 'rateBp'> & Partial<SurchargeReason>

/** Returns the reason of a charge that is an equivalence surcharge, with the VAT that it accompanies. */
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

/** Returns the withholding in the last such note of a text: the writer appends it to the text of the user. */
export function readWithholdingNote(notes: string): WithheldNote | null {
  const match = [...notes.matchAll(WITHHOLDING)].at(-1)
  if (!match) return null
  const [, rate, base, amount] = match
  return { rateBp: hundredths(rate), baseCents: hundredths(base), amountCents: hundredths(amount) }
}

/** Returns the amount of replaced invoices in a document's notes; null if there is none. */
export function readReplacedNote(notes: string): Cents | null {
  const match = [...notes.matchAll(REPLACED)].at(-1)
  return match ? hundredths(match[1]) : null
}

/** Parses the reason of a charge; null if it is not an equivalence surcharge. */
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
/** Returns true for the note of a line that is a disbursement, paid in the customer's name. */
export const isDisbursementNote = isOf('disbursement')
export const isDisbursementRounding = isOf('disbursementRounding')
/** Returns true for a reason that surcharges or disbursements add to the exempt part of the breakdown. */
export const isOwnReason = isOf('disbursement', 'surchargeReason')
