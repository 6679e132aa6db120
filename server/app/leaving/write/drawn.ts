/** Documents of issued invoices that were not drawn yet: an archive has the PDF of every invoice. */
import type { Ctx } from '../../../context.ts'
import { DocumentPending, issuedDocument } from '../../../documents/rendering/index.ts'
import { resolveInvoice } from '../../../sales/invoices/index.ts'

/** Returns the issued invoices without a PDF, oldest first. */
export async function documentsMissing(ctx: Ctx): Promise<{ id: string; number: string }[]> {
  const rows = await ctx.db
    .selectFrom('invoices')
    .select(['public_id as id', 'number'])
    .where('book_id', '=', ctx.book.id)
    .where('state', '=', 'issued')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('documents')
            .select('documents.id')
            .whereRef('documents.invoice_id', '=', 'invoices.id')
            .where('documents.format', '<>', 'facturae'),
        ),
      ),
    )
    .orderBy('invoices.id')
    .execute()
  return rows.map(({ id, number }) => ({ id, number: number ?? id }))
}

/** Draws and keeps the PDF of an invoice, waiting as long as others draw. Returns false if it cannot be drawn. */
export async function drawDocument(ctx: Ctx, id: string): Promise<boolean> {
  for (;;) {
    try {
      await issuedDocument(ctx, await resolveInvoice(ctx, id), { format: 'pdf', language: null })
      return true
    } catch (error) {
      if (error instanceof DocumentPending) continue
      ctx.env.report('leaving', error)
      return false
    }
  }
}
