/** What the books say of the invoices that are followed. */
import { prepare } from '../../../db/query.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { addDays } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'
import { paidInFullOn } from '../../../accounting/payments/index.ts'
import type { Ctx } from '../../../context.ts'

const COLUMNS = [
  'invoices.id',
  'invoices.public_id',
  'invoices.state',
  'invoices.kind',
  'invoices.number',
  'invoices.issue_date',
  'invoices.operation_date',
  'invoices.due_date',
  'invoices.total_cents',
  'invoices.due_cents',
  'invoices.paid_cents',
  'invoices.contact_id',
  'invoices.simplified_art7273',
  'invoices.cancelled_at',
  'parties.name as client_name',
  'parties.nif as client_nif',
  'parties.country as client_country',
  'parties.id_type as client_id_type',
  'contacts.is_business',
  'contacts.dir3_office',
] as const

const invoiceByPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('invoices')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .leftJoin('contacts', 'contacts.id', 'invoices.contact_id')
    .select(COLUMNS)
    .where('invoices.book_id', '=', p.bookId)
    .where('invoices.public_id', '=', p.publicId),
)

const invoiceById = prepare((db, p: { bookId: number; id: number }) =>
  db
    .selectFrom('invoices')
    .innerJoin('parties', 'parties.id', 'invoices.party_id')
    .leftJoin('contacts', 'contacts.id', 'invoices.contact_id')
    .select(COLUMNS)
    .where('invoices.book_id', '=', p.bookId)
    .where('invoices.id', '=', p.id),
)

/** An issued invoice as far as following it needs it. */
export type IssuedFacts = NonNullable<Awaited<ReturnType<typeof invoiceByPublicId.first>>>

/** Returns an invoice by its public identifier; null if there is none. */
export async function issuedFacts(ctx: Ctx, publicId: string): Promise<IssuedFacts | null> {
  return (await invoiceByPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })) ?? null
}

/** Returns an invoice by its row; null if there is none. */
export async function issuedFactsOf(ctx: Ctx, id: number): Promise<IssuedFacts | null> {
  return (await invoiceById.first(ctx.db, { bookId: ctx.book.id, id })) ?? null
}

const receivedByPublicId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('received_invoices')
    .selectAll()
    .where('book_id', '=', p.bookId)
    .where('public_id', '=', p.publicId),
)

const receivedById = prepare((db, p: { bookId: number; id: number }) =>
  db.selectFrom('received_invoices').selectAll().where('book_id', '=', p.bookId).where('id', '=', p.id),
)

export type ReceivedFacts = NonNullable<Awaited<ReturnType<typeof receivedByPublicId.first>>>

/** Returns a purchase by its public identifier; null if there is none. */
export async function receivedFacts(ctx: Ctx, publicId: string): Promise<ReceivedFacts | null> {
  return (await receivedByPublicId.first(ctx.db, { bookId: ctx.book.id, publicId })) ?? null
}

/** Returns a purchase by its row; null if there is none. */
export async function receivedFactsOf(ctx: Ctx, id: number): Promise<ReceivedFacts | null> {
  return (await receivedById.first(ctx.db, { bookId: ctx.book.id, id })) ?? null
}

/** Days of the term of payment that the law sets where nothing was agreed. Source: Ley 3/2004 art. 4.1. */
const LEGAL_TERM_DAYS = 30

/** Returns the end of the payment term: as agreed, else by law from the operation, or from the issue without its day (RD 238/2026 art. 15). */
export function paymentTermEnd(invoice: {
  due_date: string | null
  operation_date: string | null
  issue_date: string | null
}): BusinessDate | null {
  if (invoice.due_date !== null) return invoice.due_date
  const from = invoice.operation_date ?? invoice.issue_date
  return from === null ? null : addDays(from, LEGAL_TERM_DAYS)
}

/** Returns the day on which an issued invoice was collected in full; null while it was not, or if it is annulled. */
export async function collectedOn(ctx: Ctx, row: IssuedFacts): Promise<BusinessDate | null> {
  if (row.cancelled_at !== null || row.state !== 'issued') return null
  return paidInFullOn(ctx, { invoiceId: row.id }, row.due_cents + row.paid_cents)
}

/** Returns the day on which a purchase was paid in full; null while it was not, or if it is void. */
export async function paidOn(ctx: Ctx, row: ReceivedFacts): Promise<BusinessDate | null> {
  if (row.state !== 'entered') return null
  return paidInFullOn(ctx, { receivedId: row.id }, row.payable_cents)
}

/**
 * Returns the turnover of a calendar year in the books, without taxes and without invoices in other currencies; null if the
 * books begin after its January.
 */
export async function turnoverOf(ctx: Ctx, year: number): Promise<Cents | null> {
  const first = await ctx.db
    .selectFrom('invoices')
    .select((eb) => eb.fn.min<string | null>('issue_date').as('day'))
    .where('book_id', '=', ctx.book.id)
    .where('state', 'in', ['issued', 'history'])
    .executeTakeFirst()
  const day = first?.day ?? null
  if (day === null || day > `${year}-01-31`) return null
  const sum = await ctx.db
    .selectFrom('invoices')
    .select((eb) => eb.fn.sum<number | string | null>('base_cents').as('cents'))
    .where('book_id', '=', ctx.book.id)
    .where('state', 'in', ['issued', 'history'])
    .where('cancelled_at', 'is', null)
    .where('currency', '=', 'EUR')
    .where('issue_date', '>=', `${year}-01-01`)
    .where('issue_date', '<=', `${year}-12-31`)
    .executeTakeFirst()
  return Number(sum?.cents ?? 0)
}
