/** Labels of documents: complete in each language, different from the others, and drawable with the document fonts. */
import { describe, expect, test } from 'vitest'
import { DOCUMENT_LANGUAGES } from '../../../../server/domain/languages.ts'
import type { DocumentLanguage } from '../../../../server/domain/languages.ts'
import {
  labelsFor,
  QR_ABOVE,
  QR_BELOW,
  taxName,
  vatOfGroup,
  vatOfLine,
} from '../../../../server/documents/pdf/labels/index.ts'
import type { Labels } from '../../../../server/documents/pdf/labels/index.ts'
import '../../../../server/documents/pdf/fonts.ts'
import { drawable } from '../../../../server/documents/pdf/text.ts'
import { samplePaper } from './samples.ts'

/** Arguments for labels that are functions, so that their text is checked too. */
const GIVEN = ['«1»', '«2»', '«3»'] as const

/** Returns the labels by name, including those of the means of payment. */
function wordsOf(language: DocumentLanguage): Record<string, string> {
  const words: Record<string, string> = {}
  for (const [name, label] of Object.entries(labelsFor(language) as unknown as Record<string, unknown>)) {
    if (typeof label === 'string') words[name] = label
    else if (typeof label === 'function')
      words[name] = (label as (...given: readonly string[]) => string)(...GIVEN)
    else for (const [key, word] of Object.entries(label as object)) words[`${name}.${key}`] = String(word)
  }
  return words
}

describe.each([...DOCUMENT_LANGUAGES])('%s', (language) => {
  const words = wordsOf(language)

  test('has every label, none empty or with outer blanks', () => {
    expect(Object.keys(words).toSorted()).toEqual(Object.keys(wordsOf('es')).toSorted())
    for (const [name, word] of Object.entries(words)) {
      expect(word, name).not.toBe('')
      expect(word, name).toBe(word.trim())
      expect(word, name).not.toMatch(/undefined|null|  /)
    }
  })

  test('includes every argument', () => {
    const spanish = wordsOf('es')
    for (const [name, word] of Object.entries(words))
      for (const given of GIVEN) expect(word.includes(given), name).toBe(spanish[name]?.includes(given))
  })

  test('is drawn as it is written', () => {
    for (const [name, word] of Object.entries(words)) expect(drawable(word), name).toBe(word)
  })
})

test('no language is a copy of another: labels that two share are really the same in both', () => {
  for (const [index, one] of DOCUMENT_LANGUAGES.entries())
    for (const other of DOCUMENT_LANGUAGES.slice(index + 1)) {
      const [words, others] = [wordsOf(one), wordsOf(other)]
      const same = Object.keys(words).filter((name) => words[name] === others[name])
      const most = one === 'es' && other === 'gl' ? 0.5 : 0.25
      expect(same.length / Object.keys(words).length, `${one} ${other}: ${same.join(' ')}`).toBeLessThan(most)
    }
})

test('the same label never has two meanings that a reader must distinguish', () => {
  const apart: (keyof Labels)[][] = [
    ['invoice', 'simplifiedInvoice', 'rectifyingInvoice', 'rectifyingSimplified', 'quote', 'proforma'],
    ['issueDate', 'operationDate', 'dueDate', 'validUntil'],
    ['exempt', 'notSubject', 'reverseCharge'],
    [
      'total',
      'amountDue',
      'amountToReturn',
      'amountOffDebt',
      'base',
      'taxAmount',
      'sum',
      'disbursements',
      'stillOwed',
      'alreadyInvoiced',
    ],
    ['price', 'priceWithVat', 'amount', 'quantity', 'discount'],
    ['customerOrder', 'customerContract', 'customerFile', 'number', 'taxId'],
    ['carriedIn', 'carriedOut'],
    ['bySubstitution', 'byDifferences'],
  ]
  for (const language of DOCUMENT_LANGUAGES)
    for (const names of apart)
      expect(new Set(names.map((name) => labelsFor(language)[name])).size, language).toBe(names.length)
})

test('VAT has its name in each language, and the other taxes keep theirs', () => {
  const named = (name: string) =>
    DOCUMENT_LANGUAGES.map((language) => taxName({ language, taxName: name })).join(' ')
  expect(named('IVA')).toBe('IVA IVA BEZ IVE VAT TVA MwSt. IVA')
  expect(new Set(named('IGIC').split(' '))).toEqual(new Set(['IGIC']))
  expect(new Set(named('IPSI').split(' '))).toEqual(new Set(['IPSI']))
})

test('a line and its group state their rate, their surcharge or the reason for none', () => {
  const taxed = { taxTreatment: 'S1', vatRateBp: 2100, surchargeRateBp: 520, isMargin: false } as const
  expect(vatOfLine(taxed, 'eu')).toBe('%\u00a021 + %\u00a05,2')
  expect(vatOfLine(taxed, 'de')).toBe('21\u00a0% + 5,2\u00a0%')
  expect(vatOfGroup(taxed, samplePaper({ language: 'gl' }))).toBe('IVE 21\u00a0%')
  expect(vatOfGroup(taxed, samplePaper({ language: 'eu' }))).toBe('BEZ %\u00a021')
  const untaxed = { vatRateBp: null, surchargeRateBp: null, isMargin: false }
  for (const language of DOCUMENT_LANGUAGES) {
    const labels = labelsFor(language)
    expect(vatOfLine({ ...untaxed, taxTreatment: 'E1' }, language)).toBe(labels.exempt)
    expect(vatOfLine({ ...untaxed, taxTreatment: 'N1' }, language)).toBe(labels.notSubject)
    expect(vatOfLine({ ...untaxed, taxTreatment: 'S2' }, language)).toBe(labels.reverseChargeShort)
  }
})

test('a direct debit states its date only when it has one', () => {
  for (const language of DOCUMENT_LANGUAGES) {
    const { charged } = labelsFor(language)
    expect(charged('03/06/2026')).toContain('03/06/2026')
    expect(charged('').length).toBeLessThan(charged('03/06/2026').length - 10)
    expect(charged('')).toMatch(/\p{L}$/u)
  }
})

test('texts of the law stay Spanish', () => {
  expect([QR_ABOVE, QR_BELOW]).toEqual(['QR tributario:', 'VERI*FACTU'])
})
