/** Public interface of the incoming documents. */
export { enterIncoming, eraseIncoming, pruneRejected } from './decide.ts'
export { createIncomingJobs, incomingWork } from './jobs.ts'
export { getIncoming, listIncoming } from './list.ts'
export { openTotals } from './related/open-totals.ts'
export type { OpenTotal } from './related/open-totals.ts'
