/** Public interface of the assistants slice. */
export { forgetCalls, listCalls, listClients, noteCall, noteClient, pruneCalls, writeCalls } from './calls.ts'
export { CHECKER, checkConnection } from './check.ts'
export { getContext } from './context.ts'
export { clientOf } from './client.ts'
export type { Client } from './client.ts'
export { forOwner } from './language.ts'
export { getBundle, getSetup, placeBridge } from './setup.ts'
