/** The audit slice for the others. */
export { recordAudit } from './record.ts'
export { historyHead, historyOf, listAudit, provenEvents, verifyAudit } from './list.ts'
export { auditWords, windowAudit } from './window.ts'
export type { HistoryRow } from './list.ts'
