/** Databases for tests: each a copy of one template, on the server of this run. */
import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { migrateOffice } from '../../../server/db/postgres/migrate.ts'
import { openOfficeStore } from '../../../server/db/postgres/store.ts'
import type { Store } from '../../../server/db/store.ts'
import { startCluster } from './cluster.ts'
import type { Cluster } from './cluster.ts'

/** The engine that the stores of this run have. */
export const ENGINE: 'sqlite' | 'pg' = process.env.SELLO_ENGINE === 'pg' ? 'pg' : 'sqlite'

/** Address of the server of this run; `build/test-setup.ts` sets it before the first test. */
const SERVER = 'SELLO_TEST_PG'
const TEMPLATE = 'sello_template'
/** Key of the sealed columns in all databases of the tests. */
export const testKey = (): Buffer => Buffer.alloc(32, 7)

/** Returns true if this run has a server. */
export function hasServer(): boolean {
  return process.env[SERVER] !== undefined
}

function urlOf(database: string): string {
  const server = process.env[SERVER]
  if (server === undefined) throw new Error('This run has no PostgreSQL server.')
  return `${server}/${database}`
}

/** Starts the server of a run with the template; null if this computer has none. */
export async function startTestServer(): Promise<Cluster | null> {
  const cluster = await startCluster()
  if (!cluster) return null
  const [server] = cluster.url('').split(/\/$/)
  process.env[SERVER] = server
  const admin = new pg.Client({ connectionString: urlOf('postgres') })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const pool = new pg.Pool({ connectionString: urlOf(TEMPLATE), max: 1 })
  await migrateOffice(pool, randomUUID())
  await pool.end()
  return cluster
}

let admin: Promise<pg.Client> | null = null

function adminClient(): Promise<pg.Client> {
  return (admin ??= (async () => {
    const client = new pg.Client({ connectionString: urlOf('postgres') })
    await client.connect()
    return client
  })())
}

/** Ends what is still connected to a database: no copy is made of one that is in use. */
async function disconnect(client: pg.Client, name: string): Promise<void> {
  await client.query(
    'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [name],
  )
}

/** Creates a database: empty with the schema, or a copy of another one. Returns its address, and what removes it. */
export async function createDatabase(
  template = TEMPLATE,
): Promise<{ name: string; url: string; drop: () => Promise<void> }> {
  const name = `t${randomBytes(8).toString('hex')}`
  const client = await adminClient()
  if (template !== TEMPLATE) await disconnect(client, template)
  await client.query(`create database ${name} template ${template} strategy file_copy`)
  return {
    name,
    url: urlOf(name),
    drop: async () => {
      await client.query(`drop database if exists ${name} with (force)`)
    },
  }
}

/** Opens the store of a database. */
export function openOn(url: string, now: () => Date): Promise<Store> {
  return openOfficeStore({ url, masterKey: testKey(), now, connections: 4 })
}

/** Writes the bytes of a statement as this engine does. */
function inPostgres(statement: string): string {
  return statement
    .replaceAll(/\bx'([0-9a-f]*)'/g, "'\\x$1'::bytea")
    .replaceAll(/\brandomblob\((\d+)\)/g, 'substr(sha512(random()::text::bytea), 1, $1)')
}

/** Runs statements on a database without triggers, references and conditions. */
export async function tamperWith(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; table: string }>(
      `select conname as name, conrelid::regclass::text as table from pg_constraint
        where contype = 'c' and connamespace = 'public'::regnamespace order by conname`,
    )
    for (const { name, table } of rows)
      if (statements.some((statement) => statement.includes(table)))
        await client.query(`alter table ${table} drop constraint ${name}`)
    await client.query('set session_replication_role = replica')
    for (const statement of statements) await client.query(inPostgres(statement))
  } finally {
    await client.end()
  }
}
