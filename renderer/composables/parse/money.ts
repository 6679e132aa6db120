/**
 * Exact parser of amounts, prices and quantities as users type them: `1.234,56`, `1234,56`, `12.5`, `(12,50)`,
 * `12*3`. An ambiguous text is read in one way, which is reported; a meaningless text is rejected, never guessed.
 */
import { divideRounded, MAX_CENTS, MAX_MICRO } from '../../../server/domain/money.ts'

export type MoneyReading =
  | {
      ok: true
      /** Whole number of the smallest decimal (cents with 2, millionths with 6); null for an empty text. */
      value: number | null
      /** True if the reading may surprise (a point read as thousands separator, a computed sum) and should be shown. */
      isSurprising: boolean
    }
  | { ok: false; reason: 'not_a_number' | 'too_many_decimals' | 'too_large' | 'division_by_zero' }

interface MoneyRules {
  decimals: 2 | 6
  /** Decimal separator where the text is ambiguous. */
  decimalSign: ',' | '.'
}

interface Exact {
  digits: bigint
  places: number
}

const WORKING_PLACES = 12
const BLANKS = /[\s\u00a0\u202f\u2009]/g

class Refusal extends Error {
  readonly reason: 'not_a_number' | 'division_by_zero'
  constructor(reason: 'not_a_number' | 'division_by_zero') {
    super(reason)
    this.reason = reason
  }
}

/** Returns a percentage without its sign, at any distance from the number. */
export const withoutPercent = (text: string): string => text.replace(/\s*%\s*$/, '')

/** Parses `text`. Never throws. */
export function parseMoney(text: string, rules: MoneyRules): MoneyReading {
  let body = text
    .trim()
    .replace(/[\u2212\u2013\u2012\ufe63\uff0d]/g, '-')
    .replace(/×/g, '*')
    .replace(/÷/g, '/')
    .replace(/^(?:€|eur(?:os?)?\b)|(?:€|\beur(?:os?)?)$/gi, '')
    .trim()
  if (body === '') return { ok: true, value: null, isSurprising: false }
  let negative = false
  const bracketed = /^\((.*)\)$/.exec(body)
  if (bracketed) {
    negative = true
    body = (bracketed[1] ?? '').trim()
  }
  try {
    const { exact, isSurprising, worked } = evaluate(body, rules)
    const value = scale(negative ? { ...exact, digits: -exact.digits } : exact, rules.decimals, worked)
    if (value === null) return { ok: false, reason: 'too_many_decimals' }
    const limit = BigInt(rules.decimals === 2 ? MAX_CENTS : MAX_MICRO)
    if (value > limit || value < -limit) return { ok: false, reason: 'too_large' }
    return { ok: true, value: Number(value), isSurprising: isSurprising || worked }
  } catch (thrown) {
    if (thrown instanceof Refusal) return { ok: false, reason: thrown.reason }
    throw thrown
  }
}

function evaluate(body: string, rules: MoneyRules): { exact: Exact; isSurprising: boolean; worked: boolean } {
  const tight = body.replace(/\s*([-+*/])\s*/g, '$1')
  const tokens = tight.match(/[-+*/]|[^-+*/]+/g) ?? []
  let index = 0
  let isSurprising = false
  const number = (): Exact => {
    let sign = 1n
    if (tokens[index] === '-' || tokens[index] === '+') sign = tokens[index++] === '-' ? -1n : 1n
    const token = tokens[index++]
    if (token === undefined || '+-*/'.includes(token)) throw new Refusal('not_a_number')
    const read = plain(token, rules)
    if (read.isSurprising) isSurprising = true
    return { digits: sign * read.exact.digits, places: read.exact.places }
  }
  const product = (): Exact => {
    let left = number()
    while (tokens[index] === '*' || tokens[index] === '/') {
      const operator = tokens[index++]
      const right = number()
      left =
        operator === '*'
          ? { digits: left.digits * right.digits, places: left.places + right.places }
          : quotient(left, right)
    }
    return left
  }
  let total = product()
  while (index < tokens.length) {
    const operator = tokens[index++]
    if (operator !== '+' && operator !== '-') throw new Refusal('not_a_number')
    const right = product()
    const places = Math.max(total.places, right.places)
    const step = at(right, places)
    total = { digits: at(total, places) + (operator === '+' ? step : -step), places }
  }
  // A leading sign is part of the number; an operator after it makes a computed sum.
  return { exact: total, isSurprising, worked: /[^-+*/][-+*/]/.test(tight) }
}

