/**
 * Migrations of an office's database: one list with the embedded engine's, taken by a command and not by starting
 * servers.
 */
import type { Pool, PoolClient } from 'pg'
import { AppError } from '../../domain/errors/app-error.ts'
import { SCHEMA_VERSION } from '../migrations/list.ts'
import { DUE_WORK } from './due-work.ts'
import { STORED_EXPORTS } from './stored-exports.ts'
import { POINTER_AT_MOST } from '../objects.ts'
import { officeSchema } from './migrations/0015.ts'
import { refusalOf } from './pool.ts'

/** The first schema here is that of this version of the embedded engine. */
const FIRST = { number: 15, name: 'first' } as const

/** Tables that an office has and a file has not. */
const OFFICE = `
create table schema_migrations (
  number bigint primary key,
  name text not null,
  applied_at timestamptz not null default now()
);
-- One row; work for the whole installation locks it.
create table installation (
  id bigint primary key default 1 check (id = 1),
  store_id text not null
);
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
${DUE_WORK}`

/** Rows that point to an object, for the sweep of objects that no row names. */
const POINTER_INDEXES = ['documents', 'file_bytes', 'mail_attachments'].map(
  (table) =>
    `create index ${table}_by_pointer on ${table} (bytes) where length(bytes) <= ${POINTER_AT_MOST};`,
)

/** The role of the servers, unless another is named. */
export const SERVER_ROLE = 'sello_server'

/**
 * What the servers' role may do: change rows, and neither the schema nor what it says of itself. It owns nothing, so
 * that it can switch no policy off. The lock of the installation needs a column that it may change.
 */
const grantsTo = (role: string): string => `
grant usage on schema public to ${role};
grant select, insert, update, delete on all tables in schema public to ${role};
grant select on all sequences in schema public to ${role};
revoke insert, update, delete on schema_migrations, installation from ${role};
grant update (id) on installation to ${role};
`

/** Any number: two migrations at a time wait for each other. */
const LOCK = 7_235_912

async function versionOf(client: Pick<PoolClient, 'query'>): Promise<number> {
  const { rows } = await client.query<{ there: string | null }>(
    "select to_regclass('schema_migrations') as there",
  )
  if (!rows[0]?.there) return 0
  const found = await client.query<{ version: number }>(
    'select max(number) as version from schema_migrations',
  )
  return found.rows[0]?.version ?? 0
}

/**
 * Brings a database to the schema of this build, as the role that owns it, and grants `serverRole`, which must exist,
 * what servers need. Returns the versions before and after. Throws `store_newer`.
 */
export async function migrateOffice(
  pool: Pool,
  storeId: string,
  serverRole: string = SERVER_ROLE,
): Promise<{ from: number; to: number }> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    // The owner too is limited by the policies.
    await client.query("select set_config('sello.scope', 'installation', true)")
    const from = await versionOf(client)
    if (from > SCHEMA_VERSION)
      throw new AppError('store_newer', { details: { storeVersion: from, knownVersion: SCHEMA_VERSION } })
    if (from === 0) {
      await client.query(OFFICE)
      await client.query(officeSchema)
      await client.query(STORED_EXPORTS)
      await client.query(POINTER_INDEXES.join('\n'))
      await client.query('insert into installation (store_id) values ($1)', [storeId])
      await client.query('insert into schema_migrations (number, name) values ($1, $2)', [
        FIRST.number,
        FIRST.name,
      ])
    }
    await client.query(grantsTo(client.escapeIdentifier(serverRole)))
    await client.query('commit')
    return { from, to: SCHEMA_VERSION }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/** Returns the identifier of the store. Throws `store_missing`, `store_newer` or `store_readonly`. */
export async function assertSchema(pool: Pool): Promise<string> {
  try {
    const version = await versionOf(pool)
    if (version === 0) throw new AppError('store_missing')
    if (version > SCHEMA_VERSION)
      throw new AppError('store_newer', { details: { storeVersion: version, knownVersion: SCHEMA_VERSION } })
    const { rows } = await pool.query<{ store_id: string }>('select store_id from installation')
    return rows[0]?.store_id ?? ''
  } catch (error) {
    throw refusalOf(error)
  }
}
