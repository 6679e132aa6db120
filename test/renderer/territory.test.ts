/** Tax territory of a postal code. */
import { expect, test } from 'vitest'
import { territoryOf } from '../../renderer/app/welcome/territory.ts'

test.each([
  ['28013', 'mainland'],
  ['07001', 'mainland'],
  ['48001', 'basque'],
  ['01005', 'basque'],
  ['31002', 'navarre'],
  ['35001', 'canary'],
  ['51001', 'ceuta_melilla'],
  ['2801', null],
  ['', null],
])('%s is %s', (code, territory) => {
  expect(territoryOf(code)).toBe(territory)
})
