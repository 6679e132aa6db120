/** The proof of a copy: SQLite finds it whole, its chains prove themselves, and its content has the hash it should. */
import { verifyAudit } from '../audit/index.ts'
import { listBooks } from '../company/index.ts'
import { createCtx } from '../ctx.ts'
import type { AppEnvironment, Ctx } from '../ctx.ts'
import { proveChain } from '../registry/index.ts'
import { SCHEMA_VERSION } from '../store/migrate.ts'
import { openDatabase } from '../store/open.ts'
import { instanceOver } from '../store/dialect.ts'
import type { Connection } from '../store/connection.ts'
import { canonicalHash } from './canonical.ts'
import { BackupFault } from './fault.ts'

/** Pages are read once from end to end: keeping them would only take memory. */
export const COPY_CACHE_KIB = 2 * 1024

export interface KeptFile {
  folder: string
  file: string
  masterKey: Uint8Array
}

/** Record and audit chains of every book. Throws `broken_chain`. */
export async function proveChains(connection: Connection): Promise<void> {
  const db = instanceOver(connection)
  // A proof reads rows and nothing else of the environment: there is no clock, no background and nobody to tell.
  const env = { store: { reader: db } } as unknown as AppEnvironment
  for (const book of await listBooks(db)) {
    const ctx: Ctx = createCtx({
      env,
      book,
      actor: { kind: 'system', id: 'system', name: 'Sello' },
      channel: 'system',
      requestId: 'backup',
    })
    const chain = await proveChain(ctx)
    if (chain.broken)
      throw new BackupFault('broken_chain', `record ${chain.broken.sequence}: ${chain.broken.why}`)
    const audit = await verifyAudit(ctx, {})
    if (audit.broken) throw new BackupFault('broken_chain', `${audit.broken.id}: ${audit.broken.why}`)
  }
}

/**
 * Opens a copy with its store's key and proves it; answers its canonical hash. Throws a `BackupFault`, or what the system
 * or the database says. The chains of a copy of an earlier schema are not proved, as this build's queries do not fit it:
 * equal to its source it is all the same.
 */
export async function proveCopy({ folder, file, masterKey }: KeptFile): Promise<string> {
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
