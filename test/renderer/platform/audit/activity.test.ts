/** Page of the history: the filter of its address, and the texts of the objects. */
import { describe, expect, test } from 'vitest'
import { activityFilterOf } from '../../../../renderer/platform/audit/activity-filter.ts'
import { targetAddress, targetLabel } from '../../../../renderer/platform/audit/target.ts'
import es from '../../../../renderer/locales/es/index.ts'
import { ProposedAction } from '../../../../server/app/approvals/contract.ts'

/** Looks up a text as vue-i18n does, without its plural rules. */
function say(key: string, params: Record<string, string> = {}): string | null {
  const found = key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], es)
  return typeof found === 'string'
    ? found.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
    : null
}
const words = (action: string, type: string, label?: string) =>
  targetLabel({ action, target: { type, id: 'x1', ...(label === undefined ? {} : { label }) } }, say)

describe('the object of an event', () => {
  test.each(ProposedAction.options)('is described for a proposal to %s', (action) => {
    expect(words('proposal.created', 'proposal', action)).toMatch(/^[A-ZÁÉÍÓÚ][a-záéíóúñ ]+$/)
  })

  test('is shown with its name at the time, and without one by its kind', () => {
    expect(words('contact.created', 'contact', 'issue_invoice S.L.')).toBe('issue_invoice S.L.')
    expect(words('mail.sent', 'mail')).toBe('Correo')
    expect(words('registry.environment_set', 'book', 'production')).toBe('AEAT, producción')
    expect(words('registry.held', 'book', '3 records known, an older copy found')).toBe('Libro')
    expect(words('privacy.erased', 'contact', '-3 =2')).toBe('3 borrados, 2 guardados por ley')
    expect(targetLabel({ action: 'x', target: null }, say)).toBe('—')
  })

  test('links to what still exists', () => {
    const target = { type: 'invoice', id: 'inv_1' }
    expect(targetAddress({ action: 'invoice.issued', target })).toBe('/invoices/inv_1')
    expect(targetAddress({ action: 'invoice.deleted', target })).toBeNull()
    expect(targetAddress({ action: 'series.created', target: { type: 'series', id: 's' } })).toBeNull()
  })
})

test('an address selects actor, object, outcome and dates; the rest of it is ignored', () => {
  expect(activityFilterOf({ actor: 'key_1', action: 'a.b', outcome: 'refused', from: '2026-01-01' })).toEqual(
    {
      actor: 'key_1',
      action: 'a.b',
      outcome: 'refused',
      from: '2026-01-01',
    },
  )
  expect(activityFilterOf({ outcome: 'x', from: 'ayer', actor: 'a'.repeat(81), action: '' })).toEqual({})
  expect(activityFilterOf({ from: '2026-02-01', to: '2026-01-01' })).toEqual({
    from: '2026-01-01',
    to: '2026-02-01',
  })
})
