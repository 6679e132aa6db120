/**
 * Migrations of an office's database: one list with the embedded engine's, taken by a command and not by starting
 * servers.
 */
import type { Pool, PoolClient } from 'pg'
import { AppError } from '../../domain/errors/app-error.ts'
import { SCHEMA_VERSION } from '../migrations/version.ts'
import type { Migration } from '../migrations/list.ts'
import { officeSchema } from './schema/newest.ts'
import { officeSteps } from './schema/steps.ts'
import { OFFICE_MIGRATIONS, officeMigrations } from './tables/office-schema.ts'
import { refusalOf } from './pool.ts'
import { refuseOldServers } from './tables/servers.ts'

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
`

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
grant usage on sequence due_work_leases to ${role};
revoke insert, update, delete on schema_migrations, installation, office_migrations from ${role};
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
  return Number(found.rows[0]?.version ?? 0)
}

/** Returns the names of the steps of an office that a database has. */
async function stepsOf(client: Pick<PoolClient, 'query'>): Promise<ReadonlySet<string>> {
  const there = await client.query<{ there: string | null }>(
    "select to_regclass('office_migrations') as there",
  )
  if (!there.rows[0]?.there) return new Set()
  const { rows } = await client.query<{ name: string }>('select name from office_migrations')
  return new Set(rows.map(({ name }) => name))
}

/**
 * Throws `office_role_unfit` if there is no such role, or if no policy would hold for it: what is revoked from the owner
 * would also be missing in the next migration.
 */
async function assertServerRole(client: Pick<PoolClient, 'query'>, role: string): Promise<void> {
  const { rows } = await client.query<{ owns: number; isFree: number }>(
    `select pg_has_role(oid, current_user, 'member') as owns, rolsuper or rolbypassrls as "isFree"
      from pg_roles where rolname = $1`,
    [role],
  )
  const [found] = rows
  const why = !found
    ? 'missing'
    : found.isFree === 1
      ? 'bypasses_policies'
      : found.owns === 1
        ? 'owner'
        : null
  if (why !== null) throw new AppError('office_role_unfit', { details: { role, why } })
}

async function noteVersion(
  client: PoolClient,
  { number, name }: Pick<Migration, 'number' | 'name'>,
): Promise<void> {
  await client.query('insert into schema_migrations (number, name) values ($1, $2)', [number, name])
}

/** A schema of the embedded engine's list, translated. */
export interface OfficeSchema {
  /** Number of its newest migration. */
  version: number
  /** What creates it in an empty database. */
  schema: string
  /** What brings a database of an earlier build there. */
  steps: readonly Migration[]
}

const THIS_BUILD: OfficeSchema = { version: SCHEMA_VERSION, schema: officeSchema, steps: officeSteps }

/** What a migration has done. */
interface Migrated {
  /** Version of the schema before, and after. */
  from: number
  to: number
  /** Steps of the tables that only an office has. */
  steps: string[]
}

/**
 * Brings a database to the schema of this build, as the role that owns it, and grants `serverRole`, which must exist,
 * what servers need; does nothing if it has all of it. Throws `store_newer`, `office_role_unfit`, or
 * `office_servers_older` while servers run that could not go on with it.
 */
export async function migrateOffice(
  pool: Pool,
  storeId: string,
  serverRole: string = SERVER_ROLE,
  { version, schema, steps: numbered }: OfficeSchema = THIS_BUILD,
): Promise<Migrated> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    // The owner too is limited by the policies.
    await client.query("select set_config('sello.scope', 'installation', true)")
    const from = await versionOf(client)
    if (from > version)
      throw new AppError('store_newer', { details: { storeVersion: from, knownVersion: version } })
    await assertServerRole(client, serverRole)
    const known = await stepsOf(client)
    if (known.size > 0) await refuseOldServers(client)
    if (from === 0) {
      await client.query(OFFICE)
      await client.query(schema)
      await client.query('insert into installation (store_id) values ($1)', [storeId])
      await noteVersion(client, { number: version, name: 'first' })
    }
    for (const step of from === 0 ? [] : numbered.filter(({ number }) => number > from)) {
      await client.query(step.sql)
      await noteVersion(client, step)
    }
    await client.query(OFFICE_MIGRATIONS)
    const steps = officeMigrations.filter(({ name }) => !known.has(name))
    for (const { name, sql } of steps) {
      await client.query(sql)
      await client.query('insert into office_migrations (name) values ($1)', [name])
    }
    await client.query(grantsTo(client.escapeIdentifier(serverRole)))
    await client.query('commit')
    return { from, to: version, steps: steps.map(({ name }) => name) }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/**
 * Returns the identifier of the store if this build can run on its schema: its own, or the next one, so that servers
 * are replaced one after another once the database is migrated. Throws `office_not_migrated`, `store_newer` or
 * `store_readonly`.
 */
export async function assertSchema(pool: Pool): Promise<string> {
  try {
    const version = await versionOf(pool)
    const details = { storeVersion: version, knownVersion: SCHEMA_VERSION }
    if (version > SCHEMA_VERSION + 1) throw new AppError('store_newer', { details })
    if (version < SCHEMA_VERSION) throw new AppError('office_not_migrated', { details })
    const steps = await stepsOf(pool)
    const missing = officeMigrations.flatMap(({ name }) => (steps.has(name) ? [] : [name]))
    if (missing.length > 0) throw new AppError('office_not_migrated', { details: { ...details, missing } })
    const { rows } = await pool.query<{ store_id: string }>('select store_id from installation')
    return rows[0]?.store_id ?? ''
  } catch (error) {
    throw refusalOf(error)
  }
}
