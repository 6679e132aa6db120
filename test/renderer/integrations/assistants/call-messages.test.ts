/** Texts of an assistant's call: every tool has one in both languages, and answers use the local formats. */
import { expect, test } from 'vitest'
import { outcomeMessages, toolMessages } from '../../../../renderer/integrations/assistants/call-messages.ts'
import en from '../../../../renderer/locales/en/index.ts'
import es from '../../../../renderer/locales/es/index.ts'
import { loadContracts } from '../../../../server/api/operations.ts'

const contracts = await loadContracts()

const sayIn =
  (words: object) =>
  (key: string): string | null => {
    const found = key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], words)
    return typeof found === 'string' ? found : null
  }

test('every tool, and reading a document, has a text', () => {
  const tools = contracts.flatMap((contract) => ('tool' in contract && contract.tool ? [contract.tool] : []))
  expect(tools.length).toBeGreaterThanOrEqual(9)
  for (const words of [es, en])
    for (const tool of [...tools, 'resources/read', 'unknown'])
      expect(toolMessages({ tool }, sayIn(words))).not.toContain('_')
  expect(toolMessages({ tool: 'svc_of_tomorrow' }, sayIn(es))).toBe('svc_of_tomorrow')
})

test('the outcome is described in one line', () => {
  const answer = [
    { name: 'totals.total', value: '1234.5' },
    { name: 'totals.count', value: '1200' },
    { name: 'id', value: 'inv_1' },
  ]
  expect(outcomeMessages({ outcome: 'ok', code: null, answer }, sayIn(es))).toMatch(
    /^Facturas: 1\.?200 · Suma: 1\.?234,50\s€$/,
  )
  expect(outcomeMessages({ outcome: 'refused', code: 'not_found', answer: [] }, sayIn(es))).toBe(
    es.errors.not_found.title,
  )
  expect(outcomeMessages({ outcome: 'refused', code: 'of_tomorrow', answer: [] }, sayIn(es))).toBe(
    'of_tomorrow',
  )
  expect(outcomeMessages({ outcome: 'failed', code: null, answer: [] }, sayIn(en))).toBe('Failed')
  expect(outcomeMessages({ outcome: 'ok', code: null, answer: [] }, sayIn(en))).toBe('')
})