function at(value: Exact, places: number): bigint {
  return value.digits * 10n ** BigInt(places - value.places)
}

function quotient(left: Exact, right: Exact): Exact {
  if (right.digits === 0n) throw new Refusal('division_by_zero')
  const top = left.digits * 10n ** BigInt(WORKING_PLACES + right.places)
  const bottom = right.digits * 10n ** BigInt(left.places)
  return { digits: divideRounded(top, bottom), places: WORKING_PLACES }
}

/** Scales the value. A typed number must fit exactly; a computed one may be rounded, half away from zero. */
function scale(value: Exact, decimals: number, worked: boolean): bigint | null {
  if (value.places <= decimals) return at(value, decimals)
  const surplus = 10n ** BigInt(value.places - decimals)
  if (!worked && value.digits % surplus !== 0n) return null
  return divideRounded(value.digits, surplus)
}

/** Parses one number without operators. */
function plain(token: string, rules: MoneyRules): { exact: Exact; isSurprising: boolean } {
  // Spaces are allowed only between groups of three digits.
  if (
    new RegExp(BLANKS.source).test(token.trim()) &&
    !/^\d{1,3}(?:[\s\u00a0\u202f\u2009]\d{3})+(?:[.,]\d*)?$/.test(token.trim())
  )
    throw new Refusal('not_a_number')
  const text = token.replace(BLANKS, '')
  if (!/^[\d.,]+$/.test(text) || !/\d/.test(text)) throw new Refusal('not_a_number')
  const lastDot = text.lastIndexOf('.')
  const lastComma = text.lastIndexOf(',')
  if (lastDot === -1 && lastComma === -1) return { exact: exactOf(text, ''), isSurprising: false }
  if (lastDot !== -1 && lastComma !== -1) {
    const [decimalSign, thousands] = lastDot > lastComma ? ['.', ','] : [',', '.']
    return { exact: split(text, decimalSign ?? '', thousands ?? ''), isSurprising: false }
  }
  const sign = lastDot === -1 ? ',' : '.'
  const groups = text.split(sign)
  if (groups.length > 2) return { exact: grouped(text, sign), isSurprising: true }
  // One separator before exactly three digits: a thousands separator, unless it is the decimal sign of this language.
  if (sign !== rules.decimalSign && /^[1-9]\d{0,2}$/.test(groups[0] ?? '') && /^\d{3}$/.test(groups[1] ?? ''))
    return { exact: grouped(text, sign), isSurprising: true }
  return { exact: exactOf(groups[0] ?? '', groups[1] ?? ''), isSurprising: false }
}

function split(text: string, decimalSign: string, thousands: string): Exact {
  const parts = text.split(decimalSign)
  if (parts.length !== 2) throw new Refusal('not_a_number')
  const whole = grouped(parts[0] ?? '', thousands)
  return exactOf(String(whole.digits), parts[1] ?? '')
}

function grouped(text: string, thousands: string): Exact {
  const [first = '', ...rest] = text.split(thousands)
  if (!/^\d{1,3}$/.test(first) || rest.some((group) => !/^\d{3}$/.test(group)))
    throw new Refusal('not_a_number')
  return exactOf(first + rest.join(''), '')
}

function exactOf(whole: string, fraction: string): Exact {
  if (!/^\d*$/.test(whole + fraction)) throw new Refusal('not_a_number')
  return { digits: BigInt(whole + fraction || '0'), places: fraction.length }
}
