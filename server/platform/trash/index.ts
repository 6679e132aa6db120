/** Public interface of the trash: deletion that can be undone. */
export { softDelete, emptyTrash, RETENTION_MS, pruneTrash } from './soft-delete.ts'
