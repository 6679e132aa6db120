/** Depreciation by days: worked examples, leap years, bookings of parts of a year, and sums over random lives. */
import { describe, expect, test } from 'vitest'
import { addDays } from '../../../../server/domain/dates.ts'
import {
  accumulatedOn,
  depreciableOf,
  depreciationOfYear,
  planOf,
  priorOfYear,
  unbooked,
} from '../../../../server/accounting/assets/plan.ts'
import type { Booked, Terms } from '../../../../server/accounting/assets/plan.ts'
import { DEPRECIATION_TABLES, maxRateOf, tableRow } from '../../../../server/accounting/assets/tables.ts'
import { dice } from '../../../support/seeded-random.ts'

function termsOf(given: Partial<Terms> & Pick<Terms, 'inUseOn' | 'costCents'>): Terms {
  const before = addDays(given.inUseOn, -1)
  return {
    residualCents: 0,
    method: 'percent',
    rateBp: 1000,
    years: null,
    priorUntil: before,
    priorCents: 0,
    priorOfYearCents: 0,
    countedUntil: given.priorUntil ?? before,
    countedCents: given.priorCents ?? 0,
    outOn: null,
    ...given,
  }
}

const shape = (terms: Terms, booked: Booked[] = []) =>
  planOf(terms, booked).map(({ year, days, cents, accumulatedCents, pendingCents }) => [
    year,
    days,
    cents,
    accumulatedCents,
    pendingCents,
  ])

describe('the plan', () => {
  // 1,200 euros at 26 % (simplified table, group 5): 312 euros a year; 184 of 365 days are 157.28.
  test('of a computer at 26 % begins on its first day and closes to the cent', () => {
    const computer = termsOf({ inUseOn: '2026-07-01', costCents: 120_000, rateBp: 2600 })
    expect(shape(computer)).toEqual([
      [2026, 184, 15_728, 15_728, 104_272],
      [2027, 365, 31_200, 46_928, 73_072],
      [2028, 366, 31_200, 78_128, 41_872],
      [2029, 365, 31_200, 109_328, 10_672],
      [2030, 125, 10_672, 120_000, 0],
    ])
  })

  test('of a van at 16 % with a residual value stops at it', () => {
    const van = termsOf({ inUseOn: '2026-01-01', costCents: 2_500_000, residualCents: 100_000, rateBp: 1600 })
    const plan = planOf(van, [])
    expect(plan.map(({ cents }) => cents)).toEqual([
      384_000, 384_000, 384_000, 384_000, 384_000, 384_000, 96_000,
    ])
    expect(plan.at(-1)).toMatchObject({ year: 2032, accumulatedCents: 2_400_000, pendingCents: 0 })
  })

  test('of a building leaves the land out and lasts as long as its percentage says', () => {
    // 180,000 euros, of which 60,000 are land; 3 % of 120,000 are 3,600 a year.
    const plan = planOf(
      termsOf({ inUseOn: '2026-01-01', costCents: 18_000_000, residualCents: 6_000_000, rateBp: 300 }),
      [],
    )
    expect(plan[0]).toMatchObject({ cents: 360_000, days: 365 })
    expect(plan).toHaveLength(34)
    expect(plan.at(-1)).toMatchObject({ year: 2059, cents: 120_000, pendingCents: 0 })
  })

  test('by years ends that many years after the first day', () => {
    const plan = planOf(
      termsOf({ inUseOn: '2025-03-01', costCents: 100_001, method: 'years', rateBp: null, years: 3 }),
      [],
    )
    expect(plan.map(({ cents }) => cents).reduce((a, b) => a + b)).toBe(100_001)
    expect(plan.at(-1)).toMatchObject({ year: 2028, to: '2028-02-29', pendingCents: 0 })
  })

  test('of small values has no amount below a cent, and none is lost', () => {
    const plan = planOf(termsOf({ inUseOn: '2026-12-31', costCents: 3, rateBp: 1000 }), [])
    expect(plan.reduce((sum, { cents }) => sum + cents, 0)).toBe(3)
    expect(
      planOf(termsOf({ inUseOn: '2026-01-01', costCents: 1, method: 'free', rateBp: null }), []),
    ).toMatchObject([{ year: 2026, days: 1, cents: 1 }])
    expect(
      planOf(termsOf({ inUseOn: '2026-01-01', costCents: 500, method: 'none', rateBp: null }), []),
    ).toEqual([])
  })

  test('counts a whole leap year like any other, and a day of it as one of 366', () => {
    const terms = termsOf({ inUseOn: '2027-07-01', costCents: 3_660_000, rateBp: 1000 })
    expect(depreciationOfYear(terms, [], '2028-12-31')).toBe(366_000)
    expect(depreciationOfYear(terms, [], '2028-02-29')).toBe(60_000)
  })

  test('ends with the disposal: its day does not count', () => {
    const sold = termsOf({ inUseOn: '2026-01-01', costCents: 365_000, rateBp: 1000, outOn: '2026-04-11' })
    expect(shape(sold)).toEqual([[2026, 100, 10_000, 10_000, 355_000]])
    expect(planOf(termsOf({ inUseOn: '2026-01-01', costCents: 365_000, outOn: '2026-01-01' }), [])).toEqual(
      [],
    )
  })

  test('goes on from what was depreciated before these books', () => {
    const moved = termsOf({
      inUseOn: '2024-01-01',
      costCents: 1_000_000,
      rateBp: 1000,
      priorUntil: '2026-06-30',
      priorCents: 249_589,
      priorOfYearCents: 49_589,
    })
    expect(planOf(moved, [])[0]).toMatchObject({ year: 2026, from: '2026-07-01', cents: 50_411 })
    // The year to date has the part of before.
    expect(depreciationOfYear(moved, [], '2026-09-30')).toBe(49_589 + 25_205)
    expect(planOf(moved, []).reduce((sum, { cents }) => sum + cents, 249_589)).toBe(1_000_000)
    expect(priorOfYear(moved)).toBe(49_589)
  })
})

