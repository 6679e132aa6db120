/** Public interface of the places that documents come from. */
export { createSourceJobs } from './jobs.ts'
export { mailboxWork } from './mailbox/jobs.ts'
export { SEALED_SOURCE_SECRETS, verifySourceSecrets } from './sealed.ts'
