/** Bulk actions on received invoices. */
import { call } from '../call.ts'
import type { BulkRow } from '../components/bulk-actions/bulk.ts'
import { useBulk } from '../components/bulk-actions/use-bulk.ts'
import type { Method } from '../accounting/payments/methods.ts'
import type { OutputOf } from '../../server/api/contracts.ts'

export type ListedReceived = OutputOf<'received.window'>['items'][number]

/** Returns whether it is still payable: refunds of credits are not recorded in bulk. */
export const isPayable = ({ state, amountDue }: ListedReceived): boolean => state !== 'void' && amountDue > 0

interface ReceivedBulkRow extends BulkRow {
  version: number
  due: number
}

export function useManyReceived() {
  const bulk = useBulk()

  const rowsOf = (received: readonly ListedReceived[]): ReceivedBulkRow[] =>
    received.map(({ id, receptionNumber, supplierName, version, amountDue }) => ({
      id,
      version,
      due: amountDue,
      name: [receptionNumber, supplierName].join(' · '),
      to: `/received/${id}`,
    }))

  /** Records full payment of each invoice, on one date and by one method. */
  function pay(received: readonly ListedReceived[], how: { date: string; method: Method }): void {
    const made = new Map<string, string>()
    bulk.start({
      kind: 'payReceived',
      rows: rowsOf(received.filter(isPayable)),
      perform: async ({ id, due }, bookId) => {
        const payment = await call('payments.payReceived', { id, amount: due, ...how }, { bookId })
        made.set(id, payment.id)
      },
      undo: async (done, bookId) => {
        for (const { id } of done) {
          const paymentId = made.get(id)
          if (paymentId) await call('payments.unpayReceived', { id, paymentId }, { bookId })
        }
      },
    })
  }

  /** Voids the invoices: their numbers stay used and their amounts leave the books; undo restores them. */
  function annul(received: readonly ListedReceived[]): void {
    const voided = new Map<string, number>()
    bulk.start({
      kind: 'voidReceived',
      rows: rowsOf(received.filter(({ state }) => state === 'entered')),
      perform: async ({ id, version }, bookId) => {
        const after = await call('received.void', { id, expectedVersion: version }, { bookId })
        voided.set(id, after.version)
      },
      undo: async (done, bookId) => {
        for (const { id } of done) {
          const expectedVersion = voided.get(id)
          if (expectedVersion) await call('received.restore', { id, expectedVersion }, { bookId })
        }
      },
    })
  }

  return { pay, annul }
}
