/** Amounts, quantities, rates and dates as the paper prints them, from integers only: no binary float is ever formatted. */
import type { BasisPoints, Cents, Micro } from '../core/money.ts'
import type { PaperLanguage } from './paper.ts'

const MINUS = '\u2212'
const NO_BREAK = '\u00a0'

const POINT: Record<PaperLanguage, string> = { es: ',', en: '.' }
const THOUSANDS: Record<PaperLanguage, string> = { es: '.', en: ',' }

/** `value` units of 10^-`scale`, with at least `least` decimals and no trailing zeros beyond them. */
function figure(value: number, scale: number, least: number, language: PaperLanguage): string {
  const digits = BigInt(Math.abs(value))
    .toString()
    .padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale).replace(/\B(?=(\d{3})+$)/g, THOUSANDS[language])
  let decimals = digits.slice(digits.length - scale)
  while (decimals.length > least && decimals.endsWith('0')) decimals = decimals.slice(0, -1)
  return `${value < 0 ? MINUS : ''}${whole}${decimals === '' ? '' : POINT[language] + decimals}`
}

const sign = (currency: string): string => (currency === 'EUR' ? '€' : currency)

/** An amount with two decimals and its currency after a blank that does not break: `1.234,50 €`; English `1,234.50 €`. */
export function money(cents: Cents, language: PaperLanguage, currency = 'EUR'): string {
  return `${figure(cents, 2, 2, language)}${NO_BREAK}${sign(currency)}`
}

/** A unit price: two to six decimals. */
export function unitPrice(micro: Micro, language: PaperLanguage, currency = 'EUR'): string {
  return `${figure(micro, 6, 2, language)}${NO_BREAK}${sign(currency)}`
}

/** An exchange rate: as many decimals as it has. */
export function exchangeRate(micro: Micro, language: PaperLanguage): string {
  return figure(micro, 6, 0, language)
}

/** A quantity: none to six decimals. */
export function quantity(micro: Micro, language: PaperLanguage): string {
  return figure(micro, 6, 0, language)
}

/** A rate: `21 %`, `5,2 %`; English without the blank. */
export function rate(basisPoints: BasisPoints, language: PaperLanguage): string {
  return `${figure(basisPoints, 2, 0, language)}${language === 'es' ? NO_BREAK : ''}%`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A business date: `03/06/2026`; English `3 Jun 2026`, which nobody can read as the 6th of March. */
export function date(businessDate: string, language: PaperLanguage): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(businessDate)
  if (!match) return businessDate
  const [, year, month, day] = match
  if (language === 'es') return `${day}/${month}/${year}`
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? month} ${year}`
}

/** An instant with the offset it was written in: `03/06/2026 10:20:30 +02:00`. */
export function instant(iso: string, language: PaperLanguage): string {
  const match = /^\d{4}-\d{2}-\d{2}T(\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d{2}:\d{2})$/.exec(iso)
  if (!match) return iso
  return `${date(iso, language)} ${match[1]} ${match[2] === 'Z' ? 'UTC' : match[2]}`
}

/** An account number in groups of four. */
export function iban(account: string): string {
  return account.replace(/\s+/g, '').replace(/(.{4})(?=.)/g, '$1 ')
}
