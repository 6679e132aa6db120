/** Exports for start-up, which load nothing of the connection itself. */
export { stopErpRuns } from './reading/active.ts'
export { settleInterrupted } from './reading/interrupted.ts'
export { erpMockEndpointFrom } from './connection/mock-endpoint.ts'
