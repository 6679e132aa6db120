/** Fiscal summary: its amounts are the sums of the invoices, its due dates those of the tax calendar. */
import { describe, expect, test } from 'vitest'
import { nextObligation, outputVat } from '../../../../server/accounting/returns/index.ts'
import { nextBusinessDay } from '../../../../server/accounting/returns/calendar/holidays.ts'
import { obligationOf } from '../../../../server/accounting/returns/calendar/obligations.ts'
import { faultsOfRefusal, openBooks } from '../../../support/books.ts'
import type { DraftInput, Invoice, TestBooks } from '../../../support/books.ts'

/** Returns a repeatable random generator for each book. */
function chooser(seed: number) {
  let state = seed
  const below = (limit: number) => (state = (state * 48_271) % 2_147_483_647) % limit
  return { below, of: <T>(list: readonly T[]): T => list[below(list.length)] as T }
}

const CLIENTS = ['12345678Z', 'B87654323', 'B11111119']

async function randomBooks(seed: number, count: number): Promise<{ world: TestBooks; issued: Invoice[] }> {
  const world = await openBooks({ at: '2026-12-31T12:00:00+01:00' })
  const { below, of } = chooser(seed)
  const issued: Invoice[] = []
  let day = Date.parse('2025-10-01T00:00:00Z')
  for (let index = 0; index < count; index++) {
    day += below(Math.floor((455 * 86_400_000) / count / 3_600_000)) * 3_600_000
    const issueDate = new Date(Math.min(day, Date.parse('2026-12-31'))).toISOString().slice(0, 10)
    const line = (): DraftInput['lines'][number] => ({
      description: 'x',
      quantity: below(20) + 1,
      unitPrice: below(100_000) / 100,
      ...of<Partial<DraftInput['lines'][number]>>([
        {},
        { vatRate: 10 },
        { vatRate: 4 },
        { surcharge: 5.2 },
        { taxTreatment: 'E1' },
        { taxTreatment: 'S2' },
        { taxTreatment: 'N2' },
        { discountPct: 12.5 },
        { isDisbursement: true },
      ]),
    })
    const operationDate =
      below(5) === 0
        ? new Date(Date.parse(issueDate) - below(40) * 86_400_000).toISOString().slice(0, 10)
        : null
    issued.push(
      await world.invoice({
        clientNif: of(CLIENTS),
        clientName: 'Cliente',
        issueDate,
        operationDate,
        withholdingPct: of([null, 15, 7]),
        lines: [
          { description: 'x', quantity: 1, unitPrice: below(50_000) / 100 },
          ...Array.from({ length: below(3) }, line),
        ],
        priceMode: of(['net', 'net', 'gross'] as const),
      }),
    )
  }
  return { world, issued }
}

const cents = (euros: number) => Math.round(euros * 100)
const sum = <T>(list: readonly T[], pick: (item: T) => number) =>
  list.reduce((total, item) => total + cents(pick(item)), 0) / 100

