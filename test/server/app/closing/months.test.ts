/** The close of a quarter whose VAT returns are filed by months. */
import { expect, test } from 'vitest'
import { openBooks, refused } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { stateSchemes } from '../../../support/schemes.ts'
import { line, purchase } from '../../accounting/returns/worked.ts'
import { closingOf, Q3, stepOf } from './book.ts'

const buy = (world: TestBooks, supplierNumber: string, day: string, base: number) =>
  world.run(
    'received.create',
    purchase({ supplierNumber, issueDate: day, receptionDate: day, taxLines: [{ base, vatRate: 21 }] }),
  )

/** Sales of 500 euros in July and of 1,000 in September, purchases of 2,000 in August and of 200 in September. */
async function monthsBook(): Promise<TestBooks> {
  const world = await openBooks({ at: '2026-07-10T12:00:00+02:00' })
  await stateSchemes(world, 2026, { refundRegister: true })
  await world.invoice({ issueDate: '2026-07-10', lines: [line(500)] })
  world.setTime('2026-09-12T12:00:00+02:00')
  await buy(world, 'P1', '2026-08-12', 2_000)
  await world.invoice({ issueDate: '2026-09-12', lines: [line(1_000)] })
  await buy(world, 'P2', '2026-09-12', 200)
  world.setTime('2026-10-12T10:00:00+02:00')
  return world
}

const amounts = (lines: readonly { account: string; debit: number; credit: number }[]) =>
  Object.fromEntries(lines.map(({ account, debit, credit }) => [account, debit - credit]))

test('lists the three returns, each with its page, and sums them in the figures', async () => {
  const world = await monthsBook()
  const closing = await closingOf(world)
  expect(
    closing.returns.flatMap(({ model, period, result }) => (model === '303' ? [[period, result]] : [])),
  ).toEqual([
    ['07', 105],
    ['08', -420],
    // 168 are offset with what August leaves.
    ['09', 0],
  ])
  const items = stepOf(closing, 'returns').items.filter(({ label }) => label.startsWith('303'))
  expect(items.map(({ id, page }) => [id, page])).toEqual([
    ['303 07', '/taxes/2026-07/303/file'],
    ['303 08', '/taxes/2026-08/303/file'],
    ['303 09', '/taxes/2026-09/303/file'],
  ])
  expect(closing.figures.find(({ id }) => id === 'vat')?.amounts[0]?.amount).toBe(-315)
})

test('books the VAT once all three are filed: what is paid to 4750, what is in favour to 4700', async () => {
  const world = await monthsBook()
  for (const month of [7, 8]) await world.run('fiscal.markFiled', { model: '303', year: 2026, month })
  expect(stepOf(await closingOf(world), 'vat_entry')).toMatchObject({ state: 'missing', why: 'file_first' })
  expect((await refused(world.run('fiscal.enterVat', Q3))).code).toBe('return_not_filed')
  await world.run('fiscal.markFiled', { model: '303', year: 2026, month: 9 })
  const { vatEntry } = await closingOf(world)
  expect(vatEntry).toMatchObject({
    balanced: true,
    filed: { output: 315, input: 462, result: -315 },
    ledger: { output: 315, input: 462, result: -315 },
    difference: { output: 0, input: 0, result: 0 },
    carried: 168,
  })
  const entry = await world.run('fiscal.enterVat', Q3)
  // July pays 105; of the 420 of August September takes 168, and 252 are left.
  expect(amounts(entry.lines)).toEqual({
    '4772100': 315,
    '4722100': -462,
    '4700': 252,
    '4750': -105,
  })
  expect(stepOf(await closingOf(world), 'vat_entry')).toMatchObject({ state: 'done', why: null })
})

test('takes what an earlier quarter left off 4700, whatever the months do with it', async () => {
  const world = await monthsBook()
  await world.run('fiscal.setInput', { model: '303', year: 2026, month: 7, box: '110', amount: 60 })
  for (const month of [7, 8, 9]) await world.run('fiscal.markFiled', { model: '303', year: 2026, month })
  const entry = await world.run('fiscal.enterVat', Q3)
  // 60 applied in July, 168 in September, 420 of August in favour: 192 more in 4700 than before; 45 to pay.
  expect(amounts(entry.lines)).toEqual({ '4772100': 315, '4722100': -462, '4700': 192, '4750': -45 })
})

test('differs while the books and the three returns do', async () => {
  const world = await monthsBook()
  for (const month of [7, 8, 9]) await world.run('fiscal.markFiled', { model: '303', year: 2026, month })
  await buy(world, 'P3', '2026-07-20', 100)
  const closing = await closingOf(world)
  expect(closing.vatEntry).toMatchObject({ difference: { output: 0, input: 21, result: -21 } })
  expect((await refused(world.run('fiscal.enterVat', Q3))).code).toBe('vat_entry_differs')
})

test('finds the payment of a month within the quarter', async () => {
  const world = await monthsBook()
  for (const month of [7, 8, 9]) await world.run('fiscal.markFiled', { model: '303', year: 2026, month })
  await world.run('ledger.writeEntry', {
    date: '2026-08-28',
    text: 'IVA de julio',
    lines: [
      { account: '4750', debit: 105 },
      { account: '572', credit: 105 },
    ],
  })
  const { returns } = await closingOf(world)
  const paid = (period: string) => returns.find((each) => each.model === '303' && each.period === period)
  expect(paid('07')).toMatchObject({ paid: 'done', paidOn: '2026-08-28' })
  expect([paid('08')?.paid, paid('09')?.paid]).toEqual(['not_needed', 'not_needed'])
})
