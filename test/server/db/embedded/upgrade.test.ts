/** The stored books of every schema, opened by this build: complete, verified, backed up, and never partly migrated. */
import { cpSync, existsSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSello, startSelloWithRecovery } from '../../../../server/api/application.ts'
import { listFolder } from '../../../../server/app/backups/make/names.ts'
import { listBooks } from '../../../../server/platform/books/index.ts'
import { FAILPOINTS } from '../../../../server/db/failpoints.ts'
import { createCtx } from '../../../../server/context.ts'
import { chainFaults } from '../../../../server/registry/chain/append.ts'
import { findChainState } from '../../../../server/registry/chain/rows.ts'
import { migrations } from '../../../../server/db/migrations/list.ts'
import { SCHEMA_VERSION } from '../../../../server/db/migrations/version.ts'
import type { Migration } from '../../../../server/db/migrations/list.ts'
import { openDatabase } from '../../../../server/db/embedded/open.ts'
import { exportOf, keyOf } from '../../../support/stages/backups.ts'
import { startChild } from '../../../support/children/run.ts'
import { broken } from '../../../support/cuts/books.ts'
import { diedAt } from '../../../support/cuts/steps.ts'
import { canMount, smallDisk } from '../../../support/stages/unopenable-books.ts'
import { inLongRun, swept } from '../../../support/sweep.ts'
import {
  hashIn,
  storedBooks,
  killUpgrades,
  openUpgraded,
  provenAfterCut,
  rowsIn,
  shapeIn,
  versionIn,
} from '../../../support/stages/upgrade.ts'

const schemas = migrations.map(({ number }) => number)
const older = schemas.slice(0, -1)
/** Every migration is run on the books of the first schema. */
const stands = (schema: number): boolean => schema === 1
const seed = Number(process.env.SELLO_SEED ?? Date.now() % 1_000_000)
const longTest = inLongRun(test)
const onDisk = test.skipIf(!canMount())
const after = (sql: string): Migration => ({ number: SCHEMA_VERSION + 1, name: 'after', sql })

/** A mark that a migration leaves for the next start, which is not an earlier row. */
const MARKS = /^\["keys_unsealed","true"\]\n?/m
const withoutMarks = (table: string, rows: string | undefined): string | undefined =>
  table === 'settings' ? rows?.replace(MARKS, '') : rows

/** There are more series than the continuing one, so that the total count is not the number. */
const withoutSeries = (faults: readonly string[]): string[] =>
  faults.filter((fault) => !/^After \d+ invoices comes T-F2026-\d{4}\.$/.test(fault))

/** Returns the indexes of invoices of which the planner has statistics. */
function indexesKnownIn(folder: string): string[] {
  const connection = openDatabase({ folder, masterKey: keyOf(folder), role: 'reader', cacheKib: 1024 })
  const rows = connection.all("select idx from sqlite_stat1 where tbl = 'invoices' order by idx", [])
  connection.close()
  return (rows as { idx: string }[]).map(({ idx }) => idx)
}

test.each(swept(schemas, stands))(
  'books of schema %i keep every row, have statistics of every index, and issue the next number',
  { timeout: 60_000 },
  async (schema) => {
    const folder = storedBooks(schema)
    const shape = shapeIn(folder)
    const rows = rowsIn(folder, shape)
    const was = exportOf(folder)
    const planted = schema === SCHEMA_VERSION
    const indexes = indexesKnownIn(folder)
    expect(indexes).toContain('invoices_by_date')
    const store = await openUpgraded(folder, planted)
    // The earlier ones and the new ones, before the statistics written at closing, which would hide a missing step.
    expect(indexesKnownIn(folder)).toEqual(expect.arrayContaining([...indexes, 'invoices_alike']))
    expect(await store.tryWriting()).toBeNull()
    store.close()
    expect(versionIn(folder)).toBe(planted ? SCHEMA_VERSION + 1 : SCHEMA_VERSION)
    const now = rowsIn(folder, shape)
    for (const [table, before] of rows) expect(withoutMarks(table, now.get(table)), table).toBe(before)
    // The backup, verified when it was made.
    const [backup, ...others] = listFolder(join(folder, 'backups'))
    expect(others).toEqual([])
    expect(backup?.reason).toBe('migration')
    expect(exportOf(join(folder, 'backups'), backup?.name, keyOf(folder)) === was).toBe(true)
    if (!planted) expect(withoutSeries(await broken(folder, new Map()))).toEqual([])
  },
)

test('books of this schema issue the next number', { timeout: 60_000 }, async () => {
  expect(withoutSeries(await broken(storedBooks(SCHEMA_VERSION), new Map()))).toEqual([])
})

/** The failpoint of the interruption, and how often it is reached before. */
const CUTS = [
  ['store.migration_begun', 1],
  ['store.migration_done', 1],
  ['store.migration_done', older.length],
  ['store.migration_proved', 1],
  ['store.migration_committed', 1],
] as const

