/** Upgrades of stored books to a later schema, complete or interrupted, and the checks afterwards. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { canonicalHash } from '../../../server/app/backups/proof/canonical-export.ts'
import { listFolder } from '../../../server/app/backups/make/names.ts'
import { backUpBeforeMigration, proveMigrated } from '../../../server/app/backups/index.ts'
import { verifyBackup } from '../../../server/app/backups/make/drill.ts'
import type { Connection } from '../../../server/db/embedded/connection.ts'
import { migrations } from '../../../server/db/migrations/list.ts'
import { SCHEMA_VERSION } from '../../../server/db/migrations/version.ts'
import type { Migration } from '../../../server/db/migrations/list.ts'
import { openDatabase } from '../../../server/db/embedded/open.ts'
import { openStore } from '../../../server/db/embedded/store.ts'
import type { EmbeddedStore } from '../../../server/db/embedded/port.ts'
import { keyOf } from './backups.ts'
import { startChild } from '../children/run.ts'
import { broken } from '../cuts/books.ts'
import { fixtureName, unpackFixture } from '../fixtures.ts'

/**
 * A possible migration of the next release: a new column, filled from another place, and every row of a long table
 * rewritten.
 */
const PLANTED: Migration = {
  number: SCHEMA_VERSION + 1,
  name: 'planted',
  sql: `
    create table planted (id integer primary key, invoice_id integer not null references invoices, total integer) strict;
    insert into planted (invoice_id, total) select id, total_cents from invoices;
    alter table contacts add column planted text;
    update contacts set planted = name;
    create index contacts_planted on contacts (planted);
  `,
}

export function openUpgraded(folder: string, planted: boolean, ...more: Migration[]): Promise<EmbeddedStore> {
  const now = () => new Date()
  return openStore({
    folder,
    keychain: null,
    now,
    cacheKib: 2048,
    migrations: [...migrations, ...(planted ? [PLANTED] : []), ...more],
    beforeMigration: (books) => backUpBeforeMigration(books, now),
    proveMigration: proveMigrated,
  })
}

/** Returns the stored books of a schema in a folder of this test. */
export function storedBooks(schema: number): string {
  const folder = mkdtempSync(join(tmpdir(), `sello-${fixtureName(schema)}-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  unpackFixture(schema, folder)
  return folder
}

function reading<T>(folder: string, work: (connection: Connection) => T): T {
  const connection = openDatabase({ folder, masterKey: keyOf(folder), role: 'reader', cacheKib: 2048 })
  try {
    return work(connection)
  } finally {
    connection.close()
  }
}

export const versionIn = (folder: string): number =>
  reading(folder, ({ handle }) => handle.pragma('user_version', { simple: true }) as number)

export const hashIn = (folder: string): string => reading(folder, canonicalHash)

/** Every table with its current columns. */
type Shape = Map<string, string[]>

export const shapeIn = (folder: string): Shape =>
  reading(folder, (connection) => {
    const tables = connection.all(
      "select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*' order by name",
      [],
    ) as { name: string }[]
    return new Map(
      tables.map(({ name }) => [
        name,
        (connection.handle.pragma(`table_info("${name}")`) as { name: string }[]).map((one) => one.name),
      ]),
    )
  })

/** Returns the rows of each table in those columns as text, also for a later schema. */
export const rowsIn = (folder: string, shape: Shape): Map<string, string> =>
  reading(folder, ({ handle }) => {
    const rows = [...shape].map(([table, columns]): [string, string] => {
      const list = columns.map((name) => `"${name}"`).join(', ')
      const read = handle.prepare(`select ${list} from "${table}"`).raw().all() as unknown[][]
      return [
        table,
        read
          .map((row) => JSON.stringify(row))
          .sort()
          .join('\n'),
      ]
    })
    return new Map(rows)
  })

/**
 * Waits for an interrupted child, and checks that its books are the old ones or the new ones; returns their schema
 * version.
 */
export async function provenAfterCut(
  folder: string,
  from: number,
  before: { hash: string },
): Promise<number> {
  const planted = from === SCHEMA_VERSION
  const to = planted ? PLANTED.number : SCHEMA_VERSION
  const version = versionIn(folder)
  expect([from, to]).toContain(version)
  if (version === from) expect(hashIn(folder)).toBe(before.hash)
  // The backup exists as soon as anything was changed.
  const backups = listFolder(join(folder, 'backups'))
  if (version === to) expect(backups.map(({ reason }) => reason)).toContain('migration')
  for (const { name } of backups) await verifyBackup(join(folder, 'backups'), name, keyOf(folder))
  ;(await openUpgraded(folder, planted)).close()
  expect(versionIn(folder)).toBe(to)
  if (!planted) expect(await broken(folder, new Map(), { goOn: false })).toEqual([])
  expect(readdirSync(join(folder, 'backups')).filter((name) => name.endsWith('.part'))).toEqual([])
  return version
}

/** Interrupts the migration of a schema's books at random moments. Returns how often it had completed. */
export async function killUpgrades(schema: number, rounds: number, seed: number): Promise<number> {
  const args = schema === SCHEMA_VERSION ? ['planted'] : []
  let random = seed
  let spreadMs = 0
  let finished = 0
  for (let round = 0; round <= rounds; round += 1) {
    const folder = storedBooks(schema)
    const before = { hash: hashIn(folder) }
    const child = startChild('upgrade', [folder, ...args])
    await child.line()
    const begun = performance.now()
    if (round === 0) {
      // Without an interruption, to measure its duration here.
      await child.rest()
      await child.ended()
      spreadMs = performance.now() - begun
    } else {
      random = (random * 48_271) % 2_147_483_647
      await new Promise((resolve) => setTimeout(resolve, random % Math.ceil(spreadMs)))
      await child.kill()
    }
    if ((await provenAfterCut(folder, schema, before)) !== schema) finished += 1
    rmSync(folder, { recursive: true, force: true })
  }
  return finished
}
