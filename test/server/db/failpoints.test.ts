/** The server dies at each of the named steps; started again, it goes on as if it had not. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FAILPOINTS } from '../../../server/db/failpoints.ts'
import { SCHEMA_VERSION } from '../../../server/db/migrate.ts'
import { startChild } from '../../support/children/run.ts'
import { broken } from '../../support/cuts/books.ts'
import { diedAt, DyingServer } from '../../support/cuts/steps.ts'

const SERVER = resolve(import.meta.dirname, '../../../server')
/** Taken before there are books to issue in; of kept books, in test/server/db/upgrade.test.ts. */
const MIGRATION = 'store.migration_done'
const isOfMigrations = (step: string): boolean => step.startsWith('store.migration_')
/** Taken where no server issues: test/server/app/backups/steps.test.ts and test/server/app/maintenance/change-key.test.ts die at each. */
const COPYING = /^(backup|portable|restore|rekey)\./

test(
  'dead at any step of issuing, sending and telling, it loses and doubles nothing',
  { timeout: 180_000 },
  async () => {
    const server = new DyingServer()
    await server.open()
    for (const step of FAILPOINTS) if (!isOfMigrations(step) && !COPYING.test(step)) await server.dieAt(step)
    await server.prove()
  },
)

test.each([
  ['store.part_kept', 1],
  ['store.part_kept', 3],
  ['store.before_commit', 1],
  ['store.after_commit', 1],
] as const)(
  'dead at %s, time %i, among six that are issued at once, it loses and doubles none',
  { timeout: 120_000 },
  async (step, nth) => {
    const server = new DyingServer()
    await server.open()
    await server.dieAt(step, { atOnce: 6, nth })
    await server.prove()
  },
)

test('dead in the middle of the migrations, it begins them again', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const nth of [1, SCHEMA_VERSION])
    await diedAt(startChild('steps', [folder, MIGRATION, '', String(nth)]), MIGRATION)
  expect(await broken(folder, new Map())).toEqual([])
})

test('every step is told at one place, and no other is', () => {
  const told = readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [...readFileSync(join(SERVER, path), 'utf8').matchAll(/\bfailpoint\('([^']+)'\)/g)])
    .map(([, step]) => step)
  expect(told.toSorted()).toEqual([...FAILPOINTS].toSorted())
})
