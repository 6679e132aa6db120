/** Vitest's set-up of the tests on PostgreSQL: a server for the run, which it stops at the end. */
import { startTestServer } from '../test/support/postgres/databases.ts'
import { sharedSetup } from './shared-setup.ts'

async function start(): Promise<() => Promise<void>> {
  const server = await startTestServer()
  if (!server) console.error('No PostgreSQL is installed: the tests on that engine are skipped.')
  return async () => {
    await server?.stop()
  }
}

export default () => sharedSetup('postgres', start)
