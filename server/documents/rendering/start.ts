/** Exports for start-up: the threads for drawing, and a way to stop running exports. The drawing code loads later. */
export { keepExportsIn, stopExports } from './exports/running.ts'
export { createDocumentPool } from './pool.ts'
export type { DocumentPool } from './pool.ts'
export type { DocumentJob } from './worker.ts'
