/** Random payments, set-offs, write-offs and removals: the books are consistent after every step. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../../../../server/domain/errors/app-error.ts'
import { verifyPayments } from '../../../../server/accounting/payments/index.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'

const DAY = '2026-11-21'
const EXPECTED = new Set([
  'payment_exceeds_due',
  'payment_in_use',
  'invoice_uncollectible',
  'invoice_settled',
])

const step = fc.oneof(
  fc.record({
    kind: fc.constant('pay' as const),
    which: fc.nat(2),
    cents: fc.integer({ min: 1, max: 20_000 }),
    advance: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('writeOff' as const), which: fc.nat(2) }),
  fc.record({ kind: fc.constant('remove' as const), which: fc.nat(20) }),
  fc.record({
    kind: fc.constant('useAdvance' as const),
    which: fc.nat(2),
    from: fc.nat(5),
    cents: fc.integer({ min: 1, max: 9_000 }),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function take(books: TestBooks, ids: readonly string[], each: Step): Promise<void> {
  if (each.kind === 'pay')
    await books.run('payments.payInvoice', {
      id: ids[each.which]!,
      date: DAY,
      amount: each.cents / 100,
      method: 'transfer',
      overpayment: each.advance ? 'advance' : 'refuse',
    })
  else if (each.kind === 'writeOff') await books.run('payments.writeOff', { id: ids[each.which]!, date: DAY })
  else if (each.kind === 'remove') {
    const { items } = await books.run('payments.list', {})
    const one = items[each.which % Math.max(1, items.length)]
    if (one) await books.run('payments.delete', { id: one.id })
  } else {
    const { items } = await books.run('payments.list', { onAccount: true })
    const from = items[each.from % Math.max(1, items.length)]
    if (!from) return
    await books.run('payments.create', {
      direction: 'in',
      date: DAY,
      amount: 0,
      allocations: [
        { invoiceId: ids[each.which]!, amount: each.cents / 100 },
        { advanceId: from.id, amount: each.cents / 100 },
      ],
    })
  }
}

/** Returns the ledger balances of customers (430) and their advances (438), in cents. */
async function balances(books: TestBooks): Promise<Record<string, number>> {
  const rows = await books.test.db
    .selectFrom('journal_lines')
    .innerJoin('ledger_accounts', 'ledger_accounts.id', 'journal_lines.account_id')
    .innerJoin('journal_entries', 'journal_entries.id', 'journal_lines.entry_id')
    .select((eb) => ['code', eb.fn.sum<number>('amount_cents').as('cents')])
    .where('source_type', '=', 3)
    .groupBy('code')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.code, row.cents]))
}

test('after any payments and removals, sums agree with invoices and ledger', async () => {
  const books = await openBooks()
  const contact = await books.run('contacts.create', { name: 'Cliente Primero, S.L.', nif: 'B87654323' })
  const ids: string[] = []
  for (const unitPrice of [100, 20, 55.5])
    ids.push(
      (
        await books.invoice({
          clientName: 'Cliente Primero, S.L.',
          clientNif: 'B87654323',
          clientId: contact.id,
          lines: [{ description: 'Servicio', quantity: 1, unitPrice }],
        })
      ).id,
    )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const each of steps) {
        try {
          await take(books, ids, each)
        } catch (error) {
          if (!(error instanceof AppError) || !EXPECTED.has(error.code)) throw error
        }
      }
      expect((await verifyPayments(books.test)).faults).toEqual([])
      const { items } = await books.run('payments.list', { limit: 200 })
      const sum = (of: (payment: (typeof items)[number]) => number) =>
        items.reduce((total, payment) => total + Math.round(of(payment) * 100), 0)
      const booked = await balances(books)
      expect(booked['572'] ?? 0).toBe(sum((payment) => payment.amount))
      expect(-(booked['438'] ?? 0) + 0).toBe(sum((payment) => payment.advanceLeft))
      expect(booked['650'] ?? 0).toBe(sum((payment) => payment.writtenOff))
    }),
    { numRuns: 12, seed: 20261121 },
  )
  // Everything can be removed, and then nothing is left in payments or ledger.
  for (;;) {
    const { items } = await books.run('payments.list', {})
    const free = items.filter(({ kind }) => kind !== 'payment')
    const next = free[0] ?? items[0]
    if (!next) break
    await books.run('payments.delete', { id: next.id })
  }
  expect(await balances(books)).toEqual({})
  for (const id of ids) expect((await books.run('invoices.get', { id })).payment.status).toBe('unpaid')
})
