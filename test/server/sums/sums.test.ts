/** Sum of the VAT books = sum of the invoices = tax totals = ledger, whatever happened to the invoices. */
import { expect, test } from 'vitest'
import { verifyTaxTotals } from '../../../server/tax/totals/index.ts'
import { verifyTotals } from '../../../server/sales/invoices/index.ts'
import { verifyLedger } from '../../../server/accounting/ledger/index.ts'
import { randomBook, sumsOf } from './sums.ts'
import { swept } from '../../support/sweep.ts'

test.each(swept([1, 2, 3, 4], (seed) => seed === 1))(
  'the sums of a random book agree, seed %i',
  async (seed) => {
    const world = await randomBook(seed, 40)
    const { invoices, figures, vatBook, ledger } = await sumsOf(world)
    expect(invoices.vatCents).not.toBe(0)
    expect(figures).toEqual(invoices)
    expect(vatBook).toEqual(invoices)
    expect(ledger).toEqual({ vatCents: invoices.vatCents, surchargeCents: invoices.surchargeCents })
    expect((await verifyTotals(world.test)).faults).toEqual([])
    expect(await verifyTaxTotals(world.test)).toEqual([])
    expect((await verifyLedger(world.test)).faults).toEqual([])
  },
)
