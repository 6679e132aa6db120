/** Public interface of the app lock. */
export { ANSWERED_WHILE_LOCKED, COUNTED_TRIES } from './names.ts'
export { recordCodeOwner } from './owner-code.ts'
export { setLock } from './settings.ts'
export { isLocked, lockOf, rereadLock, SEALED_LOCK_CODE, verifyLock } from './state.ts'
export { enterWithCode, enterWithRecovery, loginMethods } from './use.ts'
export { NO_TRIES } from './state.ts'
