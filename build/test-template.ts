/** Vitest's global set-up: makes what the tests copy, and removes it after the last of them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PREPARED } from '../test/support/browser/prepared-books.ts'
import { makeTemplate } from '../test/support/store-template.ts'

export default async function setup(): Promise<() => void> {
  const store = await makeTemplate()
  process.env.SELLO_TEST_TEMPLATE = store
  // Filled by the first test that asks for books of a size.
  const books = mkdtempSync(join(tmpdir(), 'sello-books-'))
  process.env[PREPARED] = books
  return () => {
    for (const folder of [store, books]) rmSync(folder, { recursive: true, force: true })
  }
}
