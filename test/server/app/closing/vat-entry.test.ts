/** The entry of a quarter's VAT: balanced, equal to the return as filed, and booked once. */
import { describe, expect, test } from 'vitest'
import { refused } from '../../../support/books.ts'
import { togetherSorted } from '../../../support/concurrently.ts'
import { line, purchase, workedQuarter } from '../../accounting/returns/worked.ts'
import { closingOf, Q3, quarterBook, stepOf } from './book.ts'

const Q4 = { year: 2026, quarter: 4 }

/** Returns the signed amounts of an entry by account. */
const amounts = (lines: readonly { account: string; debit: number; credit: number }[]) =>
  Object.fromEntries(lines.map(({ account, debit, credit }) => [account, debit - credit]))

test('is previewed and booked as the return was filed: 477 and 472 to 4750, on the last day', async () => {
  const world = await quarterBook()
  expect((await closingOf(world)).vatEntry).toBeNull()
  expect((await refused(world.run('fiscal.enterVat', Q3))).code).toBe('return_not_filed')
  await world.run('fiscal.markFiled', { model: '303', ...Q3 })
  const { vatEntry } = await closingOf(world)
  expect(vatEntry).toMatchObject({
    date: '2026-09-30',
    balanced: true,
    filed: { output: 210, input: 42, result: 168 },
    ledger: { output: 210, input: 42, result: 168 },
    difference: { output: 0, input: 0, result: 0 },
    carried: 0,
    entryId: null,
  })
  const entry = await world.run('fiscal.enterVat', Q3)
  expect(entry).toMatchObject({ date: '2026-09-30', source: { type: 'vat_settlement' }, total: 210 })
  expect(amounts(entry.lines)).toEqual({ '4772100': 210, '4722100': -42, '4750': -168 })
  expect(entry.lines.map(({ account, debit, credit }) => ({ account, debit, credit }))).toEqual(
    vatEntry?.lines.map(({ account, debit, credit }) => ({ account, debit, credit })),
  )
  const after = await closingOf(world)
  expect(stepOf(after, 'vat_entry')).toMatchObject({ state: 'done', why: null })
  expect(after.vatEntry).toMatchObject({
    lines: [],
    entryId: entry.id,
    ledger: { output: 210, input: 42, result: 168 },
  })
  expect((await world.run('audit.list', { limit: 1 })).items[0]).toMatchObject({
    action: 'ledger.vat_settled',
    target: { id: entry.id },
  })
})

test('equals the return of a quarter with every kind of sale and purchase', async () => {
  const world = await workedQuarter()
  world.setTime('2027-01-12T10:00:00+01:00')
  await world.run('fiscal.markFiled', { model: '303', ...Q4 })
  const { vatEntry } = await closingOf(world, Q4)
  expect(vatEntry?.difference).toEqual({ output: 0, input: 0, result: 0 })
  expect(vatEntry?.balanced).toBe(true)
  const entry = await world.run('fiscal.enterVat', Q4)
  // A result in favour of the business is owed by the tax office.
  expect(amounts(entry.lines)['4700']).toBe(582.7)
})

test('takes the amount carried forward off 4700, as the return applied it', async () => {
  const world = await workedQuarter()
  world.setTime('2027-01-12T10:00:00+01:00')
  await world.run('fiscal.markFiled', { model: '303', ...Q4 })
  await world.run('fiscal.enterVat', Q4)
  await world.invoice({ issueDate: '2027-01-12', lines: [line(10_000)] })
  world.setTime('2027-04-12T10:00:00+02:00')
  const Q1 = { year: 2027, quarter: 1 }
  await world.run('fiscal.markFiled', { model: '303', ...Q1 })
  const { vatEntry } = await closingOf(world, Q1)
  expect(vatEntry).toMatchObject({ carried: 582.7, difference: { output: 0, input: 0, result: 0 } })
  const entry = await world.run('fiscal.enterVat', Q1)
  expect(amounts(entry.lines)).toEqual({ '4772100': 2100, '4700': -582.7, '4750': -1517.3 })
  const { rows } = await world.run('ledger.trialBalance', Q1)
  expect(rows.find(({ code }) => code === '4700')?.balance).toBe(0)
})

test('leaves a refund that was asked for in 4700', async () => {
  const world = await workedQuarter()
  world.setTime('2027-01-12T10:00:00+01:00')
  await world.run('fiscal.markFiled', { model: '303', ...Q4, outcome: 'refund' })
  await world.run('fiscal.enterVat', Q4)
  await world.invoice({ issueDate: '2027-01-12', lines: [line(10_000)] })
  world.setTime('2027-04-12T10:00:00+02:00')
  const Q1 = { year: 2027, quarter: 1 }
  await world.run('fiscal.markFiled', { model: '303', ...Q1 })
  const entry = await world.run('fiscal.enterVat', Q1)
  expect(amounts(entry.lines)).toEqual({ '4772100': 2100, '4750': -2100 })
  const { rows } = await world.run('ledger.trialBalance', Q1)
  expect(rows.find(({ code }) => code === '4700')?.balance).toBe(582.7)
})

