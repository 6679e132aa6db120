/** Objects of the history: names and amounts in local format. */
import { expect, test } from 'vitest'
import { targetLabel } from '../../../../renderer/platform/audit/target.ts'
test('a payment is named by its amount in local format', () => {
  const label = '1234.50 EUR (F2026-0042)'
  const words = targetLabel(
    { action: 'payment.recorded', target: { type: 'payment', id: 'pay_1', label } },
    () => null,
  )
  expect(words.replaceAll('\u00a0', ' ')).toBe('1.234,50 € (F2026-0042)')
})
