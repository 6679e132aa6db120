/** The inspection slice for the others: the books for somebody who has no Sello. */
export { inspectorPack, packProgress } from './pack.ts'
