/** What a layout draws with: the sheet, the facts, and the forms that this document uses. */
import type { Dice } from './dice.ts'
import type { SampleFacts, SampleWish } from './facts.ts'
import type { Day, DayName, FormName, Money } from './forms.ts'
import type { Family, Sheet } from './sheet.ts'

export interface Scene {
  sheet: Sheet
  facts: SampleFacts
  /** Chooses among labels; the same at each drawing of a document. */
  dice: Dice
  money: Money
  day: Day
}

export interface Layout {
  /** Kinds of documents with all that they need. */
  kinds: Readonly<Record<string, SampleWish>>
  families: readonly Family[]
  forms: readonly FormName[]
  days: readonly DayName[]
  /** Width of a roll in points; A4 without. */
  roll?: number
  /** The documents do not name their customer. */
  isAnonymous?: boolean
  draw: (scene: Scene) => void
}

type Language = 'es' | 'ca' | 'gl' | 'eu' | 'en'

const PAYMENT: Readonly<Record<Language, Readonly<Record<string, readonly string[]>>>> = {
  es: {
    transfer: ['Forma de pago: Transferencia', 'Abonar por transferencia en', 'Pago mediante transferencia a la cuenta', 'F. pago: TRANSF. BANCARIA'],
    direct_debit: ['Forma de pago: recibo domiciliado', 'Recibo domiciliado en su banco', 'Giro domiciliado a su vencimiento', 'F. pago: RECIBO BANCARIO DOMICILIADO'],
    card: ['Pagado con tarjeta', 'Cobrado con tarjeta VISA'],
    cash: ['Pagado en efectivo', 'Pago: efectivo'],
  },
  ca: {
    transfer: ['Forma de pagament: transferència bancària', 'Pagament per transferència al compte'],
    direct_debit: ['Forma de pagament: rebut domiciliat', 'Rebut domiciliat al seu banc'],
    card: ['Pagat amb targeta'],
    cash: ['Pagat en efectiu'],
  },
  gl: {
    transfer: ['Forma de pagamento: transferencia bancaria'],
    direct_debit: ['Forma de pagamento: recibo domiciliado'],
    card: ['Pagado con tarxeta'],
    cash: ['Pagado en efectivo'],
  },
  eu: {
    transfer: ['Ordainketa: banku-transferentzia'],
    direct_debit: ['Ordainketa: banku helbideratua'],
    card: ['Txartelez ordaindua'],
    cash: ['Eskudirutan ordaindua'],
  },
  en: {
    transfer: ['Please pay by bank transfer', 'Payment: bank transfer'],
    direct_debit: ['Payment: SEPA direct debit'],
    card: ['Paid by card', 'Payment method: Visa ending in 4417'],
    cash: ['Paid in cash'],
  },
} // prettier-ignore

/** Returns the lines that say how the document is paid; none if it does not say so. */
export function paymentLines({ facts, dice }: Scene, language: Language = 'es'): string[] {
  const { payment, iban } = facts
  if (payment === null) return []
  const line = dice.of(PAYMENT[language][payment] ?? [''])
  return iban === null ? [line] : [line, `IBAN: ${dice.chance(0.85) ? spacedIban(iban) : iban}`]
}

export const spacedIban = (iban: string): string => iban.replace(/(.{4})/g, '$1 ').trim()
export const basesOf = ({ lines }: SampleFacts): number =>
  lines.reduce((sum, { baseCents }) => sum + baseCents, 0)
export const taxesOf = ({ lines }: SampleFacts): number =>
  lines.reduce((sum, { taxCents }) => sum + taxCents, 0)

/** Returns the date n days after a date. */
export const daysAfter = (iso: string, days: number): string =>
  new Date(Date.parse(iso) + days * 86_400_000).toISOString().slice(0, 10)
