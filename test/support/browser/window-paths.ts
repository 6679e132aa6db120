/** The addresses of the window, read from the router's table, for tests of links. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const router = readFileSync(resolve(import.meta.dirname, '../../../renderer/router.ts'), 'utf8')

/** Every path of the router, with its parameters. */
export const PATHS: readonly string[] = [...router.matchAll(/path: '(\/[^']*)',\s*name/g)].map(
  (match) => match[1] ?? '',
)

const patterns = PATHS.map((path) => {
  const parts = path.split('/').filter((part) => part !== '')
  const pattern = parts
    .map((part) => (part.startsWith(':') ? (part.endsWith('?') ? '(?:/[^/]+)?' : '/[^/]+') : `/${part}`))
    .join('')
  return new RegExp(`^${pattern || '/'}$`)
})

/** Returns true if a page of the window matches that address. */
export function resolves(to: string): boolean {
  const path = to.split(/[?#]/)[0] ?? ''
  return patterns.some((pattern) => pattern.test(path))
}
