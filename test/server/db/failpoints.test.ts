/** The server is killed at each failpoint; after a restart it continues as if nothing had happened. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FAILPOINTS } from '../../../server/db/failpoints.ts'
import type { Step } from '../../../server/db/failpoints.ts'
import { SCHEMA_VERSION } from '../../../server/db/migrations/version.ts'
import { startChild } from '../../support/children/run.ts'
import { broken } from '../../support/cuts/books.ts'
import { diedAt, DyingServer } from '../../support/cuts/steps.ts'
import { inLongRun, swept } from '../../support/sweep.ts'

const longTest = inLongRun(test)

const SERVER = resolve(import.meta.dirname, '../../../server')
/** Reached before there are books to issue in; for stored books see test/server/db/embedded/upgrade.test.ts. */
const MIGRATION = 'store.migration_done'
const isOfMigrations = (step: string): boolean => step.startsWith('store.migration_')
/**
 * Reached where no server issues: test/server/app/backups/steps.test.ts,
 * test/server/app/maintenance/change-key.test.ts, test/server/app/companies/end-kill.test.ts,
 * test/server/db/postgres/objects/objects.test.ts,
 * test/server/integrations/portal/kill.test.ts and
 * test/server/app/office/transfer kill a process at each. A live book does not reach the platform for invoices:
 * test/server/integrations/exchange/kill.test.ts ends the work of a test book at each.
 */
const COPYING = /^(backup|portable|restore|rekey|objects|transfer|end|exchange|portal)\./
/**
 * After what cannot be taken back: the message to the authority. For the commit, six simultaneous issues stand, for a
 * delivery test/server/platform/webhooks/kill.test.ts.
 */
const DECISIVE: readonly Step[] = ['sending.request_sent']

test(
  'a crash at any step of issuing, sending and notifying loses and duplicates nothing',
  { timeout: 600_000 },
  async () => {
    const server = new DyingServer()
    await server.open()
    const issuing = FAILPOINTS.filter((step) => !isOfMigrations(step) && !COPYING.test(step))
    for (const step of swept(issuing, (each) => DECISIVE.includes(each))) await server.dieAt(step)
    await server.prove()
  },
)

const AMONG_SIX = [
  ['store.part_kept', 1],
  ['store.part_kept', 3],
  ['store.before_commit', 1],
  ['store.after_commit', 1],
] as const

// In the middle of a batch, and between its commit and the answers.
test.each(swept(AMONG_SIX, ([step]) => step === 'store.after_commit'))(
  'a crash at %s, time %i, among six simultaneous issues loses and duplicates none',
  { timeout: 120_000 },
  async (step, nth) => {
    const server = new DyingServer()
    await server.open()
    await server.dieAt(step, { atOnce: 6, nth })
    await server.prove()
  },
)

longTest('migrations interrupted by a crash start again', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const nth of [1, SCHEMA_VERSION])
    await diedAt(startChild('steps', [folder, MIGRATION, '', String(nth)]), MIGRATION)
  expect(await broken(folder, new Map())).toEqual([])
})

test('every failpoint is reached at one place, and there are no others', () => {
  const told = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [...readFileSync(join(SERVER, path), 'utf8').matchAll(/\bfailpoint\('([^']+)'\)/g)])
    .map(([, step]) => step)
  expect(told.toSorted()).toEqual([...FAILPOINTS].toSorted())
})
