/** Vitest's set-up of the tests on PostgreSQL: a server for the run, which it stops at the end. */
import { startTestServer } from '../test/support/postgres/databases.ts'

export default async function setup(): Promise<() => Promise<void>> {
  const server = await startTestServer()
  if (!server) console.error('No PostgreSQL is installed: the tests on that engine are skipped.')
  return async () => {
    await server?.stop()
  }
}
