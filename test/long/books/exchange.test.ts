/** Two thousand invoices of every treatment for the exchange: all rules, read back to the cent and field by field. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkExchangeInvoice, ubl25Xml } from '../../../server/documents/e-invoice/index.ts'
import { readStructured } from '../../../server/purchases/intake/structured.ts'
import {
  comparable,
  exchangeInvoices,
  expected,
  statedIn,
} from '../../server/documents/e-invoice/exchange-samples.ts'
import { factsOf, factsRead } from '../../server/documents/e-invoice/round-trip.ts'

const COUNT = 2_000

test(`${COUNT} invoices for the exchange are equal after a round trip`, () => {
  const categories = new Map<string, number>()
  let lines = 0
  fc.assert(
    fc.property(exchangeInvoices, (invoice) => {
      const xml = ubl25Xml(invoice, { copy: false })
      expect(checkExchangeInvoice(xml)).toEqual([])
      expect(comparable(statedIn(xml), invoice)).toEqual(expected(invoice))
      const read = readStructured(Buffer.from(xml))
      const facts = factsOf(invoice, 'ubl25')
      if (invoice.paidOn !== null) {
        facts.prepaid = invoice.amountDueCents + invoice.replacedCents
        facts.payable = 0
      }
      expect(read && factsRead(read.proposal)).toEqual(facts)
      lines += invoice.lines.length
      for (const { category } of invoice.groups) categories.set(category, (categories.get(category) ?? 0) + 1)
    }),
    { numRuns: COUNT, seed: 20_261_201 },
  )
  console.info(
    `${COUNT} invoices, ${lines} lines, groups by category: ${JSON.stringify(Object.fromEntries(categories))}`,
  )
  expect(categories.size).toBeGreaterThanOrEqual(8)
}, 1_800_000)
