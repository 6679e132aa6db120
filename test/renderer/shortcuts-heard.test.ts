/** Every listed shortcut does something when it is chosen in the menu; one handled elsewhere is marked as such. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

test('no shortcut is listed with a handler that does nothing', () => {
  const renderer = resolve(import.meta.dirname, '../../renderer')
  const idle = readdirSync(renderer, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:vue|ts)$/.test(file))
    .filter((file) =>
      /keys: '[^']+',[^}]*handler: \(\) => \{\s*\}/.test(readFileSync(join(renderer, file), 'utf8')),
    )
  expect(idle).toEqual([])
})
