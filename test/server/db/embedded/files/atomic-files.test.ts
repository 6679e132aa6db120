/** Small files are replaced atomically and are private to their owner. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  writeFileDurably,
  writeFileDurablyAside,
} from '../../../../../server/db/embedded/files/atomic-files.ts'

test.each([
  ['at once', async (file: string, text: string) => writeFileDurably(file, text)],
  ['aside', writeFileDurablyAside],
])('written %s, the new text replaces the old one and leaves no other file', async (_how, write) => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'a.json')
  await write(file, 'one')
  // The leftover of an interrupted write is harmless.
  writeFileSync(`${file}.new`, 'half')
  await write(file, 'dos ñ')
  expect(readFileSync(file, 'utf8')).toBe('dos ñ')
  expect(readdirSync(folder)).toEqual(['a.json'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
