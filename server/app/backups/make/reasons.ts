/** Why a backup was made. */
export const BACKUP_REASONS = ['daily', 'migration', 'quit', 'manual', 'restore'] as const
export type BackupReason = (typeof BACKUP_REASONS)[number]
