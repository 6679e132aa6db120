/** Random invoices in the numbers of the test plan: valid ones are accepted, and no unexpected rejection occurs. */
import fc from 'fast-check'
import { test } from 'vitest'
import { expectAdmitted, expectCancellationForetold, expectForetold } from '../../server/registry/admitted.ts'
import { alteredCancellation, alteredInvoice } from '../../server/registry/altered-records.ts'
import { validInvoice } from '../../server/registry/samples.ts'

test('5,000 random valid invoices are accepted', async () => {
  await fc.assert(fc.asyncProperty(validInvoice, expectAdmitted), { numRuns: 5_000 })
})

test('of 50,000 random invoices with faults none that our rules accept is rejected', async () => {
  await fc.assert(fc.asyncProperty(alteredInvoice, expectForetold), { numRuns: 50_000 })
})

test('of 10,000 random cancellations none that our rules accept is rejected', async () => {
  await fc.assert(fc.asyncProperty(alteredCancellation, expectCancellationForetold), { numRuns: 10_000 })
})
