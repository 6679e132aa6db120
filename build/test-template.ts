/** Vitest's global set-up: creates the store that the tests copy, and removes it after the last test. */
import { rmSync } from 'node:fs'
import { makeTemplate } from '../test/support/store-template.ts'

export default async function setup(): Promise<() => void> {
  const folder = await makeTemplate()
  process.env.SELLO_TEST_TEMPLATE = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
