/** Action items of the registry: texts in both languages, one next step, the right colour. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { registry as en } from '../../../renderer/locales/en/registry.ts'
import { registry as es } from '../../../renderer/locales/es/registry.ts'
import { amendPartOf, themeNamed, THEMES } from '../../../renderer/registry/meaning.ts'
import { actionVerb } from '../../../renderer/registry/action-verb.ts'
import {
  actionItemOfRecord,
  actionItemsOf,
  OWN_ACTION_ITEMS,
} from '../../../renderer/registry/action-items.ts'
import type { Registration, State } from '../../../renderer/registry/action-items.ts'
import { CertificateState } from '../../../server/company/contract.ts'
import { NextAction, RecordStatus } from '../../../server/registry/contract.ts'
import { themes } from '../../../server/registry/systems/verifactu/wire/codes.ts'

type Item = State['attention'][number]
const item = (changes: Partial<Item>): Item => ({
  code: 'registry_rejected',
  message: 'As the server says it.',
  fix: 'Do this.',
  action: 'correct',
  ...changes,
})
const rejected = item({
  invoiceId: 'inv_1',
  number: 'F2026-0039',
  recordId: 'rec-46',
  params: { theme: 'client_not_in_census', authorityCode: '1110', said: 'NIF no identificado' },
})

test('the page has a text for exactly the themes of the server', () => {
  expect([...THEMES].sort()).toEqual([...new Set([...themes, 'registry_conflict'])].sort())
  for (const language of [es, en])
    for (const theme of THEMES)
      expect(language.registryPage.theme[theme], theme).toMatchObject({
        title: expect.any(String),
        text: expect.any(String),
      })
})

test('every action item of the book has a text in both languages', () => {
  for (const language of [es, en])
    expect(Object.keys(language.registryPage.matter).sort()).toEqual([...OWN_ACTION_ITEMS].sort())
})

/** Codes of the authority, which have the texts of their theme; and the broken chain, which has a page. */
const NOT_OF_THE_BOOK = [
  'sending_suspended',
  'message_refused',
  'registry_conflict',
  ...RecordStatus.options.map((status) => `registry_${status}`),
  'chain_broken',
]

/** Returns the codes in a source of the server, with its templates filled with every possible value. */
function codesIn(file: string): string[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../../server/registry/state', file), 'utf8')
  const values: Record<string, readonly string[]> = {
    'row.status': RecordStatus.options,
    status: CertificateState.shape.status.options.filter((status) => status !== 'ok'),
  }
  return [...text.matchAll(/^\s+code: (.+),$/gm)].flatMap(([, said = '']) => [
    ...[...said.matchAll(/'(\w+)'/g)].map((match) => match[1] ?? ''),
    ...[...said.matchAll(/`(\w+)\$\{([\w.]+)\}`/g)].flatMap((match) =>
      (values[match[2] ?? ''] ?? ['unknown to this test']).map((value) => `${match[1]}${value}`),
    ),
  ])
}

test('every code that needs attention has a text: its own, that of a theme, or a page', () => {
  const codes = [...new Set([...codesIn('attention.ts'), ...codesIn('clock.ts')])]
  expect(codes).toEqual(expect.arrayContaining(['no_stand_in', 'message_refused', 'certificate_expired']))
  expect(codes.filter((code) => !NOT_OF_THE_BOOK.includes(code)).sort()).toEqual([...OWN_ACTION_ITEMS].sort())
})

test('records of a sandbox without a simulated authority are reported, without a button', () => {
  const [matter] = actionItemsOf({
    attention: [item({ code: 'no_stand_in', action: 'none', params: { records: 3 } })],
  })
  expect(matter).toMatchObject({ own: 'no_stand_in', tone: 'info', says: null })
  expect(actionVerb({ action: 'none', own: 'no_stand_in' })).toBeNull()
})

test('every step has a label for its button', () => {
  for (const action of NextAction.options)
    expect(actionVerb({ action, own: null }) !== null, action).toBe(action !== 'none' && action !== 'wait')
})

test('a rejection explains itself, quotes the authority, and offers the one step', () => {
  const [matter] = actionItemsOf({ attention: [rejected] })
  expect(matter).toMatchObject({
    own: null,
    theme: 'client_not_in_census',
    action: 'correct',
    tone: 'error',
    says: '1110: NIF no identificado',
    invoiceId: 'inv_1',
    recordId: 'rec-46',
  })
  expect(amendPartOf(matter?.theme ?? 'other')).toBe('client')
})

test('a theme without a text uses that of another one', () => {
  expect(themeNamed('brand_new')).toBe('other')
  expect(actionItemsOf({ attention: [item({ params: { theme: 'brand_new' } })] })[0]?.theme).toBe('other')
})

test('red marks what is not registered or blocks a registration, amber what can wait', () => {
  const tones = (items: Item[]) => actionItemsOf({ attention: items }).map((matter) => matter.tone)
  expect(
    tones([
      item({ code: 'restored_copy', action: 'installation' }),
      item({ code: 'sending_suspended', action: 'call', params: { theme: 'sending_suspended' } }),
      item({ code: 'certificate_expired', action: 'certificate' }),
      item({ code: 'registry_conflict', action: 'decide' }),
    ]),
  ).toEqual(['error', 'error', 'error', 'error'])
  expect(
    tones([
      item({ code: 'certificate_expiring', action: 'certificate' }),
      item({ code: 'clock_differs', action: 'clock' }),
      item({ code: 'registry_accepted_with_errors', params: { theme: 'total_differs' } }),
      item({ code: 'records_unsent', action: 'resend' }),
    ]),
  ).toEqual(['warning', 'warning', 'warning', 'warning'])
})

test('a broken chain has a page of its own and is not in the list', () => {
  expect(actionItemsOf({ attention: [item({ code: 'chain_broken', action: 'call' })] })).toEqual([])
})

const record = (changes: Partial<Registration>) =>
  ({
    recordId: 'rec-46',
    status: 'rejected',
    closed: false,
    action: 'correct',
    meaning: 'client_not_in_census',
    authorityCode: '1110',
    message: 'NIF no identificado',
    ...changes,
  }) as Registration

test('a record has an action item only while a step is possible', () => {
  const invoice = { id: 'inv_1', number: 'F2026-0039' }
  expect(actionItemOfRecord(record({}), invoice)).toMatchObject({
    theme: 'client_not_in_census',
    tone: 'error',
    number: 'F2026-0039',
  })
  expect(actionItemOfRecord(record({ closed: true }), invoice)).toBeNull()
  expect(actionItemOfRecord(record({ action: 'wait' }), invoice)).toBeNull()
  expect(actionItemOfRecord(record({ action: 'none' }), invoice)).toBeNull()
  expect(actionItemOfRecord(record({ conflict: true, action: 'decide' }), invoice)?.theme).toBe(
    'registry_conflict',
  )
})
