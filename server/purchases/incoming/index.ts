/** Public interface of the incoming documents. */
export { addDocument } from './add.ts'
export type { ArrivingDocument } from './add.ts'
export { createOfDocument } from './create.ts'
export { enterIncoming, eraseIncoming, pruneRejected } from './decide.ts'
export { createIncomingJobs, incomingWork } from './jobs.ts'
export { getIncoming, listIncoming } from './list.ts'
export { openTotals } from './related/open-totals.ts'
export type { OpenTotal } from './related/open-totals.ts'
