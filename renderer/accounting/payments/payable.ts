/** Whether a payment of an invoice can be recorded, also of one that an earlier program issued. Pure. */
import type { OutputOf } from '../../../server/api/contracts.ts'

type Invoice = Pick<OutputOf<'invoices.get'>, 'state' | 'amountDue' | 'payment'>

const SETTLED: readonly string[] = ['cancelled', 'uncollectible']

/** Returns true if money is still to come for it, or to give back. */
export function isPayable({ state, amountDue, payment }: Invoice): boolean {
  return state !== 'draft' && amountDue !== 0 && !SETTLED.includes(payment.status)
}
