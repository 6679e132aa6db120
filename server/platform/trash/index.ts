/** The bin for the others: deleting with a way back. */
export { deleteKeeping, emptyBin, KEPT_MS, pruneBin } from './keep.ts'
export type { Deletion } from './keep.ts'
export { restoreDeleted } from './restore.ts'
