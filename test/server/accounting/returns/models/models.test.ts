/** A worked quarter: every box by hand, the documents behind each, and equal amounts in all returns. */
import { describe, expect, test } from 'vitest'
import { countOperation, verifyTaxTotals } from '../../../../../server/tax/totals/index.ts'
import { faultsOfRefusal, openBooks } from '../../../../support/books.ts'
import { line, workedQuarter } from '../worked.ts'

const Q4 = { year: 2026, quarter: 4 }

/** Computed by hand from the sales and purchases above. */
const BOXES_303: Record<string, number> = {
  '01': 50,
  '03': 2,
  '04': 200,
  '06': 20,
  // 1000 + 300 + 500
  '07': 1800,
  '09': 378,
  '10': 1000,
  '11': 210,
  '12': 500,
  '13': 105,
  '14': -100,
  '15': -21,
  '22': 300,
  '24': 15.6,
  // 2 + 20 + 378 + 210 + 105 - 21 + 15.60
  '27': 709.6,
  // 100 + 50 + 200 + 300 + 500 + 60
  '28': 1210,
  // 21 + 5 + 42 + 63 + 105 + 6.30
  '29': 242.3,
  '30': 4000,
  '31': 840,
  '36': 1000,
  '37': 210,
  '45': 1292.3,
  '46': -582.7,
  '71': -582.7,
  '59': 780,
  '60': 600,
  '120': 90,
  '122': 400,
}

describe('model 303', () => {
  test('computes every box from the documents', async () => {
    const world = await workedQuarter()
    const model = await world.run('fiscal.model', { model: '303', ...Q4 })
    const found = Object.fromEntries(
      model.boxes.filter((box) => box.amount !== 0).map((box) => [box.box, box.amount]),
    )
    expect(found).toEqual({ ...BOXES_303, '64': -582.7, '66': -582.7, '69': -582.7 })
    expect(model).toMatchObject({ result: -582.7, outcome: 'offset', applies: true, estimate: true })
    expect(await verifyTaxTotals(world.test)).toEqual([])
  })

  test('lists the documents behind each box, which add up to it', async () => {
    const world = await workedQuarter()
    for (const model of ['303', '390'] as const) {
      const { boxes } = await world.run('fiscal.model', { model, ...Q4 })
      let listed = 0
      for (const box of boxes) {
        if (box.documents === null) continue
        let cursor: string | undefined
        let sum = 0
        for (;;) {
          const page: Awaited<ReturnType<typeof documents>> = await documents(cursor)
          sum += page.items.reduce((total, item) => total + Math.round(item.amount * 100), 0)
          listed += page.items.length
          if (page.nextCursor === null) break
          cursor = page.nextCursor
        }
        expect(sum, `${model} ${box.box}`).toBe(Math.round(box.amount * 100))
        function documents(after: string | undefined) {
          return world.run('fiscal.boxDocuments', {
            model,
            box: box.box,
            ...Q4,
            limit: 2,
            ...(after === undefined ? {} : { cursor: after }),
          })
        }
      }
      expect(listed).toBeGreaterThan(30)
    }
    const { items } = await world.run('fiscal.boxDocuments', { model: '303', box: '15', ...Q4 })
    expect(items).toMatchObject([{ type: 'invoice', amount: -21, base: -100 }])
    await expect(world.run('fiscal.boxDocuments', { model: '303', box: '999', ...Q4 })).rejects.toMatchObject(
      { code: 'not_found' },
    )
  })

  test('carries the amount to offset into the next quarters until it is used', async () => {
    const world = await workedQuarter()
    const next = await world.run('fiscal.model', { model: '303', year: 2027, quarter: 1 })
    const box = (number: string) => next.boxes.find((each) => each.box === number)?.amount
    expect([box('110'), box('78'), box('87'), box('71')]).toEqual([582.7, 0, 582.7, 0])
    world.setTime('2027-04-10T10:00:00+02:00')
    await world.invoice({ issueDate: '2027-04-10', lines: [line(10_000)] })
    const second = await world.run('fiscal.model', { model: '303', year: 2027, quarter: 2 })
    const later = (number: string) => second.boxes.find((each) => each.box === number)?.amount
    expect([later('46'), later('110'), later('78'), later('87'), later('71')]).toEqual([
      2100, 582.7, 582.7, 0, 1517.3,
    ])
  })

  test('marked as filed shows later changes, and leaves nothing to offset when a refund was requested', async () => {
    const world = await workedQuarter()
    const { model, lockUntil } = await world.run('fiscal.markFiled', {
      model: '303',
      ...Q4,
      outcome: 'refund',
      reference: '303-2026-4T',
    })
    expect(lockUntil).toBeNull()
    expect(model.filing).toMatchObject({ outcome: 'refund', result: -582.7, differences: [] })
    await expect(world.run('fiscal.markFiled', { model: '303', ...Q4 })).rejects.toMatchObject({
      code: 'already_filed',
    })
    await world.invoice({ issueDate: '2026-12-01', lines: [line(10)] })
    const changed = await world.run('fiscal.model', { model: '303', ...Q4 })
    expect(changed.filing?.differences).toContainEqual({ box: '07', filed: 1800, now: 1810 })
    const next = await world.run('fiscal.model', { model: '303', year: 2027, quarter: 1 })
    expect(next.boxes.find(({ box }) => box === '110')?.amount).toBe(0)
    const withdrawn = await world.run('fiscal.withdrawFiling', { model: '303', ...Q4 })
    expect(withdrawn.filing).toBeNull()
    world.setTime('2027-01-15T10:00:00+01:00')
    expect((await world.run('fiscal.markFiled', { model: '303', ...Q4 })).lockUntil).toBe('2026-12-31')
  })

  test('accepts typed values only in boxes that the user alone knows', async () => {
    const world = await workedQuarter()
    const typed = await world.run('fiscal.setInput', { model: '303', ...Q4, box: '44', amount: 12.5 })
    expect(typed.boxes.find(({ box }) => box === '45')?.amount).toBe(1304.8)
    const back = await world.run('fiscal.setInput', { model: '303', ...Q4, box: '44', amount: null })
    expect(back.boxes.find(({ box }) => box === '45')?.amount).toBe(1292.3)
    expect(
      await faultsOfRefusal(world.run('fiscal.setInput', { model: '303', ...Q4, box: '07', amount: 1 })),
    ).toEqual(['box: not_allowed'])
  })
})

