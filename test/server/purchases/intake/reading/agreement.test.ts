/** Two readings of a picture: what both say alike is read, what they say differently stays open. */
import { expect, test } from 'vitest'
import type { Word } from '../../../../../server/purchases/intake/pages/page.ts'
import { pageOfText } from '../../../../../server/purchases/intake/pages/text-page.ts'
import { mergeReadings } from '../../../../../server/purchases/intake/reading/agreement.ts'
import { pictureOf, readingOf } from './read-text.ts'

const INVOICE =
  'Factura nº: A-118\nFecha: 09/06/2026\nCIF B58818501\nBase imponible 100,00\nIVA 21 % 21,00\nTotal factura 121,00'

test('two readings alike prove what arithmetic and control digits prove', () => {
  const { fields, closes } = readingOf(pictureOf(INVOICE, INVOICE))
  expect(closes).toBe(true)
  expect(fields.total.level).toBe('proven')
  expect(fields.supplierNif.level).toBe('proven')
  expect(fields.number).toMatchObject({ value: 'A-118', level: 'read' })
})

test('one reading alone is a guess outside of the sums', () => {
  const { fields } = readingOf(pictureOf(INVOICE))
  expect(fields.number.level).toBe('guess')
  expect(fields.issueDate.level).toBe('guess')
  expect(fields.supplierNif.level).not.toBe('proven')
})

test('one amount that the readings dispute is proven by the others', () => {
  for (const pages of [
    [INVOICE.replace('21,00', '27,00'), INVOICE],
    [INVOICE, INVOICE.replace('100,00', '109,00')],
  ]) {
    const { fields, closes } = readingOf(pictureOf(...pages))
    expect(fields.taxLines.value).toMatchObject([{ baseCents: 10_000, taxCents: 2_100 }])
    expect(closes).toBe(true)
  }
})

test.each([
  ['base and quota', INVOICE.replace('100,00', '109,00').replace('21,00', '27,00'), INVOICE],
  ['quota and total', INVOICE.replace('21,00', '27,00').replace('121,00', '127,00'), INVOICE],
  ['the total, which only the less certain reading has right', INVOICE.replace('121,00', '131,00'), INVOICE],
])('what the readings dispute at two places is shown, but not sure: %s', (_name, ...texts) => {
  const { fields, closes, vetoes } = readingOf(pictureOf(...texts))
  expect(fields.taxLines.value).toMatchObject([{ baseCents: 10_000, taxCents: 2_100 }])
  expect(fields.total).toMatchObject({ value: 12_100, level: 'guess' })
  expect(vetoes).toContain('ambiguous_amount')
  expect(closes).toBe(false)
})

test('letters that OCR takes for digits are mended in amounts', () => {
  const text = INVOICE.replace('100,00', '1OO,00')
  expect(readingOf(pictureOf(text, text)).fields.taxLines.value).toMatchObject([{ baseCents: 10_000 }])
})

test('a number with a letter that may be a digit is not read with certainty', () => {
  const text = INVOICE.replace('A-118', 'O-118')
  expect(readingOf(pictureOf(text, text)).fields.number).toMatchObject({ value: 'O-118', level: 'guess' })
})

test('a word that only one reading has is uncertain, and one of exact text is not', () => {
  const [page] = [pictureOf('uno dos', 'uno')]
  expect(mergeReadings(page).map(({ t, conf }) => [t, conf])).toEqual([
    ['uno', 95],
    ['dos', 60],
  ])
  expect(mergeReadings(pictureOf('siete', 'siele'))).toMatchObject([{ t: 'siete', alt: 'siele' }])
  expect(mergeReadings(pageOfText('tres'))).toMatchObject([{ t: 'tres', conf: 100 }])
})

/** Words of one line, each with its confidence. */
const lineOf = (...words: [t: string, x0: number, x1: number, conf: number][]): Word[] =>
  words.map(([t, x0, x1, conf]) => ({ t, box: [x0, 100, x1, 120], conf }))

const mergedOf = (first: Word[], second: Word[]): [t: string, alt: string | undefined][] =>
  mergeReadings({ index: 0, size: [500, 500], source: 'ocr', turn: 0, readings: [first, second] }).map(
    ({ t, alt }) => [t, alt],
  )

test('of two readings the more certain one counts, also where a word of one is two of the other', () => {
  expect(mergedOf(lineOf(['siele', 0, 50, 40]), lineOf(['siete', 0, 50, 90]))).toEqual([['siete', 'siele']])
  expect(
    mergedOf(lineOf(['193772', 0, 120, 60]), lineOf(['1,93', 0, 50, 90], ['7,72', 70, 120, 90])),
  ).toEqual([
    ['1,93', '193772'],
    ['7,72', '193772'],
  ])
  // A figure with two decimals is rarely a misreading.
  expect(mergedOf(lineOf(['EL', 0, 20, 88], ['83', 25, 50, 88]), lineOf(['11,83', 0, 50, 82]))).toEqual([
    ['11,83', 'EL83'],
  ])
})

test('what OCR sees in rules, in dots and in strokes over several rows is no word', () => {
  const line = lineOf(
    ['Total', 0, 50, 95],
    ['eecoooaoo', 60, 200, 20],
    ['|', 210, 212, 80],
    ['-', 215, 222, 90],
  )
  const stroke: Word = { t: 'I1', box: [230, 0, 235, 400], conf: 30 }
  expect(mergedOf([...line, stroke], line)).toEqual([
    ['Total', undefined],
    ['-', undefined],
  ])
})
