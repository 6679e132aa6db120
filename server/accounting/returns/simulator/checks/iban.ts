/** Check digits of an account number. Source: ISO 13616 (IBAN), ISO 7064 (modulus 97). */

/** Returns true for an IBAN with right check digits; a Spanish one has 24 characters. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/.test(text)) return false
  if (text.startsWith('ES') && !/^ES\d{22}$/.test(text)) return false
  let rest = 0
  for (const sign of text.slice(4) + text.slice(0, 4))
    rest = Number(String(rest) + String(Number.parseInt(sign, 36))) % 97
  return rest === 1
}
