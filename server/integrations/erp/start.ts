/** What a start needs of the connection to an accounting system: nothing of the connection itself. */
export { stopErpRuns } from './active.ts'
export { settleInterrupted } from './interrupted.ts'
export { erpStandInFrom } from './stand-in.ts'
