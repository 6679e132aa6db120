/** SQL of the quotes. */
import type { Selectable } from 'kysely'
import { orNotFound } from '../../context.ts'
import type { Ctx } from '../../context.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { prepare } from '../../db/query.ts'
import type { QuotesTable } from '../../db/schema.ts'
import type { Conversion, DepositPart, Taken } from './open.ts'

export type QuoteRow = Selectable<QuotesTable> & { contact_public_id: string | null }

const PUBLIC_ID = /^quo_[0-9a-z]{16}$/

const byId = prepare((db, p: { bookId: number; publicId: string }) =>
  db
    .selectFrom('quotes')
    .leftJoin('contacts', (join) =>
      join.onRef('contacts.id', '=', 'quotes.contact_id').on('contacts.blocked_at', 'is', null),
    )
    .selectAll('quotes')
    .select('contacts.public_id as contact_public_id')
    .where('quotes.book_id', '=', p.bookId)
    .where('quotes.public_id', '=', p.publicId),
)

const byNumber = prepare((db, p: { bookId: number; number: string; prefixed: string }) =>
  db
    .selectFrom('quotes')
    .select('public_id')
    .where('book_id', '=', p.bookId)
    .where((eb) => eb.or([eb('number', '=', p.number), eb('number', '=', p.prefixed)])),
)

/** Returns the row of an identifier or a number (in a test book also without its `T-`); throws `not_found`. */
export async function resolveQuote(ctx: Ctx, idOrNumber: string): Promise<QuoteRow> {
  let publicId: string | undefined = idOrNumber
  if (!PUBLIC_ID.test(idOrNumber)) {
    const prefixed = ctx.book.mode === 'test' ? `T-${idOrNumber}` : idOrNumber
    publicId = (await byNumber.first(ctx.db, { bookId: ctx.book.id, number: idOrNumber, prefixed }))
      ?.public_id
  }
  if (publicId === undefined) throw new AppError('not_found')
  return orNotFound(await byId.first(ctx.db, { bookId: ctx.book.id, publicId }))
}

/** Returns the row if it has the version that the caller knows. */
export async function quoteToChange(ctx: Ctx, id: string, expectedVersion?: number): Promise<QuoteRow> {
  const row = await resolveQuote(ctx, id)
  if (expectedVersion !== undefined && expectedVersion !== row.version)
    throw new AppError('version_conflict', {
      field: 'expectedVersion',
      details: { expectedVersion, version: row.version },
    })
  return row
}

export interface ConversionRow extends Conversion {
  id: number
  invoiceRowId: number
  invoiceId: string
  number: string | null
  state: 'draft' | 'issued'
  isCancelled: boolean
  isReleased: boolean
  kind: 'lines' | 'deposit'
  percentBp: number | null
  totalCents: number
  createdAt: number
}

const conversions = prepare((db, p: { quoteId: number }) =>
  db
    .selectFrom('quote_conversions')
    .innerJoin('invoices', 'invoices.id', 'quote_conversions.invoice_id')
    .selectAll('quote_conversions')
    .select([
      'invoices.public_id as invoice_public_id',
      'invoices.number as invoice_number',
      'invoices.state as invoice_state',
      'invoices.total_cents as invoice_total_cents',
      'invoices.cancelled_at as invoice_cancelled_at',
    ])
    .where('quote_conversions.quote_id', '=', p.quoteId)
    .orderBy('quote_conversions.id'),
)

/** Returns every invoice made from a quote, oldest first. */
export async function conversionsOf(ctx: Ctx, quoteId: number): Promise<ConversionRow[]> {
  return (await conversions.all(ctx.db, { quoteId })).map((row) => ({
    id: row.id,
    invoiceRowId: row.invoice_id,
    invoiceId: row.invoice_public_id,
    number: row.invoice_number,
    // An invoice of an earlier program comes from no quote.
    state: row.invoice_state === 'draft' ? 'draft' : 'issued',
    isCancelled: row.invoice_cancelled_at !== null,
    isReleased: row.is_released === 1,
    kind: row.kind,
    percentBp: row.percent_bp,
    lines: JSON.parse(row.lines) as Taken[],
    deposits: JSON.parse(row.deposits) as DepositPart[],
    discountCents: row.discount_cents,
    totalCents: row.invoice_total_cents,
    createdAt: row.created_at,
  }))
}

/** Returns the conversions in force: an annulled invoice should not exist and releases what it took. */
export function inForce(rows: readonly ConversionRow[]): ConversionRow[] {
  return rows.filter(({ isCancelled, isReleased }) => !isCancelled && !isReleased)
}
