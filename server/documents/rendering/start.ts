/** What a start needs of the documents: threads to draw on, and a way to end what is being exported. Drawing comes later. */
export { stopExports } from './exports/running.ts'
export { createDocumentPool } from './pool.ts'
export type { DocumentPool } from './pool.ts'
export type { DocumentJob } from './worker.ts'
