/** Requests to the recovery server, which answers while the books are closed, and the return to the regular server. */
import { ask, asCallError, call, sendFile } from '../../call.ts'
import type {
  AvailableBackupView,
  Keep,
  RestoreInput,
  StartFault,
  RecoveryAnswer,
  UploadPath,
} from '../../../server/app/recovery-mode/contract.ts'

export type { AvailableBackupView, Keep, StartFault }

const LOOK_MS = 250

export const getStartFault = (): Promise<RecoveryAnswer> => ask<RecoveryAnswer>('trouble.get', {})
export const retryOpening = (): Promise<RecoveryAnswer> => ask<RecoveryAnswer>('trouble.retry', {})
export const createBooks = (): Promise<RecoveryAnswer> => ask<RecoveryAnswer>('trouble.create', {})
export const openForReading = (): Promise<RecoveryAnswer> => ask<RecoveryAnswer>('trouble.read', {})
export const recoverWith = (code: string, keep: Keep): Promise<RecoveryAnswer> =>
  ask<RecoveryAnswer>('trouble.recover', { code, keep })
export const useFolder = (folder: string): Promise<RecoveryAnswer> =>
  ask<RecoveryAnswer>('trouble.useFolder', { folder })
export const listAvailableBackups = (): Promise<{ items: AvailableBackupView[] }> =>
  ask('trouble.backups', {})

/** Source of a restore: an available backup, or a portable file that the user chose. */
export interface Restoring extends Omit<RestoreInput, 'name'> {
  source: AvailableBackupView | File
}

const uploadPath: UploadPath = '/app/restore-file'

/** Restores; uploads the file first if there is one. */
export async function restoreFrom({ source, code, replaceOther }: Restoring): Promise<RecoveryAnswer> {
  const isFile = source instanceof File
  if (isFile) await sendFile(uploadPath, source)
  const input: RestoreInput = { name: isFile ? null : source.name, code, replaceOther }
  return ask<RecoveryAnswer>('trouble.restore', input)
}

export const quitSello = (): Promise<unknown> => ask('trouble.quit', {})

/** Saves the facts for support as a file. */
export async function saveReport(): Promise<void> {
  const { text } = await ask<{ text: string }>('trouble.report', {})
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'sello-soporte.txt'
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Waits for the recovery server, which takes over once the books are closed. */
export async function untilClosed(): Promise<void> {
  for (;;) {
    try {
      await call('session.get', {})
    } catch (thrown) {
      // No server answers during the switch.
      if (asCallError(thrown).details.trouble !== undefined) return
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Returns true if the regular server answers. */
async function isOpen(): Promise<boolean> {
  try {
    await call('session.get', {})
    return true
  } catch {
    return false
  }
}

/** Waits for the regular server, which takes over in a moment. */
export async function waitUntilOpen(): Promise<void> {
  while (!(await isOpen())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}
