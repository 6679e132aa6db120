import { describe, expect, test } from 'vitest'
import {
  changedQuery,
  filterOfQuery,
  showsAll,
  sortOfQuery,
} from '../../../../../renderer/sales/invoices/list/filters.ts'

describe('the address of the list says what is shown', () => {
  test('an empty address shows everything, newest first', () => {
    expect(filterOfQuery({})).toEqual({})
    expect(showsAll(filterOfQuery({ view: 'all' }))).toBe(true)
    expect(sortOfQuery({})).toBe('-issueDate')
  })

  test('every part of the address becomes its part of the filter', () => {
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

  test('what an address says wrong is left out instead of failing', () => {
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

  test('two days the wrong way round mean the stretch between them', () => {
    expect(filterOfQuery({ from: '2026-03-31', to: '2026-01-01' })).toEqual({
      from: '2026-01-01',
      to: '2026-03-31',
    })
  })

  test('a search longer than the server takes is cut', () => {
    expect(filterOfQuery({ q: 'a'.repeat(300) }).text).toHaveLength(100)
  })
})

describe('a change of the address', () => {
  test('keeps the rest and drops what stands there anyway', () => {
    expect(changedQuery({ q: 'ana', view: 'owed' }, { view: 'all' })).toEqual({ q: 'ana' })
    expect(changedQuery({ q: 'ana' }, { sort: '-total' })).toEqual({ q: 'ana', sort: '-total' })
    expect(changedQuery({ sort: '-total' }, { sort: '-issueDate' })).toEqual({})
  })

  test('null and the empty text take a part out', () => {
    expect(changedQuery({ q: 'ana', state: 'draft', odd: ['a'] }, { q: null, state: '' })).toEqual({})
  })
})
