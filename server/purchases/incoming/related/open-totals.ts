/** The totals of the documents that wait, for the parts of the books that look for a missing receipt. */
import type { BusinessDate } from '../../../domain/dates.ts'
import type { Cents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { OPEN_STATES } from '../rows.ts'

export interface OpenTotal {
  id: string
  name: string
  totalCents: Cents
  issueDate: BusinessDate | null
}

const MANY = 5_000

/** Returns the documents in euros that nobody has decided about and whose total was read. */
export async function openTotals(ctx: Ctx): Promise<OpenTotal[]> {
  const rows = await ctx.db
    .selectFrom('incoming_documents')
    .select(['public_id', 'name', 'total_cents', 'issue_date'])
    .where('book_id', '=', ctx.book.id)
    .where('state', 'in', [...OPEN_STATES])
    .where('currency', '=', 'EUR')
    .where('total_cents', 'is not', null)
    .orderBy('id')
    .limit(MANY)
    .execute()
  return rows.map((row) => ({
    id: row.public_id,
    name: row.name,
    totalCents: row.total_cents ?? 0,
    issueDate: row.issue_date as BusinessDate | null,
  }))
}
