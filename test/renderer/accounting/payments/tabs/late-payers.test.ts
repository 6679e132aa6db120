/** Late invoices by payer: one reminder each, about all of the payer's invoices and no others. */
import { expect, test } from 'vitest'
import { latePayers } from '../../../../../renderer/accounting/payments/tabs/late-payers.ts'

const invoice = (
  id: string,
  clientNif: string | null,
  clientName: string,
  amountDue: number,
  status = 'overdue',
) => ({
  id,
  clientNif,
  clientName,
  amountDue,
  payment: { status },
})

test('invoices that are not late are left out, and one payer under two names is one payer', () => {
  expect(
    latePayers([
      invoice('inv_1', 'B12345674', 'Luz S.L.', 0.1),
      invoice('inv_2', null, 'Ana', 5),
      invoice('inv_3', 'B12345674', 'Luz', 0.2),
      invoice('inv_4', 'B12345674', 'Luz', 9, 'unpaid'),
      invoice('inv_5', null, 'Ana', 7, 'paid'),
    ]),
  ).toEqual([
    { id: 'B12345674', name: 'Luz S.L.', invoiceIds: ['inv_1', 'inv_3'], amountDue: 0.3 },
    { id: 'Ana', name: 'Ana', invoiceIds: ['inv_2'], amountDue: 5 },
  ])
})

test('a mail takes a hundred invoices, and the sum is of those', () => {
  const [payer] = latePayers(Array.from({ length: 120 }, (_, at) => invoice(`inv_${at}`, null, 'Ana', 1)))
  expect(payer?.invoiceIds).toHaveLength(100)
  expect(payer?.amountDue).toBe(100)
})
