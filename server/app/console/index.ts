/** Public interface of the console, for the background and for maintenance. */
export { bulkWork, createConsoleJobs, summaryPass } from './jobs.ts'
export { BULK_CONTENTS } from './work/rows.ts'
export { SEALED_UNIT_SECRETS } from './work/sealed.ts'
