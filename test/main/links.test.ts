/** Links to the app: the known forms open a page, all others are ignored. */
import { expect, test } from 'vitest'
import { linkOfPath, pathOfLink } from '../../main/window/links.ts'

test.each([
  ['sello://invoices', '/invoices'],
  ['sello://invoices/', '/invoices'],
  ['sello://invoices/inv_01JABC-x', '/invoices/inv_01JABC-x'],
  ['SELLO://Invoices/inv_1', '/invoices/inv_1'],
  ['sello://new/invoice', '/invoices/new'],
  ['sello://new/received', '/received/new'],
  ['sello://inbox/prp_1', '/inbox/prp_1'],
  ['sello://taxes', '/taxes'],
  ['sello://taxes/2026-4T', '/taxes/2026-4T'],
  ['sello://taxes/2026-4T/303', '/taxes/2026-4T/303'],
  ['sello://settings/appearance', '/settings/appearance'],
  ['sello://home', '/'],
])('%s opens %s', (link, path) => {
  expect(pathOfLink(link)).toBe(path)
})

test.each([
  ['another scheme', 'https://invoices/inv_1'],
  ['no strokes', 'sello:invoices/inv_1'],
  ['an unknown place', 'sello://admin'],
  ['an inherited name', 'sello://constructor'],
  ['an inherited name of something new', 'sello://new/constructor'],
  ['something new that is not offered', 'sello://new/company'],
  ['an action', 'sello://invoices/inv_1/issue'],
  ['an editor', 'sello://invoices/inv_1/edit'],
  ['another book', 'sello://books/book_2'],
  ['a question', 'sello://invoices?book=book_2'],
  ['a fragment', 'sello://invoices#token=x'],
  ['a user', 'sello://user:pw@invoices'],
  ['a port', 'sello://invoices:80/x'],
  ['a way up', 'sello://invoices/../settings'],
  ['an encoded way up', 'sello://invoices/%2e%2e'],
  ['an empty step', 'sello://invoices//x'],
  ['a space', 'sello://invoices/inv 1'],
  ['a line', 'sello://invoices/inv_1\n--data=/x'],
  ['flags', 'sello://invoices" --data="/x'],
  ['a step too deep', 'sello://taxes/2026-4T/303/x'],
  ['a quarter that is none', 'sello://taxes/2026-5T'],
  ['a form that is no number', 'sello://taxes/2026-4T/3o3'],
  ['something very long', `sello://invoices/${'a'.repeat(300)}`],
  ['an identifier too long', `sello://invoices/${'a'.repeat(65)}`],
  ['letters of another alphabet', 'sello://invоices'],
])('a link with %s is ignored', (_name, link) => {
  expect(pathOfLink(link)).toBeNull()
})

test.each([null, undefined, 7, {}, ['sello://invoices']])('%s is not a link', (link) => {
  expect(pathOfLink(link)).toBeNull()
})

test('a page that a link opens has that link', () => {
  for (const path of ['/', '/invoices', '/invoices/inv_1', '/taxes/2026-4T/303'])
    expect(pathOfLink(linkOfPath(path))).toBe(path)
  expect(linkOfPath('/invoices/inv_1/edit')).toBeNull()
  expect(linkOfPath('/welcome')).toBeNull()
})
