/** The desk slice for the operations table. */
import type { dashboardContract } from './contract.ts'
import type { UseCase } from '../../context.ts'

export { createKeyByPerson, decideApproval } from '../dashboard/approvals.ts'
export {
  ANSWERED_WHILE_LOCKED,
  COUNTED_TRIES,
  enterWithCode,
  enterWithRecovery,
  getLock,
  getLockState,
  isLocked,
  lockNow,
  lockOf,
  noteAlive,
  removeLock,
  rereadLock,
  SEALED_LOCK_CODE,
  setLock,
  setLockApprovals,
  setLockOptions,
  unlock,
  verifyLock,
  waysIn,
} from '../app-lock/index.ts'
export { savePreferences } from './preferences.ts'
export { confirmRecovery, createRecoveryCode, getKeyChange, revealRecovery } from './recovery-code.ts'
export { tellWhileShut } from './offline-changes.ts'
export { getSession } from './session.ts'
export { checkStore } from './store-check.ts'
export { listViews, saveViews } from './views.ts'

/** The figures of the front page. */
export const getDashboard: UseCase<typeof dashboardContract> = async (ctx, input) =>
  (await import('../dashboard/front-page.ts')).getDashboard(ctx, input)
