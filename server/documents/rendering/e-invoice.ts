/** Returns the data of an issued invoice for its structured formats. */
import type { DocumentLanguage } from '../../domain/languages.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import { eInvoiceOf } from '../e-invoice/index.ts'
import type { EInvoice } from '../e-invoice/index.ts'
import { contentOf, partyFacts, totalsOf } from '../../sales/invoices/index.ts'
import type { InvoiceRow } from '../../sales/invoices/index.ts'
import { debitFactsOf, paidWholeOn } from '../../accounting/payments/index.ts'
import { firstRegistration } from '../../registry/index.ts'

/**
 * Returns the day on which an invoice was paid, if that frees its customer from reporting the payment: whole, on the day of the
 * operation, on or before the issue (Orden HAC/1028/2026 art. 7.4).
 */
async function paidAtIssue(ctx: Ctx, row: InvoiceRow): Promise<BusinessDate | null> {
  // Amounts that are open, or were never asked for, need no query.
  if (row.due_cents !== 0 || row.issue_date === null) return null
  const day = await paidWholeOn(ctx, row.id)
  return day !== null && day <= row.issue_date && day === (row.operation_date ?? row.issue_date) ? day : null
}

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
    qrUrl: (await firstRegistration(ctx, row.id))?.qrUrl ?? null,
    paidOn: await paidAtIssue(ctx, row),
  })
}
