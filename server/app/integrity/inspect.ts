/**
 * Chooses where a check runs: on small books in this thread, on large ones in a worker, because it would block other
 * requests.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { endThread, startThread, workerFile } from '../../platform/processes/threads.ts'
import type { AppEnvironment, Ctx } from '../../context.ts'
import { STORE_FILE } from '../../db/embedded/keys/keyring.ts'
import { embedded } from '../../db/embedded/port.ts'
import type { EmbeddedStore } from '../../db/embedded/port.ts'
import type { Check } from './check.ts'
import { ROW_CHECKS } from './rows.ts'
import type { RowCheckName } from './rows.ts'
import type { FileCheck, InspectionJob, InspectionReply } from './worker.ts'

/** About a thousand invoices: up to this size every check ends sooner than a worker starts. */
const IN_PLACE_BYTES = 4 * 1024 * 1024
const HEAP_MB = 512

type Named<Job> = Job extends unknown ? Omit<Job, 'folder' | 'masterKey'> : never

function isLarge({ folder }: Pick<EmbeddedStore, 'folder'>): boolean {
  const file = statSync(join(folder, STORE_FILE), { throwIfNoEntry: false })
  return file !== undefined && file.size > IN_PLACE_BYTES
}

/**
 * Runs a check in a worker and returns its result. Throws the failure of the worker, with the database's code, and
 * the signal's reason.
 */
async function inThread(
  store: Pick<EmbeddedStore, 'folder' | 'copyOfKey'>,
  what: Named<InspectionJob>,
  signal?: AbortSignal,
): Promise<Exclude<InspectionReply, { failed: string }>> {
  signal?.throwIfAborted()
  const masterKey = store.copyOfKey()
  const job: InspectionJob = { ...what, folder: store.folder, masterKey }
  const worker = startThread('check', workerFile('check', import.meta.url), job, { heapMb: HEAP_MB })
  masterKey.fill(0)
  let onAbort = (): void => {}
  try {
    const reply = await new Promise<InspectionReply>((resolve, reject) => {
      onAbort = () => reject(signal?.reason)
      signal?.addEventListener('abort', onAbort)
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('The thread ended.')))
    })
    if (!('failed' in reply)) return reply
    throw Object.assign(new Error(reply.failed), { code: reply.code })
  } finally {
    signal?.removeEventListener('abort', onAbort)
    void endThread(worker)
  }
}

/**
 * Returns the lines that SQLite reports about the file of the books, checked in a worker. Throws when it cannot be
 * read to its end.
 */
export async function inspectFile(
  store: Pick<EmbeddedStore, 'folder' | 'copyOfKey'>,
  check: FileCheck,
  signal?: AbortSignal,
): Promise<string[]> {
  const reply = await inThread(store, { look: 'file', check }, signal)
  return 'lines' in reply ? reply.lines : []
}

/** Does the same, in this thread when the file is small. */
export async function fileLines(
  { store }: AppEnvironment,
  check: FileCheck,
  signal?: AbortSignal,
): Promise<string[]> {
  const file = embedded(store)
  if (isLarge(file)) return inspectFile(file, check, signal)
  // oxlint-disable-next-line house/portable-sql -- A check of the file itself.
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(check)}`.execute(store.reader)
  return rows.map((row) => Object.values(row).join(' '))
}

/** Runs a check over a book's committed rows in a worker. */
export async function inspectRows(ctx: Ctx, check: RowCheckName, signal?: AbortSignal): Promise<Check> {
  const { env, book } = ctx
  const now = env.now().getTime()
  const reply = await inThread(
    embedded(env.store),
    { look: 'rows', check, book, sandbox: env.sandbox, now },
    signal,
  )
  if ('outcome' in reply) return reply.outcome
  throw new Error('The thread looked at the file.')
}

/** Does the same, in this thread when the books are small or no file. */
export function rowCheck(ctx: Ctx, check: RowCheckName, signal?: AbortSignal): Promise<Check> {
  const { store } = ctx.env
  return store.engine === 'sqlite' && isLarge(embedded(store))
    ? inspectRows(ctx, check, signal)
    : ROW_CHECKS[check](ctx)
}
