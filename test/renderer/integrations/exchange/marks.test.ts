/** Words of followed invoices: every code of the server has some, and what stands said follows from the reports. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { hasText, i18n } from '../../../../renderer/i18n.ts'
import es from '../../../../renderer/locales/es/index.ts'
import {
  factDetail,
  factText,
  partnerOf,
  standing,
  stateMark,
  STATES,
  problemOf,
  whyText,
} from '../../../../renderer/integrations/exchange/marks.ts'
import { AnyReportKind, ExchangeState } from '../../../../server/integrations/exchange/contract.ts'
import { DETAIL, report, summary } from '../../../gallery/exchange/answers.ts'

i18n.global.setLocaleMessage('es', es)

/** Returns the codes of a list that is private to its slice, from the source text. */
function codesOf(file: string, list: string): string[] {
  const path = resolve(import.meta.dirname, '../../../../server/integrations/exchange', file)
  const [, items = ''] = new RegExp(`const ${list} = \\[([^\\]]*)\\]`).exec(readFileSync(path, 'utf8')) ?? []
  return [...items.matchAll(/'(\w+)'/g)].map(([, code = '']) => code)
}

test('every state, kind, fact and reason of the server has words', () => {
  expect([...STATES].sort()).toEqual([...ExchangeState.options].sort())
  for (const state of ExchangeState.options) {
    expect(hasText(`exchange.state.${state}`), state).toBe(true)
    expect(stateMark(state).icon).toMatch(/^i-lucide-/)
  }
  for (const kind of AnyReportKind.options) expect(hasText(`exchange.kind.${kind}`), kind).toBe(true)
  const facts = codesOf('state/rows.ts', 'FACTS')
  expect(facts.length).toBeGreaterThan(20)
  for (const fact of facts) expect(hasText(`exchange.fact.${fact}`), fact).toBe(true)
  const reasons = codesOf('law/scope.ts', 'NOT_DUE')
  expect(reasons.length).toBeGreaterThan(5)
  for (const why of reasons) expect(hasText(`exchange.why.${why}`), why).toBe(true)
})

test('a code of the platform stands as it came', () => {
  expect(whyText('SPFE-2101')).toBe('SPFE-2101')
  expect(stateMark('novel' as never).icon).toMatch(/^i-lucide-/)
})

test('what stands said follows from the last report that holds', () => {
  expect(standing([])).toBeNull()
  expect(standing([report({ kind: 'paid' })])).toBe('paid')
  expect(standing([report({ kind: 'paid' }), report({ kind: 'payment_cancelled' })])).toBeNull()
  expect(standing([report({ kind: 'rejected' }), report({ kind: 'paid', state: 'refused' })])).toBe(
    'rejected',
  )
  expect(standing([report({ kind: 'paid', state: 'dropped' })])).toBeNull()
  expect(standing([report({ kind: 'settled' }), report({ kind: 'withdrawn' })])).toBe('settled')
})

test('a trouble has its own reason, else that of the customer, else that of the report', () => {
  expect(problemOf(summary({ why: 'foral', partnerSaid: 'rejected' }))).toBe('foral')
  expect(problemOf(summary({ direction: 'issued', partnerSaid: 'rejected' }))).toBe('partner_rejected')
  expect(problemOf(summary())).toBe('report_refused')
})

test('a fact names what was reported, and its reason once', () => {
  const asked = DETAIL.facts.find(({ fact }) => fact === 'report_asked')
  const refused = DETAIL.facts.find(({ fact }) => fact === 'report_refused')
  if (!asked || !refused) throw new Error('The example lost its facts.')
  expect(factText(asked, DETAIL.reports)).toBe('Se pide comunicar: Impago')
  expect(factDetail(asked)).toBe('')
  expect(factText(refused, DETAIL.reports)).toBe('Comunicación rechazada: Impago')
  expect(factDetail(refused)).toBe('SPFE-2101')
})

test('a party without a name is its number', () => {
  expect(partnerOf(summary())).toBe('Suministros Industriales del Ebro, S.A.')
  expect(partnerOf(summary({ partnerName: null }))).toBe('A58818501')
  expect(partnerOf(summary({ partnerName: null, partnerNif: null }))).toBe('Sin nombre')
})
