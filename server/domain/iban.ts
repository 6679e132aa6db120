/** Validates bank account numbers. Source: ISO 13616 (format), ISO/IEC 7064 MOD 97-10 (check digits). */

const SPANISH_LENGTH = 24

/** Returns an IBAN in capitals without blanks, or null when its format or check digits are wrong. */
export function readIban(text: string): string | null {
  const iban = text.toUpperCase().replace(/[\s-]/g, '')
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return null
  if (iban.startsWith('ES') && iban.length !== SPANISH_LENGTH) return null
  let remainder = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1 ? iban : null
}
