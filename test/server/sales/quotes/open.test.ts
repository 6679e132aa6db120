/** Any row of conversions, in any order, never takes more than the quote says, and together they come to exactly that. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeTotals } from '../../../../server/domain/tax/totals.ts'
import type { TotalsLine } from '../../../../server/domain/tax/totals.ts'
import {
  amountsOf,
  deductionsFor,
  depositOf,
  discountShareOf,
  isLastOf,
  linesTaken,
  openLines,
  outstandingDeposits,
  takeAll,
  takeOf,
  takeShare,
} from '../../../../server/sales/quotes/open.ts'
import type { Conversion, OpenContent, Taken } from '../../../../server/sales/quotes/open.ts'

const line = fc.record({
  quantityMicro: fc.oneof(
    fc.integer({ min: 1, max: 50 }).map((units) => units * 1_000_000),
    fc.integer({ min: 1, max: 30_000_000 }),
  ),
  unitPriceMicro: fc.integer({ min: 0, max: 3_000_000 }).map((cents) => cents * 1000),
  discountBp: fc.constantFrom(0, 0, 500, 3333),
  vatRateBp: fc.constantFrom(2100, 1000, 400),
  withholdable: fc.boolean(),
})

const content = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  priceMode: fc.constantFrom('net' as const, 'gross' as const),
  discountBp: fc.constantFrom(0, 0, 1000, 1234),
})

const step = fc.oneof(
  fc.record({ kind: fc.constant('share' as const), bp: fc.integer({ min: 1, max: 10_000 }) }),
  fc.record({ kind: fc.constant('deposit' as const), bp: fc.integer({ min: 1, max: 10_000 }) }),
  fc.record({
    kind: fc.constant('lines' as const),
    picks: fc.array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 10_000 })), { minLength: 1, maxLength: 4 }),
  }),
)

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

function quoteOf({
  lines,
  ...rest
}: {
  lines: object[]
  priceMode: 'net' | 'gross'
  discountBp: number
}): OpenContent {
  return {
    ...rest,
    discountCents: 0,
    lines: lines.map((each) => ({
      discountCents: 0,
      taxTreatment: 'S1',
      regimeKey: '01',
      surchargeRateBp: null,
      costCents: null,
      isDisbursement: false,
      ...each,
    })) as TotalsLine[],
  }
}

/** What the invoices of these conversions come to, reckoned from the lines that stand on them. */
function invoicedCents(quote: OpenContent, conversions: readonly Conversion[]): number {
  let sum = 0
  for (const conversion of conversions) {
    const amounts = amountsOf(linesTaken(quote, conversion.lines), {
      ...quote,
      discountCents: conversion.discountCents,
    })
    for (const cents of amounts.values()) sum += cents
    for (const { cents } of conversion.deposits) sum += cents
  }
  return sum
}

function convert(quote: OpenContent, conversions: Conversion[], taken: Taken[]): void {
  const open = openLines(quote, conversions)
  const isLast = isLastOf(open, taken)
  const discountCents = discountShareOf(quote, conversions, taken, isLast)
  const amounts = amountsOf(linesTaken(quote, taken), { ...quote, discountCents })
  conversions.push({ lines: taken, deposits: deductionsFor(amounts, conversions, isLast), discountCents })
}

function play(quote: OpenContent, steps: readonly Step[]): Conversion[] {
  const conversions: Conversion[] = []
  for (const one of steps) {
    const open = openLines(quote, conversions)
    if (one.kind === 'deposit') {
      const deposits = depositOf(quote, conversions, one.bp)
      if (deposits.length > 0) conversions.push({ lines: [], deposits, discountCents: 0 })
      continue
    }
    let taken: Taken[]
    if (one.kind === 'share') taken = takeShare(quote, open, one.bp)
    else {
      const picks = new Map(one.picks.map(([position, bp]) => [position % quote.lines.length, bp]))
      taken = [...picks].flatMap(([position, bp]) => {
        const left = open[position]
        if (!left?.isOpen) return []
        const quantity = Math.floor((left.quantityMicro * bp) / 10_000)
        return quantity === 0 ? [] : [takeOf(quote, left, quantity)]
      })
    }
    if (taken.length > 0) convert(quote, conversions, taken)
  }
  return conversions
}

