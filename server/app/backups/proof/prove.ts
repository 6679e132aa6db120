/** Verifies a copy: SQLite integrity, chains, and the expected content hash. */
import { verifyAudit } from '../../../platform/audit/index.ts'
import { createSystemCtx } from '../../../context.ts'
import type { AppEnvironment, Book, Ctx } from '../../../context.ts'
import type { Db } from '../../../db/query.ts'
import { FIRST_REGISTRY, proveChain } from '../../../registry/index.ts'
import { SCHEMA_VERSION } from '../../../db/migrations/version.ts'
import { openDatabase } from '../../../db/embedded/open.ts'
import { storeOver } from '../../../db/embedded/dialect.ts'
import type { Connection } from '../../../db/embedded/connection.ts'
import { canonicalHash } from './canonical-export.ts'
import { BackupFault } from '../make/fault.ts'

/** Pages are read once from start to end, so caching them would only take memory. */
export const COPY_CACHE_KIB = 2 * 1024

interface CopyToProve {
  folder: string
  file: string
  masterKey: Uint8Array
}

/** Position at which a chain of a book fails verification. */
export interface BrokenChain {
  bookId: number
  /** The record's position in its book; null for the audit log. */
  recordSequence: number | null
  /** Position and reason, for the log and for comparison. */
  told: string
}

/** Returns the first fault of each record chain and each audit log, of every book. */
export async function brokenChains(connection: Connection): Promise<BrokenChain[]> {
  // Verification reads only rows: the environment needs no clock, no background work and no notifications.
  const store = storeOver(connection)
  const env = { store } as unknown as AppEnvironment
  const found: BrokenChain[] = []
  for (const book of await booksOfAnyVersion(store.reader)) {
    const ctx: Ctx = createSystemCtx(env, book, 'backup')
    const bookId = book.id
    const { broken: record } = await proveChain(ctx)
    if (record)
      found.push({
        bookId,
        recordSequence: record.sequence,
        told: `record ${record.sequence}: ${record.why}`,
      })
    const { broken: event } = await verifyAudit(ctx, {})
    if (event) found.push({ bookId, recordSequence: null, told: `${event.id}: ${event.why}` })
  }
  return found
}

/** Returns the books with the columns that every version of the schema has: what is proved may have an earlier one. */
async function booksOfAnyVersion(db: Db): Promise<Book[]> {
  const rows = await db.selectFrom('books').selectAll().orderBy('id').execute()
  return rows.map((row) => {
    const { registry_system: registry = FIRST_REGISTRY }: { registry_system?: string } = row
    const { id, public_id: publicId, company_id: companyId, mode, environment } = row
    return { id, publicId, companyId, mode, environment, registry }
  })
}

/** Verifies the record and audit chains of every book. Throws `broken_chain`. */
async function proveChains(connection: Connection): Promise<void> {
  const [broken] = await brokenChains(connection)
  if (broken) throw new BackupFault('broken_chain', broken.told)
}

/**
 * Opens a copy with its store's key and verifies it; returns its canonical hash. Throws a `BackupFault`, or an error
 * of the system or the database. The chains of a copy with an earlier schema are not verified, because this version's
 * queries do not fit it; its equality with the source still is.
 */
export async function proveCopy({ folder, file, masterKey }: CopyToProve): Promise<string> {
  const connection = openDatabase({ folder, file, masterKey, role: 'reader', cacheKib: COPY_CACHE_KIB })
  try {
    const [first] = connection.handle.pragma('integrity_check(1)') as { integrity_check: string }[]
    if (first?.integrity_check !== 'ok')
      throw new BackupFault('differs', `integrity: ${String(first?.integrity_check)}`)
    if ((connection.handle.pragma('foreign_key_check') as unknown[]).length > 0)
      throw new BackupFault('differs', 'references lead nowhere')
    if (connection.handle.pragma('user_version', { simple: true }) === SCHEMA_VERSION)
      await proveChains(connection)
    return canonicalHash(connection)
  } finally {
    connection.close()
  }
}
