/** Filter of the list of received invoices from its address. */
import { expect, test } from 'vitest'
import { receivedFilter, receivedSort } from '../../../renderer/purchases/filters.ts'

test('invalid values in the address are ignored', () => {
  expect(receivedFilter({ view: 'owed', q: 'luz', concept: 'G12' })).toEqual({
    view: 'owed',
    text: 'luz',
    concept: 'G12',
  })
  expect(receivedFilter({ view: 'all', concept: 'rent' })).toEqual({})
  expect([receivedSort({ sort: 'total' }), receivedSort({ sort: 'name' }), receivedSort({})]).toEqual([
    'total',
    '-receptionDate',
    '-receptionDate',
  ])
})
