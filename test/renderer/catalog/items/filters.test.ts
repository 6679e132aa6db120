/** Filter of the list of items from its address. */
import { expect, test } from 'vitest'
import { itemFilter, itemQueryText } from '../../../../renderer/catalog/items/filters.ts'

test('items that are no longer offered are listed on request', () => {
  expect(itemFilter({})).toEqual({ active: true })
  expect(itemFilter({ all: '1', q: 'mano' })).toEqual({ text: 'mano' })
  expect(itemQueryText({ q: '', all: 'yes' })).toEqual({})
})
