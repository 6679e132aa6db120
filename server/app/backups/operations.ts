/** Use cases of backups: list them, make one now, and set the second folder. */
import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { recordAudit } from '../../platform/audit/index.ts'
import { listBooks } from '../../platform/books/index.ts'
import { AppError, validationFailed } from '../../domain/errors/catalog.ts'
import { inBook } from '../../context.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../context.ts'
import type {
  backupSettingsContract,
  BackupsView,
  beginRestoreContract,
  listBackupsContract,
  makeBackupContract,
} from './contract.ts'
import { hasBooks, nextBackupAt, runBackup } from './make/run.ts'
import { listFolder } from './make/names.ts'
import { changeState, defaultFolder, ownFolder, readState } from './state.ts'

async function viewOf(env: AppEnvironment): Promise<BackupsView> {
  const { store } = env
  const folder = defaultFolder(store.sourceFolder)
  const { own, fault, ownFault, ownAt, drill } = readState(store.folder)
  return {
    folder,
    items: listFolder(folder).map(({ name, at, reason, bytes }) => ({
      name,
      at: at.toISOString(),
      reason,
      bytes,
    })),
    nextAt: !store.forReading && (await hasBooks(env)) ? nextBackupAt(env).toISOString() : null,
    fault,
    own: own === null ? null : { folder: ownFolder(own, store.storeId), lastAt: ownAt, fault: ownFault },
    drill,
  }
}

export const listBackups: UseCase<typeof listBackupsContract> = (ctx) => viewOf(ctx.env)

/** Makes a backup and returns the state; a fault is part of the answer, because it concerns more than the caller. */
export const makeBackupNow: UseCase<typeof makeBackupContract> = async (ctx) => {
  await runBackup(ctx.env, 'manual')
  return viewOf(ctx.env)
}

/**
 * Returns the usable path of a folder. Throws `validation_failed` for one that is missing, not a folder or not
 * writable.
 */
function usableFolder(typed: string, dataDir: string): string {
  const wrong = (code: string, message: string) =>
    validationFailed([{ code, field: 'folder', severity: 'error', message }])
  if (!isAbsolute(typed)) throw wrong('folder_not_absolute', 'The whole path of the folder is needed.')
  const folder = resolve(typed)
  // Damage to the folder of the books would affect backups inside it too.
  if (`${folder}/`.startsWith(`${resolve(dataDir)}/`))
    throw wrong('folder_in_data', 'Choose a folder outside of the one of your data.')
  try {
    if (!statSync(folder).isDirectory()) throw wrong('folder_unusable', 'That is a file.')
    accessSync(folder, constants.W_OK)
  } catch (error) {
    if (error instanceof Error && error.name === 'AppError') throw error
    throw wrong('folder_unusable', 'The folder is not there, or cannot be written.')
  }
  return folder
}

async function recordInHistory(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    // The backup contains every book, so every book's audit log records its destination.
    for (const book of await listBooks(tx.db))
      await recordAudit(inBook(tx, book), { action: 'backups.settings' })
  })
}

/** Stores the second folder. Earlier backups in it stay there. */
export const changeBackupSettings: UseCase<typeof backupSettingsContract> = async (ctx, { folder }) => {
  const dataDir = ctx.env.store.folder
  const own = folder === null ? null : usableFolder(folder, dataDir)
  await recordInHistory(ctx)
  const { storeId } = ctx.env.store
  const [newest] = own === null ? [] : listFolder(ownFolder(own, storeId))
  changeState(dataDir, { own, ownFault: null, ownAt: newest?.at.toISOString() ?? null })
  return viewOf(ctx.env)
}

/**
 * Closes the books after the answer. They are backed up first if possible; they are also kept aside, so that a full
 * disk does not prevent restoring. Throws `restore_elsewhere` when no page can continue.
 */
export const beginRestore: UseCase<typeof beginRestoreContract> = async ({ env }) => {
  if (!env.closeForRestore) throw new AppError('restore_elsewhere')
  const empty = !(await hasBooks(env))
  if (!empty) await runBackup(env, 'restore')
  env.closeForRestore({ empty })
  return {}
}
