/** Exports of the connection to an accounting system for other slices. */
export { erpWork, examineReading } from './reading/run.ts'
export { verifyErpKeys } from './verify.ts'
export { SEALED_ERP_KEYS } from './sealed.ts'
