/**
 * Numbered migrations: each runs once, in one transaction with its number; a store of a later build is refused. For
 * existing books see upgrade.ts.
 */
import { AppError } from '../../domain/errors/app-error.ts'
import { failpoint } from '../failpoints.ts'
import type { Connection } from './connection.ts'
import { migrations } from '../migrations/list.ts'
import type { Migration } from '../migrations/list.ts'

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

/** Applies the missing migrations of the list, within the open transaction. */
export function applyMigrations({ handle }: Connection, list: readonly Migration[], version: number): void {
  for (const migration of list.slice(version)) {
    handle.exec(migration.sql)
    failpoint('store.migration_done')
  }
  handle.pragma(`application_id = ${APPLICATION_ID}`)
  handle.pragma(`user_version = ${list.length}`)
  const broken = handle.pragma('foreign_key_check') as unknown[]
  if (broken.length > 0) throw new Error('A migration left dangling references.')
}

/**
 * Creates the schema of this build, usually in a new file. Throws `store_newer` if the file was written by a later
 * build.
 */
export function migrate(connection: Connection, list: readonly Migration[] = migrations): void {
  const { handle } = connection
  const applicationId = handle.pragma('application_id', { simple: true }) as number
  const version = versionOf(connection)
  assertOurs(applicationId, version, list.length)
  if (version === list.length && applicationId === APPLICATION_ID) return
  handle.exec('begin immediate')
  try {
    applyMigrations(connection, list, version)
    handle.exec('commit')
  } catch (error) {
    handle.exec('rollback')
    throw error
  }
}
