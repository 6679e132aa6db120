/** Formats amounts, quantities, rates and dates for documents, from integers only: no binary float is ever formatted. */
import type { BasisPoints, Cents, Micro } from '../../domain/money.ts'
import { dayText, LOCALES, percentText } from '../../domain/languages.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'

const MINUS = '\u2212'
const NO_BREAK = '\u00a0'
const NARROW_NO_BREAK = '\u202f'

/**
 * Decimal and thousands separators. Source: Unicode CLDR 48, numbers/symbols of each locale of `LOCALES`. Two
 * differences: four digits are grouped in Spanish and Portuguese too, so that columns align; and Portuguese thousands
 * have a point (CLDR: a blank), as usual on invoices there.
 */
const COMMA = { point: ',', thousands: '.' }
const SIGNS: Readonly<Record<DocumentLanguage, { point: string; thousands: string }>> = {
  es: COMMA,
  ca: COMMA,
  eu: COMMA,
  gl: COMMA,
  en: { point: '.', thousands: ',' },
  fr: { point: ',', thousands: NARROW_NO_BREAK },
  de: COMMA,
  pt: COMMA,
}

/** Formats `value` units of 10^-`scale`, with at least `least` decimals and no trailing zeros beyond them. */
function figure(value: number, scale: number, least: number, language: DocumentLanguage): string {
  const { point, thousands } = SIGNS[language]
  const digits = BigInt(Math.abs(value))
    .toString()
    .padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale).replace(/\B(?=(\d{3})+$)/g, thousands)
  let decimals = digits.slice(digits.length - scale)
  while (decimals.length > least && decimals.endsWith('0')) decimals = decimals.slice(0, -1)
  return `${value < 0 ? MINUS : ''}${whole}${decimals === '' ? '' : point + decimals}`
}

const sign = (currency: string): string => (currency === 'EUR' ? '€' : currency)

/** Formats an amount with two decimals and its currency after a no-break space: `1.234,50 €`; English `1,234.50 €`. */
export function money(cents: Cents, language: DocumentLanguage, currency = 'EUR'): string {
  return `${figure(cents, 2, 2, language)}${NO_BREAK}${sign(currency)}`
}

/** Formats a unit price: two to six decimals. */
export function unitPrice(micro: Micro, language: DocumentLanguage, currency = 'EUR'): string {
  return `${figure(micro, 6, 2, language)}${NO_BREAK}${sign(currency)}`
}

/** Formats an exchange rate with all its decimals. */
export function exchangeRate(micro: Micro, language: DocumentLanguage): string {
  return figure(micro, 6, 0, language)
}

/** Formats a quantity: none to six decimals. */
export function quantity(micro: Micro, language: DocumentLanguage): string {
  return figure(micro, 6, 0, language)
}

/** Formats a rate: `21 %`, `5,2 %`; English without the blank, Basque with the sign first. */
export function rate(basisPoints: BasisPoints, language: DocumentLanguage): string {
  return percentText(basisPoints, language).replace(' ', NO_BREAK)
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * Formats a business date: `03/06/2026`, `2026/06/03`, `03.06.2026`; English `3 Jun 2026`, which cannot be read as
 * the 6th of March.
 */
export function date(businessDate: string, language: DocumentLanguage): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(businessDate)
  if (!match) return businessDate
  if (language !== 'en') return dayText(match[0], language)
  const [, year, month, day] = match
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? month} ${year}`
}

/** Formats an account number in groups of four. */
export function iban(account: string): string {
  return account.replace(/\s+/g, '').replace(/(.{4})(?=.)/g, '$1 ')
}

const countryNames = new Map<DocumentLanguage, Intl.DisplayNames>()

/**
 * Returns the name of a country by its ISO 3166-1 alpha-2 code; returns an unassigned code as it is. Throws for a
 * value that is not a code.
 */
export function countryName(code: string, language: DocumentLanguage): string {
  let names = countryNames.get(language)
  if (names === undefined) {
    names = new Intl.DisplayNames(LOCALES[language], { type: 'region', fallback: 'code' })
    countryNames.set(language, names)
  }
  return names.of(code.toUpperCase()) ?? code
}
