/** Reasons for making a backup. */
export const BACKUP_REASONS = ['daily', 'migration', 'quit', 'manual', 'restore'] as const
export type BackupReason = (typeof BACKUP_REASONS)[number]
