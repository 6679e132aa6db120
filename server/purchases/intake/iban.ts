/** Account numbers of suppliers. Source: ISO 13616, with the lengths of its registry. Pure. */
import { readIban } from '../../domain/iban.ts'

/** Characters of an account number by country. */
export const IBAN_LENGTHS: Record<string, number> = {
  ES: 24, PT: 25, FR: 27, DE: 22, IT: 27, IE: 22, NL: 18, BE: 16, LU: 20, AT: 20, GB: 22, LT: 20, MT: 31, PL: 28, CH: 21,
  SE: 24, DK: 18, FI: 18, AD: 24, CZ: 24, EE: 20, GR: 27, HR: 21, HU: 28, LV: 21, RO: 24, SI: 19, SK: 24, BG: 22, CY: 28,
} // prettier-ignore

/** Returns true for an account number of its country's length with the right control digits. */
export const isIban = (iban: string): boolean =>
  IBAN_LENGTHS[iban.slice(0, 2)] === iban.length && readIban(iban) !== null

/** Returns the account number of a structured document; null for another text. */
export function ibanOf(text: string | null): string | null {
  const iban = readIban(text ?? '')
  return iban !== null && isIban(iban) ? iban : null
}