describe('what is booked', () => {
  const terms = termsOf({ inUseOn: '2026-02-15', costCents: 123_457, rateBp: 2500 })

  test('in quarters is what the year would have been', () => {
    const booked: Booked[] = []
    for (const day of ['2026-03-31', '2026-06-30', '2026-09-30', '2026-12-31'])
      booked.push(unbooked(terms, booked, day)!)
    expect(booked.map(({ from, to }) => [from, to])).toEqual([
      ['2026-02-15', '2026-03-31'],
      ['2026-04-01', '2026-06-30'],
      ['2026-07-01', '2026-09-30'],
      ['2026-10-01', '2026-12-31'],
    ])
    expect(booked.reduce((sum, { cents }) => sum + cents, 0)).toBe(unbooked(terms, [], '2026-12-31')!.cents)
    expect(unbooked(terms, booked, '2026-12-31')).toBeNull()
    expect(unbooked(terms, booked, '2026-06-30')).toBeNull()
  })

  test('leaves a year that was forgotten out of the next one', () => {
    const next = unbooked(terms, [], '2027-12-31')!
    expect(next).toMatchObject({ from: '2027-01-01', to: '2027-12-31' })
    expect(next.cents).toBe(30_864)
  })

  test('stays when the terms change, and the rest follows the new ones', () => {
    const first = unbooked(terms, [], '2026-12-31')!
    const faster: Terms = { ...terms, rateBp: 5000, countedUntil: first.to, countedCents: first.cents }
    const plan = planOf(faster, [first])
    expect(plan[0]).toMatchObject({ year: 2026, cents: first.cents, bookedCents: first.cents })
    expect(plan[1]!.cents).toBe(Math.round(123_457 / 2))
    expect(plan.reduce((sum, { cents }) => sum + cents, 0)).toBe(123_457)
  })

  test('of a whole year counts by days in the quarters of it', () => {
    const whole: Booked[] = [{ from: '2026-01-01', to: '2026-12-31', cents: 36_500 }]
    const of = termsOf({ inUseOn: '2026-01-01', costCents: 365_000, rateBp: 1000 })
    expect(accumulatedOn(of, whole, '2026-03-31')).toBe(9_000)
    expect(accumulatedOn(of, whole, '2026-12-31')).toBe(36_500)
  })
})

test('sums of random lives are exact, whatever is booked when', () => {
  const random = dice(63)
  for (let round = 0; round < 400; round++) {
    const day = addDays('2018-01-01', random.below(4000))
    const costCents = 1 + random.below(random.pick([1_000, 1_000_000, 900_000_000]))
    const byYears = random.chance(0.4)
    const prior = random.chance(0.3)
    const base = termsOf({
      inUseOn: day,
      costCents,
      residualCents: random.chance(0.3) ? random.below(costCents) : 0,
      method: byYears ? 'years' : 'percent',
      years: byYears ? 1 + random.below(40) : null,
      rateBp: byYears ? null : 200 + random.below(9_800),
    })
    const priorCents = prior ? random.below(depreciableOf(base) + 1) : 0
    const priorUntil = prior ? addDays(day, random.below(900)) : base.priorUntil
    const terms: Terms = {
      ...base,
      priorCents,
      priorUntil,
      countedUntil: priorUntil,
      countedCents: priorCents,
    }
    const booked: Booked[] = []
    for (const { year } of planOf(terms, [])) {
      const ends = [`${year}-03-31`, `${year}-06-30`, `${year}-09-30`, `${year}-12-31`]
      for (const end of ends.filter((_, at) => at === 3 || random.chance(0.5))) {
        const next = unbooked(terms, booked, end)
        if (next) booked.push(next)
      }
    }
    const sum = booked.reduce((total, { cents }) => total + cents, 0)
    expect(sum + priorCents, JSON.stringify(terms)).toBe(depreciableOf(terms))
    expect(
      booked.every(({ cents }) => cents > 0),
      JSON.stringify(terms),
    ).toBe(true)
    expect(planOf(terms, booked).reduce((total, { cents }) => total + cents, 0)).toBe(sum)
  }
})

describe('the tables', () => {
  test('have a longest period that their coefficient allows', () => {
    for (const { rows } of DEPRECIATION_TABLES)
      for (const { id, maxRateBp, maxYears } of rows)
        expect(maxRateBp * maxYears, id).toBeGreaterThanOrEqual(10_000)
  })

  test('are in force from their day on, twice as fast for used and accelerated elements', () => {
    const computers = tableRow('companies.computers', '2026-01-01')!
    expect([computers.maxRateBp, computers.maxYears]).toEqual([2500, 8])
    expect([maxRateOf(computers, 'used'), maxRateOf(computers, 'accelerated')]).toEqual([5000, 5000])
    expect(tableRow('companies.computers', '2014-12-31')).toBeUndefined()
    expect(tableRow('simplified.computers', '2014-12-31')).toMatchObject({ maxRateBp: 2600, maxYears: 10 })
  })
})
