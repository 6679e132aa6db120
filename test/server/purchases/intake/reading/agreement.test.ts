/** Two readings of a picture: what both say alike is read, what they say differently stays open. */
import { expect, test } from 'vitest'
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

test('a second reading mends an amount, but then it is not sure', () => {
  const { fields, closes, vetoes } = readingOf(pictureOf(INVOICE.replace('21,00', '27,00'), INVOICE))
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
