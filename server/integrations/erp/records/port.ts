/** Finds the purchases of the accounting system that may be a supplier's document (see `RelatedRecords` of context.ts). Imports no schema: it is loaded at start. */
import { sql } from 'kysely'
import { addDays, daysBetween } from '../../../domain/dates.ts'
import { searchText } from '../../../domain/text.ts'
import type { Ctx, DocumentFacts, RelatedRecord } from '../../../context.ts'

interface PurchaseRow {
  public_id: string
  number: string | null
  number_key: string
  list_date: string
  party_name: string
  party_tax_id: string | null
  currency: string
  total_cents: number
  eur_total_cents: number | null
}

const DAYS = 60
const SAME_DAYS = 3

const keyOf = (number: string | null): string => (number ?? '').toUpperCase().replace(/\s+/g, '')

/** Returns the purchases of the accounting system that may be a document: of its supplier with its number or total. */
export async function erpPurchasesFor(ctx: Ctx, facts: DocumentFacts): Promise<RelatedRecord[]> {
  const { issueDate, totalCents, payableCents, nif, supplierName } = facts
  const key = keyOf(facts.number)
  if (totalCents === null && key === '') return []
  const day = issueDate ?? ctx.today()
  const { rows } =
    await sql<PurchaseRow>`select d.public_id, d.number, d.number_key, d.list_date, d.party_name, d.party_tax_id,
      d.currency, d.total_cents, d.eur_total_cents
    from erp_documents d join erp_connections c on c.id = d.connection_id
    where c.book_id = ${ctx.book.id} and d.side = 'received' and d.missing_since is null and d.state <> 'cancelled'
      and d.list_date >= ${addDays(day, -DAYS)} and d.list_date <= ${addDays(day, DAYS)}
      and ((d.number_key = ${key} and d.number_key <> '') or d.total_cents in (${totalCents ?? -1}, ${payableCents ?? -1}))
    order by d.list_date, d.id limit 20`.execute(ctx.db)
  return rows.flatMap((row) => {
    const because: RelatedRecord['because'][number][] = []
    // Some count withholding out of their total, as it is paid.
    const isAmount = row.total_cents === totalCents || row.total_cents === payableCents
    if (isAmount && row.currency === facts.currency) because.push('amount')
    if (Math.abs(daysBetween(day, row.list_date)) <= SAME_DAYS) because.push('date')
    if (key !== '' && row.number_key === key) because.push('number')
    const isNamed = supplierName !== null && searchText(supplierName) === searchText(row.party_name)
    const isSupplier = (nif !== null && nif === row.party_tax_id) || isNamed
    if (isSupplier) because.push('name')
    // A number or a total alone is that of many suppliers.
    if (!isSupplier || !(because.includes('amount') || because.includes('number'))) return []
    return [
      {
        id: row.public_id,
        label: `${row.number ?? ''} · ${row.party_name}`,
        date: row.list_date,
        amountCents: row.eur_total_cents ?? row.total_cents,
        because,
      },
    ]
  })
}
