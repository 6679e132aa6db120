/** Public interface of the inspection slice: the books for recipients without Sello. */
export { inspectorPack, packProgress } from './pack.ts'
