/** Sums of a book from its four sources, in the numbers of the test plan. */
import { expect, test } from 'vitest'
import { randomBook, sumsOf } from '../../server/sums/sums.ts'

test('10,000 invoices in 40 random books: VAT books, invoices, tax totals and ledger agree', async () => {
  let counted = 0
  for (let seed = 100; seed < 140; seed++) {
    const world = await randomBook(seed, 250)
    const { invoices, figures, vatBook, ledger } = await sumsOf(world)
    expect(figures, `start value ${seed}`).toEqual(invoices)
    expect(vatBook, `start value ${seed}`).toEqual(invoices)
    expect(ledger, `start value ${seed}`).toEqual({
      vatCents: invoices.vatCents,
      surchargeCents: invoices.surchargeCents,
    })
    counted += 250
  }
  expect(counted).toBe(10_000)
})
