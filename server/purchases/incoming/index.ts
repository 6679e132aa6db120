/** Public interface of the incoming documents. */
export { pruneRejected } from './decide.ts'
export { createIncomingJobs, incomingWork } from './jobs.ts'
