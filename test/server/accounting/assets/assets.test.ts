/** Fixed assets in a book: the register, bookings, disposal, and what the returns and the books take from them. */
import { describe, expect, test } from 'vitest'
import type { InputOf } from '../../../../server/api/contracts.ts'
import { bookRows } from '../../../../server/accounting/returns/books/rows.ts'
import { checkVatBook } from '../../../../server/accounting/returns/books/check.ts'
import { GOODS_COLUMNS, RECEIVED_COLUMNS } from '../../../../server/domain/formats/vat-book-columns.ts'
import { deleteImportedAsset, insertImportedAsset } from '../../../../server/accounting/assets/index.ts'
import type { ImportedAsset } from '../../../../server/accounting/assets/index.ts'
import { faultsOfRefusal, openBooks, refusal } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { stateSchemes } from '../../../support/schemes.ts'
import { line, purchase } from '../returns/worked.ts'

const END_OF_YEAR = '2026-12-31T20:00:00+01:00'

async function freelancer(at = END_OF_YEAR): Promise<TestBooks> {
  const world = await openBooks({ at })
  await world.tamper("update companies set kind = 'natural'")
  return world
}

const COMPUTER = {
  description: 'Ordenador',
  kind: '23',
  acquiredOn: '2026-06-20',
  inUseOn: '2026-07-01',
  base: 1200,
  vat: 252,
  vatPercent: 21,
  method: 'percent',
  percent: 26,
  table: 'simplified.computers',
} satisfies InputOf<'assets.create'>

const MACHINE = {
  description: 'Máquina',
  kind: '21',
  acquiredOn: '2026-01-02',
  inUseOn: '2026-01-02',
  base: 20_000,
  vat: 4200,
  vatPercent: 21,
  method: 'percent',
  percent: 10,
} satisfies InputOf<'assets.create'>

const boxOf = async (
  world: TestBooks,
  model: '130' | '303' | '390',
  box: string,
  year = 2026,
  quarter = 4,
) => {
  const { boxes } = await world.run('fiscal.model', {
    model,
    year,
    ...(model === '390' ? {} : { quarter }),
  })
  return boxes.find((each) => each.box === box)?.amount
}

const balanceOf = async (world: TestBooks, account: string) => {
  const { rows } = await world.run('ledger.trialBalance', { year: 2026 })
  const row = rows.find(({ code }) => code === account)
  return row ? row.debit - row.credit : 0
}

