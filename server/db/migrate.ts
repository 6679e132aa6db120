/**
 * Numbered migrations: each runs once, in one transaction with its number; a store of a later build is refused. For
 * existing books see upgrade.ts.
 */
import { AppError } from '../domain/errors/app-error.ts'
import { failpoint } from './failpoints.ts'
import type { Connection } from './connection.ts'
import { foundation } from './migrations/0001-foundation.ts'
import { owedAmounts } from './migrations/0002-owed-amounts.ts'
import { privacy } from './migrations/0003-privacy.ts'
import { longLists } from './migrations/0004-long-lists.ts'
import { bin } from './migrations/0005-bin.ts'
import { erp } from './migrations/0006-erp.ts'
import { erpUnseen } from './migrations/0007-erp-unseen.ts'
import { webhooks } from './migrations/0008-webhooks.ts'
import { toolCalls } from './migrations/0009-tool-calls.ts'
import { approvals } from './migrations/0010-approvals.ts'
import { installationsFrozen } from './migrations/0011-installations-frozen.ts'
import { foundByIndex } from './migrations/0012-found-by-index.ts'
import { trials } from './migrations/0013-trials.ts'
import { wageRecipients } from './migrations/0014-wage-recipients.ts'

/** "Sell" in ASCII: identifies a file of this program before anything else in it is trusted. */
export const APPLICATION_ID = 0x53656c6c

export interface Migration {
  number: number
  name: string
  sql: string
}

export const migrations: readonly Migration[] = [
  { number: 1, name: 'foundation', sql: foundation },
  { number: 2, name: 'owed-amounts', sql: owedAmounts },
  { number: 3, name: 'privacy', sql: privacy },
  { number: 4, name: 'long-lists', sql: longLists },
  { number: 5, name: 'bin', sql: bin },
  { number: 6, name: 'erp', sql: erp },
  { number: 7, name: 'erp-unseen', sql: erpUnseen },
  { number: 8, name: 'webhooks', sql: webhooks },
  { number: 9, name: 'tool-calls', sql: toolCalls },
  { number: 10, name: 'approvals', sql: approvals },
  { number: 11, name: 'installations-frozen', sql: installationsFrozen },
  { number: 12, name: 'found-by-index', sql: foundByIndex },
  { number: 13, name: 'trials', sql: trials },
  { number: 14, name: 'wage-recipients', sql: wageRecipients },
]

export const SCHEMA_VERSION = migrations.length

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
