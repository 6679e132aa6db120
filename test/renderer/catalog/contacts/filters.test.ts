/** Filter of the list of contacts from its address. */
import { expect, test } from 'vitest'
import { contactFilter, contactQueryText } from '../../../../renderer/catalog/contacts/filters.ts'

test('only a text and a role are parameters of the list', () => {
  expect(contactQueryText({ q: 'ebro', role: 'boss', page: '2' })).toEqual({ q: 'ebro' })
  expect(contactFilter({ q: 'x'.repeat(120), role: 'supplier' })).toEqual({
    text: 'x'.repeat(100),
    role: 'supplier',
  })
})
