/**
 * Check digits of VAT numbers by member state, for states that publish one. They find misread digits; only VIES knows
 * whether a number is registered. Sources: the states' registers (SIREN and Luhn in France, ISO 7064 in Germany, Croatia and
 * the Netherlands), as collected in python-stdnum (stdnum.eu.vat) and jsvat.
 */
import { splitVatNumber, VAT_NUMBER_FORMS } from './vat-numbers.ts'

const digitsOf = (text: string): number[] => [...text].map(Number)

/** Sum of digits, each multiplied by the weight at its place. */
function weighted(digits: string, weights: readonly number[]): number {
  const values = digitsOf(digits)
  let sum = 0
  weights.forEach((weight, index) => (sum += weight * (values[index] ?? 0)))
  return sum
}

function luhn(digits: string): boolean {
  let sum = 0
  const values = digitsOf(digits).toReversed()
  values.forEach((digit, index) => {
    const value = index % 2 === 1 ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
  })
  return sum % 10 === 0
}

/** ISO 7064, modulo 11,10. */
function iso7064(digits: string): boolean {
  let product = 10
  for (const digit of digitsOf(digits.slice(0, -1))) {
    const sum = (digit + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === Number(digits.at(-1))
}

/** Remainder of a long number, its letters taken as 10 to 35 (ISO 7064, modulo 97,10). */
function modulo97(text: string): number {
  let rest = 0
  for (const char of text) {
    const value = /\d/.test(char) ? char : String(char.charCodeAt(0) - 55)
    for (const digit of value) rest = (rest * 10 + Number(digit)) % 97
  }
  return rest
}

const last = (number: string): number => Number(number.at(-1))

/** Weighted sum modulo 11, with ten as nought, equals the last digit. */
const modulo11 = (number: string, weights: readonly number[]): boolean =>
  (weighted(number, weights) % 11) % 10 === last(number)

/** Eleven less the sum modulo 11 equals the last digit; ten is no number. */
const complement11 = (number: string, weights: readonly number[]): boolean => {
  const rest = 11 - (weighted(number, weights) % 11)
  return (rest === 11 ? 0 : rest) === last(number)
}

const IRISH = 'WABCDEFGHIJKLMNOPQRSTUV'

const CHECKS: Record<string, (number: string) => boolean> = {
  AT: (number) => {
    const digits = number.slice(1)
    const sum = digitsOf(digits.slice(0, 7)).reduce((total, digit, index) => {
      const value = index % 2 === 1 ? digit * 2 : digit
      return total + Math.floor(value / 10) + (value % 10)
    }, 0)
    return (10 - ((sum + 4) % 10)) % 10 === last(digits)
  },
  BE: (number) => 97 - (Number(number.slice(0, 8)) % 97) === Number(number.slice(8)),
  DE: iso7064,
  DK: (number) => weighted(number, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  EE: (number) => (10 - (weighted(number, [3, 7, 1, 3, 7, 1, 3, 7]) % 10)) % 10 === last(number),
  EL: (number) => modulo11(number, [256, 128, 64, 32, 16, 8, 4, 2]),
  FI: (number) => complement11(number, [7, 9, 10, 5, 8, 4, 2]),
  FR: (number) => {
    const siren = number.slice(2)
    // Keys with a letter follow another rule, which is not published for all.
    if (/\D/.test(number)) return luhn(siren)
    return luhn(siren) && (Number(siren) * 100 + 12) % 97 === Number(number.slice(0, 2))
  },
  HR: iso7064,
  HU: (number) => (10 - (weighted(number, [9, 7, 3, 1, 9, 7, 3]) % 10)) % 10 === last(number),
  IE: (number) => {
    if (!/^\d{7}/.test(number)) return true
    const second = number[8] ?? 'W'
    const sum = weighted(number, [8, 7, 6, 5, 4, 3, 2]) + 9 * Math.max(IRISH.indexOf(second), 0)
    return IRISH.charAt(sum % 23) === number[7]
  },
  IT: luhn,
  LU: (number) => Number(number.slice(0, 6)) % 89 === Number(number.slice(6)),
  MT: (number) => {
    const rest = weighted(number, [3, 4, 6, 7, 8, 9]) % 37
    return 37 - rest === Number(number.slice(6))
  },
  NL: (number) => {
    const rest = weighted(number, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
    const isOld = /^\d{9}/.test(number) && rest === Number(number[8])
    return isOld || modulo97(`NL${number}`) === 1
  },
  PL: (number) => weighted(number, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === last(number),
  PT: (number) => {
    const rest = 11 - (weighted(number, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)
    return (rest > 9 ? 0 : rest) === last(number)
  },
  RO: (number) => {
    const padded = number.padStart(10, '0')
    return ((weighted(padded, [7, 5, 3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10 === last(padded)
  },
  SE: (number) => luhn(number.slice(0, 10)),
  SI: (number) => {
    const rest = 11 - (weighted(number, [8, 7, 6, 5, 4, 3, 2]) % 11)
    return rest !== 11 && rest % 10 === last(number)
  },
  SK: (number) => Number(number) % 11 === 0,
}

/**
 * Returns whether the check digits of a VAT number with its prefix are right; null for a state without published check
 * digits, and for a text that has not the form of a VAT number.
 */
export function hasRightCheckDigits(text: string): boolean | null {
  const split = splitVatNumber(text)
  if (!split) return null
  const form = VAT_NUMBER_FORMS.find(({ prefix }) => prefix === split.prefix)
  const check = CHECKS[split.prefix]
  return check && form?.form.test(split.number) ? check(split.number) : null
}