describe('the other returns', () => {
  test('390 has the amounts of the four quarters', async () => {
    const world = await workedQuarter()
    const { boxes } = await world.run('fiscal.model', { model: '390', year: 2026 })
    const box = (number: string) => boxes.find((each) => each.box === number)?.amount
    expect([box('05'), box('06'), box('47'), box('64'), box('86')]).toEqual([
      1800, 378, 709.6, 1292.3, -582.7,
    ])
    // 1800 + 200 + 50 - 100
    expect([box('99'), box('103'), box('104'), box('105'), box('110'), box('125')]).toEqual([
      1950, 700, 600, 45, 170, 400,
    ])
    expect(box('108')).toBe(1950 + 700 + 600 + 45 + 170 + 400)
  })

  test('349 lists operations by VAT number and key', async () => {
    const world = await workedQuarter()
    const { lists, boxes } = await world.run('fiscal.model', { model: '349', ...Q4 })
    expect(lists[0]?.rows.map((row) => [row[0], row[2], row[4]])).toEqual([
      ['E', 'FR40303265045', 700],
      ['I', 'DE136695976', 1000],
      ['S', 'FR40303265045', 80],
    ])
    expect(boxes.map(({ amount }) => amount)).toEqual([3, 1780, 0, 0])
  })

  test('111, 115, 190 and 180 list the recipients of payments', async () => {
    const world = await workedQuarter()
    const of = async (model: '111' | '115' | '190' | '180') => world.run('fiscal.model', { model, ...Q4 })
    const box = ({ boxes }: Awaited<ReturnType<typeof of>>, number: string) =>
      boxes.find((each) => each.box === number)?.amount
    const m111 = await of('111')
    expect([box(m111, '07'), box(m111, '08'), box(m111, '09'), box(m111, '30')]).toEqual([1, 200, 30, 30])
    const m115 = await of('115')
    expect([box(m115, '01'), box(m115, '02'), box(m115, '03'), m115.result]).toEqual([1, 300, 57, 57])
    expect((await of('190')).lists[0]?.rows).toEqual([['A58818501', 'Proveedor, S.A.', 'G', 200, 30, 1]])
    expect((await of('180')).lists[0]?.rows[0]?.slice(3, 5)).toEqual([300, 57])
  })

  test('347 excludes operations with withholding and those abroad', async () => {
    const world = await workedQuarter()
    const { lists } = await world.run('fiscal.model', { model: '347', year: 2026 })
    const purchases = lists.find(({ id }) => id === 'A')
    // 121 + 55 + 4840 + 500 + 72.60
    expect(purchases?.rows).toEqual([['A58818501', 'Proveedor, S.A.', 5588.6, 0, 0, 0, 5588.6]])
    expect(lists.find(({ id }) => id === 'B')?.rows).toEqual([])
  })

  test('130 of a natural person is a fifth of the net income, less withholding', async () => {
    const world = await workedQuarter('natural')
    const { boxes, result } = await world.run('fiscal.model', { model: '130', ...Q4 })
    const box = (number: string) => boxes.find((each) => each.box === number)?.amount
    // 1250 + 300 + 400 + 700 + 80 + 90 + 600 + 500 + 45 - 100
    expect(box('01')).toBe(3865)
    // 150 + 200 + 300 + 1000 + 500 + 60 + 6.30; the investment good is depreciated
    expect(box('documented')).toBe(2216.3)
    expect(box('hard')).toBe(82.44)
    expect(box('02')).toBe(2298.74)
    expect([box('03'), box('04'), box('06')]).toEqual([1566.26, 313.25, 75])
    expect(result).toBe(238.25)
    const documents = await world.run('fiscal.boxDocuments', { model: '130', box: 'documented', ...Q4 })
    const sum = documents.items.reduce((total, item) => total + Math.round(item.amount * 100), 0)
    expect(sum).toBe(221_630)
  })

  test('every return states whether it applies, with the reason', async () => {
    const world = await workedQuarter()
    const { models, warnings } = await world.run('fiscal.models', Q4)
    expect(models.map(({ model, applies, why }) => [model, applies ? true : why])).toEqual([
      ['303', true],
      ['309', 'files_303'],
      ['130', 'company'],
      ['131', 'company'],
      ['111', true],
      ['115', true],
      ['349', true],
      ['369', 'no_one_stop_shop'],
      ['390', true],
      ['347', true],
      ['190', true],
      ['180', true],
    ])
    expect(models[0]).toMatchObject({ dueTo: '2027-02-01', directDebitTo: '2027-01-27', status: 'upcoming' })
    expect(warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['period_open', 'without_file', 'unregistered']),
    )
  })

  test('the summary has the same amounts as the return', async () => {
    const world = await workedQuarter()
    const summary = await world.run('fiscal.summary', Q4)
    expect(summary.result).toEqual({ vatEstimate: -582.7, direction: 'offset' })
    expect(summary.input).toMatchObject({
      deductible: 1292.3,
      selfAssessed: 315,
      source: 'books',
      invoices: 7,
    })
    expect(summary.withholdings).toEqual({ suffered: 75, practised: 87 })
    expect(summary.obligations.map(({ form }) => form)).toEqual([
      '303',
      '111',
      '115',
      '349',
      '390',
      '347',
      '190',
      '180',
    ])
  })

  test('a quarterly return requires its quarter', async () => {
    const world = await openBooks()
    expect(await faultsOfRefusal(world.run('fiscal.model', { model: '303', year: 2026 }))).toEqual([
      'quarter: quarter_missing',
    ])
  })
})

