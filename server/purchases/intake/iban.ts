/** Account numbers of suppliers. Source: ISO 13616, with the lengths of its registry. Pure. */

/** Characters of an account number by country. */
export const IBAN_LENGTHS: Record<string, number> = {
  ES: 24, PT: 25, FR: 27, DE: 22, IT: 27, IE: 22, NL: 18, BE: 16, LU: 20, AT: 20, GB: 22, LT: 20, MT: 31, PL: 28, CH: 21,
  SE: 24, DK: 18, FI: 18, AD: 24, CZ: 24, EE: 20, GR: 27, HR: 21, HU: 28, LV: 21, RO: 24, SI: 19, SK: 24, BG: 22, CY: 28,
} // prettier-ignore

/** True when the two control digits of an account number are right (ISO 13616, modulo 97). */
export function isIban(iban: string): boolean {
  if (IBAN_LENGTHS[iban.slice(0, 2)] !== iban.length) return false
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  )
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

/** Returns the account number of a structured document; null for another text. */
export function ibanOf(text: string | null): string | null {
  const iban = (text ?? '').toUpperCase().replace(/[\s-]/g, '')
  return isIban(iban) ? iban : null
}
