/** The backups slice for the others. */
export { createBackupJobs } from './jobs.ts'
export type { BackupJobs } from './jobs.ts'
export { backUpBeforeMigration, proveMigrated } from './migration.ts'
export { changeBackupSettings, listBackups, makeBackupNow } from './operations.ts'
export { proveBooks } from './proof.ts'
export { backupTrouble } from './trouble.ts'
