/** Exact money compared with arithmetic on whole numbers without binary fractions. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  basisPointsFromPercent,
  basisPointsToText,
  centsFromEuros,
  centsToText,
  divideRounded,
  eurosFromCents,
  MAX_CENTS,
  MAX_MICRO,
  microFromNumber,
  microToText,
  numberFromMicro,
  percentFromBasisPoints,
  percentOf,
  scaleNumber,
  scaleText,
} from '../../../server/domain/money.ts'

const RUNS = { numRuns: 5_000 }

/** Returns a number's shortest text as numerator and power of ten. */
function decimalOf(value: number): { units: bigint; places: number } {
  const [mantissa = '', exponent = '0'] = value.toString().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { units: BigInt(whole + fraction), places: fraction.length - Number(exponent) }
}

function scaledOracle(value: number, decimals: number): number | null {
  if (!Number.isFinite(value)) return null
  const { units, places } = decimalOf(value)
  const shift = decimals - places
  const divisor = shift < 0 ? 10n ** BigInt(-shift) : 1n
  if (units % divisor !== 0n) return null
  const scaled = shift < 0 ? units / divisor : units * 10n ** BigInt(shift)
  const size = scaled < 0n ? -scaled : scaled
  return size > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(scaled)
}

/** Returns the nearest whole number to a quotient, ties away from zero, by comparing distances. */
function nearestOracle(numerator: bigint, denominator: bigint): bigint {
  const floor =
    numerator / denominator -
    (numerator % denominator !== 0n && numerator < 0n !== denominator < 0n ? 1n : 0n)
  const sign = denominator < 0n ? -1n : 1n
  const above = (numerator - floor * denominator) * sign * 2n
  const whole = denominator * sign
  if (above < whole) return floor
  if (above > whole) return floor + 1n
  return floor >= 0n ? floor + 1n : floor
}

describe('numbers of requests as whole numbers', () => {
  test('any double and any number of decimals are converted exactly or rejected', () => {
    const value = fc.oneof(
      fc.double(),
      fc.double({ min: -1e9, max: 1e9 }),
      fc.integer(),
      fc.integer({ min: -1e9, max: 1e9 }).map((n) => n / 1000),
    )
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 8 }), (number, decimals) => {
        const oracle = scaledOracle(number, decimals)
        // A number of more than 15 digits has no exact decimal of its own: it may be rejected, never changed.
        expect([oracle, null]).toContain(scaleNumber(number, decimals))
        if (oracle !== null && Math.abs(oracle) <= MAX_MICRO)
          expect(scaleNumber(number, decimals)).toBe(oracle)
      }),
      RUNS,
    )
  })

  test.each([
    [1.005, 2, null],
    [1.005, 3, 1005],
    [0.1 + 0.2, 2, null],
    [1e21, 2, null],
    [1e-7, 6, null],
    [1e-6, 6, 1],
    [-0, 2, 0],
    [-0.01, 2, -1],
    [4.35, 2, 435],
    [1e3, 2, 100_000],
    [9_007_199_254_740_991, 0, Number.MAX_SAFE_INTEGER],
    [9_007_199_254_740_992, 0, null],
    [Number.NaN, 2, null],
    [Number.POSITIVE_INFINITY, 2, null],
  ])('%s with %s decimals', (value, decimals, expected) => {
    const scaled = scaleNumber(value, decimals)
    expect(scaled).toBe(expected)
    expect(Object.is(scaled, -0)).toBe(false)
  })

  test('cents, millionths and basis points can be read back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -MAX_CENTS, max: MAX_CENTS }),
        fc.integer({ min: -MAX_MICRO, max: MAX_MICRO }),
        fc.integer({ min: 0, max: 10_000 }),
        (cents, micro, rateBp) => {
          expect(centsFromEuros(eurosFromCents(cents))).toBe(cents)
          expect(microFromNumber(numberFromMicro(micro))).toBe(micro)
          expect(basisPointsFromPercent(percentFromBasisPoints(rateBp))).toBe(rateBp)
        },
      ),
      RUNS,
    )
  })
})

describe('rounding', () => {
  test('rounds a quotient to the nearest whole number, halves away from zero', () => {
    const whole = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
    fc.assert(
      fc.property(
        whole,
        whole.filter((n) => n !== 0n),
        (top, bottom) => {
          expect(divideRounded(top, bottom)).toBe(nearestOracle(top, bottom))
        },
      ),
      RUNS,
    )
    // Halves are rare among random numbers, so that they have a test of their own.
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        (times, half) => {
          expect(divideRounded((2n * times + 1n) * half, 2n * half)).toBe(times >= 0n ? times + 1n : times)
        },
      ),
      RUNS,
    )
  })

  test('is exact for percentages of cents, small and beyond the exact range of doubles', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -MAX_CENTS, max: MAX_CENTS }), fc.integer({ min: -20_000, max: 20_000 })),
        fc.integer({ min: 0, max: 10_000 }),
        (cents, rateBp) => {
          const result = percentOf(cents, rateBp)
          expect(BigInt(result)).toBe(nearestOracle(BigInt(cents) * BigInt(rateBp), 10_000n))
          expect(Object.is(result, -0)).toBe(false)
        },
      ),
      RUNS,
    )
    expect(percentOf(50, 2100)).toBe(11)
    expect(percentOf(-50, 2100)).toBe(-11)
    expect(percentOf(MAX_CENTS, 2100)).toBe(21_000_000_000_000)
  })
})

describe('decimal text', () => {
  test('amounts have two decimals and can be read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -MAX_CENTS, max: MAX_CENTS }), (cents) => {
        const text = centsToText(cents)
        expect(text).toMatch(/^-?\d+\.\d\d$/)
        expect(scaleText(text, 2)).toBe(cents)
      }),
      RUNS,
    )
    expect([0, 5, -5, 100, -123_450].map(centsToText)).toEqual(['0.00', '0.05', '-0.05', '1.00', '-1234.50'])
  })

  test('rates and quantities have no trailing zeros and can be read back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: -MAX_MICRO, max: MAX_MICRO }),
        (rateBp, micro) => {
          expect(scaleText(basisPointsToText(rateBp), 2)).toBe(rateBp)
          expect(scaleText(microToText(micro), 6)).toBe(micro)
          expect(microToText(micro)).toMatch(/^-?\d+(\.\d*[1-9])?$/)
        },
      ),
      RUNS,
    )
    expect([2100, 520, 26, 50, 0].map(basisPointsToText)).toEqual(['21', '5.2', '0.26', '0.5', '0'])
  })

  test.each([
    '',
    '-',
    '.5',
    '5.',
    '1,5',
    '1e3',
    ' 1',
    '1 ',
    '+1',
    '0x1',
    '1.005',
    '1234567890123456',
    '99999999999999.99',
    '١',
  ])('rejects %j', (text) => {
    expect(scaleText(text, 2)).toBeNull()
  })

  test.each([
    ['0', 0],
    ['-0.00', 0],
    ['007', 700],
    ['1.5', 150],
    ['1.500000', 150],
    ['-12.34', -1234],
  ])('reads %j', (text, cents) => {
    const scaled = scaleText(text, 2)
    expect(scaled).toBe(cents)
    expect(Object.is(scaled, -0)).toBe(false)
  })
})
