/** Makes a portable backup on request: to a file, or as a download. */
import { createReadStream, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { recordAudit } from '../../../platform/audit/index.ts'
import { listBooks } from '../../../platform/books/index.ts'
import type { portableBackupContract } from '../contract.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { inBook } from '../../../context.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../../context.ts'
import { readKeyring } from '../../../db/embedded/keys/keyring.ts'
import { readRecoveryFile } from '../../../db/embedded/store.ts'
import { embedded } from '../../../db/embedded/port.ts'
import type { WrappedKey } from '../../../db/embedded/keys/recovery-code.ts'
import { asBackupFault } from '../make/fault.ts'
import type { BackupFault } from '../make/fault.ts'
import { PORTABLE_EXTENSION } from '../make/names.ts'
import { runExclusively } from '../make/run.ts'
import { defaultFolder } from '../state.ts'
import { inThread } from '../make/thread.ts'

interface PortableOf {
  /** Folder of books that the caller has open. */
  folder: string
  to: string
  /** Cleared by this. */
  masterKey: Buffer
  storeId: string
  recovery: WrappedKey
  /** Version of this Sello. */
  app: string
  /** Milliseconds since 1970. */
  at: number
}

/** Makes and verifies a portable backup of the books in a folder, in a thread. Throws a `BackupFault`. */
async function inOwnThread(request: PortableOf): Promise<void> {
  const { keyCheck } = readKeyring(request.folder) ?? {}
  if (keyCheck === undefined) throw new AppError('store_missing', { details: { folder: request.folder } })
  await inThread({ kind: 'portable', ...request, keyCheck })
}

const notMade = (fault: BackupFault): AppError =>
  new AppError('backup_not_made', { details: { why: fault.why }, cause: fault })

/** Makes and verifies a portable backup of books that are not those of this installation. Throws `backup_not_made`. */
export async function makePortableOf(request: PortableOf): Promise<void> {
  try {
    await inOwnThread(request)
  } catch (error) {
    throw notMade(asBackupFault(error))
  }
}

/** Prefix of a download in progress, in the backup folder. */
const DOWNLOAD = 'download-'

/** Returns the suggested file name, with the date of the content. */
function portableName(at: Date): string {
  return `sello-${at.toISOString().slice(0, 10)}${PORTABLE_EXTENSION}`
}

/**
 * Makes and verifies a portable backup at `to`; writes an audit entry to every book. Throws `recovery_code_missing`,
 * or `backup_not_made` with the reason.
 */
export async function makePortableAt(ctx: Ctx, to: string): Promise<void> {
  const { env } = ctx
  const { store } = env
  const recovery = readRecoveryFile(embedded(store).folder)
  if (!recovery || !readKeyring(embedded(store).folder)) throw new AppError('recovery_code_missing')
  // Logged first, so that the copy contains the entry and no copy can be made without one.
  await ctx.transaction(async (tx) => {
    for (const book of await listBooks(tx.db))
      await recordAudit(inBook(tx, book), { action: 'backups.portable' })
  })
  await runExclusively(store, async () => {
    try {
      await inOwnThread({
        folder: embedded(store).folder,
        to,
        masterKey: embedded(store).copyOfKey(),
        storeId: store.storeId,
        recovery,
        app: env.version,
        at: env.now().getTime(),
      })
    } catch (error) {
      const fault = asBackupFault(error)
      env.report('backups', fault)
      throw notMade(fault)
    }
  })
}

/** Yields a temporary file in chunks and deletes it, even when the reader stops early. */
async function* handedOver(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file)
  } finally {
    rmSync(file, { force: true })
  }
}

const downloadOf = ({ store, newId }: AppEnvironment): string =>
  join(defaultFolder(embedded(store).folder), `${DOWNLOAD}${newId('req')}${PORTABLE_EXTENSION}`)

/** Removes downloads left behind by a process that was killed. An unreadable folder is ignored. */
export function dropDownloads(dataDir: string): void {
  const folder = defaultFolder(dataDir)
  try {
    for (const name of readdirSync(folder))
      if (name.startsWith(DOWNLOAD)) rmSync(join(folder, name), { force: true })
  } catch {
    // The next backup reports the fault.
  }
}

/** Returns a portable backup as a download; the file exists next to the backups only while it is sent. */
export const portableBackup: UseCase<typeof portableBackupContract> = async (ctx) => {
  const file = downloadOf(ctx.env)
  await makePortableAt(ctx, file)
  return { stream: handedOver(file), fileName: portableName(ctx.now()) }
}
