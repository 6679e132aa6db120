/** Public interface of the audit slice. */
export { recordAudit } from './record.ts'
export { historyHead, historyOf, listAudit, provenEvents, verifyAudit } from './list.ts'
