/** Public interface of the backups slice. */
export { createBackupJobs } from './make/jobs.ts'
export type { BackupJobs } from './make/jobs.ts'
export { backUpBeforeMigration, proveMigrated } from './make/migration.ts'
export { makePortableAt, makePortableOf } from './portable/portable-now.ts'
export { proveBooks } from './proof/proof.ts'
export { backupProblem } from './make/problem.ts'
export { restoreBackup } from './restore/restore.ts'
export type { Restored, RestoreRequest } from './restore/restore.ts'
export { backupsIn } from './restore/available.ts'
export { writeCodeBesideBackups } from './make/lifecycle.ts'
export {
  copyBooksTo,
  dropBackupsBefore,
  saveReplacedKey,
  reencryptCopy,
  retireReplacedKeys,
} from './key-change.ts'
export { runExclusively, runBackup } from './make/run.ts'
export { asBackupFault } from './make/fault.ts'
