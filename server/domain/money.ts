/**
 * Exact money: integer cents for amounts, integer millionths for quantities and unit prices, integer basis points
 * (hundredths of a percent) for rates. Sums never use binary floats; only the conversions at the borders do.
 */

/** Whole euro cents; negative for credits. Always a safe integer. */
export type Cents = number
/** Whole millionths of a unit (quantity) or of a euro (unit price). Always a safe integer. */
export type Micro = number
/** Hundredths of a percent: 21 % is 2100. */
export type BasisPoints = number

const AMOUNT_DECIMALS = 2
const FINE_DECIMALS = 6

/** Largest amount of the registry: 12 digits before the point (ImporteSgn12.2Type). Larger sums cannot be registered. */
export const MAX_CENTS: Cents = 99_999_999_999_999
/** Limit of quantities and prices: nine integer digits, so that millionths are safe integers. */
export const MAX_MICRO: Micro = 999_999_999_999_999

/**
 * Converts a finite JSON number to an integer of `decimals` places, or null if it has more decimals or leaves the
 * safe range. Reads the shortest decimal text of the number, so that 1.005 is exactly 1.005 and never 1.00499….
 */
export function scaleNumber(value: number, decimals: number): number | null {
  if (!Number.isFinite(value)) return null
  const text = String(value)
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text)
  if (!match) return null
  const [, sign, whole = '', fraction = '', exponent] = match
  const digits = whole + fraction
  const places = fraction.length - Number(exponent ?? 0)
  let scaled: string
  if (places <= decimals) {
    scaled = digits + '0'.repeat(decimals - places)
  } else {
    const surplus = places - decimals
    if (!/^0*$/.test(digits.slice(-surplus))) return null
    scaled = digits.slice(0, -surplus)
  }
  if (scaled.replace(/^0+/, '').length > 16) return null
  const result = Number(scaled)
  if (!Number.isSafeInteger(result)) return null
  return sign && result !== 0 ? -result : result
}

/** Converts euros as sent by callers (at most 2 decimals) to cents; null if not exact. */
export function centsFromEuros(euros: number): Cents | null {
  return scaleNumber(euros, AMOUNT_DECIMALS)
}

/** Converts a quantity or unit price as sent by callers (at most 6 decimals) to millionths; null if not exact. */
export function microFromNumber(value: number): Micro | null {
  return scaleNumber(value, FINE_DECIMALS)
}

/** Converts a percentage as sent by callers (at most 2 decimals) to basis points; null if not exact. */
export function basisPointsFromPercent(percent: number): BasisPoints | null {
  return scaleNumber(percent, AMOUNT_DECIMALS)
}

/**
 * Converts cents to the JSON number of euros. The nearest double prints as the same two decimals for every amount in
 * range.
 */
export function eurosFromCents(cents: Cents): number {
  return cents / 100
}

/** Converts millionths to the JSON number. */
export function numberFromMicro(micro: Micro): number {
  return micro / 1_000_000
}

/** Converts basis points to the JSON number of percent. */
export function percentFromBasisPoints(basisPoints: BasisPoints): number {
  return basisPoints / 100
}

/** Divides whole numbers and rounds half away from zero, the rule of Spanish invoices and of EN 16931. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n
  const top = numerator < 0n ? -numerator : numerator
  const bottom = denominator < 0n ? -denominator : denominator
  const quotient = (top * 2n + bottom) / (bottom * 2n)
  return negative ? -quotient : quotient
}

/** Returns `cents × rate`, rounded half away from zero to whole cents. */
export function percentOf(cents: Cents, rateBp: BasisPoints): Cents {
  const product = cents * rateBp
  if (Number.isSafeInteger(product)) {
    const rounded = Math.floor((Math.abs(product) + 5_000) / 10_000)
    return product < 0 && rounded !== 0 ? -rounded : rounded
  }
  return Number(divideRounded(BigInt(cents) * BigInt(rateBp), 10_000n))
}

/** Formats cents as decimal text with a point and two decimals (`-1234.50`): the form of the registry, XML and hashes. */
export function centsToText(cents: Cents): string {
  const sign = cents < 0 ? '-' : ''
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Formats basis points as the shortest decimal text (`21`, `5.2`, `0.26`). */
export function basisPointsToText(rateBp: BasisPoints): string {
  return trimmedDecimal(rateBp, AMOUNT_DECIMALS)
}

/** Formats millionths as the shortest decimal text (`1`, `0.5`, `12.345678`). */
export function microToText(micro: Micro): string {
  return trimmedDecimal(micro, FINE_DECIMALS)
}

function trimmedDecimal(value: number, decimals: number): string {
  const sign = value < 0 ? '-' : ''
  const digits = String(Math.abs(value)).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${sign}${digits.slice(0, -decimals)}${fraction && `.${fraction}`}`
}

/**
 * Converts decimal text with a point (`-12.5`) to a scaled integer, for fields that store the exact decimal as text.
 * Null if it is not a plain decimal, has too many decimals or leaves the safe range.
 */
export function scaleText(text: string, decimals: number): number | null {
  const match = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text)
  if (!match) return null
  const [, sign, whole = '', fraction = ''] = match
  if (!/^0*$/.test(fraction.slice(decimals))) return null
  const result = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  if (!Number.isSafeInteger(result)) return null
  return sign && result !== 0 ? -result : result
}
