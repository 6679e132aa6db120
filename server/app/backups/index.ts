/** The backups slice for the others. */
export { createBackupJobs } from './jobs.ts'
export type { BackupJobs } from './jobs.ts'
export { backUpBeforeMigration, proveMigrated } from './migration.ts'
export { makePortableAt, portableBackup } from './portable-now.ts'
export { beginRestore, changeBackupSettings, listBackups, makeBackupNow } from './operations.ts'
export { proveBooks } from './proof.ts'
export { backupTrouble } from './trouble.ts'
export { restoreBackup } from './restore.ts'
export type { Restored, RestoreRequest } from './restore.ts'
export { backupsIn } from './at-hand.ts'
export { noteCodeBesideBackups } from './keep.ts'
export {
  copyBooksTo,
  dropBackupsBefore,
  keepReplacedKey,
  reencryptCopy,
  retireReplacedKeys,
} from './key-change.ts'
export { inTurn, runBackup } from './run.ts'
export { asBackupFault } from './fault.ts'
