/** Files opened with the app: regular documents of an acceptable size arrive as bytes, all others do not. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cleanName, isOwnFile } from '../../main/downloads.ts'
import { filesOf, MAX_OPENED_BYTES, MAX_OPENED_FILES, readOpened } from '../../main/files.ts'
import { openedArguments } from '../../main/options.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sello-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a document arrives with its name and bytes, without its folder', async () => {
  const path = join(folder, 'Factura Ñ.PDF')
  writeFileSync(path, '%PDF-1.7')
  const read = await readOpened(path)
  expect(read?.name).toBe('Factura Ñ.PDF')
  expect(Buffer.from(read?.bytes ?? []).toString()).toBe('%PDF-1.7')
  expect(JSON.stringify(read)).not.toContain(folder)
})

test('other files do not arrive', async () => {
  for (const name of ['key', 'sello.db', 'run.sh', '.pdf', 'x.pdf.exe', 'id_rsa'])
    writeFileSync(join(folder, name), 'x')
  mkdirSync(join(folder, 'folder.pdf'))
  writeFileSync(join(folder, 'empty.pdf'), '')
  for (const name of [
    'key',
    'sello.db',
    'run.sh',
    '.pdf',
    'x.pdf.exe',
    'id_rsa',
    'folder.pdf',
    'empty.pdf',
    'none.pdf',
  ])
    expect(await readOpened(join(folder, name)), name).toBeNull()
})

test("the size limit is the server's", async () => {
  const path = join(folder, 'big.pdf')
  writeFileSync(path, 'x')
  truncateSync(path, MAX_OPENED_BYTES)
  expect((await readOpened(path))?.bytes).toHaveLength(MAX_OPENED_BYTES)
  truncateSync(path, MAX_OPENED_BYTES + 1)
  expect(await readOpened(path)).toBeNull()
})

test.skipIf(process.platform === 'win32')('a pipe with the name of a document blocks nothing', async () => {
  const path = join(folder, 'pipe.pdf')
  execFileSync('mkfifo', [path])
  expect(await readOpened(path)).toBeNull()
})

test('on a command line only documents count, relative to its folder, up to a limit', () => {
  expect(
    filesOf(['a.pdf', '/x/b.XML', 'sello://invoices', '--flag', 'c', 'd.pdf\0.exe'], '/home/ana'),
  ).toEqual(['/home/ana/a.pdf', '/x/b.XML'])
  expect(
    filesOf(
      Array.from({ length: 100 }, (_, index) => `${index}.pdf`),
      '/',
    ),
  ).toHaveLength(MAX_OPENED_FILES)
})

test('flags and their values are not files; arguments after -- are never flags', () => {
  expect(openedArguments(['--data', '/books', '--port=0', '--headless', 'a.pdf'])).toEqual(['a.pdf'])
  expect(openedArguments(['--', 'sello://invoices', '--data=/x'])).toEqual(['sello://invoices', '--data=/x'])
})

test.each([
  ['F2026-0042.pdf', 'F2026-0042.pdf'],
  ['../../.bashrc', 'bashrc'],
  ['C:\\Windows\\x.exe', 'C Windows x.exe'],
  ['a\u202Efdp.exe', 'a fdp.exe'],
  ['con.pdf', '_con.pdf'],
  ['...', 'documento'],
  ['', 'documento'],
  ['a<b>|"?*.xml', 'a b .xml'],
])('%j is saved as %j', (given, kept) => {
  expect(cleanName(given).replace(/\s+/g, ' ')).toBe(kept)
})

test('a long name keeps its extension', () => {
  const name = cleanName(`${'ñ'.repeat(400)}.pdf`)
  expect(name.length).toBeLessThanOrEqual(120)
  expect(name.endsWith('.pdf')).toBe(true)
})

test('only files of the page itself are saved', () => {
  expect(isOwnFile('blob:app://app/1-2')).toBe(true)
  expect(isOwnFile('app://app/app/call/invoices.pdf')).toBe(true)
  for (const url of [
    'https://evil.example/x.exe',
    'blob:https://evil.example/1',
    'data:text/html,x',
    'file:///etc/passwd',
    'app://app.evil/x',
  ])
    expect(isOwnFile(url), url).toBe(false)
})
