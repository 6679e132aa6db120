/** Reasons why a backup was not made or is not valid, as codes. */
import type { BackupFaultReason } from '../contract.ts'

export class BackupFault extends Error {
  readonly why: BackupFaultReason

  constructor(why: BackupFaultReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BackupFault'
    this.why = why
  }
}

const REASONS: readonly (readonly [RegExp, BackupFaultReason])[] = [
  [/^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)/, 'no_space'],
  [/^(ENOENT|ENOTDIR|ENODEV|ENXIO|SQLITE_CANTOPEN)/, 'folder_missing'],
  [/^(EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_PERM)/, 'folder_denied'],
  [/^(EIO|SQLITE_IOERR)/, 'disk_failed'],
  // Data that the key cannot read is not what was written.
  [/^(SQLITE_CORRUPT|SQLITE_NOTADB|store_damaged|store_missing)/, 'differs'],
]

/** Converts any error to a backup fault, by the code of the system or of the database. */
export function asBackupFault(error: unknown): BackupFault {
  if (error instanceof BackupFault) return error
  const code = String((error as { code?: unknown }).code ?? '')
  const why = REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'other'
  return new BackupFault(why, `${code} ${String((error as Error).message ?? error)}`.trim(), { cause: error })
}
