/** Access to the tables of the directory, which only work for the whole installation sees. */
import type { Kysely } from 'kysely'
import type { AppEnvironment } from '../../../context.ts'
import type { NewId } from '../../../domain/ids.ts'
import type { Db } from '../../../db/query.ts'
import type { DirectoryTables } from '../../../db/postgres/tables/people.ts'
import type { PresenceTables } from '../../../db/postgres/tables/presence.ts'
import type { Schema } from '../../../db/schema.ts'
import type { Sealer } from '../../../db/seal.ts'

export type DirectoryDb = Kysely<Schema & DirectoryTables>

/** Adds the table of who edits what. */
export const presenceOf = (db: Db) => db.withTables<PresenceTables>()

export const directoryOf = (db: Db): DirectoryDb => db.withTables<DirectoryTables>()

/** What the directory works with. */
export interface Directory {
  env: AppEnvironment
  /** Reads what is committed. */
  reader: DirectoryDb
  sealer: Sealer
  newId: NewId
  /** Now by the clock of the database, in milliseconds. */
  now(): number
  /** Runs `work` while nobody else changes the directory. The store may run it again from its start. */
  change<T>(work: (db: DirectoryDb) => Promise<T>): Promise<T>
  /** Says on all servers that sessions, memberships or people have changed, after the commit. */
  changed(): void
}
