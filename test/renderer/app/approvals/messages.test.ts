/** Texts of a proposal: every code has one in both languages, and an approval links to its result. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { i18n } from '../../../../renderer/i18n.ts'
import { inOrder } from '../../../../renderer/app/approvals/entry.ts'
import type { Entry } from '../../../../renderer/app/approvals/entry.ts'
import {
  alternativeAddress,
  fieldMessage,
  nextAddressOf,
  pointMessage,
  subjectOf,
  valueMessage,
} from '../../../../renderer/app/approvals/messages.ts'
import { inbox as en } from '../../../../renderer/locales/en/inbox.ts'
import words from '../../../../renderer/locales/es/index.ts'
import { inbox as es } from '../../../../renderer/locales/es/inbox.ts'
import { Outcome, ProposedAction } from '../../../../server/app/approvals/contract.ts'

const FOLDER = 'server/app/proposal-checks'
const sources = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'))
/** Codes written out where an action is validated. */
const written = [
  ...new Set(sources.flatMap((code) => [...code.matchAll(/\bpoint\(\s*'(\w+)'/g)].map(([, it]) => it!))),
]

beforeAll(() => {
  i18n.global.setLocaleMessage('es', words)
})

describe('texts', () => {
  test('every code of a validation has its text, with no placeholder that the server does not send', () => {
    expect(written.length).toBeGreaterThan(30)
    for (const messages of [es, en]) {
      const points = messages.inbox.point as Record<string, string>
      for (const code of written)
        if (code !== 'nothing_left_to_rectify') expect(points[code], code).toEqual(expect.any(String))
      for (const action of ProposedAction.options)
        for (const part of ['action', 'short', 'accept'] as const)
          expect(messages.inbox[part][action], `${part} ${action}`).toEqual(expect.any(String))
      for (const option of Outcome.options)
        for (const step of 'options' in option.shape.step
          ? option.shape.step.options
          : [option.shape.step.value])
          expect(messages.inbox.open).toHaveProperty(step)
    }
  })

  test("a code of an operation’s own validation uses its text; an unknown one shows the server's message", () => {
    const point = (code: string, params = {}) => pointMessage({ code, message: 'In English.', params })
    expect(point('issue_owed', { client: 'Ana', amount: 605 })).toMatch(/^Ana te debe 605,00.€\.$/)
    expect(point('return_due', { date: '2026-10-20' })).toBe('El plazo acaba el 20/10/2026.')
    expect(point('erp_not_connected')).not.toBe('In English.')
    expect(point('nothing_left_to_rectify')).not.toBe('In English.')
    expect(point('something_new')).toBe('In English.')
  })

  test('the subject fits into a sentence, also without a name', () => {
    const nothing = { invoice: null, contact: null, taxReturn: null }
    const invoice = { id: 'inv_1', number: null, clientName: 'Ana', total: 121 }
    expect(subjectOf({ ...nothing, action: 'issue_invoice' })).toBe('una factura')
    expect(subjectOf({ ...nothing, action: 'issue_invoice', invoice })).toBe('un borrador')
    expect(subjectOf({ ...nothing, action: 'fix_client_data', contact: { id: 'con_1', name: 'Ana' } })).toBe(
      'Ana',
    )
    const taxReturn = { form: '303', year: 2026, quarter: 3 } as const
    expect(subjectOf({ ...nothing, action: 'prepare_return', taxReturn })).toBe('el modelo 303 de 3T 2026')
  })

  test('fields and values are formatted as elsewhere on the page', () => {
    expect(fieldMessage('address.city')).toBe('Población')
    expect(fieldMessage('lines[2].net')).toBe('Línea 3, importe')
    expect(fieldMessage('unheard')).toBe('unheard')
    expect(valueMessage('total', 484)).toMatch(/^484,00.€$/)
    expect(valueMessage('lines[0].quantity', 2.5)).toBe('2,5')
    expect(valueMessage('registry', 'rejected')).toBe('Rechazada')
    expect(valueMessage('state', 'cancelled')).toBe('Anulada')
    expect(valueMessage('name', 'draft')).toBe('draft')
    expect(valueMessage('email', null)).toBeNull()
  })
})

test('an approval links to its result', () => {
  const invoiceId = 'inv_1'
  expect(
    [
      { step: 'issue', invoiceId } as const,
      { step: 'draft', invoiceId } as const,
      { step: 'annul', invoiceId } as const,
      { step: 'mail', invoiceId, to: null } as const,
      { step: 'mail', invoiceId, to: 'a+b@example.com' } as const,
      { step: 'sync' } as const,
      { step: 'certificate' } as const,
      { step: 'return', form: '303', year: 2026, quarter: 3 } as const,
      { step: 'return', form: '390', year: 2025, quarter: null } as const,
      { step: 'contact', contactId: 'con_1', version: 2, before: {} } as const,
    ].map(nextAddressOf),
  ).toEqual([
    '/invoices/inv_1/edit?review',
    '/invoices/inv_1/edit',
    '/invoices/inv_1?step=annul',
    '/invoices/inv_1?mail',
    '/invoices/inv_1?mail=a%2Bb%40example.com',
    '/connect/erp',
    '/settings/certificate',
    '/taxes/2026-3T/303/file',
    '/taxes/2025-4T/390/file',
    '/contacts/con_1',
  ])
  expect(alternativeAddress({ action: 'correct_invoice', targetId: invoiceId, why: '' })).toBe(
    '/invoices/inv_1?step=rectify',
  )
})

test('entries of several kinds are sorted together: waiting ones oldest first, decided ones newest first', () => {
  const entry = (id: string, waiting: boolean, at: string): Entry => ({
    id,
    kind: 'proposal',
    waiting,
    title: id,
    about: null,
    amount: null,
    note: '',
    at,
  })
  const { waiting, decided } = inOrder([
    entry('b', true, '2026-11-02T09:00:00Z'),
    entry('a', true, '2026-11-01T09:00:00Z'),
    entry('c', false, '2026-11-01T09:00:00Z'),
    entry('d', false, '2026-11-03T09:00:00Z'),
  ])
  expect([waiting, decided].map((each) => each.map(({ id }) => id))).toEqual([
    ['a', 'b'],
    ['d', 'c'],
  ])
})
