/** SQL of payments and their allocations; queries of frequent requests are prepared. */
import type { BusinessDate } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { prepare, prepareInsert } from '../../db/query.ts'
import type { StoredPaymentMethod } from '../../db/schema.ts'
import type { AllocationFacts } from './record.ts'

interface NewPayment {
  publicId: string
  kind: 'payment' | 'compensation' | 'write_off'
  direction: 'in' | 'out'
  date: string
  amountCents: Cents
  advanceCents: Cents
  exchangeCents: Cents
  writtenOffCents: Cents
  feeCents: Cents
  method: StoredPaymentMethod | null
  account: string | null
  reference: string | null
  contactId: number | null
  bankTransactionId: number | null
  remittanceId: number | null
  allocations: readonly {
    kind: 'invoice' | 'received' | 'advance'
    rowId: number
    cents: Cents
    /** 0 without. */
    instalment: number
  }[]
}

type PaymentValues = Omit<NewPayment, 'allocations'> & { bookId: number; at: number }

const insert = prepareInsert((db, p: PaymentValues) =>
  db
    .insertInto('payments')
    .values({
      book_id: p.bookId,
      public_id: p.publicId,
      kind: p.kind,
      direction: p.direction,
      date: p.date,
      amount_cents: p.amountCents,
      advance_cents: p.advanceCents,
      exchange_cents: p.exchangeCents,
      written_off_cents: p.writtenOffCents,
      fee_cents: p.feeCents,
      method: p.method,
      account: p.account,
      reference: p.reference,
      contact_id: p.contactId,
      bank_transaction_id: p.bankTransactionId,
      remittance_id: p.remittanceId,
      created_at: p.at,
    })
    .returning('id'),
)

interface AllocationValues {
  paymentId: number
  position: number
  invoiceId: number | null
  receivedId: number | null
  advanceId: number | null
  cents: Cents
  instalment: number
}

const insertAllocation = prepare((db, p: AllocationValues) =>
  db.insertInto('payment_allocations').values({
    payment_id: p.paymentId,
    position: p.position,
    invoice_id: p.invoiceId,
    received_id: p.receivedId,
    advance_id: p.advanceId,
    cents: p.cents,
    instalment: p.instalment,
  }),
)

/** Inserts a payment with its allocations; returns its row id. */
export async function insertPayment(ctx: Ctx, { allocations, ...payment }: NewPayment): Promise<number> {
  const paymentId = await insert.run(ctx.db, {
    ...payment,
    bookId: ctx.book.id,
    at: ctx.now().getTime(),
  })
  let position = 0
  for (const { kind, rowId, cents, instalment } of allocations)
    await insertAllocation.run(ctx.db, {
      paymentId,
      position: position++,
      invoiceId: kind === 'invoice' ? rowId : null,
      receivedId: kind === 'received' ? rowId : null,
      advanceId: kind === 'advance' ? rowId : null,
      cents,
      instalment,
    })
  return paymentId
}

const byRow = prepare((db, p: { bookId: number; id: number }) =>
  db.selectFrom('payments').selectAll().where('book_id', '=', p.bookId).where('id', '=', p.id),
)

type PaymentRow = NonNullable<Awaited<ReturnType<typeof byRow.first>>>

/** Returns a payment of the book by its row. */
export function findPaymentRow(ctx: Ctx, id: number): Promise<PaymentRow | undefined> {
  return byRow.first(ctx.db, { bookId: ctx.book.id, id })
}

const allocations = prepare((db, p: { paymentId: number }) =>
  db.selectFrom('payment_allocations').selectAll().where('payment_id', '=', p.paymentId).orderBy('position'),
)

const daysOfInvoice = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('payment_allocations as a')
    .innerJoin('payments as p', 'p.id', 'a.payment_id')
    .select(['p.date', 'p.kind'])
    .where('a.invoice_id', '=', p.invoiceId),
)

/**
 * Returns the day of the last payment or set-off of an invoice of which nothing is open; null without one, or where a part was
 * written off: the caller has made sure that nothing is open.
 */
export async function paidWholeOn(ctx: Ctx, invoiceId: number): Promise<BusinessDate | null> {
  const rows = await daysOfInvoice.all(ctx.db, { invoiceId })
  if (rows.some(({ kind }) => kind === 'write_off')) return null
  return rows.reduce<BusinessDate | null>(
    (last, { date }) => (last === null || date > last ? date : last),
    null,
  )
}

/** Returns the allocations of a payment. */
export async function allocationsOf(ctx: Ctx, paymentId: number): Promise<AllocationFacts[]> {
  return (await allocations.all(ctx.db, { paymentId })).map((row) => ({
    ...(row.invoice_id === null ? {} : { invoiceId: row.invoice_id }),
    ...(row.received_id === null ? {} : { receivedId: row.received_id }),
    ...(row.advance_id === null ? {} : { advanceId: row.advance_id }),
    cents: row.cents,
    ...(row.instalment === 0 ? {} : { instalment: row.instalment }),
  }))
}

const remove = prepare((db, p: { id: number; bookId: number }) =>
  db.deleteFrom('payments').where('id', '=', p.id).where('book_id', '=', p.bookId),
)

/** Deletes a payment with its allocations. */
export async function deletePayment(ctx: Ctx, id: number): Promise<void> {
  await remove.run(ctx.db, { id, bookId: ctx.book.id })
}

const setTransaction = prepare((db, p: { id: number; bookId: number; transactionId: number | null }) =>
  db
    .updateTable('payments')
    .set({ bank_transaction_id: p.transactionId })
    .where('id', '=', p.id)
    .where('book_id', '=', p.bookId),
)

/** Links a payment to a bank movement, or unlinks it (null). */
export async function linkToBank(ctx: Ctx, id: number, transactionId: number | null): Promise<void> {
  await setTransaction.run(ctx.db, { id, bookId: ctx.book.id, transactionId })
}
