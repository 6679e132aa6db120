/** Returns the data of an issued invoice for its structured formats. */
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { Ctx } from '../../context.ts'
import { eInvoiceOf } from '../e-invoice/index.ts'
import type { EInvoice } from '../e-invoice/index.ts'
import { contentOf, partyFacts, totalsOf } from '../../sales/invoices/index.ts'
import type { InvoiceRow } from '../../sales/invoices/index.ts'
import { debitFactsOf } from '../../accounting/payments/index.ts'

/** Returns the data of an invoice. Throws for a draft, which has neither number nor issuer. */
export async function eInvoiceOfRow(
  ctx: Ctx,
  row: InvoiceRow,
  language: DocumentLanguage = row.language,
): Promise<EInvoice> {
  if (row.number === null || row.issue_date === null || row.issuer_id === null)
    throw new Error('A draft has no structured format.')
  const content = { ...(await contentOf(ctx.db, row)), language }
  const isDebit = content.paymentMethod === 'direct_debit'
  return eInvoiceOf(content, totalsOf(content), {
    number: row.number,
    // A printed number is the code of its series, a hyphen, and the count.
    seriesCode: row.number.slice(0, row.number.lastIndexOf('-')),
    issueDate: row.issue_date,
    issuer: await partyFacts(ctx.db, row.issuer_id),
    debit: isDebit && row.contact_id !== null ? await debitFactsOf(ctx, row.contact_id) : null,
  })
}
