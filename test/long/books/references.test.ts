/** Random references to invoices of the book and of other programs, in the number of the test plan. */
import { expect, test } from 'vitest'
import { resolveRandomly } from '../../server/sales/invoices/references/reference-spellings.ts'

test('10,000 random references resolve to the invoice they name', { timeout: 900_000 }, async () => {
  expect(await resolveRandomly(25, 10_000)).toEqual({ differences: [], runs: 10_000 })
})
