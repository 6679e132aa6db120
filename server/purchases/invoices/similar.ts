/** Finds entries that may be those of a document: of its supplier, with its file, or without any file. */
import { sql } from 'kysely'
import { numberList } from '../../db/engine-sql.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Cents } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { receptionNumber } from './content.ts'
import { RECEIVED_TARGET } from './view.ts'

/** An entry as others compare it with a document. */
export interface SimilarEntry {
  rowId: number
  id: string
  receptionNumber: string
  supplierName: string
  supplierNif: string | null
  supplierNumber: string | null
  issueDate: BusinessDate
  totalCents: Cents
  payableCents: Cents
  currency: string
  /** In the currency of the document. */
  currencyTotalCents: Cents
}

const COLUMNS = [
  'id',
  'public_id',
  'year',
  'sequence',
  'supplier_name',
  'supplier_nif',
  'supplier_number',
  'issue_date',
  'total_cents',
  'payable_cents',
  'currency',
  'currency_total_cents',
] as const

const entries = (ctx: Ctx) =>
  ctx.db
    .selectFrom('received_invoices')
    .select(COLUMNS)
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'entered')

type EntryRow = Awaited<ReturnType<ReturnType<typeof entries>['execute']>>[number]

const entryOf = (row: EntryRow): SimilarEntry => ({
  rowId: row.id,
  id: row.public_id,
  receptionNumber: receptionNumber(row.year, row.sequence),
  supplierName: row.supplier_name,
  supplierNif: row.supplier_nif,
  supplierNumber: row.supplier_number,
  issueDate: row.issue_date,
  totalCents: row.total_cents,
  payableCents: row.payable_cents,
  currency: row.currency,
  currencyTotalCents: row.currency_total_cents,
})

/** Entries of a supplier that are compared, at most. */
const MANY = 2_000

/** Returns the entries of a supplier issued between two days, newest first. */
export async function entriesOfSupplier(
  ctx: Ctx,
  { nif, from, to }: { nif: string; from: BusinessDate; to: BusinessDate },
): Promise<SimilarEntry[]> {
  const rows = await entries(ctx)
    .where('supplier_nif', '=', nif)
    .where('issue_date', '>=', from)
    .where('issue_date', '<=', to)
    .orderBy('id', 'desc')
    .limit(MANY)
    .execute()
  return rows.map(entryOf)
}

/** Returns the entries to which one of these files is attached. */
export async function entriesWithFile(ctx: Ctx, fileIds: readonly number[]): Promise<SimilarEntry[]> {
  if (fileIds.length === 0) return []
  const rows = await entries(ctx)
    .where(
      sql<boolean>`id in (select target_id from file_links where target_type = ${RECEIVED_TARGET}
        and file_id in ${numberList(fileIds)})`,
    )
    .orderBy('id')
    .execute()
  return rows.map(entryOf)
}

/** Returns entries without a file whose total in euros lies in a range, issued between two days; newest first. */
export async function entriesWithoutFile(
  ctx: Ctx,
  range: { totalFrom: Cents; totalTo: Cents; from: BusinessDate; to: BusinessDate },
): Promise<SimilarEntry[]> {
  const rows = await entries(ctx)
    .where('files', '=', 0)
    .where('total_cents', '>=', range.totalFrom)
    .where('total_cents', '<=', range.totalTo)
    .where('issue_date', '>=', range.from)
    .where('issue_date', '<=', range.to)
    .orderBy('issue_date', 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  return rows.map(entryOf)
}
