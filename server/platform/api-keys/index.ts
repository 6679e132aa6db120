/** Public interface of the API keys slice. */
export { authenticate, touchKey } from './authenticate.ts'
export { capsUsed, spendCaps } from './caps.ts'
export type { CapsUsed } from './caps.ts'
export { readPortPromise, savePort } from './promised-port.ts'
export { createKey, createKeyByPerson, listKeys, revokeKey } from './manage.ts'
export {
  activeKeyIds,
  forgetCachedKeys,
  forgetKeys,
  keyFamily,
  keyRowId,
  keyRowIds,
  MAX_MAKERS,
} from './rows.ts'
export { SEALED_KEY_FACTS } from './sealed.ts'
export { sealOlderKeys } from './seals.ts'
export { verifyKeyModes, verifyKeys } from './verify.ts'
