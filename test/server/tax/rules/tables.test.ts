/** Dated tables: values by date, without gaps, with their sources; and the interest on late payments. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, daysBetween } from '../../../../server/domain/dates.ts'
import { OTHER_MEMBER_STATES, taxArea } from '../../../../server/domain/tax/territories.ts'
import {
  compensationsAt,
  islandGeneralRateAt,
  islandRatesAt,
  lateInterest,
  lateInterestAt,
  memberStateRatesAt,
  thresholdAt,
  withholdingRateAt,
} from '../../../../server/tax/rules/index.ts'
import { lateInterestRates } from '../../../../server/tax/rules/late-interest.ts'
import { memberStateRates } from '../../../../server/tax/rules/member-states.ts'
import { thresholds } from '../../../../server/tax/rules/thresholds.ts'
import { withholdingTable } from '../../../../server/tax/rules/withholding.ts'
import { openWorld } from '../../../support/world.ts'

test.each([
  ['2020-03-01', 800],
  ['2022-12-31', 800],
  ['2023-01-01', 1050],
  ['2023-07-01', 1200],
  ['2024-06-30', 1250],
  ['2024-07-01', 1225],
  ['2025-01-01', 1115],
  ['2026-01-15', 1015],
])('late interest on %s is %s basis points', (date, rate) => expect(lateInterestAt(date).rateBp).toBe(rate))

test('half-years are consecutive, and only the last is not certain', () => {
  for (const [index, row] of lateInterestRates.entries()) {
    const next = lateInterestRates[index + 1]
    expect(row.to).toBe(next ? addDays(next.from, -1) : null)
    expect(row.certain === false).toBe(next === undefined)
    expect(row.rateBp).toBeGreaterThanOrEqual(800)
  }
})

describe('interest on a late payment', () => {
  test('of 1,000 euros, 90 days late within one half-year', () => {
    // 1000 × 12.5 % × 90 / 365 = 30.82
    expect(lateInterest({ cents: 100_000, dueDate: '2024-01-31', until: '2024-04-30' })).toMatchObject({
      days: 90,
      cents: 3_082,
      recoveryCents: 4_000,
      certain: true,
    })
  })
  test('across two half-years uses the rate of each day', () => {
    // 31 days of June at 12.5 % from the 1st to the 30th (30 days), then 30 days of July at 12.25 %.
    const found = lateInterest({ cents: 500_000, dueDate: '2024-05-31', until: '2024-07-30' })
    expect(found.parts.map(({ from, to, days, rateBp, cents }) => [from, to, days, rateBp, cents])).toEqual([
      ['2024-06-01', '2024-06-30', 30, 1250, 5_137],
      ['2024-07-01', '2024-07-30', 30, 1225, 5_034],
    ])
    expect(found.cents).toBe(10_171)
  })
  test('is zero up to the due date', () => {
    for (const until of ['2024-05-31', '2024-05-01'])
      expect(lateInterest({ cents: 500_000, dueDate: '2024-05-31', until })).toEqual({
        days: 0,
        cents: 0,
        recoveryCents: 0,
        parts: [],
        certain: true,
      })
  })
  test('reports a rate that is not published yet', () =>
    expect(lateInterest({ cents: 1_000, dueDate: '2026-06-30', until: '2026-07-01' }).certain).toBe(false))
  test('covers every day once with its parts, whatever the dates', () => {
    const day = fc.integer({ min: 0, max: 2_500 }).map((days) => addDays('2019-06-01', days))
    fc.assert(
      fc.property(day, day, fc.integer({ min: 1, max: 10_000_000 }), (dueDate, until, cents) => {
        const found = lateInterest({ cents, dueDate, until })
        expect(found.days).toBe(Math.max(0, daysBetween(dueDate, until)))
        let expected = addDays(dueDate, 1)
        for (const part of found.parts) {
          expect(part.from).toBe(expected)
          expect(part.days).toBe(daysBetween(part.from, part.to) + 1)
          expected = addDays(part.to, 1)
        }
        // Within half a cent of the exact sum for each part.
        const exact = found.parts.reduce(
          (sum, { days, rateBp }) => sum + (cents * rateBp * days) / 3_650_000,
          0,
        )
        expect(Math.abs(found.cents - exact)).toBeLessThanOrEqual(0.5 * found.parts.length + 1e-6)
      }),
      { seed: 4, numRuns: 200 },
    )
  })
})

test.each([
  ['professional', 1500],
  ['new_professional', 700],
  ['modules', 100],
  ['farming', 200],
  ['pigs_poultry', 100],
  ['forestry', 200],
  ['urban_rent', 1900],
  ['director', 3500],
  ['director_small', 1900],
  ['author', 1500],
  ['author_small', 700],
] as const)('withholding of %s today', (code, rate) =>
  expect(withholdingRateAt(code, '2026-11-21')?.rateBp).toBe(rate),
)

test.each([
  ['simplified_invoice', 40_000],
  ['simplified_invoice_sectors', 300_000],
  ['operations_with_third_parties', 300_506],
  ['intra_eu_monthly', 5_000_000],
  ['oss', 1_000_000],
  ['reverse_charge_devices', 1_000_000],
] as const)('threshold of %s today', (code, cents) =>
  expect(thresholdAt(code, '2026-11-21')?.cents).toBe(cents),
)

test('every other member state has rates on every day since the one-stop shop began', () => {
  expect(OTHER_MEMBER_STATES).toHaveLength(26)
  for (const country of [...OTHER_MEMBER_STATES, 'ES'])
    for (let day = '2021-07-01'; day < '2027-01-01'; day = addDays(day, 31)) {
      const rows = memberStateRates.filter(
        (row) => row.country === country && row.from <= day && (row.to === null || day <= row.to),
      )
      expect(rows, `${country} ${day}`).toHaveLength(1)
      expect(memberStateRatesAt(country, day)).toBe(rows[0])
    }
  expect(memberStateRatesAt('US', '2026-01-01')).toBeNull()
})

test.each([
  ['EE', '2025-06-30', 2200],
  ['EE', '2025-07-01', 2400],
  ['FI', '2024-08-31', 2400],
  ['FI', '2024-09-01', 2550],
  ['RO', '2025-07-31', 1900],
  ['SK', '2025-01-01', 2300],
  ['LU', '2023-05-01', 1600],
  ['HU', '2026-01-01', 2700],
])('%s on %s', (country, day, standard) =>
  expect(memberStateRatesAt(country, day)?.standardBp).toBe(standard),
)

test('the islands and the two cities have their own rates', () => {
  expect(islandGeneralRateAt('igic', '2026-11-21').rateBp).toBe(700)
  expect(islandGeneralRateAt('igic', '2019-06-01').rateBp).toBe(650)
  expect(islandRatesAt('igic', '2026-11-21').map((row) => row.rateBp)).toEqual([
    0, 300, 500, 700, 950, 1500, 2000, 3500,
  ])
  expect(islandRatesAt('ipsi', '2026-11-21').every((row) => row.rateBp >= 50 && row.rateBp <= 1000)).toBe(
    true,
  )
  expect(compensationsAt('2026-11-21').map((row) => row.rateBp)).toEqual([1200, 1050])
})

test('territories are grouped by area', () => {
  expect(
    ['ES', 'ES-CN', 'ES-CE', 'ES-ML', 'FR', 'MC', 'GB', 'AD', 'US'].map((place) => taxArea(place, 'goods')),
  ).toEqual(['vat', 'canary', 'ceuta_melilla', 'ceuta_melilla', 'eu', 'eu', 'third', 'third', 'third'])
  expect([taxArea('XI', 'goods'), taxArea('XI', 'services')]).toEqual(['eu', 'third'])
  expect([taxArea('GB', 'goods', '2020-12-31'), taxArea('GB', 'goods', '2021-01-01')]).toEqual([
    'eu',
    'third',
  ])
})

test('every row has a source', () => {
  for (const row of [...withholdingTable, ...thresholds, ...lateInterestRates, ...memberStateRates]) {
    expect(row.source.length).toBeGreaterThan(8)
    expect(row.to === null || row.from <= row.to).toBe(true)
  }
})

test('REST with a key and the window return the same tables', async () => {
  const world = await openWorld({ at: '2026-11-21T10:00:00+01:00' })
  const rest = await world.get('/api/v1/tax/rates?tax=vat')
  expect(rest.status).toBe(200)
  expect(rest.body.data.rates.map((row: { rate: number }) => row.rate)).toEqual([21, 10, 4, 0])
  expect(rest.body.data.lateInterest[0]).toMatchObject({ rate: 10.15, certain: false })
  const window = await world.call('tax.rates', { tax: 'vat' })
  expect(window.body.data).toEqual(rest.body.data)
  const history = await world.get('/api/v1/tax/rates?tax=vat&history=true')
  expect(history.body.data.rates.length).toBeGreaterThan(9)

  const causes = await world.get('/api/v1/tax/causes?taxTreatment=E1&text=dentista&language=de')
  expect(causes.body.data.items).toEqual([
    {
      code: 'dental',
      taxTreatment: 'E1',
      regimeKey: '01',
      article: 'art. 20.Uno.5º',
      question: 'Dentists and dental technicians',
      mention: 'Operación exenta (art. 20.Uno.5º Ley 37/1992) / Umsatzsteuerfrei',
    },
  ])

  const question = { supply: 'professional', customer: { kind: 'business', place: 'DE', vatNumber: 'valid' } }
  const proposed = await world.post('/api/v1/tax/propose', question)
  expect(proposed.status).toBe(200)
  expect(proposed.body.data).toMatchObject({
    taxTreatment: 'N2',
    regimeKey: '01',
    vatRate: null,
    cause: 'services_eu',
  })
  expect((await world.call('tax.propose', question)).body.data).toEqual(proposed.body.data)
  const wrong = await world.post('/api/v1/tax/propose', {
    supply: 'nothing',
    customer: { kind: 'business', place: 'Germany' },
  })
  expect(wrong.status).toBe(422)
  expect(wrong.body.error.details.faults.map((fault: { field: string }) => fault.field)).toEqual([
    'customer.place',
    'supply',
  ])
})

test("the company's own regime and territory apply when the question does not state them", async () => {
  const world = await openWorld({ company: { vatRegime: 'cash' } })
  const answer = await world.post('/api/v1/tax/propose', {
    supply: 'services',
    customer: { kind: 'business' },
  })
  expect(answer.body.data).toMatchObject({
    taxTreatment: 'S1',
    regimeKey: '07',
    vatRate: 21,
    mention: 'Régimen especial del criterio de caja',
  })
})
