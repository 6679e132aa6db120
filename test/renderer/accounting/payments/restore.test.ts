/** A payment that was undone can be recreated as it was, or is reported as not restorable. */
import { expect, test } from 'vitest'
import { paymentInputOf } from '../../../../renderer/accounting/payments/restore.ts'

type Payment = Parameters<typeof paymentInputOf>[0]

const payment = (changes: Partial<Payment> = {}): Payment => ({
  id: 'pay_1',
  kind: 'payment',
  direction: 'in',
  date: '2026-07-01',
  amount: 121,
  method: 'transfer',
  account: '572001',
  reference: 'REF 1',
  contact: { id: 'con_1', name: 'Panadería Luz' },
  allocations: [{ invoice: { id: 'inv_1', number: 'F2026-0001', name: 'Panadería Luz' }, amount: 121 }],
  advance: 0,
  advanceLeft: 0,
  exchangeDifference: 0,
  writtenOff: 0,
  fee: 0,
  onBank: false,
  remittanceId: null,
  createdAt: '2026-07-01T08:00:00.000Z',
  ...changes,
})

test('amount, date, account, reference and settled invoices are restored', () => {
  expect(paymentInputOf(payment())).toEqual({
    direction: 'in',
    date: '2026-07-01',
    amount: 121,
    method: 'transfer',
    account: '572001',
    reference: 'REF 1',
    contactId: 'con_1',
    allocations: [{ invoiceId: 'inv_1', amount: 121 }],
  })
})

test('an amount on account stays on account, and a set-off moves no money', () => {
  expect(paymentInputOf(payment({ amount: 200, advance: 79 }))).toMatchObject({ rest: 'advance' })
  const setOff = payment({
    kind: 'compensation',
    amount: 0,
    method: null,
    account: null,
    allocations: [
      { received: { id: 'rec_1', number: '7', name: 'Luz' }, amount: 50 },
      { advance: { id: 'pay_0' }, amount: -50 },
    ],
  })
  const input = paymentInputOf(setOff)
  expect(input).not.toHaveProperty('method')
  expect(input?.allocations).toEqual([
    { receivedId: 'rec_1', amount: 50 },
    { advanceId: 'pay_0', amount: -50 },
  ])
})

test('a payment of a bank movement, a remittance or a write-off is not recreated', () => {
  for (const changes of [
    { onBank: true },
    { remittanceId: 'rem_1' },
    { fee: 2 },
    { kind: 'write_off', writtenOff: 121 },
  ] as const)
    expect(paymentInputOf(payment(changes))).toBeNull()
})
