/** The bin for the others: deleting with a way back. */
export { softDelete, emptyTrash, RETENTION_MS, pruneTrash } from './soft-delete.ts'
export type { Deletion } from './soft-delete.ts'
export { restoreDeleted } from './restore.ts'
