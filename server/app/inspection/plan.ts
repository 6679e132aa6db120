/** Content of a pack, fixed before its first byte, so that concurrent writes are not half included. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { historyHead } from '../../platform/audit/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { MOST_ZIP_BYTES, MOST_ZIP_ENTRIES } from '../../domain/formats/zip-stream.ts'
import type { Ctx } from '../../context.ts'
import { contentLength } from '../../db/engine-sql.ts'
import { exportRange } from '../../registry/index.ts'
import type { ExportRange } from '../../registry/index.ts'

export interface Years {
  from: number
  to: number
}

export interface Plan {
  years: Years | null
  range: ExportRange | null
  invoices: number
  /** Row of the last invoice included. */
  lastInvoice: number
  events: number
  auditHead: string | null
  /** Years with content, in order. */
  bookYears: number[]
}

/** Files besides those of invoices: messages of records, books, and the files in the root. */
const OTHER_ENTRIES = 5_000
/** Estimated bytes of an invoice without a document yet. */
const DRAWN_BYTES = 60_000

/** Selects invoices of a range of years, by issue date. */
export const inYears = (years: Years | null) =>
  years === null
    ? sql<SqlBool>`1 = 1`
    : sql<SqlBool>`invoices.issue_date between ${`${years.from}-01-01`} and ${`${years.to}-12-31`}`

async function sizeOf(ctx: Ctx, years: Years | null) {
  const { rows } = await sql<{
    invoices: number
    last: number | null
    documents: number
    bytes: number | null
    first: string | null
    latest: string | null
  }>`
    select count(distinct invoices.id) as invoices, max(invoices.id) as last, count(documents.id) as documents,
      sum(${contentLength(sql.ref('documents.bytes'))} + coalesce(length(document_signatures.appended), 0)) as bytes,
      min(issue_date) as first, max(issue_date) as latest
    from invoices left join documents on documents.invoice_id = invoices.id
      left join document_signatures on document_signatures.document_id = documents.id
    where invoices.book_id = ${ctx.book.id} and invoices.state = 'issued' and ${inYears(years)}`.execute(
    ctx.db,
  )
  return rows[0]!
}

/** Returns the years in which invoices were issued or received, or entries booked. */
async function yearsOf(ctx: Ctx, years: Years | null): Promise<number[]> {
  const { rows } = await sql<{ year: number }>`
    select distinct year from (
      select cast(substr(issue_date, 1, 4) as integer) as year from invoices
        where book_id = ${ctx.book.id} and state = 'issued'
      union select cast(substr(reception_date, 1, 4) as integer) from received_invoices
        where book_id = ${ctx.book.id} and state = 'entered'
      union select day / 10000 from journal_entries
        where book_id = ${ctx.book.id}) as years
    where year is not null order by year`.execute(ctx.db)
  return rows
    .map(({ year }) => year)
    .filter((year) => years === null || (year >= years.from && year <= years.to))
}

/** Returns the years of a book with content. */
export const yearsOfBook = (ctx: Ctx): Promise<number[]> => yearsOf(ctx, null)

/**
 * Plans a pack. Throws `nothing_to_export`, or `export_too_many` when it exceeds what a ZIP for every program can
 * hold.
 */
export async function planOf(ctx: Ctx, years: Years | null): Promise<Plan> {
  const range = await exportRange(ctx, years?.from, years?.to)
  const size = await sizeOf(ctx, years)
  const bookYears = await yearsOf(ctx, years)
  if (!range && size.invoices === 0 && bookYears.length === 0) throw new AppError('nothing_to_export')
  const undrawn = Math.max(0, size.invoices - size.documents)
  if (
    size.documents + undrawn + OTHER_ENTRIES > MOST_ZIP_ENTRIES ||
    (size.bytes ?? 0) + undrawn * DRAWN_BYTES > MOST_ZIP_BYTES
  )
    throw new AppError('export_too_many', { details: { most: MOST_ZIP_ENTRIES - OTHER_ENTRIES } })
  const { events, head } = await historyHead(ctx)
  return {
    years,
    range,
    invoices: size.invoices,
    lastInvoice: size.last ?? 0,
    events,
    auditHead: head,
    bookYears,
  }
}