describe('the register', () => {
  test('has accounts by kind, a plan, and values of today', async () => {
    const world = await freelancer()
    const made = await world.run('assets.create', COMPUTER)
    expect(made).toMatchObject({
      account: '217',
      accumulatedAccount: '281',
      expenseAccount: '681',
      cost: 1200,
      vatDeducted: 252,
      accumulated: 157.28,
      booked: 0,
      net: 1042.72,
      yearAmount: 157.28,
      state: 'in_use',
      isVatGood: false,
      canDelete: true,
      warnings: [],
    })
    expect(made.plan.map(({ amount }) => amount)).toEqual([157.28, 312, 312, 312, 106.72])
    // Half of the VAT of a car is part of its cost.
    const car = await world.run('assets.create', {
      ...MACHINE,
      description: 'Coche',
      kind: '22',
      identifier: '1234BCD',
      vatDeducted: 2100,
      percent: 20,
      table: 'simplified.vehicles',
    })
    expect(car).toMatchObject({ cost: 22_100, account: '218' })
    expect(car.warnings).toMatchObject([{ code: 'asset_above_table', params: { max: 16 } }])
    const { items, totals } = await world.run('assets.list', {})
    expect(items.map(({ description }) => description)).toEqual(['Coche', 'Ordenador'])
    expect(totals).toMatchObject({ cost: 23_300 })
    expect((await world.run('assets.list', { kind: '23' })).items).toHaveLength(1)
    expect((await world.run('assets.list', { state: 'disposed' })).items).toEqual([])
  })

  test.each<[string, Partial<InputOf<'assets.create'>>]>([
    ['base: asset_price', { base: 0 }],
    ['vatDeducted: asset_vat', { vatDeducted: 300 }],
    ['residual: asset_residual', { residual: 1300 }],
    ['inUseOn: asset_in_use', { inUseOn: '2026-06-19' }],
    ['percent: asset_percent', { percent: null }],
    ['years: asset_years', { method: 'years' }],
    ['table: asset_table', { table: 'simplified.rockets' }],
    ['accumulatedBefore: asset_prior', { accumulatedBefore: 1201, accumulatedUntil: '2026-08-01' }],
    ['accumulatedUntil: asset_prior_until', { accumulatedBefore: 10 }],
    ['accumulatedUntil: asset_prior_until', { accumulatedBefore: 10, accumulatedUntil: '2027-01-01' }],
    ['account: account_unknown', { account: '2179999' }],
  ])('refuses %s', async (fault, changes) => {
    const world = await freelancer()
    expect(await faultsOfRefusal(world.run('assets.create', { ...COMPUTER, ...changes }))).toEqual([fault])
    expect((await world.run('assets.list', {})).items).toEqual([])
  })

  test('finds goods bought before it existed, and makes one asset of each', async () => {
    const world = await freelancer()
    const bought = await world.run(
      'received.create',
      purchase({
        supplierNumber: 'M-1',
        taxLines: [
          { base: 5000, vatRate: 21, investmentGood: true, account: '213', deductiblePct: 50 },
          { base: 900, vatRate: 21, account: '217' },
          { base: 100, vatRate: 21 },
        ],
      }),
    )
    expect((await world.run('assets.list', {})).candidates).toBe(2)
    expect(
      (await world.run('fiscal.model', { model: '130', year: 2026, quarter: 4 })).warnings,
    ).toContainEqual(expect.objectContaining({ code: 'goods_without_asset', count: 2 }))
    const { items } = await world.run('assets.candidates', {})
    expect(items).toMatchObject([
      { kind: '21', base: 5000, vat: 1050, vatDeducted: 525, table: 'simplified.machinery', percent: 12 },
      { kind: '23', base: 900, table: 'simplified.computers', percent: 26 },
    ])
    const [found] = items
    const asset = await world.run('assets.create', {
      description: found!.description,
      kind: found!.kind,
      account: found!.account,
      acquiredOn: found!.date,
      inUseOn: found!.inUseOn,
      base: found!.base,
      vat: found!.vat,
      vatPercent: found!.vatPercent,
      vatDeducted: found!.vatDeducted,
      method: 'percent',
      percent: found!.percent,
      table: found!.table,
      receivedId: found!.receivedId,
      receivedLine: found!.receivedLine,
    })
    expect(asset).toMatchObject({
      cost: 5525,
      supplier: 'Proveedor, S.A.',
      supplierNif: 'A58818501',
      invoiceNumber: 'M-1',
      received: { id: bought.id, line: 0 },
    })
    const again = world.run('assets.create', {
      ...MACHINE,
      receivedId: found!.receivedId,
      receivedLine: found!.receivedLine,
    })
    expect(await refusal(again)).toBe('asset_taken')
    expect((await world.run('assets.candidates', {})).items).toHaveLength(1)
  })

  test('changes terms from the last booking on, and nothing else that is booked', async () => {
    const world = await freelancer()
    const { id, version } = await world.run('assets.create', MACHINE)
    await world.run('assets.depreciate', { year: 2026, quarter: 2 })
    const before = await world.run('assets.get', { id })
    expect(await refusal(world.run('assets.update', { id, base: 10_000 }))).toBe('asset_booked')
    expect(await refusal(world.run('assets.update', { id, account: '212' }))).toBe('asset_booked')
    expect(await refusal(world.run('assets.delete', { id }))).toBe('asset_booked')
    const after = await world.run('assets.update', { id, percent: 20, expectedVersion: version })
    expect(after.bookings).toEqual(before.bookings)
    expect(after.plan[0]!.amount).toBeCloseTo(before.bookings[0]!.amount + (20_000 * 0.2 * 184) / 365, 2)
    expect(after.plan.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(20_000, 2)
    expect(await refusal(world.run('assets.update', { id, percent: 5, expectedVersion: version }))).toBe(
      'version_conflict',
    )
    await world.run('assets.undoDepreciation', { year: 2026 })
    // Nothing is booked: the new terms count from the first day.
    expect((await world.run('assets.get', { id })).plan[0]!.amount).toBeCloseTo((20_000 * 0.2 * 364) / 365, 2)
    await world.run('assets.delete', { id })
    expect((await world.run('assets.list', {})).items).toEqual([])
  })

  test('shows the plan of terms before anything is stored', async () => {
    const world = await freelancer()
    const { description: _name, vatPercent: _rate, ...terms } = COMPUTER
    const preview = await world.run('assets.preview', { ...terms, percent: 60, pace: 'used' })
    expect(preview).toMatchObject({ cost: 1200, depreciable: 1200, maxPercent: 52, maxYears: 10 })
    expect(preview.warnings).toMatchObject([{ code: 'asset_above_table' }])
    expect((await world.run('assets.list', {})).items).toEqual([])
  })
})

describe('depreciation', () => {
  test('is booked once for each asset and period, and can be undone', async () => {
    const world = await freelancer()
    await world.run('assets.create', COMPUTER)
    await world.run('assets.create', MACHINE)
    const third = await world.run('assets.depreciation', { year: 2026, quarter: 3 })
    expect(third).toMatchObject({ date: '2026-09-30', booked: 0, total: 1569.05, missingYears: [] })
    const booked = await world.run('assets.depreciate', {
      year: 2026,
      quarter: 3,
      expectedTotal: third.total,
    })
    expect(booked).toMatchObject({ items: [], total: 0, booked: third.total })
    expect((await world.run('assets.depreciate', { year: 2026, quarter: 3 })).booked).toBe(third.total)
    expect(await refusal(world.run('assets.depreciate', { year: 2026, expectedTotal: 1 }))).toBe(
      'depreciation_changed',
    )
    await world.run('assets.depreciate', { year: 2026 })
    expect(await balanceOf(world, '681')).toBeCloseTo(157.28 + 1994.52, 2)
    expect(await balanceOf(world, '281')).toBeCloseTo(-157.28 - 1994.52, 2)
    const { items } = await world.run('ledger.journal', { source: 'depreciation' })
    expect(items.map(({ date, source }) => [date, source.label]).toSorted()).toEqual([
      ['2026-09-30', 'Máquina'],
      ['2026-09-30', 'Ordenador'],
      ['2026-12-31', 'Máquina'],
      ['2026-12-31', 'Ordenador'],
    ])
    // The fourth quarter is taken back, and the rest stays.
    const { undone, depreciation } = await world.run('assets.undoDepreciation', { year: 2026, quarter: 4 })
    expect([undone, depreciation.booked]).toEqual([2, third.total])
    expect((await world.run('assets.undoDepreciation', { year: 2026 })).undone).toBe(2)
    expect(await balanceOf(world, '681')).toBe(0)
    expect((await world.run('assets.undoDepreciation', { year: 2026 })).undone).toBe(0)
  })

  test('is never booked into closed days, nor taken out of them', async () => {
    const world = await freelancer()
    const { id } = await world.run('assets.create', MACHINE)
    await world.run('assets.depreciate', { year: 2026, quarter: 1 })
    await world.run('ledger.lock', { until: '2026-06-30' })
    expect(await refusal(world.run('assets.depreciate', { year: 2026, quarter: 2 }))).toBe('period_locked')
    expect(await refusal(world.run('assets.undoDepreciation', { year: 2026 }))).toBe('period_locked')
    expect((await world.run('assets.get', { id })).bookings).toHaveLength(1)
    expect(await world.run('assets.depreciation', { year: 2026, quarter: 2 })).toMatchObject({
      lockedUntil: '2026-06-30',
    })
    await world.run('assets.depreciate', { year: 2026 })
    expect((await world.run('assets.get', { id })).plan[0]).toMatchObject({
      amount: 1994.52,
      booked: 1994.52,
    })
  })

  test('names the years that were forgotten', async () => {
    const world = await freelancer()
    await world.run('assets.create', { ...MACHINE, acquiredOn: '2024-01-01', inUseOn: '2024-01-01' })
    expect(await world.run('assets.depreciation', { year: 2026 })).toMatchObject({
      total: 2000,
      missingYears: [2024, 2025],
    })
    await world.run('assets.depreciate', { year: 2025 })
    expect((await world.run('assets.depreciation', { year: 2026 })).missingYears).toEqual([2024])
  })
})

describe('a disposal', () => {
  async function sold(changes: Partial<InputOf<'assets.dispose'>> = {}) {
    const world = await freelancer()
    const { id } = await world.run('assets.create', MACHINE)
    const invoice = await world.invoice({ issueDate: '2026-10-01', lines: [line(19_000)] })
    const asset = await world.run('assets.dispose', {
      id,
      on: '2026-10-01',
      cause: 'sale',
      invoiceId: invoice.id,
      ...changes,
    })
    return { world, id, invoice, asset }
  }

  test('by sale depreciates until the day, takes the price from the income of the invoice, and books the gain', async () => {
    const { world, asset, invoice } = await sold()
    // 272 of 365 days of 2,000 euros.
    expect(asset).toMatchObject({
      state: 'disposed',
      booked: 1490.41,
      disposal: {
        price: 19_000,
        saleVat: 'taxed',
        saleVatAmount: 3990,
        invoice: { id: invoice.id, number: invoice.number },
        result: 490.41,
      },
    })
    expect(await balanceOf(world, '705')).toBe(0)
    expect(await balanceOf(world, '213')).toBe(-20_000)
    expect(await balanceOf(world, '281')).toBe(0)
    expect(await balanceOf(world, '771')).toBe(-490.41)
    expect((await world.run('ledger.journal', { source: 'asset_disposal' })).items).toMatchObject([
      { date: '2026-10-01', source: { label: 'Máquina' } },
    ])
    expect(await world.run('assets.depreciation', { year: 2026 })).toMatchObject({ total: 0 })
    // What is sold is no income of the business, and no turnover for VAT.
    expect(await boxOf(world, '130', '01')).toBe(0)
    expect(await boxOf(world, '130', 'assets')).toBe(1490.41)
    expect(await boxOf(world, '390', '107')).toBe(19_000)
    expect(await boxOf(world, '390', '108')).toBe(0)
  })

  test('is undone with its entries, and what was booked before stays', async () => {
    const { world, id } = await sold()
    expect(await refusal(world.run('assets.update', { id, percent: 5 }))).toBe('asset_disposed')
    expect(await refusal(world.run('assets.undoDepreciation', { year: 2026, id }))).toBe('asset_disposed')
    expect(await refusal(world.run('assets.dispose', { id, on: '2026-10-01', cause: 'lost' }))).toBe(
      'asset_disposed',
    )
    const back = await world.run('assets.undoDisposal', { id })
    expect(back).toMatchObject({ state: 'in_use', disposal: null, bookings: [], canDelete: true })
    expect(await balanceOf(world, '771')).toBe(0)
    expect(await balanceOf(world, '705')).toBe(-19_000)
    expect(await refusal(world.run('assets.undoDisposal', { id }))).toBe('asset_not_disposed')
  })

  test('without a sale is a loss of what is left', async () => {
    const world = await freelancer()
    const { id } = await world.run('assets.create', MACHINE)
    await world.run('assets.depreciate', { year: 2026, quarter: 2 })
    const gone = await world.run('assets.dispose', { id, on: '2026-10-01', cause: 'stolen' })
    expect(gone.disposal).toMatchObject({ price: null, result: -18_509.59 })
    expect(gone.bookings).toHaveLength(2)
    expect(await balanceOf(world, '671')).toBe(18_509.59)
    await world.run('assets.undoDisposal', { id })
    expect((await world.run('assets.get', { id })).bookings).toHaveLength(1)
  })

  test('refuses days that cannot be', async () => {
    const world = await freelancer()
    const { id } = await world.run('assets.create', MACHINE)
    await world.run('assets.depreciate', { year: 2026, quarter: 2 })
    const faults = (on: string) => faultsOfRefusal(world.run('assets.dispose', { id, on, cause: 'lost' }))
    expect(await faults('2026-01-01')).toEqual(['on: asset_out_early', 'on: asset_out_booked'])
    expect(await faults('2027-01-01')).toEqual(['on: asset_out_future'])
    expect(await faults('2026-06-30')).toEqual(['on: asset_out_booked'])
    const draft = await world.draft({ lines: [line(10)] })
    const sale = world.run('assets.dispose', { id, on: '2026-12-01', cause: 'sale', invoiceId: draft.id })
    expect(await faultsOfRefusal(sale)).toEqual(['invoiceId: asset_sale_invoice'])
    const priceless = world.run('assets.dispose', { id, on: '2026-12-01', cause: 'sale' })
    expect(await faultsOfRefusal(priceless)).toEqual(['price: asset_sale_price'])
  })
})

describe('the returns', () => {
  test('130 has the depreciation since January, booked or not', async () => {
    const world = await freelancer()
    await world.invoice({ issueDate: '2026-08-01', lines: [line(10_000)] })
    await world.run('assets.create', COMPUTER)
    expect(await boxOf(world, '130', 'assets', 2026, 2)).toBe(0)
    expect(await boxOf(world, '130', 'assets', 2026, 3)).toBe(78.64)
    expect(await boxOf(world, '130', 'assets')).toBe(157.28)
    const hard = (10_000 - 157.28) * 0.05
    expect(await boxOf(world, '130', '02')).toBeCloseTo(157.28 + hard, 2)
    await world.run('assets.depreciate', { year: 2026 })
    expect(await boxOf(world, '130', 'assets')).toBe(157.28)
    expect(await boxOf(world, '130', 'assets', 2026, 3)).toBe(78.64)
    await world.run('fiscal.setInput', {
      model: '130',
      year: 2026,
      quarter: 4,
      box: 'depreciation',
      amount: 10,
    })
    const { warnings } = await world.run('fiscal.model', { model: '130', year: 2026, quarter: 4 })
    expect(warnings.map(({ code }) => code)).toContain('depreciation_twice')
  })

  test('130 of a move in the middle of the year has what was depreciated before', async () => {
    const world = await freelancer()
    await world.test.transaction((tx) =>
      insertImportedAsset(tx, {
        ...MACHINE,
        acquiredOn: '2025-01-01',
        inUseOn: '2025-01-01',
        accumulatedBefore: 2991.78,
        accumulatedUntil: '2026-06-30',
      }),
    )
    expect(await boxOf(world, '130', 'assets', 2026, 3)).toBeCloseTo((2000 * 273) / 365, 2)
    expect(await boxOf(world, '130', 'assets')).toBe(2000)
    expect(await world.run('assets.depreciation', { year: 2026 })).toMatchObject({
      total: 1008.22,
      missingYears: [],
    })
  })

  // Source: AEAT, Manual práctico IVA 2024, chapter 5: 4,200 euros, 50 % in the year of the purchase, then 67 % and 30 %.
  test('303 and 390 have the regularisation of investment goods in the last period', async () => {
    const world = await openBooks({ at: '2028-01-10T10:00:00+01:00' })
    await world.run('assets.create', { ...MACHINE, vatDeducted: 2100 })
    expect(await boxOf(world, '303', '43', 2027)).toBe(0)
    await world.run('assets.setProrata', { year: 2026, percent: 50 })
    const missing = await world.run('fiscal.model', { model: '303', year: 2027, quarter: 4 })
    expect(missing.warnings.map(({ code }) => code)).toContain('prorata_missing')
    const shown = await world.run('assets.setProrata', { year: 2027, percent: 67 })
    expect(shown).toMatchObject({
      total: 142.8,
      missingYears: [],
      items: [{ first: 2100, now: 2814, divisor: 5, years: 1, amount: 142.8, reason: 'year' }],
    })
    expect(await boxOf(world, '303', '43', 2027, 3)).toBe(0)
    expect(await boxOf(world, '303', '43', 2027)).toBe(142.8)
    expect(await boxOf(world, '303', '45', 2027)).toBe(142.8)
    expect(await boxOf(world, '390', '63', 2027)).toBe(142.8)
    await world.run('assets.setProrata', { year: 2027, percent: 30 })
    expect(await boxOf(world, '303', '43', 2027)).toBe(-168)
    // A typed box replaces what the register gives.
    await world.run('fiscal.setInput', { model: '303', year: 2027, quarter: 4, box: '43', amount: -100 })
    expect(await boxOf(world, '303', '43', 2027)).toBe(-100)
    expect(
      (await world.run('assets.setProrata', { year: 2027, percent: null, show: 2026 })).proratas,
    ).toEqual([{ year: 2026, percent: 50, by: expect.any(String) }])
  })

  // Source: Plan General de Contabilidad, accounts 6342 and 6392; the example of the tax agency above.
  test('the regularisation is booked with the last return, and the settlement of the quarter takes it', async () => {
    const world = await openBooks({ at: '2028-01-10T10:00:00+01:00' })
    await world.run('assets.create', { ...MACHINE, vatDeducted: 2100 })
    await world.run('assets.create', { ...MACHINE, description: 'Otra', base: 10_000, vat: 2100 })
    await world.run('assets.setProrata', { year: 2026, percent: 50 })
    expect(await faultsOfRefusal(world.run('assets.bookVatAdjustment', { year: 2028 }))).toEqual([
      'year: asset_vat_early',
      'year: asset_vat_prorata_missing',
    ])
    const shown = await world.run('assets.setProrata', { year: 2027, percent: 67 })
    expect(shown).toMatchObject({ total: 214.2, toBook: 214.2, isBooked: false, entryIds: [] })
    expect(await refusal(world.run('assets.bookVatAdjustment', { year: 2027, expectedTotal: 214.1 }))).toBe(
      'depreciation_changed',
    )
    const booked = await world.run('assets.bookVatAdjustment', { year: 2027, expectedTotal: 214.2 })
    expect(booked).toMatchObject({ toBook: 0, isBooked: true, entryIds: [expect.any(String)] })
    const entry = await world.run('ledger.entry', { id: booked.entryIds[0] ?? '' })
    expect(entry).toMatchObject({ date: '2027-12-31', source: { type: 'vat_adjustment' } })
    expect(entry.lines.map(({ account, debit, credit }) => [account, debit, credit])).toEqual([
      ['6392', 0, 214.2],
      ['472', 214.2, 0],
    ])
    // Again, nothing is added.
    expect((await world.run('assets.bookVatAdjustment', { year: 2027 })).entryIds).toEqual(booked.entryIds)
    const settled = await world.run('ledger.settleVat', { year: 2027, quarter: 4, write: false })
    expect(settled).toMatchObject({ input: 214.2, result: -214.2 })
    expect(await boxOf(world, '303', '45', 2027)).toBe(214.2)
    // Another percentage, and only the difference.
    await world.run('assets.setProrata', { year: 2027, percent: 30 })
    const again = await world.run('assets.bookVatAdjustment', { year: 2027 })
    expect(again).toMatchObject({ total: -252, toBook: 0, isBooked: true })
    expect(again.entryIds).toHaveLength(2)
    const { rows } = await world.run('ledger.trialBalance', { year: 2027 })
    expect(
      rows
        .filter(({ code, account }) => account && ['472', '6342', '6392'].includes(code))
        .map(({ code, balance }) => [code, balance]),
    ).toEqual([
      ['472', -252],
      ['6342', 252],
      ['6392', 0],
    ])
    for (const id of again.entryIds) await world.run('ledger.removeEntry', { id })
    expect(await world.run('assets.vatAdjustments', { year: 2027 })).toMatchObject({
      toBook: -252,
      isBooked: false,
      entryIds: [],
    })
  })

  test('a return with pro rata is refused as before', async () => {
    const world = await openBooks({ at: '2027-01-10T10:00:00+01:00' })
    await world.run('assets.create', { ...MACHINE, acquiredOn: '2025-01-02', inUseOn: '2025-01-02' })
    await world.run('assets.setProrata', { year: 2025, percent: 50 })
    await world.run('assets.setProrata', { year: 2026, percent: 90 })
    await stateSchemes(world, 2026, { prorata: 'uses' })
    expect(await boxOf(world, '303', '43')).toBe(336)
    expect(
      await faultsOfRefusal(
        world.run('fiscal.returnFile', { model: '303', year: 2026, quarter: 4, kind: 'N' }),
      ),
    ).toContain('schemes: scheme_not_written')
  })
})

describe('the books', () => {
  const named = (columns: readonly { id: string }[], cells: readonly string[]) =>
    Object.fromEntries(columns.map(({ id }, at) => [id, cells[at] ?? '']))

  async function rowsOf(world: TestBooks) {
    const rows = []
    for await (const page of bookRows(world.test, { from: '2026-01-01', to: '2026-12-31' }))
      rows.push(...page)
    return rows
  }

  test('of a natural person have depreciation as expenses and all columns of the goods', async () => {
    const world = await freelancer()
    await world.run(
      'received.create',
      purchase({
        supplierNumber: 'M-1',
        issueDate: '2026-01-02',
        receptionDate: '2026-01-02',
        taxLines: [{ base: 20_000, vatRate: 21, investmentGood: true, account: '213', description: 'Torno' }],
      }),
    )
    const [found] = (await world.run('assets.candidates', {})).items
    const { id } = await world.run('assets.create', {
      ...MACHINE,
      receivedId: found!.receivedId,
      receivedLine: found!.receivedLine,
    })
    const invoice = await world.invoice({ issueDate: '2026-10-01', lines: [line(19_000)] })
    await world.run('assets.dispose', { id, on: '2026-10-01', cause: 'sale', invoiceId: invoice.id })
    const rows = await rowsOf(world)
    const expenses = rows
      .filter(({ sheet }) => sheet === 'received')
      .map(({ cells }) => named(RECEIVED_COLUMNS, cells))
      .filter(({ kind }) => kind === 'SF')
    expect(
      expenses.map((row) => [
        row.period,
        row.concept,
        row.expense,
        row.rate,
        row.deductible,
        row.name,
        row.reception,
      ]),
    ).toEqual([
      ['1T', 'G29', '487,67', '0,00', '0,00', '', 'AM-2026-1'],
      ['2T', 'G29', '498,63', '0,00', '0,00', '', 'AM-2026-2'],
      ['3T', 'G29', '504,11', '0,00', '0,00', '', 'AM-2026-3'],
    ])
    const goods = rows.filter(({ sheet }) => sheet === 'goods')
    expect(goods).toHaveLength(1)
    expect(named(GOODS_COLUMNS, goods[0]!.cells)).toMatchObject({
      type: '21',
      value: '20000,00',
      depreciable: '20000,00',
      depreciationMethod: '01',
      depreciationRate: '10,00',
      accumulatedBefore: '0,00',
      depreciation: '1490,41',
      accumulated: '1490,41',
      pending: '18509,59',
      number: 'M-1',
      nif: 'A58818501',
      proRata: '100,00',
      deductible: '4200,00',
      proRataNow: '',
      outOn: '01/10/2026',
      outCause: '02',
      saleNumber: invoice.number!.split('-').at(-1),
    })
    const { faults } = checkVatBook(rows, { ownNif: 'B12345674', isLegal: false, today: '2026-12-31' })
    expect(faults.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('of a company have the goods without depreciation, and no expenses of it', async () => {
    const world = await openBooks({ at: END_OF_YEAR })
    await world.run('assets.create', { ...MACHINE, supplierName: 'Taller', supplierNif: 'A58818501' })
    const rows = await rowsOf(world)
    expect(rows.filter(({ sheet }) => sheet === 'received')).toEqual([])
    expect(named(GOODS_COLUMNS, rows[0]!.cells)).toMatchObject({
      name: 'Taller',
      depreciable: '',
      depreciationMethod: '',
      accumulated: '',
    })
  })
})

test('an asset that was brought is taken back whole, unless something of it is booked', async () => {
  const world = await freelancer()
  const brought: ImportedAsset = {
    ...COMPUTER,
    acquiredOn: '2025-01-01',
    inUseOn: '2025-01-01',
    accumulatedBefore: 312,
    accumulatedUntil: '2025-12-31',
  }
  const bring = () => world.test.transaction((tx) => insertImportedAsset(tx, brought))
  const id = await bring()
  expect(await world.run('assets.get', { id })).toMatchObject({
    accumulatedBefore: 312,
    accumulatedInYear: 312,
    booked: 312,
    accumulated: 624,
  })
  await world.test.transaction((tx) => deleteImportedAsset(tx, id))
  expect((await world.run('assets.list', {})).items).toEqual([])
  const second = await bring()
  await world.run('assets.depreciate', { year: 2026 })
  expect(await refusal(world.test.transaction((tx) => deleteImportedAsset(tx, second)))).toBe('asset_booked')
})
