import { describe, expect, test } from 'vitest'
import en from '../../../../../renderer/locales/en/index.ts'
import es from '../../../../../renderer/locales/es/index.ts'
import { DESTINATIONS, keywordsOf, matching } from '../../../../../renderer/app/shell/palette/entries.ts'
import { requestedText, recordVisit, visitsOf } from '../../../../../renderer/app/shell/palette/palette.ts'
import { keyNames } from '../../../../../renderer/components/shortcut-names.ts'

test('an amount is searched as the number it represents, in any notation', () => {
  for (const typed of ['1.234,56', '1234,56', '1 234,56', '1.234,56 €', ' 1234,56 euros'])
    expect(requestedText(typed, ','), typed).toBe('1234.56')
  expect(requestedText('1.234', ',')).toBe('1234')
  expect(requestedText('12.5', ',')).toBe('12.5')
  expect(requestedText('−50,00', ',')).toBe('-50')
  expect(requestedText('1,234.56', '.')).toBe('1234.56')
})

test('a text that is not an amount is searched unchanged', () => {
  for (const typed of [
    'F2026-0001',
    '2026-0001',
    'Taller 3',
    'B12345674',
    '1234',
    '12/11/2026',
    '1,2,3,4 casas',
  ])
    expect(requestedText(typed, ','), typed).toBe(typed)
  expect(requestedText('  Hotel Mirador ', ',')).toBe('Hotel Mirador')
})

test('recently opened records are kept by book, each once and no more than six', () => {
  for (const number of [1, 2, 3, 4, 5, 6, 7, 3])
    recordVisit('book_a', {
      name: 'invoice',
      path: `/invoices/inv_${number}`,
      title: `F-${number}`,
      about: '',
    })
  recordVisit('book_a', { name: 'home', path: '/', title: 'Inicio', about: '' })
  recordVisit('book_b', { name: 'quote', path: '/quotes/quo_1', title: 'P-1', about: '' })
  expect(visitsOf('book_a').map(({ title }) => title)).toEqual(['F-3', 'F-7', 'F-6', 'F-5', 'F-4', 'F-2'])
  expect(visitsOf('book_b').map(({ path }) => path)).toEqual(['/quotes/quo_1'])
  expect(visitsOf('book_c')).toEqual([])
})

test("a record and its editor are one record, which keeps the customer's name", () => {
  const draft = { title: 'Borrador', about: 'Hotel Mirador' }
  recordVisit('book_d', { name: 'invoice', path: '/invoices/inv_1', ...draft })
  recordVisit('book_d', { name: 'invoice', path: '/invoices/inv_2', title: 'Borrador', about: 'Bar Pepe' })
  recordVisit('book_d', { name: 'invoice-edit', path: '/invoices/inv_1/edit', title: 'Borrador', about: '' })
  expect(visitsOf('book_d').map(({ path, about }) => [path, about])).toEqual([
    ['/invoices/inv_1/edit', 'Hotel Mirador'],
    ['/invoices/inv_2', 'Bar Pepe'],
  ])
})

test('the names of keys are listed one by one', () => {
  expect(keyNames('g-f')).toEqual(['G', 'F'])
  expect(keyNames('meta_enter').at(-1)).toBe('↵')
  expect(keyNames('[')).toEqual(['['])
})

/** Returns the entries of the palette with their names in a language and their address as result. */
const entriesIn = (language: 'es' | 'en') =>
  [
    { to: '/received/new', label: 'received.new' },
    { to: '/invoices/new', label: 'shortcuts.newInvoice' },
    { to: '/received', label: 'nav.received' },
    { to: '/payments', label: 'payments.title' },
    { to: '/taxes', label: 'taxes.title' },
    { to: '/ledger', label: 'nav.ledger' },
    { to: '/settings', label: 'nav.settings' },
    { to: '/settings/certificate', label: 'settings.certificate.title' },
    ...DESTINATIONS,
  ].map(({ to, label }) => ({ to, label: textOf(language, label), keywords: keywordsOf(to) }))

function textOf(language: 'es' | 'en', key: string): string {
  const text = key
    .split('.')
    .reduce<unknown>(
      (part, name) => (part as Record<string, unknown> | undefined)?.[name],
      language === 'es' ? es : en,
    )
  if (typeof text !== 'string') throw new Error(`No text is called ${key}.`)
  return text
}

describe.each(['es', 'en'] as const)('the palette in %s', (language) => {
  test.each([
    ['ajustes', '/settings'],
    ['settings', '/settings'],
    ['configuración', '/settings'],
    ['copia', '/settings/backups'],
    ['copias de seguridad', '/settings/backups'],
    ['backups', '/settings/backups'],
    ['restaurar', '/settings/backups'],
    ['beneficio', '/ledger/result'],
    ['profit', '/ledger/result'],
    ['perdidas', '/ledger/result'],
    ['logo', '/settings/design#logo'],
    ['contraseña', '/settings/security#lock'],
    ['password', '/settings/security#lock'],
    ['gasto', '/received/new'],
    ['expense', '/received/new'],
    ['iban', '/settings#company-iban'],
    ['correo', '/settings/mail'],
    ['p12', '/settings/certificate'],
    ['303', '/taxes'],
  ])('finds %s at %s', (typed, to) => {
    const found = matching(typed, entriesIn(language)).map((entry) => entry.to)
    expect(found).toContain(to)
    expect(found.indexOf(to), `${typed} is among the first three`).toBeLessThan(3)
  })

  test('finds whole words and their prefixes, never the middle of a word', () => {
    const entries = entriesIn(language)
    for (const typed of ['opia', 'eguridad', 'rofit', 'zzzz', '', '  ', '-'])
      expect(matching(typed, entries), typed).toEqual([])
  })

  test('lists an entry found by its own label before one found by a synonym', () => {
    const found = matching('iva', [
      { label: 'Impuestos', keywords: 'iva' },
      { label: 'Tipos de IVA', keywords: '' },
    ])
    expect(found.map(({ label }) => label)).toEqual(['Tipos de IVA', 'Impuestos'])
  })
})
