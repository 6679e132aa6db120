/** Ledger verification detects changes made with the file and its key, around the database's protections. */
import { expect, test } from 'vitest'
import { verifyLedger } from '../../../../server/accounting/ledger/index.ts'
import { openBooks } from '../../../support/books.ts'

test.each<[string, string[], RegExp]>([
  [
    'a changed amount',
    ['update journal_lines set amount_cents = amount_cents + 1 where position = 0'],
    /differ by 1 cents/,
  ],
  ['a missing line', ['delete from journal_lines where position = 0'], /differ by/],
  [
    'a balance that differs from its lines',
    ['update account_months set debit_cents = debit_cents + 1'],
    /not the sum/,
  ],
  [
    'an invoice without its entry',
    ['delete from journal_lines', 'delete from journal_entries', 'delete from account_months'],
    /is not booked/,
  ],
  [
    'another amount on both sides',
    [
      'update journal_lines set amount_cents = amount_cents * 2',
      'update account_months set debit_cents = debit_cents * 2, credit_cents = credit_cents * 2',
    ],
    /cents are booked of/,
  ],
  ['a cancelled invoice still in force', ['update invoices set cancelled_at = 1'], /still in force/],
])('%s', async (_, statements, expected) => {
  const world = await openBooks()
  await world.invoice()
  expect(await verifyLedger(world.test)).toMatchObject({ ok: true, checked: 1, faults: [] })
  await world.tamper(...statements)
  const proof = await verifyLedger(world.test)
  expect(proof.ok).toBe(false)
  expect(proof.faults.join(' ')).toMatch(expected)
})
