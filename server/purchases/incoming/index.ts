/** Public interface of the incoming documents. */
export { enterIncoming, pruneRejected } from './decide.ts'
export { createIncomingJobs, incomingWork } from './jobs.ts'
export { getIncoming, listIncoming } from './list.ts'
export { openTotals } from './open-totals.ts'
export type { OpenTotal } from './open-totals.ts'
