/** The audit slice for the others. */
export { recordAudit } from './record.ts'
export { historyOf, listAudit, verifyAudit } from './list.ts'
export { auditWords, windowAudit } from './window.ts'
export type { HistoryRow } from './list.ts'
