/**
 * Tables that an office has and a file has not, written by hand. `migrateOffice` runs each of these once, after the
 * numbered migrations. Servers of the previous build go on while it does, so that a step adds something and changes
 * nothing that is in use; what they could not live with belongs in a numbered migration.
 */

import { POINTER_AT_MOST } from '../../outside/objects.ts'
import { DUE_WORK } from './due-work.ts'
import { PEOPLE } from './people.ts'
import { EDITING } from './presence.ts'
import { STORED_EXPORTS } from './stored-exports.ts'

/** Rows that point to an object, for the sweep of objects that no row names. */
const pointerIndex = (table: string): string =>
  `create index ${table}_by_pointer on ${table} (bytes) where length(bytes) <= ${POINTER_AT_MOST};`
const POINTER_INDEXES = ['documents', 'file_bytes', 'mail_attachments'].map(pointerIndex)

interface OfficeMigration {
  /** Names the step in the database: never changed once released. */
  name: string
  sql: string
}

/** In the order in which they run. A new step is added at the end. */
export const officeMigrations: readonly OfficeMigration[] = [
  {
    name: 'servers',
    sql: `
-- Servers report that they run, so that a migration knows which builds it meets. Times are of the database's clock.
create table office_servers (
  id text primary key,
  version text not null,
  build text,
  schema_version bigint not null,
  started_at timestamptz not null default now(),
  reported_at timestamptz not null default now()
);
-- What the master key derives for this purpose alone: a server with another key is refused at its start.
create table office_master_key (
  id bigint primary key default 1 check (id = 1),
  digest bytea not null check (octet_length(digest) = 32)
);
`,
  },
  {
    name: 'work',
    sql: `
-- Names that one server holds for a while.
create table held_names (
  name text primary key,
  holder text not null,
  until timestamptz not null
);
-- Requests of keys in the current minute. A crash of the database may forget them.
create unlogged table request_counts (
  name text primary key,
  started_at timestamptz not null,
  used bigint not null
);
${DUE_WORK}
${STORED_EXPORTS}
${POINTER_INDEXES.join('\n')}
`,
  },
  { name: 'people', sql: PEOPLE },
  { name: 'files-of-works', sql: pointerIndex('bulk_files') },
  { name: 'presence', sql: EDITING },
]

/** The table of the steps that a database has; created with the first. */
export const OFFICE_MIGRATIONS = `
create table if not exists office_migrations (
  name text primary key,
  applied_at timestamptz not null default now()
)`
