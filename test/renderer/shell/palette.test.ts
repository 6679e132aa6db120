import { expect, test } from 'vitest'
import { askedText, noteVisit, visitsOf } from '../../../renderer/shell/palette.ts'
import { keyNames } from '../../../renderer/components/shortcut-names.ts'

test('an amount is asked for as the number it stands for, however it is typed', () => {
  for (const typed of ['1.234,56', '1234,56', '1 234,56', '1.234,56 €', ' 1234,56 euros'])
    expect(askedText(typed, ','), typed).toBe('1234.56')
  expect(askedText('1.234', ',')).toBe('1234')
  expect(askedText('12.5', ',')).toBe('12.5')
  expect(askedText('−50,00', ',')).toBe('-50')
  expect(askedText('1,234.56', '.')).toBe('1234.56')
})

test('what is no amount is asked for as it stands', () => {
  for (const typed of [
    'F2026-0001',
    '2026-0001',
    'Taller 3',
    'B12345674',
    '1234',
    '12/11/2026',
    '1,2,3,4 casas',
  ])
    expect(askedText(typed, ','), typed).toBe(typed)
  expect(askedText('  Hotel Mirador ', ',')).toBe('Hotel Mirador')
})

test('records opened last are kept by book, each once and no more than six', () => {
  for (const number of [1, 2, 3, 4, 5, 6, 7, 3])
    noteVisit('book_a', { name: 'invoice', path: `/invoices/inv_${number}`, title: `F-${number}`, about: '' })
  noteVisit('book_a', { name: 'home', path: '/', title: 'Inicio', about: '' })
  noteVisit('book_b', { name: 'quote', path: '/quotes/quo_1', title: 'P-1', about: '' })
  expect(visitsOf('book_a').map(({ title }) => title)).toEqual(['F-3', 'F-7', 'F-6', 'F-5', 'F-4', 'F-2'])
  expect(visitsOf('book_b').map(({ path }) => path)).toEqual(['/quotes/quo_1'])
  expect(visitsOf('book_c')).toEqual([])
})

test('a record and its editor are one record, which keeps the name of whom it is about', () => {
  const draft = { title: 'Borrador', about: 'Hotel Mirador' }
  noteVisit('book_d', { name: 'invoice', path: '/invoices/inv_1', ...draft })
  noteVisit('book_d', { name: 'invoice', path: '/invoices/inv_2', title: 'Borrador', about: 'Bar Pepe' })
  noteVisit('book_d', { name: 'invoice-edit', path: '/invoices/inv_1/edit', title: 'Borrador', about: '' })
  expect(visitsOf('book_d').map(({ path, about }) => [path, about])).toEqual([
    ['/invoices/inv_1/edit', 'Hotel Mirador'],
    ['/invoices/inv_2', 'Bar Pepe'],
  ])
})

test('keys are named one by one', () => {
  expect(keyNames('g-f')).toEqual(['G', 'F'])
  expect(keyNames('meta_enter').at(-1)).toBe('↵')
  expect(keyNames('[')).toEqual(['['])
})
