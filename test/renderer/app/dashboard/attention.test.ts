import { expect, test } from 'vitest'
import {
  attentionEntries,
  attentionEntry,
  returnAddress,
} from '../../../../renderer/app/dashboard/attention.ts'
import { home as en } from '../../../../renderer/locales/en/home.ts'
import { home as es } from '../../../../renderer/locales/es/home.ts'

const item = (kind: Parameters<typeof attentionEntry>[0]['kind'], title = kind as string, id?: string) => ({
  kind,
  title,
  params: {},
  ...(id ? { id } : {}),
})

test('each entry links to the one page that resolves it', () => {
  expect(attentionEntry(item('rejected', 'record_rejected', 'inv_1')).to).toBe('/invoices/inv_1')
  expect(attentionEntry(item('proposal')).to).toBe('/inbox')
  expect(attentionEntry(item('recovery')).to).toBe('/settings/security')
  expect(attentionEntry(item('readiness', 'issuer_address_missing')).to).toBe('/settings')
  expect(
    attentionEntry({ kind: 'deadline', title: 'return_due', params: { form: '111', period: '3T 2026' } }).to,
  ).toBe('/taxes/2026-3T/111')
  expect(attentionEntry(item('bank')).to).toBe('/bank')
  expect(attentionEntry(item('received')).to).toEqual({ path: '/received', query: { view: 'withoutFile' } })
  expect(attentionEntry(item('mail')).to).toBe('/mails')
})

test("the registry's own action items replace the summary", () => {
  const registry: Parameters<typeof attentionEntries>[1] = {
    chain: { records: 3, head: null, verifiedAt: null, ok: true },
    attention: [
      {
        code: 'certificate_missing',
        message: '',
        fix: '',
        action: 'certificate',
      },
      {
        code: 'registry_rejected',
        message: '',
        fix: '',
        action: 'correct',
        invoiceId: 'inv_1',
        number: 'F2026-0039',
        recordId: 'rec-4',
        params: { theme: 'client_not_in_census' },
      },
      { code: 'records_unsent', message: '', fix: '', action: 'resend', params: { records: 2 } },
    ],
  }
  const items = [
    item('rejected', 'record_rejected', 'inv_1'),
    item('readiness', 'certificate_missing'),
    item('readiness', 'issuer_address_missing'),
    item('queue'),
  ]
  expect(attentionEntries(items, registry).map((entry) => entry.to)).toEqual([
    '/settings/certificate',
    '/invoices/inv_1',
    '/registry',
    '/settings',
  ])
  // Until the registry has answered, the summary is shown.
  expect(attentionEntries(items).map((entry) => entry.words)).toEqual([
    'rejected',
    'certificate_missing',
    'issuer_address_missing',
    'queue',
  ])
})

test('an action of the checklist beside it is not listed twice', () => {
  const items = [item('readiness', 'certificate_missing'), item('recovery'), item('bank')]
  const words = (withFirstSteps: boolean) =>
    attentionEntries(items, null, withFirstSteps).map((entry) => entry.words)
  expect(words(false)).toEqual(['certificate_missing', 'recovery', 'bank'])
  expect(words(true)).toEqual(['bank'])
})

test('a broken chain comes first', () => {
  const broken = { chain: { records: 3, head: null, verifiedAt: null, ok: false }, attention: [] }
  expect(attentionEntries([item('proposal')], broken).map((entry) => entry.words)).toEqual([
    'broken',
    'proposal',
  ])
})

test('every entry has a title, a text and a button label in both languages', () => {
  const all = [
    item('rejected'),
    item('queue'),
    item('proposal'),
    item('recovery'),
    item('deadline'),
    item('deadline', 'return_debit_due'),
    item('bank'),
    item('received'),
    item('mail'),
    item('recurring', 'recurring_waiting'),
    item('recurring', 'recurring_troubled'),
    ...['issuer_address_missing', 'certificate_missing', 'producer_missing', 'new_one'].map((title) =>
      item('readiness', title),
    ),
  ]
  for (const { words } of all.map(attentionEntry))
    for (const language of [es, en]) {
      const texts = (language.home.attention as Record<string, unknown>)[words]
      expect(texts, words).toMatchObject({
        title: expect.any(String),
        text: expect.any(String),
        verb: expect.any(String),
      })
    }
})

test('an annual return belongs to its last quarter', () => {
  expect(returnAddress('303', '4T 2026')).toBe('/taxes/2026-4T/303')
  expect(returnAddress('303', '11 2026')).toBe('/taxes/2026-11/303')
  expect(returnAddress('347', '2026')).toBe('/taxes/2026-4T/347')
  expect(returnAddress('303', 'x')).toBe('/taxes')
})

test('the last day of a direct debit has texts of its own and links to its return', () => {
  const params = { form: '303', period: '3T 2026', dueTo: '2026-10-15', days: 2 }
  expect(
    attentionEntry({ kind: 'deadline', id: '303-debit', title: 'return_debit_due', params }),
  ).toMatchObject({ key: 'deadline-303-debit', words: 'debit', to: '/taxes/2026-3T/303' })
  expect(attentionEntry({ kind: 'deadline', id: '303', title: 'return_due', params })).toMatchObject({
    key: 'deadline-303',
    words: 'deadline',
  })
})
