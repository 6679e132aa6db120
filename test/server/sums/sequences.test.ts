/**
 * Model 130 = VAT book = result account, and 303 = VAT book, whatever happened between the invoices over the
 * quarters.
 */
import { expect, test } from 'vitest'
import { sweptCount } from '../../support/sweep.ts'
import { answersOf, compareSequences, expectedOf, play } from './sequences.ts'

test('a ticket and the invoice that replaces it are one sale', async () => {
  const { world, counted } = await play([
    [
      { act: 'ticket', quarter: 0, pick: 0, euros: 121, vatRate: 21 },
      { act: 'complete', quarter: 1, pick: 0, euros: 1, vatRate: 21 },
    ],
  ])
  const { model130, result } = await answersOf(world)
  expect(model130).toEqual([10_000, 10_000, 10_000, 10_000])
  expect(result).toEqual([10_000, 0, 0, 0])
  expect(expectedOf(counted).accumulated).toEqual(model130)
})

test('1,000 replaced by 900 in the next quarter are 900 in the year', async () => {
  const { world } = await play([
    [
      { act: 'issue', quarter: 0, pick: 0, euros: 1000, vatRate: 21 },
      { act: 'replace', quarter: 1, pick: 0, euros: 900, vatRate: 21 },
    ],
  ])
  expect((await answersOf(world)).model130).toEqual([100_000, 90_000, 90_000, 90_000])
})

test(
  'in random sequences, model 130, model 303, VAT book and result account agree',
  { timeout: 240_000 },
  async () => {
    const done = await compareSequences(130, sweptCount(200, 30))
    for (const count of Object.values(done)) expect(count).toBeGreaterThan(0)
  },
)

test('the VAT book deducts the withholding of a replaced invoice', async () => {
  const { world } = await play([
    [
      { act: 'issue', quarter: 0, pick: 5, euros: 1000, vatRate: 21 },
      { act: 'replace', quarter: 1, pick: 0, euros: 900, vatRate: 21 },
    ],
  ])
  const { vatBook, withheld } = await answersOf(world)
  expect(vatBook.map((quarter) => quarter.withheld)).toEqual([15_000, -1_500, 0, 0])
  expect(withheld).toEqual([15_000, 13_500, 13_500, 13_500])
})

test('a replaced invoice is deducted once', async () => {
  const { world, counted } = await play([
    [
      { act: 'issue', quarter: 0, pick: 4, euros: 1331.93, vatRate: 21 },
      { act: 'ticket', quarter: 0, pick: 4, euros: 774.59, vatRate: 21 },
      { act: 'credit', quarter: 1, pick: 3, euros: 1, vatRate: 21 },
      // The credit of the ticket is corrected, then the customer asks for a full invoice.
      { act: 'replace', quarter: 2, pick: 2, euros: 862.94, vatRate: 21 },
      { act: 'complete', quarter: 3, pick: 0, euros: 1, vatRate: 21 },
    ],
  ])
  expect(counted.map(({ invoice, own }) => [invoice.kind, own])).toEqual([
    ['F1', 133_193],
    ['F2', 64_016],
    ['R5', -35_208],
    ['R5', 71_317],
    ['F3', 135_333],
  ])
  const { model130, result } = await answersOf(world)
  expect(result).toEqual([197_209, -35_208, 106_525, 0])
  expect(model130).toEqual([197_209, 162_001, 268_526, 268_526])
  expect(expectedOf(counted).accumulated).toEqual(model130)
})
