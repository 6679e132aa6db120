/** Vitest's global set-up: bundles the programs that tests start, and makes what they copy, which it removes at the end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PREPARED } from '../test/support/browser/prepared-books.ts'
import { PROGRAMS } from '../test/support/setup/programs.ts'
import { makeTemplate } from '../test/support/setup/store-template.ts'
import { bundleTestPrograms } from './bundling/test-programs.ts'
import { sharedSetup } from './shared-setup.ts'

const root = resolve(import.meta.dirname, '..')

async function prepare(): Promise<() => void> {
  process.env[PROGRAMS] = await bundleTestPrograms(root, join(root, 'node_modules/.cache/sello/programs'))
  const store = await makeTemplate()
  process.env.SELLO_TEST_TEMPLATE = store
  // Filled by the first test that asks for books of a size.
  const books = mkdtempSync(join(tmpdir(), 'sello-books-'))
  process.env[PREPARED] = books
  return () => {
    for (const folder of [store, books]) rmSync(folder, { recursive: true, force: true })
  }
}

export default () => sharedSetup('programs', prepare)
