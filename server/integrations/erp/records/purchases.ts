/** Purchases of a period from the accounting system, compared with those entered here, for the fiscal summary. */
import { jsonNumber } from '../../../db/engine-sql.ts'
import { sql } from 'kysely'
import { businessDateOf } from '../../../domain/dates.ts'
import type { Period } from '../../../domain/dates.ts'
import type { Ctx } from '../../../context.ts'
import type { PurchasesElsewhere } from '../../../accounting/returns/index.ts'
import { connectionsOf, openConnection } from '../connection/rows.ts'
import { watermarksOf } from '../reading/plan.ts'

/**
 * Returns the purchases of a period by the date of the document, because the date of reception is unknown. Null where
 * no accounting system was ever read. All their VAT counts as deductible: only a person can decide otherwise.
 */
export async function erpPurchases(ctx: Ctx, period: Period): Promise<PurchasesElsewhere | null> {
  const open = await openConnection(ctx)
  const row = open ?? (await connectionsOf(ctx))[0]
  if (!row) return null
  const mark = (await watermarksOf(ctx, row.id)).get('received')
  const { from, to } = period
  const within = sql`erp_documents.connection_id = ${row.id} and side = 'received' and list_date >= ${from}
    and list_date <= ${to} and erp_documents.state = 'approved' and missing_since is null`
  const entered = sql`exists (select 1 from received_invoices where received_invoices.book_id = ${ctx.book.id}
    and received_invoices.state = 'entered' and received_invoices.number_key = erp_documents.number_key
    and erp_documents.number_key <> '' and (received_invoices.supplier_nif = erp_documents.party_tax_id
      or received_invoices.external_ref = erp_documents.external_id)
    and substr(received_invoices.issue_date, 1, 4) = substr(list_date, 1, 4))`
  const counted = sql`eur_total_cents is not null and amount_check <> 'failed' and not ${entered}`
  const { rows: sums } = await sql<{
    invoices: number
    here: number
    withoutRate: number
    uncertain: number
    withholding: number
  }>`select count(*) filter (where ${counted}) as invoices, count(*) filter (where ${entered}) as here,
      count(*) filter (where eur_total_cents is null and not ${entered}) as "withoutRate",
      count(*) filter (where eur_total_cents is not null and amount_check = 'failed' and not ${entered}) as uncertain,
      coalesce(sum(case when ${counted} and currency = 'EUR' then ${jsonNumber(sql.ref('record'), 'withholdingCents')} end), 0)
        as withholding
    from erp_documents where ${within}`.execute(ctx.db)
  const { rows: rates } = await sql<{ vatBp: number; base: number; tax: number }>`
    select vat_bp as "vatBp", sum(base_cents) as base, sum(tax_cents) as tax
    from erp_documents join erp_document_taxes on erp_document_taxes.document_id = erp_documents.id
    where ${within} and ${counted} group by vat_bp order by vat_bp desc`.execute(ctx.db)
  const issued = await sql<{ count: number }>`select count(*) as count from erp_documents
    where connection_id = ${row.id} and side = 'issued' and list_date >= ${from} and list_date <= ${to}
      and state = 'approved' and missing_since is null and invoice_id is null`.execute(ctx.db)
  const sum = sums[0]
  return {
    invoices: sum?.invoices ?? 0,
    byRate: rates.map(({ vatBp, base, tax }) => ({ vatBp, baseCents: base, taxCents: tax })),
    withholdingCents: sum?.withholding ?? 0,
    here: sum?.here ?? 0,
    withoutRate: sum?.withoutRate ?? 0,
    uncertain: sum?.uncertain ?? 0,
    issuedElsewhere: issued.rows[0]?.count ?? 0,
    lastSyncAt: row.last_sync_at === null ? null : new Date(row.last_sync_at).toISOString(),
    readFrom: mark?.window_from ?? null,
    readUntil: mark?.last_complete_at == null ? null : businessDateOf(new Date(mark.last_complete_at)),
    isConnected: open?.state === 'connected',
  }
}
