/**
 * Parses Holded's amounts. Its texts follow the account's locale and differ by field: "121.00" in one account,
 * "3.380,67" in another, whose exchange rates still use a point. No value passes through a float.
 */
import { RowFault } from '../reading/untrusted-values.ts'

/** Decimal separator of an account's money texts. */
export type DecimalSign = 'comma' | 'dot'

/** Digits with separators and an optional sign, nothing else. */
const NUMBER = /^([+-]?)(\d[\d.,]*|[.,]\d+)$/
/** Exponential form, as programs print very small and very large numbers. */
const EXPONENT = /^[+-]?\d+(?:\.\d+)?[eE][+-]?\d{1,3}$/
/** "1.234" can be one thousand two hundred or one and a fraction. A group of thousands never begins with a zero. */
const AMBIGUOUS = /^[1-9]\d{0,2}[.,]\d{3}$/

/**
 * Returns the text of a number without blanks, currency and typographic signs; null where there is no value ("", "?",
 * null).
 */
function bareText(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null
  if (typeof value !== 'string') return null
  const text = value.replace(/[\s\u00a0\u202f€]/g, '').replace(/^\u2212/, '-')
  return /\d/.test(text) ? text : null
}

/** Returns true if `separator` is between whole groups of three. */
function isGrouped(whole: string, separator: string): boolean {
  return (separator === '.' ? /^\d{1,3}(?:\.\d{3})+$/ : /^\d{1,3}(?:,\d{3})+$/).test(whole)
}

/**
 * Returns the decimal separator that a money text shows: a comma before decimals, or a point among thousands, means
 * comma; the reverse means dot. `sure` is false where only the usual reading suggests it ("1,234"). Null for a text
 * that fits both.
 */
function signIn(value: unknown): { sign: DecimalSign; sure: boolean } | null {
  const text = typeof value === 'string' ? bareText(value)?.replace(/^[+-]/, '') : null
  if (!text || !NUMBER.test(text)) return null
  const dots = text.split('.').length - 1
  const commas = text.split(',').length - 1
  if (dots > 0 && commas > 0)
    return { sign: text.lastIndexOf(',') > text.lastIndexOf('.') ? 'comma' : 'dot', sure: true }
  if (commas > 1) return { sign: 'dot', sure: true }
  if (dots > 1) return { sign: 'comma', sure: true }
  return commas === 1 ? { sign: 'comma', sure: !AMBIGUOUS.test(text) } : null
}

/**
 * Returns the separator of an account from all money texts of a page: the first certain one decides, then the first
 * probable one, then earlier pages. Null while nothing is known, which means a point.
 */
export function signOf(texts: Iterable<unknown>, earlier: DecimalSign | null): DecimalSign | null {
  let likely: DecimalSign | null = null
  for (const text of texts) {
    const found = signIn(text)
    if (found?.sure) return found.sign
    likely ??= found?.sign ?? null
  }
  return likely ?? earlier
}

/**
 * Returns decimal text with a point; null where there is no value, never 0. Throws `RowFault` for a value that is not
 * a number. `sign` decides ambiguous texts with a point; with `strictly` also those with a comma.
 */
export function decimalOf(value: unknown, sign: DecimalSign, field: string, strictly = false): string | null {
  const text = bareText(value)
  if (text === null) return null
  if (typeof value === 'number' || EXPONENT.test(text)) return text
  const match = NUMBER.exec(text)
  if (!match) throw new RowFault('unreadable_amount', field)
  const [, minus = '', digits = ''] = match
  const read = unsigned(digits, sign, strictly)
  if (read === null) throw new RowFault('unreadable_amount', field)
  return (minus === '-' ? '-' : '') + read
}

function unsigned(digits: string, sign: DecimalSign, strictly: boolean): string | null {
  const dot = digits.lastIndexOf('.')
  const comma = digits.lastIndexOf(',')
  if (dot < 0 && comma < 0) return digits
  if (dot >= 0 && comma >= 0) {
    const [decimal, thousands] = dot > comma ? ['.', ','] : [',', '.']
    const at = Math.max(dot, comma)
    const whole = digits.slice(0, at)
    if (whole.includes(decimal ?? '') || !isGrouped(whole, thousands ?? '')) return null
    return `${whole.replaceAll(thousands ?? '', '')}.${digits.slice(at + 1)}`
  }
  const separator = dot >= 0 ? '.' : ','
  if (digits.indexOf(separator) !== digits.lastIndexOf(separator))
    return isGrouped(digits, separator) ? digits.replaceAll(separator, '') : null
  const asThousands =
    AMBIGUOUS.test(digits) && (separator === '.' ? sign === 'comma' : strictly && sign === 'dot')
  return digits.replace(separator, asThousands ? '' : '.')
}

/** Parses quantities, percentages and exchange rates: a point is always decimal, unless there is a comma. */
export function plainDecimalOf(value: unknown, field: string): string | null {
  return decimalOf(value, 'dot', field)
}
