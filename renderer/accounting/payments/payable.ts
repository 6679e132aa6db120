/** Whether a payment of an issued invoice can be recorded. Pure. */
import type { OutputOf } from '../../../server/api/contracts.ts'

type Invoice = Pick<OutputOf<'invoices.get'>, 'state' | 'amountDue' | 'payment'>

const SETTLED: readonly string[] = ['cancelled', 'uncollectible']

/** Returns true if money is still to come for it, or to give back. */
export function isPayable({ state, amountDue, payment }: Invoice): boolean {
  return state === 'issued' && amountDue !== 0 && !SETTLED.includes(payment.status)
}
