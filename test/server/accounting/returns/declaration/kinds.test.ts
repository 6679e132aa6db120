/** Kinds of returns: how a result can be settled. */
import { describe, expect, test } from 'vitest'
import {
  kindsFor,
  laterNatures,
  outcomeOf,
  RETURN_KINDS,
  WITH_ACCOUNT,
} from '../../../../../server/accounting/returns/declaration/kinds.ts'

describe('a result is settled', () => {
  test.each([
    ['303', 1, false, 'UIG'],
    ['303', 1, true, 'UIG'],
    ['303', 0, false, 'N'],
    ['303', 0, true, 'N'],
    // A refund is asked for with the last return of the year only.
    ['303', -1, false, 'C'],
    ['303', -1, true, 'CDVX'],
    ['130', 1, false, 'UIG'],
    ['130', 0, true, 'N'],
    ['130', -1, false, 'B'],
    ['130', -1, true, 'B'],
    ['111', 1, false, 'UIG'],
    ['111', 0, false, 'N'],
    ['111', -1, false, 'N'],
    ['115', 1, true, 'UIG'],
    ['115', 0, false, 'N'],
    ['123', 1, false, 'UIG'],
    ['123', 0, true, 'N'],
    ['131', 1, false, 'UIG'],
    ['131', 0, false, 'N'],
    ['131', -1, true, 'B'],
    // The whole, or the debt acknowledged; nothing of direct debit.
    ['369', 1, false, 'IO'],
    ['369', 0, true, 'N'],
    ['390', 0, true, ''],
    ['347', 0, true, ''],
    ['349', 0, false, ''],
    ['190', 0, true, ''],
    ['180', 0, true, ''],
  ] as const)('model %s, result %i, last of the year %s: %s', (model, cents, isLast, kinds) => {
    expect(kindsFor(model, cents, isLast).join('')).toBe(kinds)
  })

  test('as it is stored with the filing', () => {
    expect(RETURN_KINDS.map((kind) => `${kind} ${outcomeOf(kind)}`)).toEqual([
      'I pay',
      'U pay',
      'G pay',
      'N none',
      'B none',
      'C offset',
      'D refund',
      'V refund',
      'X refund',
      'O pay',
    ])
    expect(outcomeOf(null)).toBe('none')
    expect(WITH_ACCOUNT).toEqual(['U', 'D', 'X'])
  })
})

test('a later return is rectifying for the VAT, complementary for withholding, and substitutive for what informs', () => {
  expect(laterNatures('303')).toEqual(['rectifying'])
  for (const model of ['130', '131', '111', '115', '123'] as const)
    expect(laterNatures(model)).toEqual(['complementary'])
  for (const model of ['390', '347', '349', '190', '180'] as const)
    expect(laterNatures(model)).toEqual(['substitutive'])
  for (const model of ['309', '369'] as const) expect(laterNatures(model)).toEqual([])
})
