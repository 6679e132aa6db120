/** What the person asks of backups: to see them, to have one made, and where else they go. */
import { embedded } from '../../db/embedded/port.ts'
import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { recordAudit } from '../../platform/audit/index.ts'
import { listBooks } from '../../platform/books/index.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
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
  const folder = defaultFolder(embedded(store).sourceFolder)
  const { own, fault, ownFault, ownAt, drill } = readState(embedded(store).folder)
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

/** Makes one and answers how things stand; a fault is in the answer, as it concerns more than who asked. */
export const makeBackupNow: UseCase<typeof makeBackupContract> = async (ctx) => {
  await runBackup(ctx.env, 'manual')
  return viewOf(ctx.env)
}

/** The folder as it can be used. Throws `validation_failed` for one that is not there, is no folder or cannot be written. */
function usableFolder(typed: string, dataDir: string): string {
  const wrong = (code: string, message: string) =>
    validationFailed([{ code, field: 'folder', severity: 'error', message }])
  if (!isAbsolute(typed)) throw wrong('folder_not_absolute', 'The whole path of the folder is needed.')
  const folder = resolve(typed)
  // What happens to the folder of the books would happen to their backups too.
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
    // The backup holds every book, so every book's history tells where it goes.
    for (const book of await listBooks(tx.db))
      await recordAudit(inBook(tx, book), { action: 'backups.settings' })
  })
}

/** Keeps the second folder. What it holds of an earlier time stays there. */
export const changeBackupSettings: UseCase<typeof backupSettingsContract> = async (ctx, { folder }) => {
  const dataDir = embedded(ctx.env.store).folder
  const own = folder === null ? null : usableFolder(folder, dataDir)
  await recordInHistory(ctx)
  const { storeId } = ctx.env.store
  const [newest] = own === null ? [] : listFolder(ownFolder(own, storeId))
  changeState(dataDir, { own, ownFault: null, ownAt: newest?.at.toISOString() ?? null })
  return viewOf(ctx.env)
}

/**
 * The books close once this is answered. What they hold now is backed up first, if it can be: it is kept aside besides, so a
 * full disk keeps nobody from restoring. Throws `restore_elsewhere` where no page takes over.
 */
export const beginRestore: UseCase<typeof beginRestoreContract> = async ({ env }) => {
  if (!env.closeForRestore) throw new AppError('restore_elsewhere')
  const empty = !(await hasBooks(env))
  if (!empty) await runBackup(env, 'restore')
  env.closeForRestore({ empty })
  return {}
}
