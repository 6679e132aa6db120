/** Public interface of the summary rows of companies. */
export type { SummaryFacts, SummaryReturn } from './facts.ts'
export { refreshSummaries } from './refresh.ts'
export { inCompanies, summaryRows } from './rows.ts'
export type { SummaryRow } from './rows.ts'
export { verifySummary } from './verify.ts'
