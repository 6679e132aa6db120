/**
 * Numbered migrations: each runs once, in one transaction with its number; a store of a later build is refused. For
 * existing books see upgrade.ts.
 */
import { AppError } from '../../domain/errors/app-error.ts'
import { failpoint } from '../failpoints.ts'
import type { Connection } from './connection.ts'
import type { Migration, WidenedCondition } from '../migrations/list.ts'

/** "Sell" in ASCII: identifies a file of this program before anything else in it is trusted. */
export const APPLICATION_ID = 0x53656c6c

/** Throws `store_damaged` or `store_newer` unless a file with these numbers may be opened for writing. */
export function assertOurs(applicationId: number, version: number, known: number): void {
  if (applicationId !== 0 && applicationId !== APPLICATION_ID) throw new AppError('store_damaged')
  if (version > known)
    throw new AppError('store_newer', { details: { storeVersion: version, knownVersion: known } })
}

/** Returns the schema version of books with content; 0 for new ones. */
export const versionOf = ({ handle }: Connection): number =>
  handle.pragma('user_version', { simple: true }) as number

/**
 * Replaces conditions in the definitions of tables, which the engine allows for changes that need no change of any row
 * (SQLite, lang_altertable.html, section 7). Throws if a definition does not hold the condition exactly once.
 */
function widenConditions(handle: Connection['handle'], conditions: readonly WidenedCondition[]): void {
  const definition = handle.prepare("select sql from sqlite_master where type = 'table' and name = ?").pluck()
  handle.unsafeMode(true)
  try {
    handle.pragma('writable_schema = on')
    const write = handle.prepare("update sqlite_master set sql = ? where type = 'table' and name = ?")
    for (const { table, from, to } of conditions) {
      const parts = String(definition.get(table)).split(from)
      if (parts.length !== 2) throw new Error(`The definition of ${table} does not hold "${from}" once.`)
      write.run(parts.join(to), table)
    }
    // Every connection reads the definitions again, this one too.
    handle.pragma(`schema_version = ${Number(handle.pragma('schema_version', { simple: true })) + 1}`)
    handle.pragma('writable_schema = reset')
  } finally {
    handle.unsafeMode(false)
  }
}

/** Applies the missing migrations of the list, within the open transaction. */
export function applyMigrations({ handle }: Connection, list: readonly Migration[], version: number): void {
  for (const migration of list.slice(version)) {
    if (migration.conditions) widenConditions(handle, migration.conditions)
    handle.exec(migration.sql)
    failpoint('store.migration_done')
  }
  handle.pragma(`application_id = ${APPLICATION_ID}`)
  handle.pragma(`user_version = ${list.length}`)
  const broken = handle.pragma('foreign_key_check') as unknown[]
  if (broken.length > 0) throw new Error('A migration left dangling references.')
}

/** Loads the migrations of this build. */
export async function loadMigrations(): Promise<readonly Migration[]> {
  const { migrations } = await import('../migrations/list.ts')
  return migrations
}

/**
 * Returns true if the file has the schema after `count` migrations. Throws `store_newer` if it was written by a later
 * build.
 */
export function isMigrated(connection: Connection, count: number): boolean {
  const applicationId = connection.handle.pragma('application_id', { simple: true }) as number
  const version = versionOf(connection)
  assertOurs(applicationId, version, count)
  return version === count && applicationId === APPLICATION_ID
}

/** Creates the schema of a list of migrations, usually in a new file. Throws as `isMigrated`. */
export function migrate(connection: Connection, list: readonly Migration[]): void {
  const { handle } = connection
  if (isMigrated(connection, list.length)) return
  const version = versionOf(connection)
  handle.exec('begin immediate')
  try {
    applyMigrations(connection, list, version)
    handle.exec('commit')
  } catch (error) {
    handle.exec('rollback')
    throw error
  }
}
