/** A commit whose answer is lost, in a database that has forgotten the transaction and given its number again. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrateOffice, SERVER_ROLE } from '../../../../server/db/postgres/migrate.ts'
import { openOfficeStore } from '../../../../server/db/postgres/store.ts'
import { OWNER_ROLE, startCluster } from '../../../support/postgres/cluster.ts'
import { createTestPool, testKey } from '../../../support/postgres/databases.ts'

test('is not taken for done because another transaction with its number was committed', async () => {
  // What is not committed is not on the disk.
  const cluster = (await startCluster({ settings: ['wal_writer_delay=10s'] }))!
  onTestFinished(() => cluster.stop())
  const owner = createTestPool({ connectionString: cluster.url('postgres', OWNER_ROLE), max: 1 })
  const first = new pg.Client({ connectionString: cluster.url('postgres') })
  await first.connect()
  await first.query(`grant all on schema public to ${OWNER_ROLE}`)
  await first.end()
  await migrateOffice(owner, randomUUID())
  await owner.end()
  const store = await openOfficeStore({
    url: cluster.url('postgres', SERVER_ROLE),
    masterKey: testKey(),
    now: () => new Date(),
    connections: 2,
  })
  onTestFinished(() => store.close())

  let killed: () => void = () => {}
  const dead = new Promise<void>((resolve) => (killed = resolve))
  const outcome = store
    .transaction(null, async () => {
      await cluster.kill()
      killed()
    })
    .then(
      () => 'done',
      (error: { details?: { reason?: string } }) => error.details?.reason,
    )
  await dead
  await cluster.start()
  // Others give its number to theirs, and commit.
  const other = new pg.Client({ connectionString: cluster.url('postgres') })
  await other.connect()
  for (let given = 0; given < 20; given += 1) await other.query('select pg_current_xact_id()')
  await other.end()
  expect(await outcome).toBe('outcome_unknown')
})
