/** SEPA identifiers: the creditor identifier, and references that banks transmit. Pure. */
import { bankText } from '../../../domain/formats/bank-text.ts'

function mod97(text: string): number {
  let remainder = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}

/**
 * Returns the check digits over the national part and the country; the business code (suffix) is excluded. Source:
 * EPC262-08.
 */
function checkDigits(country: string, national: string): string {
  return String(98 - mod97(`${national}${country}00`)).padStart(2, '0')
}

/** Returns the creditor identifier of a Spanish NIF: ES, check digits, suffix, NIF. */
export function creditorIdOf(nif: string, suffix = '000'): string {
  const national = nif.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return `ES${checkDigits('ES', national)}${suffix}${national}`
}

/** Returns a creditor identifier in capitals without blanks, or null when its shape or check digits are wrong. */
export function readCreditorId(text: string): string | null {
  const id = text.toUpperCase().replace(/[\s-]/g, '')
  const match = /^([A-Z]{2})(\d{2})([A-Z0-9]{3})([A-Z0-9]{1,28})$/.exec(id)
  if (!match) return null
  const [, country = '', digits, , national = ''] = match
  if (country === 'ES' && national.length !== 9) return null
  return checkDigits(country, national) === digits ? id : null
}

/** Normalizes a reference like `bankText`, and removes slashes at either end and doubled ones. */
export function bankReference(text: string, max = 35): string {
  return bankText(text, max)
    .replace(/\/{2,}/g, '/')
    .replace(/^\/|\/$/g, '')
}
