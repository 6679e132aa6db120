/** The built program begins without schemas: the facts of the operations stand in the bundle as values. */
import { readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { expect, test } from 'vitest'
import operationFacts from '#operation-facts'

const folder = resolve(import.meta.dirname, '../../out/main')
const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8')

/** The files that one loads at once, itself included. */
function loadedWith(start: string): string[] {
  const found = new Set([start])
  for (const file of found)
    for (const [, next = ''] of textOf(file).matchAll(/\b(?:from|import)\s*["'`](\.\.?\/[^"'`]+)["'`]/g))
      found.add(posix.join(dirname(file), next))
  return [...found]
}

test('a start of the built program loads the facts of every operation and no schema', () => {
  const [application] = /\.\/application-[\w-]+\.js/.exec(textOf('cli.js')) ?? []
  const files = [...loadedWith('cli.js'), ...loadedWith(posix.normalize(application!))]
  const whole = files.map(textOf).join('\n')
  for (const { name } of Object.values(operationFacts).flat()) expect(whole).toContain(name)
  expect(files.filter((file) => /\bZodObject\b/.test(textOf(file)))).toEqual([])
  // The schemas are in the bundle, behind what is loaded later.
  expect(whole).toMatch(/import\([`"']\.\/operations-/)
})
