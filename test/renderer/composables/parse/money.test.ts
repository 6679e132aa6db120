/** Parser of amounts as users type them. */
import { describe, expect, test } from 'vitest'
import { parseMoney } from '../../../../renderer/composables/parse/money.ts'
import type { MoneyReading } from '../../../../renderer/composables/parse/money.ts'

const cents = (text: string, decimalSign: ',' | '.' = ','): MoneyReading =>
  parseMoney(text, { decimals: 2, decimalSign })
const micro = (text: string, decimalSign: ',' | '.' = ','): MoneyReading =>
  parseMoney(text, { decimals: 6, decimalSign })
const value = (reading: MoneyReading) => (reading.ok ? reading.value : reading.reason)

describe('amounts typed in Spanish', () => {
  test.each<[string, number | null | string]>([
    ['1.234,56', 123456],
    ['1234,56', 123456],
    ['1 234,56', 123456],
    ['1\u00a0234,56 €', 123456],
    ['12.5', 1250],
    ['12,5', 1250],
    ['1.234', 123400],
    ['1.234.567', 123456700],
    ['1,234.56', 123456],
    ['1,234,567.8', 123456780],
    ['-1.234,56', -123456],
    ['−1.234,56', -123456],
    ['(12,50)', -1250],
    ['0.125', 'too_many_decimals'],
    ['1,234', 'too_many_decimals'],
    ['123,00', 12300],
    ['€ 5', 500],
    ['5 EUR', 500],
    [',5', 50],
    ['5,', 500],
    ['', null],
    ['   ', null],
    ['€', null],
    ['0', 0],
    ['-0', 0],
    ['3,2o', 'not_a_number'],
    ['1.23,4', 'not_a_number'],
    ['12.34,56', 'not_a_number'],
    ['1,2,3', 'not_a_number'],
    ['1 2', 'not_a_number'],
    ['1e3', 'not_a_number'],
    ['.', 'not_a_number'],
    ['--5', 'not_a_number'],
    ['999999999999,99', 99999999999999],
    ['1000000000000', 'too_large'],
  ])('%j', (text, expected) => {
    expect(value(cents(text))).toEqual(expected)
  })

  test('a point read as thousands separator, and a sum, are reported', () => {
    expect(cents('1.234')).toMatchObject({ isSurprising: true })
    expect(cents('12*3')).toMatchObject({ value: 3600, isSurprising: true })
    expect(cents('1.234,00')).toMatchObject({ isSurprising: false })
    expect(cents('-5')).toMatchObject({ isSurprising: false })
  })
})

describe('simple sums', () => {
  test.each<[string, number | string]>([
    ['12*3', 3600],
    ['12 × 3', 3600],
    ['1+2*3', 700],
    ['10-2,5', 750],
    ['100/3', 3333],
    ['200/3', 6667],
    ['-200/3', -6667],
    ['0,1+0,2', 30],
    ['3*-2', -600],
    ['5/0', 'division_by_zero'],
    ['5*', 'not_a_number'],
    ['*5', 'not_a_number'],
    ['5--', 'not_a_number'],
  ])('%j', (text, expected) => {
    expect(value(cents(text))).toEqual(expected)
  })
})

test('prices and quantities keep six decimals and reject a seventh', () => {
  expect(value(micro('0,000001'))).toBe(1)
  expect(value(micro('12,345678'))).toBe(12_345_678)
  expect(value(micro('0,0000001'))).toBe('too_many_decimals')
  expect(value(micro('0.125'))).toBe(125_000)
  expect(value(micro('1,234'))).toBe(1_234_000)
})

test('in English the comma before three digits is the thousands sign', () => {
  expect(cents('1,234', '.')).toEqual({ ok: true, value: 123400, isSurprising: true })
  expect(value(cents('1,234.56', '.'))).toBe(123456)
  expect(value(cents('12,5', '.'))).toBe(1250)
  expect(value(micro('1.234', '.'))).toBe(1_234_000)
})
