/** Input that recreates a payment as it was. Pure. */
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'

type Payment = OutputOf<'payments.get'>

/**
 * Returns the input that records the same payment again; null if more than a user's input lies behind it: a
 * remittance, a bank movement, a fee, or a write-off.
 */
export function paymentInputOf(payment: Payment): InputOf<'payments.create'> | null {
  const { kind, direction, date, amount, method, account, reference, contact, allocations } = payment
  const isPlain = payment.remittanceId === null && !payment.onBank && payment.fee === 0
  if (!isPlain || kind === 'write_off' || payment.writtenOff !== 0) return null
  if (method === null && amount !== 0) return null
  return {
    direction,
    date,
    amount,
    ...(method === null ? {} : { method }),
    ...(account === null ? {} : { account }),
    ...(reference === null ? {} : { reference }),
    ...(contact === null ? {} : { contactId: contact.id }),
    ...(payment.advance > 0 ? { rest: 'advance' as const } : {}),
    ...(payment.exchangeDifference === 0 ? {} : { rest: 'exchange' as const }),
    allocations: allocations.map(({ invoice, received, advance, amount: settles }) => ({
      ...(invoice ? { invoiceId: invoice.id } : {}),
      ...(received ? { receivedId: received.id } : {}),
      ...(advance ? { advanceId: advance.id } : {}),
      amount: settles,
    })),
  }
}
