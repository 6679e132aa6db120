/**
 * The documents that the exchange writes. Everything that depends on their form is loaded with the first one: a book that
 * exchanges nothing loads none of it. What others wrote is read in a child process (`documents/e-invoice/reading/`).
 */
import { findInvoiceByRow } from '../../sales/invoices/index.ts'
import type { Ctx } from '../../context.ts'
import type { PlatformAnswer, StatusMessage } from './types.ts'

const documents = () => import('./documents.ts')

/** Returns the document of an issued invoice, by row id; or the code of what keeps it from having one. */
export async function invoiceXml(
  ctx: Ctx,
  invoiceId: number,
  options: { copy: boolean },
): Promise<{ xml: string } | { fault: string }> {
  const row = await findInvoiceByRow(ctx, invoiceId)
  if (row === undefined) throw new Error(`Invoice ${invoiceId} is missing.`)
  return (await documents()).writeInvoice(ctx, row, options)
}

/** Returns a message of statuses as its document. */
export async function statusXml(message: StatusMessage): Promise<string> {
  return (await documents()).writeStatus(message)
}

/** Returns an answer of the platform as its document. */
export async function answerXml(answer: PlatformAnswer, at: Date): Promise<string> {
  return (await documents()).writePlatformAnswer(answer, at)
}
