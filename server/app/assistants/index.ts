/** Public interface of the assistants slice. */
export { forgetCalls, recordCall, recordClient, pruneCalls, writeCalls } from './calls.ts'
export { CHECKER } from './check.ts'
export { clientOf } from './client.ts'
export type { Client } from './client.ts'
export { forOwner } from './language.ts'
export { placeBridge } from './setup.ts'
