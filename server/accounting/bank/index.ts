/** Public interface of the bank slice. */
export { bankStanding } from './accounts.ts'
