/**
 * Files that a start of the built server opens: few, because finding and compiling each costs more than most of its
 * content.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const MAIN = resolve(import.meta.dirname, '../../../out/main')
/** The start itself, and what it shares with the command line and the frequently started threads. */
const FEW = 15

/** Returns a built file with all its static imports. */
function opened(file: string): Set<string> {
  const files = new Set([file])
  for (const each of files)
    for (const [, from = ''] of readFileSync(each, 'utf8').matchAll(
      /(?:^|[;\s])(?:import|export)\s*(?:[^"'();]*?\bfrom\s*)?["'](\.[^"']+\.js)["']/g,
    ))
      files.add(resolve(dirname(each), from))
  return files
}

test('a start opens few files', () => {
  const [start, ...more] = readdirSync(MAIN).filter((name) => /^server-start-.*\.js$/.test(name))
  expect(more).toEqual([])
  const files = opened(join(MAIN, start ?? ''))
  expect(files.size).toBeGreaterThan(5)
  expect(files.size).toBeLessThanOrEqual(FEW)
})
