/** Series of numbers: no gap, no number twice, never back. */
import { describe, expect, test } from 'vitest'
import {
  createSeries,
  defaultSeriesCode,
  ensureSeries,
  findSeriesByCode,
  listSeries,
  printedNumber,
  takeNumber,
} from '../../../../server/company/series/index.ts'
import { openTestStore } from '../../../support/store.ts'

test('a number has the code and at least four digits', () => {
  expect(printedNumber('F2026', 1)).toBe('F2026-0001')
  expect(printedNumber('F2026', 12345)).toBe('F2026-12345')
  expect(defaultSeriesCode('test', 'simplified', 2027)).toBe('T-S2027')
})

describe('taking numbers', () => {
  test('gives consecutive numbers and stores the latest date', async () => {
    const world = await openTestStore()
    const { test: book } = await world.company()
    const ctx = world.ctx(book)
    const series = await ensureSeries(ctx, 'ordinary', 2026)
    const first = await ctx.transaction((tx) => takeNumber(tx, series.id, '2026-11-20'))
    const second = await ctx.transaction((tx) => takeNumber(tx, series.id, '2026-11-19'))
    expect(first).toEqual({ sequence: 1, number: 'T-F2026-0001', code: 'T-F2026' })
    expect(second).toEqual({ sequence: 2, number: 'T-F2026-0002', code: 'T-F2026' })
    expect(await findSeriesByCode(ctx, 'T-F2026')).toMatchObject({
      nextNumber: 3,
      lastIssueDate: '2026-11-20',
    })
    expect((await listSeries(ctx, {})).items[0]).toMatchObject({
      nextPrintedNumber: 'T-F2026-0003',
      issued: 2,
    })
  })

  test('gives a number again after its issue is rolled back', async () => {
    const world = await openTestStore()
    const { live } = await world.company()
    const ctx = world.ctx(live)
    const series = await ensureSeries(ctx, 'ordinary', 2026)
    const lost = ctx.transaction(async (tx) => {
      await takeNumber(tx, series.id, '2026-11-20')
      throw new Error('the power went')
    })
    await expect(lost).rejects.toThrow('the power went')
    expect(await ctx.transaction((tx) => takeNumber(tx, series.id, '2026-11-20'))).toMatchObject({
      sequence: 1,
    })
  })

  test('twenty times at once gives twenty different consecutive numbers', async () => {
    const world = await openTestStore()
    const { live } = await world.company()
    const ctx = world.ctx(live)
    const series = await ensureSeries(ctx, 'ordinary', 2026)
    const taken = await Promise.all(
      Array.from({ length: 20 }, () => ctx.transaction((tx) => takeNumber(tx, series.id, '2026-11-20'))),
    )
    expect(taken.map(({ sequence }) => sequence).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
  })

  test('from a series of the other book is impossible', async () => {
    const world = await openTestStore()
    const books = await world.company()
    const live = await ensureSeries(world.ctx(books.live), 'ordinary', 2026)
    await expect(
      world.ctx(books.test).transaction((tx) => takeNumber(tx, live.id, '2026-11-20')),
    ).rejects.toThrow('not of this book')
    await expect(takeNumber(world.ctx(books.live), live.id, '2026-11-20')).rejects.toThrow(
      'in the transaction',
    )
  })

  test('backwards is rejected by the store', async () => {
    const world = await openTestStore()
    const { live } = await world.company()
    const ctx = world.ctx(live)
    const series = await ensureSeries(ctx, 'ordinary', 2026)
    await ctx.transaction((tx) => takeNumber(tx, series.id, '2026-11-20'))
    const back = ctx.transaction((tx) =>
      tx.db.updateTable('series').set({ next_number: 1 }).where('id', '=', series.id).execute(),
    )
    await expect(back).rejects.toThrow('frozen: series')
  })
})

describe('adding series', () => {
  test('happens once for the default series of a new year, when it is first needed', async () => {
    const world = await openTestStore()
    const { test: book } = await world.company()
    const ctx = world.ctx(book)
    expect(await findSeriesByCode(ctx, 'T-F2027')).toBeNull()
    const first = await ensureSeries(ctx, 'ordinary', 2027)
    const again = await ensureSeries(ctx, 'ordinary', 2027)
    expect(again).toEqual(first)
    expect(first).toMatchObject({ code: 'T-F2027', kind: 'ordinary', nextNumber: 1 })
  })

  test('allows a chosen first number', async () => {
    const world = await openTestStore()
    const { live } = await world.company()
    const made = await createSeries(world.ctx(live), { code: 'WEB', kind: 'ordinary', startNumber: 120 })
    expect(made).toMatchObject({ code: 'WEB', nextNumber: 120, nextPrintedNumber: 'WEB-0120', issued: 0 })
  })

  test("gives a test book's codes the prefix T-, entered or not, and finds them either way", async () => {
    const world = await openTestStore()
    const { test: book } = await world.company()
    const ctx = world.ctx(book)
    expect((await createSeries(ctx, { code: 'WEB', kind: 'ordinary' })).code).toBe('T-WEB')
    expect((await createSeries(ctx, { code: 'T-SHOP', kind: 'ordinary' })).code).toBe('T-SHOP')
    expect((await findSeriesByCode(ctx, 'WEB'))?.code).toBe('T-WEB')
    expect((await findSeriesByCode(ctx, 'T-WEB'))?.code).toBe('T-WEB')
  })

  test.each([
    ['a code that exists', 'F2026', 'ordinary', 'series_code_taken'],
    ['a code that differs only in capitals', 'f2026', 'ordinary', 'series_code_taken'],
    ['a test code in a live book', 'T-WEB', 'ordinary', 'series_code_reserved'],
    ["another kind's default code", 'R2026', 'ordinary', 'series_code_reserved'],
  ] as const)('with %s is rejected', async (_case, code, kind, fault) => {
    const world = await openTestStore()
    const { live } = await world.company()
    await expect(createSeries(world.ctx(live), { code, kind })).rejects.toMatchObject({
      code: 'validation_failed',
      field: 'code',
      details: { faults: [{ code: fault }] },
    })
  })
})
