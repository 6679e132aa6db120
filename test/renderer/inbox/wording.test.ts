import { describe, expect, test } from 'vitest'
import { blockerWords, effectWords, nextPlace } from '../../../renderer/inbox/wording.ts'
import { inbox as en } from '../../../renderer/locales/en/inbox.ts'
import { inbox as es } from '../../../renderer/locales/es/inbox.ts'
import { ProposedAction } from '../../../server/inbox/contract.ts'

const invoice = { id: 'inv_1', number: null, clientName: 'Ana', total: 121 }
const textAt = (messages: object, key: string) =>
  key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], messages)

describe('a proposal in the words of the page', () => {
  test('every action has its title, its short name, its alternative and its effects in both languages', () => {
    for (const action of ProposedAction.options)
      for (const messages of [es, en]) {
        for (const part of ['action', 'short', 'alternative'])
          expect(textAt(messages, `inbox.${part}.${action}`), `${part} ${action}`).toEqual(expect.any(String))
        const many = Object.keys(textAt(messages, `inbox.effect.${action}`) as object).length
        const effects = effectWords({ action, effects: Array.from({ length: many }, () => 'x') })
        for (const { key } of effects)
          expect(textAt(messages, key ?? 'none'), action).toEqual(expect.any(String))
      }
  })

  test('effects we have no words for are said as the server says them', () => {
    expect(effectWords({ action: 'correct_invoice', effects: ['One.', 'Two.'] })).toEqual([
      { text: 'One.' },
      { text: 'Two.' },
    ])
  })

  test('a proposal that names no invoice says so', () => {
    expect(blockerWords({ action: 'issue_invoice', blockers: ['Name it.'], invoice: null })[0]?.key).toBe(
      'inbox.blocker.noInvoice',
    )
    expect(blockerWords({ action: 'issue_invoice', blockers: ['Issued.'], invoice })[0]?.key).toBe(
      'inbox.blocker.issue_invoice',
    )
    expect(blockerWords({ action: 'sync_erp', blockers: ['None.'], invoice: null })[0]?.key).toBe(
      'inbox.blocker.sync_erp',
    )
  })

  test('accepting leads to where the person goes on', () => {
    expect(nextPlace({ action: 'issue_invoice', invoice })).toEqual({
      to: '/invoices/inv_1/edit',
      verb: 'draft',
    })
    expect(nextPlace({ action: 'retry_rejected', invoice: { ...invoice, number: 'F2026-0001' } })).toEqual({
      to: '/invoices/inv_1',
      verb: 'invoice',
    })
    expect(nextPlace({ action: 'renew_certificate', invoice: null })).toBeNull()
  })
})
