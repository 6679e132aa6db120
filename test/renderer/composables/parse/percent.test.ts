/** Percentages as users type them: with or without their sign, in hundredths. */
import { expect, test } from 'vitest'
import { parseMoney, withoutPercent } from '../../../../renderer/composables/parse/money.ts'

const read = (text: string) => parseMoney(withoutPercent(text), { decimals: 2, decimalSign: ',' })

test.each([
  ['21', 2100],
  ['21 %', 2100],
  ['5,2', 520],
  ['0,5%', 50],
  ['7.5\u00a0% ', 750],
  ['', null],
  ['%', null],
])('%j is parsed', (text, value) => {
  expect(read(text)).toMatchObject({ ok: true, value })
})

test.each(['2%1', '5,255 %', '%21', '21 %%'])('%j is not a percentage', (text) => {
  expect(read(text).ok).toBe(false)
})
