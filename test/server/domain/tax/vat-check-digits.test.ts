/** Check digits of VAT numbers, on numbers that companies publish. */
import { describe, expect, test } from 'vitest'
import { hasRightCheckDigits } from '../../../../server/domain/tax/vat-check-digits.ts'

/** Numbers of the states' own examples and of well-known companies. */
const RIGHT = [
  'ATU13585627', 'BE0428759497', 'DE136695976', 'DK13585628', 'EE100931558', 'EL094259216', 'FI20774740', 'FR83404833048',
  'HR33392005961', 'HU12892312', 'IE6433435F', 'IE6388047V', 'IT00743110157', 'LU15027442', 'LU20260743', 'MT11679112',
  'NL004495445B01', 'PL8567346215', 'PT501964843', 'RO18547290', 'SE123456789701', 'SI50223054', 'SK2022749619',
] // prettier-ignore

describe('check digits of VAT numbers', () => {
  test.each(RIGHT)('%s is right', (number) => {
    expect(hasRightCheckDigits(number)).toBe(true)
  })

  test.each(RIGHT)('%s with another digit is wrong', (number) => {
    const at = number.search(/\d(?=\d{3})/) + 1
    const digit = (Number(number[at]) + 1) % 10
    expect(hasRightCheckDigits(number.slice(0, at) + String(digit) + number.slice(at + 1))).toBe(false)
  })

  test('punctuation and blanks do not matter', () => {
    expect(hasRightCheckDigits('NL 0044.95.445.B01')).toBe(true)
  })

  test.each(['LT100001919017', 'XX123', 'LU1234'])('%s is not decided', (text) => {
    expect(hasRightCheckDigits(text)).toBeNull()
  })
})
