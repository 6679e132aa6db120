/** Spanish texts of the returns contain no English: sources of boxes, and faults of the VAT books. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import es from '../../../../renderer/locales/es/index.ts'
import { FAULT_MESSAGES } from '../../../../server/accounting/returns/books/fault-messages.ts'
import { source303 } from '../../../../server/accounting/returns/models/model-303.ts'
import { instalmentRules } from '../../../../server/accounting/returns/models/model-income.ts'
import { MODEL_SOURCES } from '../../../../server/accounting/returns/models/names.ts'

const ENGLISH = /\b(and|from|to|until|in|kept|layout|the|of)\b/

test('the source of every return has a text in Spanish and in English', () => {
  const sources = [
    ...Object.values(MODEL_SOURCES),
    ...[202003, 202212, 202302, 202501, 202611].map(source303),
    ...[2019, 2023, 2026].map((year) => instalmentRules(year).source),
  ]
  for (const { es, en } of sources) {
    expect(es).not.toMatch(ENGLISH)
    expect(en).not.toBe('')
  }
})

test('every fault of the VAT books has a Spanish text for the accountant, the same as in the window', () => {
  const rules = ['rules.ts', 'check.ts']
    .map((name) =>
      readFileSync(new URL(`../../../../server/accounting/returns/books/${name}`, import.meta.url), 'utf8'),
    )
    .join('')
  const window: Readonly<Record<string, string>> = es.taxes.fault
  expect(FAULT_MESSAGES).toEqual(window)
  // Every code that the window knows occurs in the rules.
  for (const code of Object.keys(FAULT_MESSAGES)) expect(rules).toContain(code)
})
