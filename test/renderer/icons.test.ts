/** Icons are bundled, never fetched: every name is written out in a source and exists in the set. */
import { createRequire } from 'node:module'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { icons } from '../../renderer/icons.ts'

const renderer = resolve(import.meta.dirname, '../../renderer')
const set = createRequire(import.meta.url)('@iconify-json/lucide/icons.json') as {
  icons: Record<string, unknown>
  aliases: Record<string, unknown>
}

test('every icon exists in the set', () => {
  for (const name of Object.values(icons)) {
    const bare = name.replace('i-lucide-', '')
    expect(bare in set.icons || bare in set.aliases, name).toBe(true)
  }
})

test('no icon name is composed at run time', () => {
  const files = readdirSync(renderer, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(vue|ts)$/.test(file),
  )
  const built = files.filter((file) =>
    /i-lucide-[\w-]*\$\{|['"`]i-lucide-['"`]|['"`]i-['"`]\s*\+/.test(
      readFileSync(join(renderer, file), 'utf8'),
    ),
  )
  expect(built).toEqual([])
  expect(files.length).toBeGreaterThan(20)
})
