/** Databases for tests: each a copy of one template, on the server of this run. */
import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { migrateOffice, SERVER_ROLE } from '../../../server/db/postgres/migrate.ts'
import { createPools, openOfficeStore } from '../../../server/db/postgres/store.ts'
import type { OfficePools } from '../../../server/db/postgres/store.ts'
import type { Store } from '../../../server/db/store.ts'
import { OWNER_ROLE, startCluster } from './cluster.ts'
import type { Cluster } from './cluster.ts'

/** The engine that the stores of this run have. */
export const ENGINE: 'sqlite' | 'pg' = process.env.SELLO_ENGINE === 'pg' ? 'pg' : 'sqlite'

/** Address of the server of this run, with words for role and database; `build/test-setup.ts` sets it before the first test. */
const SERVER = 'SELLO_TEST_PG'
const TEMPLATE = 'sello_template'
/** Key of the sealed columns in all databases of the tests. */
export const testKey = (): Buffer => Buffer.alloc(32, 7)

/** Returns true if this run has a server. */
export function hasServer(): boolean {
  return process.env[SERVER] !== undefined
}

/** Creates a pool of connections that may be lost: a database is dropped while they still close, and a server ends. */
export function createTestPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** The administrator of the server: a superuser, as whom no store runs. */
const ADMIN = 'sello'

function urlOf(database: string, role = ADMIN): string {
  const server = process.env[SERVER]
  if (server === undefined) throw new Error('This run has no PostgreSQL server.')
  return server.replace('ROLE', role).replace('DATABASE', database)
}

/** Starts the server of a run with the template; null if this computer has none. */
export async function startTestServer(): Promise<Cluster | null> {
  const cluster = await startCluster()
  if (!cluster) return null
  process.env[SERVER] = cluster.url('DATABASE', 'ROLE')
  const admin = new pg.Client({ connectionString: urlOf('postgres') })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE} owner ${OWNER_ROLE}`)
  await admin.end()
  const pool = createTestPool({ connectionString: urlOf(TEMPLATE, OWNER_ROLE), max: 1 })
  await migrateOffice(pool, randomUUID())
  await pool.end()
  return cluster
}

let admin: Promise<pg.Client> | null = null

function adminClient(): Promise<pg.Client> {
  return (admin ??= (async () => {
    const client = new pg.Client({ connectionString: urlOf('postgres') })
    // The server ends before the last worker does.
    client.on('error', () => {})
    await client.connect()
    return client
  })())
}

/** A database of a test. */
export interface TestDatabase {
  name: string
  /** Its address for the servers' role, as which stores run. */
  url: string
  /** Its address for the role that owns the tables, as which it is migrated and companies are moved. */
  ownerUrl: string
  /** Connections of this worker, which the tests that use the database one after another share. */
  pools: OfficePools
  /** Connects as the administrator, whom no policy limits. */
  admin: pg.Pool
  /** Set when conditions or triggers of the database were removed: nobody else uses it then. */
  spoiled: boolean
}

/** Empty databases that a test of this worker has used before, with connections that know its statements. */
const idle: TestDatabase[] = []

async function makeDatabase(template: string): Promise<TestDatabase> {
  const name = `t${randomBytes(8).toString('hex')}`
  const client = await adminClient()
  await client.query(`create database ${name} owner ${OWNER_ROLE} template ${template} strategy file_copy`)
  const url = urlOf(name, SERVER_ROLE)
  const admin = createTestPool({ connectionString: urlOf(name), max: 1, allowExitOnIdle: true })
  return {
    name,
    url,
    ownerUrl: urlOf(name, OWNER_ROLE),
    pools: createPools({ url, connections: 4 }),
    admin,
    spoiled: false,
  }
}

/** Returns an empty database with the schema. */
export async function takeDatabase(): Promise<TestDatabase> {
  return idle.pop() ?? makeDatabase(TEMPLATE)
}

/** Returns an empty database without a schema, for whoever creates that. */
export async function takeBareDatabase(): Promise<TestDatabase> {
  return { ...(await makeDatabase('template0')), spoiled: true }
}

/** Returns a copy of a database, which must not be in use by others. */
export async function copyDatabase({ name, pools, admin }: TestDatabase): Promise<TestDatabase> {
  await endPools(pools, admin)
  const client = await adminClient()
  await client.query(
    'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [name],
  )
  const copy = await makeDatabase(name)
  return { ...copy, spoiled: true }
}

async function endPools({ writers, readers }: OfficePools, admin: pg.Pool): Promise<void> {
  await Promise.all([writers, readers, admin].map((pool) => (pool.ended ? undefined : pool.end())))
}

/** Empties every table that has pages, and restarts its identifiers at 1. */
const RESET = `
do $$
declare each record;
begin
  set local session_replication_role = replica;
  set local lock_timeout = '2s';
  for each in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    and pg_relation_size(oid) > 0 and relname not in ('schema_migrations', 'office_migrations', 'installation') loop
    execute format('delete from %I', each.relname);
  end loop;
  perform setval(format('%I', sequencename)::regclass, 1, false)
    from pg_sequences where schemaname = 'public' and last_value is not null;
end $$`

/** Takes a database back from a test: the next one of this worker gets it empty. */
export async function giveBackDatabase(database: TestDatabase): Promise<void> {
  const { pools, admin, spoiled } = database
  if (!spoiled && !pools.writers.ended) {
    try {
      await admin.query(RESET)
      idle.push(database)
      return
    } catch {
      // Something of the test still runs on it.
    }
  }
  await dropDatabase(database)
}

async function dropDatabase({ name, pools, admin }: TestDatabase): Promise<void> {
  await endPools(pools, admin)
  const client = await adminClient()
  await client.query(`drop database if exists ${name} with (force)`)
}

/** Opens the store of a database. */
export function openOn({ url, pools }: TestDatabase, now: () => Date): Promise<Store> {
  return openOfficeStore({ url, pools, masterKey: testKey(), now })
}

/** Writes the bytes of a statement as this engine does. */
function inPostgres(statement: string): string {
  return statement
    .replaceAll(/\bx'([0-9a-f]*)'/gi, "'\\x$1'::bytea")
    .replaceAll(/\brandomblob\((\d+)\)/g, 'substr(sha512(random()::text::bytea), 1, $1)')
}

/** Runs statements on a database without triggers, references and conditions. */
export async function tamperWith(database: TestDatabase, statements: readonly string[]): Promise<void> {
  database.spoiled = true
  const client = await database.admin.connect()
  try {
    const { rows } = await client.query<{ name: string; table: string }>(
      `select conname as name, conrelid::regclass::text as table from pg_constraint
        where contype = 'c' and connamespace = 'public'::regnamespace order by conname`,
    )
    for (const { name, table } of rows)
      if (statements.some((statement) => statement.includes(table)))
        await client.query(`alter table ${table} drop constraint ${name}`)
    await client.query('set session_replication_role = replica')
    // What is added belongs to the first company.
    await client.query("select set_config('sello.company', min(id)::text, false) from companies")
    for (const statement of statements) await client.query(inPostgres(statement))
  } finally {
    // With its settings.
    client.release(true)
  }
}
