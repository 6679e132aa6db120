/** The proof of a copy: SQLite finds it whole, its chains prove themselves, and its content has the hash it should. */
import { verifyAudit } from '../../../platform/audit/index.ts'
import { listBooks } from '../../../platform/books/index.ts'
import { createCtx } from '../../../context.ts'
import type { AppEnvironment, Ctx } from '../../../context.ts'
import { proveChain } from '../../../registry/index.ts'
import { SCHEMA_VERSION } from '../../../db/migrate.ts'
import { openDatabase } from '../../../db/open.ts'
import { instanceOver } from '../../../db/dialect.ts'
import type { Connection } from '../../../db/connection.ts'
import { canonicalHash } from './canonical-export.ts'
import { BackupFault } from '../make/fault.ts'

/** Pages are read once from end to end: keeping them would only take memory. */
export const COPY_CACHE_KIB = 2 * 1024

export interface CopyToProve {
  folder: string
  file: string
  masterKey: Uint8Array
}

/** Where a chain of a book does not prove itself. */
export interface BrokenChain {
  bookId: number
  /** The record's place in its book; null where it is the history. */
  recordSequence: number | null
  /** The place and why, for the log and for comparing. */
  told: string
}

/** The first fault of each chain of records and of each history, of every book. */
export async function brokenChains(connection: Connection): Promise<BrokenChain[]> {
  const db = instanceOver(connection)
  // A proof reads rows and nothing else of the environment: there is no clock, no background and nobody to tell.
  const env = { store: { reader: db } } as unknown as AppEnvironment
  const found: BrokenChain[] = []
  for (const book of await listBooks(db)) {
    const ctx: Ctx = createCtx({
      env,
      book,
      actor: { kind: 'system', id: 'system', name: 'Sello' },
      channel: 'system',
      requestId: 'backup',
    })
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

/** Record and audit chains of every book. Throws `broken_chain`. */
export async function proveChains(connection: Connection): Promise<void> {
  const [broken] = await brokenChains(connection)
  if (broken) throw new BackupFault('broken_chain', broken.told)
}

/**
 * Opens a copy with its store's key and proves it; answers its canonical hash. Throws a `BackupFault`, or what the system
 * or the database says. The chains of a copy of an earlier schema are not proved, as this build's queries do not fit it:
 * equal to its source it is all the same.
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
