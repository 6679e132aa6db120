/** No false alarm: random invoices of every kind, treatment and language say the same everywhere. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contradictionIn, saidOf } from '../../../../server/documents/truth/check.ts'
import { DOCUMENT_LANGUAGES } from '../../../../server/domain/languages.ts'
import { sweptCount } from '../../../support/sweep.ts'
import type { DraftContent } from '../../../../server/sales/invoices/index.ts'
import { COMPANY } from '../e-invoice/samples.ts'
import { evidenceOf, randomInvoice } from './evidence.ts'

const COUNT = sweptCount(2000, 500)

test('random invoices on paper in Spanish and in English contradict nothing', () => {
  let checked = 0
  fc.assert(
    fc.property(randomInvoice(['es', 'en']), (content) => {
      checked += 1
      expect(contradictionIn(evidenceOf(content))).toBeNull()
    }),
    { numRuns: COUNT, seed: 20_261_130 },
  )
  expect(checked).toBeGreaterThanOrEqual(COUNT)
}, 120_000)

test('in every other language neither', () => {
  fc.assert(
    fc.property(randomInvoice(DOCUMENT_LANGUAGES), (content) => {
      expect(contradictionIn(evidenceOf(content))).toBeNull()
    }),
    { numRuns: sweptCount(2000, 100), seed: 7 },
  )
}, 120_000)

/** An invoice that can have every format: to a business in Spain that gave an order number. */
const withEveryFormat = (content: DraftContent): DraftContent => ({
  ...content,
  kind: content.kind === 'F2' ? 'F1' : content.kind === 'R5' ? 'R1' : content.kind,
  client: COMPANY,
  issuedBy: null,
  customerReferences: { order: 'PED-77', contract: null, file: null },
})

test('random invoices in UBL 2.5 and in Peppol contradict nothing', () => {
  const read: Record<string, number> = { ubl25: 0, peppol: 0 }
  fc.assert(
    fc.property(randomInvoice(['es', 'en']), (content) => {
      const evidence = evidenceOf(withEveryFormat(content))
      const sources = new Set(saidOf(evidence).map(({ source }) => source))
      for (const name of ['ubl25', 'peppol']) if (sources.has(name)) read[name] = (read[name] ?? 0) + 1
      expect(contradictionIn(evidence)).toBeNull()
    }),
    { numRuns: COUNT, seed: 25 },
  )
  // All but those that have nothing but disbursements, which neither the exchange nor a number for VAT allows.
  expect(read['ubl25']).toBeGreaterThan(COUNT * 0.9)
  expect(read['peppol']).toBeGreaterThan(COUNT * 0.9)
}, 240_000)
