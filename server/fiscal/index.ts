/** The fiscal slice for the others. */
export { nextObligation, fiscalSummary, outputVat } from './summary.ts'
export { quarterObligations, yearObligations } from './obligations.ts'
export type { Obligation } from './obligations.ts'
