/** Answers about the schemes of a year: what follows from them in the dialog. */
import { expect, test } from 'vitest'
import { isInSii, monthlyModels } from '../../../../renderer/accounting/returns/schemes.ts'
import { isInSii as isInSiiAtServer } from '../../../../server/accounting/returns/schemes/schemes.ts'
import { unitOf } from '../../../../server/accounting/returns/schemes/units.ts'
import { NO_SCHEMES } from '../../../support/schemes.ts'

test('says what the server decides, for every combination of the answers', () => {
  for (let bits = 0; bits < 16; bits++) {
    const has = (bit: number) => (bits & bit) !== 0
    const schemes = {
      ...NO_SCHEMES,
      refundRegister: has(1),
      largeCompany: has(2),
      voluntarySii: has(4),
      monthly349: has(8),
    }
    expect(isInSii(schemes)).toBe(isInSiiAtServer(schemes))
    const models = (['303', '111', '115', '123', '349', '130', '369', '390'] as const).filter(
      (model) => unitOf(model, schemes) === 'month',
    )
    expect(monthlyModels(schemes)).toEqual(models)
  }
})

test('asserts nothing of what is not answered', () => {
  expect([isInSii({}), monthlyModels({})]).toEqual([false, []])
})
