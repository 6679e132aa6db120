/** Parameters of a list's address, and the result of changing them. */
import { expect, test } from 'vitest'
import { queryValues, changedQueryValues, viewQuery } from '../../../../renderer/components/list/address.ts'

test('a parameter has one value, and an empty one is absent', () => {
  expect(queryValues({ q: 'ebro', view: '', odd: ['1', '2'], none: null, n: undefined })).toEqual({
    q: 'ebro',
  })
})

test('a change adds, replaces and removes parameters', () => {
  const query = { view: 'closed', q: 'x' }
  expect(changedQueryValues(query, { view: null, kind: 'quote' })).toEqual({ q: 'x', kind: 'quote' })
  expect(changedQueryValues(query, { q: '' })).toEqual({ view: 'closed' })
  expect(query).toEqual({ view: 'closed', q: 'x' })
  expect(['all', 'open'].map(viewQuery)).toEqual([{}, { view: 'open' }])
})
