/** Shapes of numbers and days, labels and layouts, by which a supplier's documents are recognized. */
import { describe, expect, test } from 'vitest'
import {
  commonPrint,
  commonShape,
  dateStyleOf,
  emptyMemory,
  fitted,
  isSameLabel,
  layoutFor,
  shapeOf,
} from '../../../../server/purchases/memory/shape.ts'

describe('the shape of a number', () => {
  test.each([
    ['FV-2026/0042', 'FV-\\d{4}/\\d{4}'],
    ['PI 26003743', 'PI\\d{8}'],
    ['964/26', '\\d{3}/\\d{2}'],
  ])('of %s is %s', (value, shape) => {
    expect(shapeOf(value)).toBe(shape)
  })

  test.each([
    ['\\d{3}/\\d{2}', '\\d{4}/\\d{2}', '\\d{3,4}/\\d{2}'],
    ['A\\d{3}', 'B\\d{3}', '\\l{1}\\d{3}'],
    ['FV\\d{3}', 'FV\\d{3}', 'FV\\d{3}'],
  ])('common to %s and %s is %s', (one, other, common) => {
    expect(commonShape(one, other)).toBe(common)
  })

  test.each([
    ['FV\\d{3}', 'FV\\d{3}/\\d{2}'],
    ['FV\\d{3}', 'FAC\\d{3}'],
    ['\\d{3}', 'A\\d{2}'],
  ])('is not common to %s and %s', (one, other) => {
    expect(commonShape(one, other)).toBeNull()
  })

  test('fits its own values, and no others', () => {
    expect(fitted('PI00042', 'PI\\d{5}', { repair: false })).toBe('PI00042')
    expect(fitted('PI0042', 'PI\\d{5}', { repair: false })).toBeNull()
    expect(fitted('PX00042', 'PI\\d{5}', { repair: true })).toBeNull()
    expect(fitted('A.1', 'A\\d{1}', { repair: true })).toBeNull()
  })

  test('repairs what OCR confuses, each sign to what stands at its place', () => {
    expect(fitted('P1O0042', 'PI\\d{5}', { repair: false })).toBeNull()
    expect(fitted('P1O0042', 'PI\\d{5}', { repair: true })).toBe('PI00042')
    expect(fitted('FV-2O26/OO4Z', 'FV-\\d{4}/\\d{4}', { repair: true })).toBe('FV-2026/0042')
  })
})

test.each([
  ['05/01/2026', 'n/n/yyyy'],
  ['5-1-26', 'n-n-n'],
  ['5 de enero de 2026', 'n mes yyyy'],
  ['2026-01-05', 'yyyy-n-n'],
])('the style of %s is %s', (text, style) => {
  expect(dateStyleOf(text)).toBe(style)
})

test('a label with one letter in eight misread is the same label, another word is not', () => {
  expect(isSameLabel('numero factura', 'numero facfura')).toBe(true)
  expect(isSameLabel('fecha', 'fecna')).toBe(false)
  expect(isSameLabel('vencimiento', 'emision')).toBe(false)
})

describe('a layout', () => {
  const layout = { print: ['a', 'b', 'c', 'd', 'e'], documents: 1, rules: [] }
  const memory = { ...emptyMemory(), layouts: [layout] }

  test('is that of a document with three of five of its words', () => {
    expect(layoutFor(memory, ['a', 'b', 'c', 'x', 'y', 'z'])).toBe(layout)
    expect(layoutFor(memory, ['a', 'b', 'x', 'y', 'z'])).toBeNull()
  })

  test('of too few words is nobody’s', () => {
    expect(layoutFor({ ...memory, layouts: [{ ...layout, print: ['a', 'b'] }] }, ['a', 'b'])).toBeNull()
  })

  test('retains the words that its documents have in common', () => {
    expect(commonPrint(['a', 'b', 'c', 'd', 'e'], ['e', 'd', 'c', 'b', 'q'])).toEqual(['b', 'c', 'd', 'e'])
    expect(commonPrint(['a', 'b', 'c', 'd'], ['a'])).toEqual(['a', 'b', 'c', 'd'])
  })
})