test('one-stop shop amounts are in 369, not in the result of the quarter', async () => {
  const world = await openBooks({ at: '2026-12-30T12:00:00+01:00' })
  const operation = (
    id: number,
    regimeKey: string,
    country: string,
    vatRateBp: number,
    taxCents: number,
  ) => ({
    source: { type: 'invoice' as const, id },
    side: 'issued' as const,
    date: '2026-11-01',
    rectifying: false,
    cash: false,
    taxes: [
      {
        taxTreatment: 'S1' as const,
        regimeKey,
        vatRateBp,
        surchargeRateBp: null,
        baseCents: 10_000,
        taxCents,
        surchargeCents: 0,
        nature: 'goods' as const,
      },
    ],
    party: { nif: null, name: 'Kunde', country, idType: null },
    totalCents: 10_000 + taxCents,
    withholding: null,
  })
  await world.test.transaction(async (tx) => {
    await countOperation(tx, operation(1, '17', 'DE', 1900, 1_900), 1)
    await countOperation(tx, operation(2, '17', 'FR', 2000, 2_000), 1)
    await countOperation(tx, operation(3, '01', 'ES', 2100, 2_100), 1)
  })
  const { lists, result } = await world.run('fiscal.model', { model: '369', ...Q4 })
  expect(lists[0]?.rows.map((row) => [row[0], row[1], row[3], row[4]])).toEqual([
    ['DE', 19, 100, 19],
    ['FR', 20, 100, 20],
  ])
  expect(result).toBe(39)
  expect((await world.run('fiscal.model', { model: '303', ...Q4 })).result).toBe(21)
  expect((await world.run('fiscal.summary', Q4)).result.vatEstimate).toBe(21)
})
