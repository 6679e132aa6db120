/** Names of the lock's operations that the window's route treats differently. */
import type { ContractsIn } from '../../domain/contract/define-contract.ts'
import type { decideApprovalContract } from '../../sales/invoices/issue/approvals-contract.ts'
import type * as lock from './contract.ts'

type Known = (ContractsIn<typeof lock> | typeof decideApprovalContract)['name']

function named(...names: Known[]): ReadonlySet<string> {
  return new Set(names)
}

/** Operations available to the window while Sello is locked. */
export const ANSWERED_WHILE_LOCKED = named('session.lockState', 'session.unlock')

/**
 * Operations whose attempts must count even when they fail, so they never run in the transaction of an
 * Idempotency-Key.
 */
export const COUNTED_TRIES = named(
  'session.unlock',
  'lock.set',
  'lock.remove',
  'lock.approvals',
  'approvals.decide',
)
