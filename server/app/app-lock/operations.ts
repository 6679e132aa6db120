/** The operations of the app lock. */
import { defineOperations, operation } from '../../context.ts'
import {
  lockStateContract,
  unlockContract,
  lockContract,
  aliveContract,
  lockSettingsContract,
  setLockContract,
  lockOptionsContract,
  lockApprovalsContract,
  removeLockContract,
} from './contract.ts'
import { getLock, setLock, setLockOptions, setLockApprovals, removeLock } from './settings.ts'
import { getLockState, unlock, lockNow, recordActivity } from './use.ts'

export const lockOperations = defineOperations([
  operation(lockStateContract, getLockState),
  operation(unlockContract, unlock),
  operation(lockContract, lockNow),
  operation(aliveContract, recordActivity),
  operation(lockSettingsContract, getLock),
  operation(setLockContract, setLock),
  operation(lockOptionsContract, setLockOptions),
  operation(lockApprovalsContract, setLockApprovals),
  operation(removeLockContract, removeLock),
])
