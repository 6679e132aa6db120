/** The servers of an office as its database knows them: what they report, and the check of their master key. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ClientBase, Pool } from 'pg'
import { AppError } from '../../../domain/errors/app-error.ts'
import { SCHEMA_VERSION } from '../../migrations/version.ts'

/** A server that has not reported for this long has ended. */
const SILENT_SECONDS = 60

/** Time between two reports: one may get lost. */
export const REPORT_MS = 20_000

interface Server {
  /** Identifies the process. */
  id: string
  version: string
  /** The digest of its build; null from source. */
  build: string | null
}

/** Writes that a server runs, and deletes those that have not reported for a day. */
export async function reportServer(pool: Pool, { id, version, build }: Server): Promise<void> {
  await pool.query(
    `insert into office_servers (id, version, build, schema_version) values ($1, $2, $3, $4)
      on conflict (id) do update set reported_at = now()`,
    [id, version, build, SCHEMA_VERSION],
  )
  await pool.query("delete from office_servers where reported_at < now() - interval '1 day'")
}

/** Deletes the report of a server that ends. */
export async function forgetServer(pool: Pool, id: string): Promise<void> {
  await pool.query('delete from office_servers where id = $1', [id])
}

/**
 * Throws `office_servers_older` while a server runs that does not know the schema before this build's: a build runs
 * on its own schema and on the next one.
 */
export async function refuseOldServers(client: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ id: string; version: string; schema: number }>(
    `select id, version, schema_version as schema from office_servers
      where schema_version < $1 and reported_at > now() - make_interval(secs => $2) order by id`,
    [SCHEMA_VERSION - 1, SILENT_SECONDS],
  )
  if (rows.length > 0)
    throw new AppError('office_servers_older', {
      details: {
        servers: rows.map(({ id, version, schema }) => ({ id, version, schema: Number(schema) })),
        schema: SCHEMA_VERSION,
      },
    })
}

/** What answers a query: a pool, or one connection. */
interface Queries {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>
}

/** Compares the master key with the one that the database was first opened with. Throws `office_key_wrong`. */
export async function assertMasterKey(database: Queries, masterKey: Buffer): Promise<void> {
  const digest = createHmac('sha256', masterKey).update('sello office: check of the master key').digest()
  await database.query('insert into office_master_key (digest) values ($1) on conflict do nothing', [digest])
  const { rows } = await database.query('select digest from office_master_key', [])
  const [known] = rows as { digest: Buffer }[]
  if (!known || !timingSafeEqual(known.digest, digest)) throw new AppError('office_key_wrong')
}
