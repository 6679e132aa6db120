/** Vitest's set-up of the tests with object storage: a server for the run, which it stops at the end. */
import { startTestStorage } from '../test/support/objects/buckets.ts'

export default async function setup(): Promise<() => Promise<void>> {
  const server = await startTestStorage()
  if (!server) console.error('No object storage is installed: the tests with one are skipped.')
  return async () => {
    await server?.stop()
  }
}
