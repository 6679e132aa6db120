/**
 * Names as the files of returns take them: capitals, digits and single blanks. Source: the notes of the agency's designs
 * of records (only letters, digits and blanks; Ñ and Ç stay), and its refusal of two blanks together (E0100803).
 */

/** Everything but the two letters whose signs are no accents. */
const OTHER_LETTERS = /[^ÑÇ]+/g

/** Returns a text as a field of `width` characters takes it, cut where it is longer. */
export function agencyText(text: string, width: number): string {
  return text
    .normalize('NFC')
    .toUpperCase()
    .replace(OTHER_LETTERS, (letters) => letters.normalize('NFD').replace(/\p{M}/gu, ''))
    .replace(/[.'’·]/g, '')
    .replace(/[^A-Z0-9ÑÇ]+/g, ' ')
    .trim()
    .slice(0, width)
    .trimEnd()
}

/** Returns the nine digits of a Spanish telephone number, or null. */
export function agencyPhone(text: string | null): number | null {
  const digits = (text ?? '').replace(/\D/g, '').replace(/^(?:0034|34)(?=\d{9}$)/, '')
  return /^[6-9]\d{8}$/.test(digits) ? Number(digits) : null
}
