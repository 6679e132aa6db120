import { describe, expect, test } from 'vitest'
import {
  changedQuery,
  filterOfQuery,
  showsAll,
  sortOfQuery,
} from '../../../../../renderer/sales/invoices/list/filters.ts'

describe('the address of the list', () => {
  test('shows everything, newest first, if it is empty', () => {
    expect(filterOfQuery({})).toEqual({})
    expect(showsAll(filterOfQuery({ view: 'all' }))).toBe(true)
    expect(sortOfQuery({})).toBe('-issueDate')
  })

  test('has a parameter for every part of the filter', () => {
    const query = {
      view: 'owed',
      q: ' tirón ',
      state: 'issued',
      registry: 'rejected',
      payment: 'overdue',
      from: '2026-01-01',
      to: '2026-03-31',
      series: 'F2026',
      client: 'con_1',
    }
    expect(filterOfQuery(query)).toEqual({
      view: 'owed',
      text: 'tirón',
      state: 'issued',
      registryStatus: 'rejected',
      paymentStatus: 'overdue',
      from: '2026-01-01',
      to: '2026-03-31',
      series: 'F2026',
      client: 'con_1',
    })
  })

  test('ignores invalid values instead of failing', () => {
    expect(
      filterOfQuery({
        view: 'nope',
        state: 'x',
        registry: '',
        payment: ['paid'],
        from: '2026-02-30',
        to: 7,
        q: '   ',
      }),
    ).toEqual({})
    expect(sortOfQuery({ sort: 'colour' })).toBe('-issueDate')
    expect(sortOfQuery({ sort: 'total' })).toBe('total')
  })

  test('swaps two dates in the wrong order', () => {
    expect(filterOfQuery({ from: '2026-03-31', to: '2026-01-01' })).toEqual({
      from: '2026-01-01',
      to: '2026-03-31',
    })
  })

  test('truncates a search longer than the server takes', () => {
    expect(filterOfQuery({ q: 'a'.repeat(300) }).text).toHaveLength(100)
  })
})

describe('a change of the address', () => {
  test('keeps the rest and drops default values', () => {
    expect(changedQuery({ q: 'ana', view: 'owed' }, { view: 'all' })).toEqual({ q: 'ana' })
    expect(changedQuery({ q: 'ana' }, { sort: '-total' })).toEqual({ q: 'ana', sort: '-total' })
    expect(changedQuery({ sort: '-total' }, { sort: '-issueDate' })).toEqual({})
  })

  test('removes a part for null and the empty text', () => {
    expect(changedQuery({ q: 'ana', state: 'draft', odd: ['a'] }, { q: null, state: '' })).toEqual({})
  })
})
