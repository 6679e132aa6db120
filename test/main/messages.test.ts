/** Messages of the page: parsed completely, limited in size, rejected if one part is invalid. */
import { describe, expect, test } from 'vitest'
import { readBadge, readLanguage, readMenuState, readNotice, readTheme } from '../../main/messages.ts'
import { LIMITS } from '../../preload/contract.ts'

const menu = {
  commands: ['settings', 'print'],
  checked: ['theme-dark'],
  places: [[{ id: 'home', label: 'Inicio', keys: 'g-i' }]],
  actions: [{ id: 'e', label: 'Editar & ver', keys: 'e' }],
  books: [{ id: 'book_1', label: 'Taller Norte · Libro real', active: true }],
}
const notice = { kind: 'approvals', title: 'Una propuesta', body: 'Ábrela', path: '/inbox/prp_1' }

test('values are known values', () => {
  expect(readTheme('dark')).toBe('dark')
  expect(readTheme('constructor')).toBeNull()
  expect(readLanguage('en')).toBe('en')
  expect(readLanguage('fr')).toBeNull()
})

test.each([
  ['0', 0],
  ['12', 12],
  ['-1', null],
  ['1e9', null],
  ['99999', null],
  ['', null],
  [' 1', null],
])('a badge of %j is %j', (text, count) => {
  expect(readBadge(text)).toBe(count)
})

describe("the menu's state", () => {
  test('can be read back', () => {
    expect(readMenuState(JSON.stringify(menu))).toEqual(menu)
  })

  test('loses invisible characters', () => {
    const actions = [{ id: 'e', label: 'Bor\u202Erar\u0000\n todo' }]
    expect(readMenuState(JSON.stringify({ ...menu, actions }))?.actions).toEqual([
      { id: 'e', label: 'Bor rar   todo' },
    ])
  })

  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['nothing', 'null'],
    ['a part missing', JSON.stringify({ ...menu, books: undefined })],
    ['an unknown command', JSON.stringify({ ...menu, commands: ['quit'] })],
    ['an empty label', JSON.stringify({ ...menu, actions: [{ id: 'e', label: ' ' }] })],
    [
      'a label too long',
      JSON.stringify({ ...menu, actions: [{ id: 'e', label: 'x'.repeat(LIMITS.label + 1) }] }),
    ],
    ['keys that are no text', JSON.stringify({ ...menu, actions: [{ id: 'e', label: 'x', keys: {} }] })],
    ['an entry that is no object', JSON.stringify({ ...menu, places: [['home']] })],
    ['a book neither open nor closed', JSON.stringify({ ...menu, books: [{ id: 'b', label: 'x' }] })],
    [
      'too many entries',
      JSON.stringify({ ...menu, actions: Array.from({ length: LIMITS.entries + 1 }, () => menu.actions[0]) }),
    ],
    [
      'too many groups',
      JSON.stringify({ ...menu, places: Array.from({ length: LIMITS.groups + 1 }, () => []) }),
    ],
  ])('with %s is rejected as a whole', (_name, text) => {
    expect(readMenuState(text)).toBeNull()
  })
})

describe('a notification', () => {
  test('has a known kind, plain text and a page to open', () => {
    expect(readNotice(JSON.stringify(notice))).toEqual(notice)
  })

  test.each([
    ['an unknown kind', { kind: 'advert' }],
    ['no title', { title: '' }],
    ['a title too long', { title: 'x'.repeat(LIMITS.title + 1) }],
    ['a body that is no text', { body: 7 }],
    ['a foreign address', { path: 'https://evil.example/' }],
    ['an address that acts', { path: '/invoices/inv_1/issue' }],
    ['an address with a question', { path: '/invoices?book=2' }],
  ])('with %s is rejected', (_name, change) => {
    expect(readNotice(JSON.stringify({ ...notice, ...change }))).toBeNull()
  })
})
