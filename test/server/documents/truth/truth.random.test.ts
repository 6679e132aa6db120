/** No false alarm: random invoices of every kind, treatment and language say the same everywhere. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contradictionIn } from '../../../../server/documents/truth/check.ts'
import { DOCUMENT_LANGUAGES } from '../../../../server/domain/languages.ts'
import { sweptCount } from '../../../support/sweep.ts'
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
