/** Items that a payment can settle: issued invoices, received invoices, and advances, each with its amount due. */
import { AppError } from '../../domain/errors/app-error.ts'
import type { Cents } from '../../domain/money.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import { resolveInvoice } from '../../sales/invoices/index.ts'
import { resolveReceived } from '../../purchases/invoices/index.ts'
import { prepare } from '../../db/query.ts'

/** An item that a payment settles. Euro cents; negative for a credit. */
export interface Target {
  kind: 'invoice' | 'received' | 'advance'
  rowId: number
  publicId: string
  number: string | null
  name: string
  contactId: number | null
  nif: string | null
  /** Date of the item; paying it earlier gives a warning. */
  date: string
  dueDate: string | null
  payableCents: Cents
  dueCents: Cents
  currency: string
  /** Of an issued invoice in instalments. */
  inInstalments: boolean
  /** Of an advance: received or paid. */
  direction: 'in' | 'out'
}

const invoiceByRow = prepare((db, p: { bookId: number; id: number }) =>
  db
    .selectFrom('invoices')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .select([
      'invoices.id',
      'invoices.public_id',
      'invoices.number',
      'invoices.state',
      'invoices.contact_id',
      'invoices.issue_date',
      'invoices.due_date',
      'invoices.due_cents',
      'invoices.paid_cents',
      'invoices.cancelled_at',
      'invoices.uncollectible_at',
      'invoices.currency',
      'invoices.instalments',
      'parties.name',
      'parties.nif',
    ])
    .where('invoices.book_id', '=', p.bookId)
    .where('invoices.id', '=', p.id),
)

/** Returns an issued invoice of the book, or one of an earlier program. Throws when it is a draft, cancelled or written off. */
export async function invoiceTarget(
  ctx: Ctx,
  rowId: number,
  options: { annulledToo?: boolean } = {},
): Promise<Target> {
  const row = orNotFound(await invoiceByRow.first(ctx.db, { bookId: ctx.book.id, id: rowId }))
  const details = { id: row.public_id }
  if (row.state === 'draft') throw new AppError('invoice_not_issued', { details })
  if (row.cancelled_at !== null && !options.annulledToo) throw new AppError('invoice_cancelled', { details })
  if (row.uncollectible_at !== null) throw new AppError('invoice_uncollectible', { details })
  return {
    kind: 'invoice',
    rowId: row.id,
    publicId: row.public_id,
    number: row.number,
    name: row.name,
    nif: row.nif,
    contactId: row.contact_id,
    date: row.issue_date ?? '',
    dueDate: row.due_date,
    payableCents: row.due_cents + row.paid_cents,
    dueCents: row.cancelled_at === null ? row.due_cents : 0,
    currency: row.currency,
    inInstalments: row.instalments !== null,
    direction: 'in',
  }
}

const receivedByRow = prepare((db, p: { bookId: number; id: number }) =>
  db.selectFrom('received_invoices').selectAll().where('book_id', '=', p.bookId).where('id', '=', p.id),
)

/** Returns a received invoice of the book. Throws when it is void. */
export async function receivedTarget(ctx: Ctx, rowId: number): Promise<Target> {
  const row = orNotFound(await receivedByRow.first(ctx.db, { bookId: ctx.book.id, id: rowId }))
  if (row.state === 'void') throw new AppError('received_void', { details: { id: row.public_id } })
  return {
    kind: 'received',
    rowId: row.id,
    publicId: row.public_id,
    number: row.supplier_number,
    name: row.supplier_name,
    nif: row.supplier_nif_written ?? row.supplier_nif,
    contactId: row.contact_id,
    date: row.issue_date,
    dueDate: row.due_date,
    payableCents: row.payable_cents,
    dueCents: row.payable_cents - row.paid_cents,
    currency: row.currency,
    inInstalments: false,
    direction: 'out',
  }
}

const advanceByRow = prepare((db, p: { bookId: number; id: number }) =>
  db
    .selectFrom('payments')
    .leftJoin('contacts', 'contacts.id', 'payments.contact_id')
    .selectAll('payments')
    .select(['contacts.name', 'contacts.nif'])
    .where('payments.book_id', '=', p.bookId)
    .where('payments.id', '=', p.id),
)

const advanceUses = prepare((db, p: { id: number }) =>
  db
    .selectFrom('payment_allocations')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('cents'), eb.lit(0)).as('cents'))
    .where('advance_id', '=', p.id),
)

/** Returns how much of a payment's advance other payments use. */
export async function advanceUsedCents(ctx: Ctx, paymentRowId: number): Promise<Cents> {
  return (await advanceUses.first(ctx.db, { id: paymentRowId }))?.cents ?? 0
}

/** Returns the unused rest of a payment's advance. */
export async function advanceTarget(ctx: Ctx, rowId: number): Promise<Target> {
  const row = orNotFound(await advanceByRow.first(ctx.db, { bookId: ctx.book.id, id: rowId }))
  return {
    kind: 'advance',
    rowId: row.id,
    publicId: row.public_id,
    number: row.reference,
    name: row.name ?? '',
    nif: row.nif,
    contactId: row.contact_id,
    date: row.date,
    dueDate: null,
    payableCents: row.advance_cents,
    dueCents: row.advance_cents - (await advanceUsedCents(ctx, row.id)),
    currency: 'EUR',
    inInstalments: false,
    direction: row.direction,
  }
}

const paymentByPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db.selectFrom('payments').select('id').where('book_id', '=', p.bookId).where('public_id', '=', p.publicId),
)

/** Returns the row of a payment of the book. Throws `not_found`. */
export async function paymentRowId(ctx: Ctx, publicId: string): Promise<number> {
  return orNotFound(await paymentByPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })).id
}

interface NamedTarget {
  invoiceId?: string | undefined
  receivedId?: string | undefined
  advanceId?: string | undefined
}

/** Resolves the public ids of an allocation to rows. */
export async function resolveTarget(
  ctx: Ctx,
  named: NamedTarget,
): Promise<{ invoiceId?: number; receivedId?: number; advanceId?: number }> {
  if (named.invoiceId !== undefined) return { invoiceId: (await resolveInvoice(ctx, named.invoiceId)).id }
  if (named.receivedId !== undefined) return { receivedId: (await resolveReceived(ctx, named.receivedId)).id }
  return { advanceId: await paymentRowId(ctx, named.advanceId ?? '') }
}