describe('the fiscal summary', () => {
  test.each([1, 2, 3])(
    'of random books (%s) is the sum of their invoices, by month, quarter and year',
    async (seed) => {
      const { world, issued } = await randomBooks(seed, 24)
      const accrual = (invoice: Invoice) => invoice.operationDate ?? invoice.issueDate ?? ''
      const periods = [
        ...[1, 6, 11, 12].map((month) => ({
          input: { year: 2026, month },
          prefix: [`2026-${String(month).padStart(2, '0')}`],
        })),
        ...[1, 2, 3, 4].map((quarter) => ({
          input: { year: 2026, quarter },
          prefix: [1, 2, 3].map((place) => `2026-${String(quarter * 3 - 3 + place).padStart(2, '0')}`),
        })),
        { input: { year: 2026 }, prefix: ['2026'] },
        { input: { year: 2025, quarter: 4 }, prefix: ['2025-1'] },
        { input: { year: 2025 }, prefix: ['2025'] },
      ]
      let seen = 0
      for (const { input, prefix } of periods) {
        const inside = issued.filter((invoice) => prefix.some((start) => accrual(invoice).startsWith(start)))
        seen += inside.length
        const taxes = inside.flatMap((invoice) => invoice.taxBreakdown)
        const summary = await world.run('fiscal.summary', input)
        const label = JSON.stringify(input)
        expect(summary.output, label).toMatchObject({
          base: sum(inside, (invoice) => invoice.base),
          quota: sum(inside, (invoice) => invoice.tax),
          total: sum(inside, (invoice) => invoice.base + invoice.tax),
          invoices: inside.length,
          exemptBase: sum(
            taxes.filter((tax) => tax.taxTreatment.startsWith('E')),
            (tax) => tax.base,
          ),
          notSubjectBase: sum(
            taxes.filter((tax) => tax.taxTreatment.startsWith('N')),
            (tax) => tax.base,
          ),
          reverseChargeBase: sum(
            taxes.filter((tax) => tax.taxTreatment === 'S2'),
            (tax) => tax.base,
          ),
        })
        expect(summary.withholdings, label).toEqual({
          suffered: sum(inside, (invoice) => invoice.withholding?.amount ?? 0),
          practised: 0,
        })
        for (const row of summary.output.byRate) {
          const same = taxes.filter(
            (tax) =>
              tax.taxTreatment === 'S1' &&
              tax.vatRate === row.rate &&
              tax.surchargeRate === row.surchargeRate,
          )
          expect(row, label).toMatchObject({
            base: sum(same, (tax) => tax.base),
            quota: sum(same, (tax) => tax.tax),
            surcharge: sum(same, (tax) => tax.surcharge ?? 0),
          })
          expect(same.length).toBeGreaterThan(0)
        }
        expect(sum(summary.output.byRate, (row) => row.quota + row.surcharge)).toBe(summary.output.quota)
        expect(await outputVat(world.test, summary.period)).toBe(cents(summary.output.quota))
        expect(summary.result).toEqual({ vatEstimate: summary.output.quota })
      }
      expect(seen).toBeGreaterThan(40)
    },
  )

  test('compares with the previous periods', async () => {
    const { world } = await randomBooks(4, 15)
    const of = (input: { year: number; quarter?: number; month?: number }) =>
      world.run('fiscal.summary', input)
    const cases: [Parameters<typeof of>[0], Parameters<typeof of>[0], Parameters<typeof of>[0]][] = [
      [
        { year: 2026, month: 1 },
        { year: 2025, month: 12 },
        { year: 2025, month: 1 },
      ],
      [
        { year: 2026, month: 3 },
        { year: 2026, month: 2 },
        { year: 2025, month: 3 },
      ],
      [
        { year: 2026, quarter: 1 },
        { year: 2025, quarter: 4 },
        { year: 2025, quarter: 1 },
      ],
      [
        { year: 2026, quarter: 4 },
        { year: 2026, quarter: 3 },
        { year: 2025, quarter: 4 },
      ],
      [{ year: 2026 }, { year: 2025 }, { year: 2025 }],
      [
        { year: 2028, month: 2 },
        { year: 2028, month: 1 },
        { year: 2027, month: 2 },
      ],
      [
        { year: 2029, month: 2 },
        { year: 2029, month: 1 },
        { year: 2028, month: 2 },
      ],
    ]
    for (const [input, previous, lastYear] of cases) {
      const { compare } = await of(input)
      for (const [shown, other] of [
        [compare.previousPeriod, await of(previous)],
        [compare.sameLastYear, await of(lastYear)],
      ] as const)
        expect(shown, JSON.stringify(input)).toEqual({
          from: other.period.from,
          to: other.period.to,
          base: other.output.base,
          quota: other.output.quota,
          total: other.output.total,
        })
    }
  })

  test('lists customers by invoiced amount, and those above the limit of model 347', async () => {
    const world = await openBooks()
    const line = (unitPrice: number) => [
      { description: 'x', quantity: 1, unitPrice, taxTreatment: 'E1' as const },
    ]
    await world.invoice({ clientName: 'Justo', clientNif: '12345678Z', lines: line(3_005.06) })
    await world.invoice({ clientName: 'Más', clientNif: 'B87654323', lines: line(3_000) })
    await world.invoice({ clientName: 'Más, S.L.', clientNif: 'B87654323', lines: line(5.07) })
    await world.invoice({ kind: 'F2', clientName: 'Público', clientNif: null, lines: line(100) })
    const { topClients, thirdPartyThreshold } = await world.run('fiscal.summary', { year: 2026 })
    expect(topClients.map((client) => [client.nif, client.base])).toEqual([
      ['B87654323', 3_005.07],
      ['12345678Z', 3_005.06],
      [null, 100],
    ])
    expect(thirdPartyThreshold.map((client) => [client.clientNif, client.total])).toEqual([
      ['B87654323', 3_005.07],
    ])
  })

  test('reports its quality: drafts, rejections, pending records', async () => {
    const world = await openBooks()
    await world.invoice({ clientNif: '99999999R' })
    await world.invoice()
    await world.send()
    await world.invoice({ lines: [{ description: 'x', quantity: 1, unitPrice: 1 }] })
    await world.draft()
    const { dataQuality } = await world.run('fiscal.summary', { year: 2026, quarter: 4 })
    expect(dataQuality).toEqual({
      draftsInPeriod: 1,
      rejected: 1,
      pending: 1,
      numberingGaps: [],
      missingNif: 0,
      receivedWithoutFile: 0,
      inputCoverage: 'none',
    })
    expect((await world.run('fiscal.summary', { year: 2026, quarter: 3 })).dataQuality).toMatchObject({
      draftsInPeriod: 0,
      rejected: 0,
      pending: 0,
    })
    await world.tamper('delete from invoices where sequence = 2')
    expect((await world.run('fiscal.summary', { year: 2026 })).dataQuality.numberingGaps).toHaveLength(1)
  })

  test('keeps test and live books separate', async () => {
    const world = await openBooks()
    await world.invoice()
    expect(await world.run('fiscal.summary', { year: 2026 }, world.live)).toMatchObject({
      mode: 'live',
      output: { base: 0, invoices: 0 },
      topClients: [],
    })
  })
})

