/** Writes the documents of the exchange: invoices, messages of statuses, answers. Heavy: loaded with the first document only. */
import { exchangeFault, ubl25Xml, writeAnswer, writeStatusMessage } from '../../documents/e-invoice/index.ts'
import { eInvoiceOfRow } from '../../documents/rendering/index.ts'
import { businessDateOf } from '../../domain/dates.ts'
import type { InvoiceRow } from '../../sales/invoices/index.ts'
import type { Ctx } from '../../context.ts'
import type { PlatformAnswer, StatusMessage } from './types.ts'

/** Returns the document of an invoice, or the code of what keeps it from having one. */
export async function writeInvoice(
  ctx: Ctx,
  row: InvoiceRow,
  options: { copy: boolean },
): Promise<{ xml: string } | { fault: string }> {
  const invoice = await eInvoiceOfRow(ctx, row)
  if (!invoice.hasBuyer) return { fault: 'customer_number_missing' }
  const fault = exchangeFault(invoice)
  return fault === null ? { xml: ubl25Xml(invoice, options) } : { fault }
}

/** Returns a message of statuses as its document. */
export const writeStatus = (message: StatusMessage): string => writeStatusMessage(message)

/** Returns an answer as its document. */
export function writePlatformAnswer(answer: PlatformAnswer, at: Date): string {
  return writeAnswer(answer, businessDateOf(at))
}
