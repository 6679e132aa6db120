/**
 * Upgrades books of an earlier schema in one transaction, which is committed only if issued documents read the same
 * as before and the chains verify as before. If interrupted, the file is either the old or the new one.
 */
import { createHash } from 'node:crypto'
import { failpoint } from '../failpoints.ts'
import type { Connection } from './connection.ts'
import { applyMigrations, versionOf } from './migrate.ts'
import type { Migration } from '../migrations/list.ts'

/** Data that must read the same after an upgrade: rows, and mutable columns whose form may change. */
const FROZEN: readonly { table: string; rows?: string; alive?: readonly string[] }[] = [
  {
    table: 'invoices',
    rows: "state = 'issued'",
    alive: ['contact_id', 'paid_cents', 'is_owed', 'registry_status', 'uncollectible_at', 'cancelled_at'],
  },
  ...['invoice_lines', 'invoice_taxes', 'invoice_references'].map((table) => ({
    table,
    rows: "invoice_id in (select id from invoices where state = 'issued')",
  })),
  ...[
    'invoice_replacements',
    'invoice_amendments',
    'documents',
    'document_signatures',
    'registry_records',
    'registry_installations',
    'registry_chains',
    'series',
    'parties',
    'actors',
    'audit_events',
  ].map((table) => ({ table })),
  { table: 'journal_entries', alive: ['number', 'open'] },
  { table: 'journal_lines', alive: ['contact_id'] },
]

/**
 * Bits of `pragma optimize` (https://sqlite.org/pragma.html#pragma_optimize): include tables that were not queried
 * yet; analyse.
 */
const EVERY_TABLE = 0x10000
const ANALYSE = 0x02

/** Returns statements that read the immutable data, with the columns that exist now. */
function frozenReadings({ handle }: Connection): string[] {
  return FROZEN.flatMap(({ table, rows = 'true', alive = [] }) => {
    const columns = handle.pragma(`table_info(${table})`) as { name: string; pk: number }[]
    const list = (some: typeof columns): string => some.map(({ name }) => `"${name}"`).join(', ')
    const key = columns.filter(({ pk }) => pk > 0)
    const read = list(columns.filter(({ name }) => !alive.includes(name)))
    const order = key.length > 0 ? list(key) : read
    return columns.length > 0 ? [`select ${read} from ${table} where ${rows} order by ${order}`] : []
  })
}

/** Returns the SHA-256 of the results of the statements, including the types of values. */
function hashOfReadings({ handle }: Connection, readings: readonly string[]): string {
  const hash = createHash('sha256')
  for (const reading of readings) {
    hash.update(`${reading}\n`)
    for (const row of handle.prepare(reading).raw().safeIntegers().iterate() as Iterable<unknown[]>)
      for (const value of row) {
        const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value))
        hash.update(`${value === null ? 'null' : typeof value} ${bytes.length}:`).update(bytes)
      }
  }
  return hash.digest('hex')
}

interface UpgradeOptions {
  list: readonly Migration[]
  /** Runs further checks that the store cannot make, within the transaction; if it throws, the upgrade is rolled back. */
  prove?: ((connection: Connection) => Promise<void>) | undefined
}

/** Returns true if books with content have an earlier schema. */
export function needsUpgrade(connection: Connection, list: readonly Migration[]): boolean {
  const version = versionOf(connection)
  return version > 0 && version < list.length
}

/** Upgrades the books. Throws if a migration or its verification fails; the books are then unchanged. */
export async function upgrade(connection: Connection, options: UpgradeOptions): Promise<void> {
  const { list, prove } = options
  const { handle } = connection
  handle.exec('begin immediate')
  try {
    const readings = frozenReadings(connection)
    const before = hashOfReadings(connection, readings)
    failpoint('store.migration_begun')
    applyMigrations(connection, list, versionOf(connection))
    if (hashOfReadings(connection, readings) !== before)
      throw new Error('A migration changed what was issued.')
    await prove?.(connection)
    // A rebuilt index has no statistics, and the planner would prefer it to better ones until the books are closed.
    handle.pragma(`optimize = ${EVERY_TABLE | ANALYSE}`)
    failpoint('store.migration_proved')
    handle.exec('commit')
  } catch (error) {
    if (handle.inTransaction) handle.exec('rollback')
    throw error
  }
  failpoint('store.migration_committed')
}