describe('periods', () => {
  test.each([
    [{ year: 2026, month: 2 }, '2026-02-01', '2026-02-28', '2026-02'],
    [{ year: 2028, month: 2 }, '2028-02-01', '2028-02-29', '2028-02'],
    [{ year: 2026, quarter: 2 }, '2026-04-01', '2026-06-30', '2T 2026'],
    [{ year: 2026 }, '2026-01-01', '2026-12-31', '2026'],
  ])('%j', async (input, from, to, label) => {
    const world = await openBooks()
    expect((await world.run('fiscal.summary', input)).period).toEqual({ from, to, label })
  })

  test('accept a quarter or a month, not both', async () => {
    const world = await openBooks()
    expect(await faultsOfRefusal(world.run('fiscal.summary', { year: 2026, quarter: 1, month: 1 }))).toEqual([
      'month: period_ambiguous',
    ])
    for (const [input, fault] of [
      [{ year: 2026, quarter: 5 }, 'quarter: too_big'],
      [{ year: 2026, month: 0 }, 'month: too_small'],
      [{ year: 1999 }, 'year: too_small'],
    ] as const)
      expect(await faultsOfRefusal(world.run('fiscal.summary', input))).toEqual([fault])
  })
})

describe('the tax calendar', () => {
  test('moves a deadline on a weekend or a national holiday to the next business day', () => {
    expect(nextBusinessDay('2026-01-30')).toBe('2026-01-30')
    expect(nextBusinessDay('2027-01-30')).toBe('2027-02-01')
    expect(nextBusinessDay('2026-12-25')).toBe('2026-12-28')
    expect(nextBusinessDay('2027-01-01')).toBe('2027-01-04')
    expect(nextBusinessDay('2026-05-01')).toBe('2026-05-04')
  })

  test.each([
    // Due dates of the authority's calendar: the 20th after the quarter, 30 January for the fourth; 111 always the
    // 20th.
    [
      2026,
      1,
      '2026-04-01',
      { '303': '2026-04-20', '130': '2026-04-20', '111': '2026-04-20', '349': '2026-04-20' },
    ],
    [
      2026,
      2,
      '2026-07-01',
      { '303': '2026-07-20', '130': '2026-07-20', '111': '2026-07-20', '349': '2026-07-20' },
    ],
    [
      2026,
      3,
      '2026-10-01',
      { '303': '2026-10-20', '130': '2026-10-20', '111': '2026-10-20', '349': '2026-10-20' },
    ],
    [
      2026,
      4,
      '2027-01-01',
      { '303': '2027-02-01', '130': '2027-02-01', '111': '2027-01-20', '349': '2027-02-01' },
    ],
    [
      2025,
      2,
      '2025-07-01',
      { '303': '2025-07-21', '130': '2025-07-21', '111': '2025-07-21', '349': '2025-07-21' },
    ],
  ])('quarter %s %s', (year, quarter, dueFrom, terms) => {
    const obligations = (['303', '130', '111', '349'] as const).map((form) =>
      obligationOf(form, { year, code: `${quarter}T` }, '2026-11-21'),
    )
    expect(Object.fromEntries(obligations.map((obligation) => [obligation.form, obligation.dueTo]))).toEqual(
      terms,
    )
    for (const obligation of obligations)
      expect(obligation).toMatchObject({ dueFrom, period: `${quarter}T ${year}` })
  })

  test('contains the yearly returns', () => {
    const ofYear = (year: number) =>
      (['390', '347'] as const).map((form) => obligationOf(form, { year, code: '0A' }, '2026-11-21'))
    expect(ofYear(2026).map(({ form, dueFrom, dueTo }) => [form, dueFrom, dueTo])).toEqual([
      ['390', '2027-01-01', '2027-02-01'],
      ['347', '2027-02-01', '2027-03-01'],
    ])
    expect(ofYear(2027).map(({ dueTo }) => dueTo)).toEqual(['2028-01-31', '2028-02-29'])
  })

  test.each([
    ['2026-09-30', 'upcoming'],
    ['2026-10-01', 'open'],
    ['2026-10-20', 'open'],
    ['2026-10-21', 'past'],
  ])('on %s the third quarter is %s', (today, status) => {
    for (const form of ['303', '111', '349'] as const)
      expect(obligationOf(form, { year: 2026, code: '3T' }, today).status).toBe(status)
  })

  test('names the open VAT return, else the next one', () => {
    expect(nextObligation('2026-10-20')).toMatchObject({ form: '303', period: '3T 2026', status: 'open' })
    expect(nextObligation('2026-10-21')).toMatchObject({ period: '4T 2026', status: 'upcoming' })
    expect(nextObligation('2027-01-15')).toMatchObject({
      period: '4T 2026',
      status: 'open',
      dueTo: '2027-02-01',
    })
    // The filing period of the fourth quarter may end in February.
    expect(nextObligation('2027-02-01')).toMatchObject({ period: '4T 2026', status: 'open' })
    expect(nextObligation('2027-02-02')).toMatchObject({ period: '1T 2027' })
  })

  test('shows a company the quarters of its period, and the year with the fourth', async () => {
    const world = await openBooks()
    const forms = async (input: { year: number; quarter?: number; month?: number }) =>
      (await world.run('fiscal.summary', input)).obligations.map(
        (obligation) => `${obligation.form} ${obligation.period}`,
      )
    // It is unknown whether wages are paid, so also whether 111 and 190 are due; there were no intra-Community
    // operations.
    expect(await forms({ year: 2026, quarter: 3 })).toEqual(['303 3T 2026', '111 3T 2026'])
    expect(await forms({ year: 2026, month: 12 })).toEqual([
      '303 4T 2026',
      '111 4T 2026',
      '390 2026',
      '190 2026',
    ])
    expect(await forms({ year: 2026 })).toHaveLength(10)
  })
})
