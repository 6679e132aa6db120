/** The keys slice for the others. */
export { authenticate, touchKey } from './authenticate.ts'
export type { Authenticated } from './authenticate.ts'
export { capsUsed, spendCaps } from './caps.ts'
export type { KeyCaps } from './caps.ts'
export { createKey, createKeyByPerson, listKeys, revokeKey } from './manage.ts'
export { verifyKeys } from './verify.ts'
export { activeKeyIds, forgetKeys, keyRowId, keyRowIds } from './rows.ts'
