/** Small files are replaced whole, for their owner's eyes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeFileDurably } from '../../../server/store/files.ts'

test("the new text takes the old one's place and nothing is left beside it", () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'a.json')
  writeFileDurably(file, 'one')
  // What an interrupted writing left is in nobody's way.
  writeFileSync(`${file}.new`, 'half')
  writeFileDurably(file, 'dos ñ')
  expect(readFileSync(file, 'utf8')).toBe('dos ñ')
  expect(readdirSync(folder)).toEqual(['a.json'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
