/** Filter of the bank page from its address. */
import { expect, test } from 'vitest'
import { bankFilter, bankInput } from '../../../../renderer/accounting/bank/filters.ts'

test('the bank page shows pending movements unless the address asks for more', () => {
  expect(bankInput(bankFilter({}))).toEqual({ status: 'pending' })
  expect(bankInput(bankFilter({ show: 'everything', account: 'ban_1', q: 'luz' }))).toEqual({
    accountId: 'ban_1',
    text: 'luz',
  })
  expect(bankFilter({ show: 'nonsense' }).filter).toBe('pending')
})
