/** A portable backup for whoever asks for one: into a file of theirs, or as a download. */
import { createReadStream, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { recordAudit } from '../../../platform/audit/index.ts'
import { listBooks } from '../../../platform/books/index.ts'
import type { portableBackupContract } from '../contract.ts'
import { AppError } from '../../../domain/errors/catalog.ts'
import { inBook } from '../../../context.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../../context.ts'
import { readKeyring } from '../../../db/keys/keyring.ts'
import { readRecoveryFile } from '../../../db/store.ts'
import { asBackupFault } from '../make/fault.ts'
import { PORTABLE_EXTENSION } from '../make/names.ts'
import { inTurn } from '../make/run.ts'
import { defaultFolder } from '../state.ts'
import { inThread } from '../make/thread.ts'

/** Of a download that is being made and sent, within the folder of backups. */
const DOWNLOAD = 'download-'

/** The name it is offered under, with the day it shows. */
export function portableName(at: Date): string {
  return `sello-${at.toISOString().slice(0, 10)}${PORTABLE_EXTENSION}`
}

/**
 * Makes a portable backup at `to` and proves it; every book's history tells of it. Throws `recovery_code_missing`, or
 * `backup_not_made` with the reason.
 */
export async function makePortableAt(ctx: Ctx, to: string): Promise<void> {
  const { env } = ctx
  const { store } = env
  const recovery = readRecoveryFile(store.folder)
  const keyring = readKeyring(store.folder)
  if (!recovery || !keyring) throw new AppError('recovery_code_missing')
  // Told first, so that the copy holds it too, and a copy that nobody hears of cannot be made.
  await ctx.transaction(async (tx) => {
    for (const book of await listBooks(tx.db))
      await recordAudit(inBook(tx, book), { action: 'backups.portable' })
  })
  await inTurn(store, async () => {
    try {
      await inThread({
        kind: 'portable',
        folder: store.folder,
        to,
        masterKey: store.copyOfKey(),
        storeId: store.storeId,
        keyCheck: keyring.keyCheck,
        recovery,
        app: env.version,
        at: env.now().getTime(),
      })
    } catch (error) {
      const fault = asBackupFault(error)
      env.report('backups', fault)
      throw new AppError('backup_not_made', { details: { why: fault.why }, cause: error })
    }
  })
}

/** The pieces of a file that is not needed afterwards, whoever stops reading. */
async function* handedOver(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file)
  } finally {
    rmSync(file, { force: true })
  }
}

const downloadOf = ({ store, newId }: AppEnvironment): string =>
  join(defaultFolder(store.folder), `${DOWNLOAD}${newId('req')}${PORTABLE_EXTENSION}`)

/** Removes downloads that a run which was killed left behind. A folder that cannot be read holds none that anybody could miss. */
export function dropDownloads(dataDir: string): void {
  const folder = defaultFolder(dataDir)
  try {
    for (const name of readdirSync(folder))
      if (name.startsWith(DOWNLOAD)) rmSync(join(folder, name), { force: true })
  } catch {
    // What is wrong with it, the next backup tells.
  }
}

/** A portable backup as a download: the file lies beside the backups only while it is sent. */
export const portableBackup: UseCase<typeof portableBackupContract> = async (ctx) => {
  const file = downloadOf(ctx.env)
  await makePortableAt(ctx, file)
  return { stream: handedOver(file), fileName: portableName(ctx.now()) }
}
