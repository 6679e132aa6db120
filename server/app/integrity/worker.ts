/** Worker thread that checks large books on its own connection, so that other requests do not wait. */
import { ownThread } from '../../platform/processes/threads.ts'
import { createSystemCtx } from '../../context.ts'
import type { AppEnvironment, Book } from '../../context.ts'
import type { Connection } from '../../db/embedded/connection.ts'
import { openDatabase } from '../../db/embedded/open.ts'
import { storeOver } from '../../db/embedded/dialect.ts'
import type { Check } from './check.ts'
import { ROW_CHECKS } from './rows.ts'
import type { RowCheckName } from './rows.ts'

/** SQLite checks of a file: pages and indexes (`ok` when all match), and dangling references. */
export type FileCheck = 'integrity_check' | 'foreign_key_check'

export type InspectionJob = { folder: string; masterKey: Uint8Array } & (
  | { look: 'file'; check: FileCheck }
  /** `now` in milliseconds. */
  | { look: 'rows'; check: RowCheckName; book: Book; sandbox: boolean; now: number }
)

/** Lines about a file, the outcome for a book, or the failure of the check. */
export type InspectionReply =
  | { lines: string[] }
  | { outcome: Check }
  | { failed: string; code: string | null }

/** Each page is read once or a few times, so a large cache would only take memory. */
const CACHE_KIB = 16 * 1024

function linesOf({ handle }: Connection, check: FileCheck): string[] {
  return (handle.pragma(check) as object[]).map((row) => Object.values(row).join(' '))
}

function outcomeOf(connection: Connection, job: Extract<InspectionJob, { look: 'rows' }>): Promise<Check> {
  const now = new Date(job.now)
  // Verification reads only rows, the clock, and the sandbox flag: no background work and no notifications.
  const env = { store: storeOver(connection), sandbox: job.sandbox, now: () => now }
  const ctx = createSystemCtx(env as unknown as AppEnvironment, job.book, 'self-check')
  return ROW_CHECKS[job.check](ctx)
}

async function answer(job: InspectionJob): Promise<InspectionReply> {
  const { folder, masterKey } = job
  let connection: Connection | null = null
  try {
    connection = openDatabase({ folder, masterKey, role: 'reader', cacheKib: CACHE_KIB })
    if (job.look === 'file') return { lines: linesOf(connection, job.check) }
    return { outcome: await outcomeOf(connection, job) }
  } catch (error) {
    const { message, code = null } = error as Error & { code?: string }
    return { failed: message, code }
  } finally {
    connection?.close()
    masterKey.fill(0)
  }
}

const own = ownThread<InspectionJob>('check')
if (own) void answer(own.given).then((reply) => own.port.postMessage(reply))
