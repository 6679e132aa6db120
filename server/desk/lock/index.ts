/** The app lock for its neighbours. */
export { ANSWERED_WHILE_LOCKED, COUNTED_TRIES } from './names.ts'
export { getLock, removeLock, setLock, setLockApprovals, setLockOptions } from './settings.ts'
export { isLocked, lockOf, verifyLock } from './state.ts'
export { getLockState, lockNow, noteAlive, unlock } from './use.ts'
