/**
 * Ten thousand random invoices in every structured format, read back: the property of `npm test`, in the number of
 * the test plan.
 */
import { expect, test } from 'vitest'
import { roundTrips } from '../../server/documents/e-invoice/round-trip.ts'

const COUNT = 10_000

test(`${COUNT} invoices are equal after a round trip`, () => {
  const { invoices, files } = roundTrips(COUNT, 20_261_124)
  console.info(`${invoices} invoices, ${files} files, 0 differences`)
  expect(invoices).toBeGreaterThanOrEqual(COUNT)
}, 1_800_000)