describe('is refused', () => {
  test('a second time, also at the same moment, until the first is removed', async () => {
    const world = await quarterBook()
    await world.run('fiscal.markFiled', { model: '303', ...Q3 })
    const enter = () => world.run('fiscal.enterVat', Q3)
    expect(await togetherSorted(enter(), enter())).toEqual(['done', 'vat_entered'])
    const { vatEntry } = await closingOf(world)
    expect((await refused(enter())).details).toEqual({ entryId: vatEntry?.entryId })
    await world.run('ledger.removeEntry', { id: vatEntry?.entryId ?? '' })
    expect(stepOf(await closingOf(world), 'vat_entry')).toMatchObject({ state: 'missing', why: null })
    await enter()
  })

  test('in a locked period, and nothing is booked', async () => {
    const world = await quarterBook()
    await world.run('fiscal.markFiled', { model: '303', ...Q3 })
    await world.run('ledger.lock', { until: '2026-09-30' })
    expect((await refused(world.run('fiscal.enterVat', Q3))).code).toBe('period_locked')
    expect((await world.run('ledger.journal', { source: 'vat_settlement' })).items).toEqual([])
  })

  test('while the ledger differs from the return, with both amounts, unless the difference is accepted', async () => {
    const world = await quarterBook()
    await world.run('fiscal.markFiled', { model: '303', ...Q3 })
    await world.run('ledger.writeEntry', {
      date: '2026-09-15',
      text: 'IVA sin factura',
      lines: [
        { account: '572', debit: 21 },
        { account: '4772100', credit: 21 },
      ],
    })
    expect(stepOf(await closingOf(world), 'vat_entry')).toMatchObject({ state: 'missing', why: 'differs' })
    const error = await refused(world.run('fiscal.enterVat', Q3))
    expect(error.code).toBe('vat_entry_differs')
    expect(error.details).toEqual({
      filed: { output: 210, input: 42, result: 168 },
      ledger: { output: 231, input: 42, result: 189 },
    })
    expect((await world.run('ledger.journal', { source: 'vat_settlement' })).items).toEqual([])
    const entry = await world.run('fiscal.enterVat', { ...Q3, acceptDifference: true })
    expect(amounts(entry.lines)).toEqual({ '4772100': 231, '4722100': -42, '4750': -189 })
    // Booked is not the same as right.
    expect(stepOf(await closingOf(world), 'vat_entry')).toMatchObject({
      state: 'unknown',
      why: 'entry_differs',
    })
  })

  test('when a later settlement may have cleared the quarter', async () => {
    const world = await quarterBook()
    await world.run('fiscal.markFiled', { model: '303', ...Q3 })
    world.setTime('2027-01-12T10:00:00+01:00')
    await world.run('ledger.settleVat', { ...Q4, write: true })
    expect(stepOf(await closingOf(world), 'vat_entry')).toMatchObject({
      state: 'unknown',
      why: 'settled_later',
    })
    expect((await refused(world.run('fiscal.enterVat', Q3))).code).toBe('vat_entered')
  })

  test('from a key', async () => {
    const world = await quarterBook()
    await world.run('fiscal.markFiled', { model: '303', ...Q3 })
    const actor = await world.key()
    expect((await refused(world.run('fiscal.enterVat', Q3, world.ctx(world.books.test, actor)))).code).toBe(
      'not_found',
    )
  })
})

test('is outdated when something of the quarter was added since', async () => {
  const world = await quarterBook()
  await world.run('fiscal.markFiled', { model: '303', ...Q3 })
  await world.run('fiscal.enterVat', Q3)
  await world.run(
    'received.create',
    purchase({
      supplierNumber: 'P2',
      issueDate: '2026-09-20',
      receptionDate: '2026-09-21',
      taxLines: [{ base: 100, vatRate: 21 }],
    }),
  )
  expect(stepOf(await closingOf(world), 'vat_entry')).toMatchObject({
    state: 'missing',
    why: 'entry_outdated',
  })
})

test('is unknown when an entry by hand emptied the accounts', async () => {
  const world = await quarterBook()
  await world.run('fiscal.markFiled', { model: '303', ...Q3 })
  await world.run('ledger.writeEntry', {
    date: '2026-09-30',
    text: 'Liquidación a mano',
    lines: [
      { account: '4772100', debit: 210 },
      { account: '4722100', credit: 42 },
      { account: '4750', credit: 168 },
    ],
  })
  expect(stepOf(await closingOf(world), 'vat_entry')).toMatchObject({
    state: 'unknown',
    why: 'cleared_elsewhere',
  })
})
