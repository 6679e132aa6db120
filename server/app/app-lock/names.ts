/** The operations of the lock that the window's door treats apart, by name. */
import type { decideApprovalContract } from '../../sales/invoices/issue/approvals-contract.ts'
import type { lockContracts } from './contract.ts'

type Known = (typeof lockContracts)[number]['name'] | (typeof decideApprovalContract)['name']

function named(...names: Known[]): ReadonlySet<string> {
  return new Set(names)
}

/** All that the window's door answers while Sello is locked. */
export const ANSWERED_WHILE_LOCKED = named('session.lockState', 'session.unlock')

/** Tries must count even when they fail, so none of these is answered from an Idempotency-Key's transaction. */
export const COUNTED_TRIES = named(
  'session.unlock',
  'lock.set',
  'lock.remove',
  'lock.approvals',
  'approvals.decide',
)