test('quantities never exceed the quote, and the rest closes it', () => {
  fc.assert(
    fc.property(content, fc.array(step, { maxLength: 12 }), (shape, steps) => {
      const quote = quoteOf(shape)
      const conversions = play(quote, steps)
      for (const [position, open] of openLines(quote, conversions).entries()) {
        const taken = conversions.flatMap(({ lines }) => lines).filter((each) => each.position === position)
        const sum = taken.reduce((all, { quantityMicro }) => all + quantityMicro, 0)
        const whole = quote.lines[position]?.quantityMicro ?? 0
        expect(sum).toBeLessThanOrEqual(whole)
        expect(open.quantityMicro).toBe(whole - sum)
      }
      const rest = takeAll(quote, openLines(quote, conversions))
      if (rest.length > 0) convert(quote, conversions, rest)
      expect(openLines(quote, conversions).every(({ isOpen }) => !isOpen)).toBe(true)
      expect([...outstandingDeposits(conversions)]).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('money never exceeds the quote but for the rounding of each invoice, and comes to it in the end', () => {
  fc.assert(
    fc.property(content, fc.array(step, { maxLength: 12 }), (shape, steps) => {
      const quote = quoteOf(shape)
      const whole = [...amountsOf(quote.lines, quote).values()].reduce((sum, cents) => sum + cents, 0)
      const conversions = play(quote, steps)
      // Every invoice rounds each tax once, with gross prices each line: that much and no more.
      const slack = (count: number) => count * quote.lines.length
      expect(invoicedCents(quote, conversions)).toBeLessThanOrEqual(whole + slack(conversions.length))
      const rest = takeAll(quote, openLines(quote, conversions))
      if (rest.length > 0) convert(quote, conversions, rest)
      expect(Math.abs(invoicedCents(quote, conversions) - whole)).toBeLessThanOrEqual(
        slack(conversions.length),
      )
    }),
    { numRuns: 500 },
  )
})

test('deposits alone, however many, never come to more than the quote, to the cent', () => {
  fc.assert(
    fc.property(
      content,
      fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 20 }),
      (shape, shares) => {
        const quote = quoteOf(shape)
        const conversions = play(
          quote,
          shares.map((bp) => ({ kind: 'deposit' as const, bp })),
        )
        const whole = amountsOf(quote.lines, quote)
        for (const [group, cents] of outstandingDeposits(conversions))
          expect(cents).toBeLessThanOrEqual(whole.get(group) ?? 0)
        const { totalCents, baseCents } = computeTotals(quote.lines, { ...quote, withholdingRateBp: null })
        const sum = [...whole.values()].reduce((all, cents) => all + cents, 0)
        expect(sum).toBe(quote.priceMode === 'net' ? baseCents : totalCents)
        convert(quote, conversions, takeAll(quote, openLines(quote, conversions)))
        expect(invoicedCents(quote, conversions)).toBe(sum)
      },
    ),
    { numRuns: 500 },
  )
})

test('what is fixed for a line or the document is shared out and used up exactly', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9_999 }), { maxLength: 8 }),
      fc.integer({ min: 0, max: 50_000 }),
      (shares, discountCents) => {
        const quote = {
          ...quoteOf({
            lines: [
              {
                quantityMicro: 7_000_000,
                unitPriceMicro: 333_330_000,
                discountBp: 0,
                discountCents: 1001,
                vatRateBp: 2100,
                withholdable: true,
              },
              {
                quantityMicro: 3_000_000,
                unitPriceMicro: 100_000_000,
                discountBp: 0,
                vatRateBp: 1000,
                withholdable: true,
              },
            ],
            priceMode: 'net' as const,
            discountBp: 0,
          }),
          discountCents,
        }
        const conversions = play(
          quote,
          shares.map((bp) => ({ kind: 'share' as const, bp })),
        )
        const rest = takeAll(quote, openLines(quote, conversions))
        if (rest.length > 0) convert(quote, conversions, rest)
        expect(conversions.reduce((sum, each) => sum + each.discountCents, 0)).toBe(discountCents)
        const ofLine = conversions.flatMap(({ lines }) => lines).filter(({ position }) => position === 0)
        expect(ofLine.reduce((sum, each) => sum + each.discountCents, 0)).toBe(1001)
      },
    ),
    { numRuns: 300 },
  )
})
