/** Random instalments and payments: the open instalments always add up to what is open of their invoice. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../../../../../server/domain/errors/app-error.ts'
import { addDays } from '../../../../../server/domain/dates.ts'
import { instalmentCents, instalmentFaults } from '../../../../../server/domain/tax/instalments.ts'
import { openByDay } from '../../../../../server/accounting/payments/open.ts'
import { verifyPayments } from '../../../../../server/accounting/payments/index.ts'
import { openBooks } from '../../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../../support/books.ts'

const DAY = '2026-11-21'
const EXPECTED = new Set([
  'payment_exceeds_due',
  'invoice_settled',
  'invoice_uncollectible',
  'validation_failed',
])

/** Percentages of all but the last, which is the rest. */
const agreed = fc
  .array(fc.integer({ min: 1, max: 800 }), { minLength: 1, maxLength: 11 })
  .map((parts): NonNullable<DraftInput['instalments']> => [
    ...parts.map((percentBp, index) => ({ dueDate: addDays(DAY, index * 15), percent: percentBp / 100 })),
    { dueDate: addDays(DAY, parts.length * 15) },
  ])

const step = fc.oneof(
  fc.record({
    kind: fc.constant('pay' as const),
    which: fc.nat(1),
    cents: fc.integer({ min: 1, max: 60_000 }),
    instalment: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('remove' as const), which: fc.nat(20) }),
  fc.record({
    kind: fc.constant('credit' as const),
    which: fc.nat(1),
    cents: fc.integer({ min: 1, max: 9_000 }),
  }),
  fc.record({ kind: fc.constant('writeOff' as const), which: fc.nat(1) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Owed {
  ids: readonly string[]
  creditId: string
}

async function take(books: TestBooks, { ids, creditId }: Owed, each: Step): Promise<void> {
  if (each.kind === 'pay')
    await books.run('payments.payInvoice', {
      id: ids[each.which]!,
      date: DAY,
      amount: each.cents / 100,
      method: 'transfer',
      instalment: each.instalment,
    })
  else if (each.kind === 'writeOff') await books.run('payments.writeOff', { id: ids[each.which]!, date: DAY })
  else if (each.kind === 'credit')
    await books.run('payments.create', {
      direction: 'in',
      date: DAY,
      amount: 0,
      allocations: [
        { invoiceId: ids[each.which]!, amount: each.cents / 100 },
        { invoiceId: creditId, amount: -each.cents / 100 },
      ],
    })
  else {
    const { items } = await books.run('payments.list', {})
    const one = items[each.which % Math.max(1, items.length)]
    if (one) await books.run('payments.delete', { id: one.id })
  }
}

test('after any payments, credits and removals the open instalments are what is open of the invoice', async () => {
  const books = await openBooks()
  const client = { clientName: 'Cliente Primero, S.L.', clientNif: 'B87654323' }
  const { id: creditId } = await books.invoice({
    ...client,
    lines: [{ description: 'Abono', quantity: -1, unitPrice: 900 }],
  })
  await fc.assert(
    fc.asyncProperty(
      agreed,
      agreed,
      fc.array(step, { minLength: 1, maxLength: 10 }),
      async (first, second, steps) => {
        const ids: string[] = []
        for (const [index, instalments] of [first, second].entries()) {
          const lines = [{ description: 'Servicio', quantity: 1, unitPrice: index === 0 ? 1000 : 333.33 }]
          ids.push((await books.invoice({ ...client, lines, instalments })).id)
        }
        for (const each of steps) {
          try {
            await take(books, { ids, creditId }, each)
          } catch (error) {
            if (!(error instanceof AppError) || !EXPECTED.has(error.code)) throw error
          }
        }
        expect((await verifyPayments(books.test)).faults).toEqual([])
        for (const id of ids) {
          const invoice = await books.run('invoices.get', { id })
          const open = invoice.instalments?.reduce((sum, one) => sum + Math.round(one.amountDue * 100), 0)
          expect(open).toBe(Math.round(invoice.amountDue * 100))
          const next = invoice.instalments?.find(({ amountDue }) => amountDue > 0)
          expect(invoice.dueDate).toBe((next ?? invoice.instalments?.at(-1))?.dueDate)
        }
        const { amount } = await books.run('payments.open', { side: 'receivable', limit: 500 })
        const days = await openByDay(books.test, 'receivable')
        expect(days.reduce((sum, { cents }) => sum + cents, 0)).toBe(Math.round(amount * 100))
      },
    ),
    { numRuns: 10, seed: 20261121 },
  )
})

test('instalments without a fault always add up to the cent, whatever their values', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999_999 }),
      fc.array(
        fc.record({
          percentBp: fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: null }),
          cents: fc.option(fc.integer({ min: 1, max: 9_999_999 }), { nil: null }),
        }),
        { minLength: 2, maxLength: 12 },
      ),
      (payableCents, values) => {
        const instalments = values.map((value, index) => ({ ...value, dueDate: addDays(DAY, index) }))
        if (instalmentFaults(instalments, payableCents, DAY).length > 0) return
        const cents = instalmentCents(instalments, payableCents)
        expect(cents.reduce((sum, each) => sum + each, 0)).toBe(payableCents)
        expect(cents.every((each) => each > 0)).toBe(true)
      },
    ),
    { numRuns: 2_000, seed: 7 },
  )
})