describe('a migration that fails', () => {
  const FAILING: [string, string, RegExp][] = [
    [
      'changes what was issued',
      'drop trigger audit_events_frozen; update audit_events set action = upper(action)',
      /what was issued/,
    ],
    [
      'loses what was issued',
      'drop trigger audit_events_kept; delete from audit_events where sequence = 2',
      /what was issued/,
    ],
    ['is wrong', 'insert into nowhere values (1)', /nowhere/],
  ]
  // A lost row is found in the same way as a changed one, and an error ends a migration in the same way.
  test.each(swept(FAILING, ([why]) => why.startsWith('changes')))(
    'because it %s leaves the books unchanged',
    async (_why, sql, told) => {
      const folder = storedBooks(SCHEMA_VERSION)
      const before = hashIn(folder)
      await expect(openUpgraded(folder, false, after(sql))).rejects.toThrow(told)
      expect(hashIn(folder)).toBe(before)
      expect(await broken(folder, new Map(), { goOn: false })).toEqual([])
    },
  )

  test('because a chain no longer verifies leaves the books unchanged, broken before or not', async () => {
    for (const spoilt of [false, true]) {
      const folder = storedBooks(1)
      if (spoilt) spoilRecord(folder)
      const before = hashIn(folder)
      const renamed = after("update books set public_id = public_id || 'x'")
      await expect(openUpgraded(folder, false, renamed)).rejects.toMatchObject({ code: 'chain_broken' })
      expect(hashIn(folder)).toBe(before)
      expect(versionIn(folder)).toBe(1)
    }
  })

  inLongRun(onDisk)('is not begun where there is no room for it, and is once there is', async () => {
    const disk = smallDisk(30 * 1024)
    const folder = join(disk.folder, 'books')
    cpSync(storedBooks(1), folder, { recursive: true })
    // Leaves space for the backup only, and for the required reserve.
    const { bavail, bsize } = statfsSync(folder)
    const left = 16 * 1024 * 1024 + 1.5 * statSync(join(folder, 'sello.db')).size
    writeFileSync(join(disk.folder, 'ballast'), Buffer.alloc(Math.floor(bavail * bsize - left)))
    const before = hashIn(folder)
    const started = await startSelloWithRecovery({
      dataDir: folder,
      port: 0,
      uiDir: null,
      keychain: null,
      cacheKib: 1024,
    })
    onTestFinished(() => started.close())
    expect(started.trouble()).toMatchObject({ kind: 'disk_full', code: 'ENOSPC', folder })
    expect(started.trouble()?.freeBytes).toBeGreaterThan(16 * 1024 * 1024)
    expect(hashIn(folder)).toBe(before)
    expect(existsSync(join(folder, 'backups'))).toBe(false)
    disk.free()
    // Opened without background work: the stored books contain invented messages for others.
    await started.close()
    await (await openSello({ dataDir: folder, keychain: null, cacheKib: 1024 })).close()
    expect(versionIn(folder)).toBe(SCHEMA_VERSION)
  })
})

test('books with a broken chain are opened, and nothing is issued in them', async () => {
  const folder = storedBooks(1)
  spoilRecord(folder)
  const sello = await openSello({ dataDir: folder, keychain: null, cacheKib: 1024 })
  onTestFinished(() => sello.close())
  expect(versionIn(folder)).toBe(SCHEMA_VERSION)
  const codes = await Promise.all(
    (await listBooks(sello.env.store.reader)).map(async (book) => {
      const actor = { kind: 'system', id: 'system', name: 'Sello' } as const
      const ctx = createCtx({ env: sello.env, book, actor, channel: 'system', requestId: 'test' })
      return (await chainFaults(ctx, await findChainState(ctx))).map(({ code }) => code)
    }),
  )
  expect(codes.filter((ofBook) => ofBook.includes('chain_broken'))).toHaveLength(1)
})

describe('interrupted', () => {
  // Last step before the commit.
  test.each(swept(CUTS, ([step]) => step.endsWith('_proved')))(
    'at %s, time %i, the books are the old ones or the new ones',
    { timeout: 60_000 },
    async (step, times) => {
      const folder = storedBooks(1)
      const before = { hash: hashIn(folder) }
      await diedAtStep(folder, step, times)
      const version = await provenAfterCut(folder, 1, before)
      expect(version).toBe(step === 'store.migration_committed' ? SCHEMA_VERSION : 1)
    },
  )

  test('at every step of a migration is tested', () => {
    expect(FAILPOINTS.filter((step) => step.startsWith('store.migration_'))).toEqual([
      ...new Set(CUTS.map(([step]) => step)),
    ])
  })

  longTest(`at any moment as well (seed ${seed})`, { timeout: 120_000 }, async () => {
    for (const schema of [1, SCHEMA_VERSION])
      expect(await killUpgrades(schema, 2, seed + schema)).toBeGreaterThan(0)
  })
})

async function diedAtStep(folder: string, step: Parameters<typeof diedAt>[1], times: number): Promise<void> {
  const child = startChild('upgrade', [folder, '', step, String(times)])
  expect(await child.line()).toEqual({ ready: true })
  await diedAt(child, step)
}

/** Overwrites the hash of the second record, as a failing disk or an attacker would. */
function spoilRecord(folder: string): void {
  const connection = openDatabase({ folder, masterKey: keyOf(folder), role: 'writer', cacheKib: 1024 })
  const { name, sql } = connection.get(
    "select name, sql from sqlite_schema where type = 'trigger' and sql like '%before update on registry_records%'",
    [],
  ) as { name: string; sql: string }
  connection.handle.exec(
    `drop trigger ${name}; update registry_records set hash = zeroblob(length(hash)) where id = 2; ${sql}`,
  )
  connection.close()
}
