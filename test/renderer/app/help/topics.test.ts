/** The help is complete in both languages, links only to existing pages, and states the product's own figures. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import en from '../../../../renderer/app/help/en/index.ts'
import es from '../../../../renderer/app/help/es/index.ts'
import { FIGURES, withFigures } from '../../../../renderer/app/help/figures.ts'
import { helpFrom } from '../../../../renderer/app/help/load.ts'
import { blocksOf, plainText, spansOf } from '../../../../renderer/app/help/parse.ts'
import { folded, searchTopics, searchWords } from '../../../../renderer/app/help/search.ts'
import { isTopic, TOPIC_IDS, topicFacts, topicOfPage } from '../../../../renderer/app/help/topics.ts'
import { TIPS } from '../../../../renderer/app/help/tips.ts'
import { EXPIRING_DAYS } from '../../../../server/company/certificates/state.ts'
import { CONFIRMATION_LIFE_MS } from '../../../../server/sales/invoices/issue/confirmations.ts'
import { vatRates } from '../../../../server/domain/tax/vat-rates.ts'
import { cashLimitAt } from '../../../../server/accounting/payments/cash-limit.ts'
import { recoveryCosts } from '../../../../server/tax/rules/late-interest.ts'
import { thresholds } from '../../../../server/tax/rules/thresholds.ts'
import { withholdingRateAt } from '../../../../server/tax/rules/withholding.ts'
import wordsEs from '../../../../renderer/locales/es/index.ts'
import { PATHS, resolves } from '../../../support/browser/window-paths.ts'

const root = resolve(import.meta.dirname, '../../../..')
const TODAY = '2026-11-21'
const languages = [
  ['es', es],
  ['en', en],
] as const

function word(key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], wordsEs)
}

test.each(languages)(
  'every topic is written in %s, with a sentence that answers and no placeholder left',
  (of, texts) => {
    expect(Object.keys(texts).sort()).toEqual([...TOPIC_IDS].sort())
    const { texts: filled } = helpFrom(texts, of)
    for (const id of TOPIC_IDS) {
      const { title, lead, body } = filled[id]
      for (const text of [title, lead, body]) {
        expect(text.trim(), id).not.toBe('')
        expect(text, id).not.toMatch(/[{}<>]|undefined|NaN/)
      }
      expect(body.split('**').length % 2, `${id}: a strong word is not closed`).toBe(1)
      expect(body.split(/\s+/).length, id).toBeLessThan(420)
    }
  },
)

test('both languages state the same figures in each topic', () => {
  const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()
  for (const id of TOPIC_IDS)
    expect([id, holes(en[id].lead + en[id].body)]).toEqual([id, holes(es[id].lead + es[id].body)])
})

test('no text asks, exclaims or says please', () => {
  for (const id of TOPIC_IDS) {
    expect(es[id].body, id).not.toMatch(/[¡!]|por favor|Oops/i)
    expect(en[id].body, id).not.toMatch(/!|please/i)
  }
})

test('every linked page and every related topic exists', () => {
  expect(PATHS.length).toBeGreaterThan(25)
  for (const id of TOPIC_IDS) {
    const { places = [], related } = topicFacts(id)
    for (const { to, label } of places) {
      expect(resolves(to), `${id}: ${to}`).toBe(true)
      expect(typeof word(label), `${id}: ${label}`).toBe('string')
    }
    for (const other of related) expect(isTopic(other) && other !== id, `${id}: ${other}`).toBe(true)
  }
  for (const topic of Object.values(TIPS)) expect(isTopic(topic)).toBe(true)
})

test('every page of the shell has a topic, and each tab its own where there is one', () => {
  const router = readFileSync(resolve(root, 'renderer/router.ts'), 'utf8')
  const names = [...router.matchAll(/name: '([\w-]+)'/g)].map((match) => match[1] ?? '')
  for (const name of names.filter((each) => !['welcome', 'help'].includes(each)))
    expect(topicOfPage(name), name).not.toBeNull()
  expect(topicOfPage('settings', 'certificate')).toBe('certificate')
  expect(topicOfPage('settings')).toBe('company')
  expect(topicOfPage('payments', 'overdue')).toBe('reminders')
  expect(topicOfPage('welcome')).toBeNull()
})

test('the help states the figures that the product uses', () => {
  const euros = (code: string) => (thresholds.find((row) => row.code === code)?.cents ?? NaN) / 100
  expect(FIGURES).toMatchObject({
    simplified: euros('simplified_invoice'),
    simplifiedSectors: euros('simplified_invoice_sectors'),
    thirdParties: euros('operations_with_third_parties'),
    euMonthly: euros('intra_eu_monthly'),
    oss: euros('oss'),
    cash: (cashLimitAt(TODAY)?.cents ?? NaN) / 100,
    recovery: recoveryCosts[0].cents / 100,
    confirmMinutes: CONFIRMATION_LIFE_MS / 60_000,
    certificateDays: EXPIRING_DAYS,
    professional: (withholdingRateAt('professional', TODAY)?.rateBp ?? NaN) / 100,
    newProfessional: (withholdingRateAt('new_professional', TODAY)?.rateBp ?? NaN) / 100,
  })
  const current = vatRates.filter((row) => row.to === null && row.rateBp > 0)
  expect([FIGURES.vat, FIGURES.vatReduced, FIGURES.vatSuperReduced]).toEqual(
    current.map((row) => row.rateBp / 100),
  )
  expect([FIGURES.surcharge, FIGURES.surchargeReduced, FIGURES.surchargeSuperReduced]).toEqual(
    current.map((row) => (row.surchargesBp[0] ?? NaN) / 100),
  )
  // A constant private to its slice is read from the source text.
  for (const [file, pattern, figure] of [
    [
      'server/sales/invoices/correct/rectify-causes.ts',
      /to: null, years: (\d+), source: 'art\. 89/,
      FIGURES.rectifyYears,
    ],
    ['server/accounting/payments/debits/mandates.ts', /MANDATE_YEARS = (\d+)/, FIGURES.mandateMonths / 12],
    ['server/sales/invoices/draft/check-instalments.ts', /MAX_TERM_DAYS = (\d+)/, FIGURES.termDays],
    ['server/registry/state/clock.ts', /const LIMIT_MS = ([\d_]+)/, FIGURES.clockMinutes * 60_000],
    ['server/app/approvals/propose.ts', /LIFE_MS = (\d+) \* 24/, FIGURES.proposalDays],
  ] as const) {
    const found = pattern.exec(readFileSync(resolve(root, file), 'utf8'))?.[1]
    expect(Number(found?.replaceAll('_', '')), file).toBe(figure)
  }
})

test('figures are formatted by language, and an unknown name in a text is detected', () => {
  expect(withFigures('{thirdParties} €', 'es')).toBe('3.005,06 €')
  expect(withFigures('€{thirdParties}', 'en')).toBe('€3,005.06')
  expect(() => withFigures('{nothing}', 'es')).toThrow('nothing')
})

test('a text is parsed into blocks, and markup in it stays text', () => {
  expect(blocksOf('Uno\ndos\n\n## Head\n\n- a **b**\n- c\n\n1. d\n2. e')).toEqual([
    { kind: 'paragraph', spans: [{ text: 'Uno dos', strong: false }] },
    { kind: 'head', spans: [{ text: 'Head', strong: false }] },
    {
      kind: 'bullets',
      items: [
        [
          { text: 'a ', strong: false },
          { text: 'b', strong: true },
        ],
        [{ text: 'c', strong: false }],
      ],
    },
    { kind: 'steps', items: [[{ text: 'd', strong: false }], [{ text: 'e', strong: false }]] },
  ])
  expect(spansOf('<b>x</b>')).toEqual([{ text: '<b>x</b>', strong: false }])
  expect(plainText('## A\n- **b**\n1. c')).toBe('A\nb\nc')
})

test('the search ignores accents, capitals and stop words', () => {
  expect(folded('Certificación ÑANDÚ')).toBe('certificacion nandu')
  expect(searchWords('¿Cómo se rectifica una factura?')).toEqual(['rectifica', 'factura'])
})

test.each([
  ['es', 'iva exento', 'exempt'],
  ['es', 'certificádo', 'certificate'],
  ['es', 'CÓMO RECTIFICAR', 'correct'],
  ['es', 'sin internet', 'offline'],
  ['es', 'codigo qr', 'qr'],
  ['es', 'modelo 303', 'returns'],
  ['es', 'recargo equivalencia', 'surcharge'],
  ['es', 'plazos', 'deadlines'],
  ['es', 'tique', 'simplified'],
  ['es', 'copia seguridad', 'backup'],
  ['es', 'norma 43', 'bank'],
  ['es', 'mandato sepa', 'direct-debits'],
  ['en', 'vat exempt', 'exempt'],
  ['en', 'no internet', 'offline'],
  ['en', 'credit note', 'correct'],
  ['en', 'keyboard shortcuts', 'keyboard'],
  ['en', 'recovery code', 'backup'],
] as const)('in %s, “%s” finds its topic first', (of, question, topic) => {
  const { index } = helpFrom(of === 'es' ? es : en, of)
  expect(searchTopics(index, question)[0]).toBe(topic)
})

test('an unknown word is not found', () => {
  expect(searchTopics(helpFrom(es, 'es').index, 'zzzxqy')).toEqual([])
})
