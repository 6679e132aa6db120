/**
 * The documents of the exchange as this slice uses them. Everything that depends on their form is loaded with the first one:
 * a book that exchanges nothing loads none of it.
 */
import { findInvoiceByRow } from '../../sales/invoices/index.ts'
import type { Ctx } from '../../context.ts'
import type { InvoiceCode, PlatformAnswer, StatusMessage } from './types.ts'

/** What an invoice's document says of it. */
export interface ReadInvoice extends InvoiceCode {
  issuerName: string | null
  recipientTaxId: string | null
  typeCode: string
  copy: boolean
  total: string
  /** Day on which it was paid, if the invoice itself says so. */
  paidOn: string | null
}

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

/** Returns what the document of an invoice says; null if it cannot be read. */
export async function readInvoice(bytes: Uint8Array): Promise<ReadInvoice | null> {
  return (await documents()).readInvoiceDocument(Buffer.from(bytes).toString('utf8'))
}

/** A file of the platform. */
export type PlatformFile =
  | { kind: 'invoice'; invoice: ReadInvoice }
  | { kind: 'statuses'; message: StatusMessage }
  | { kind: 'answer'; answer: PlatformAnswer }

/** Returns what a file is; null for anything else. */
export async function readPlatformFile(bytes: Uint8Array): Promise<PlatformFile | null> {
  return (await documents()).readFile(Buffer.from(bytes).toString('utf8'))
}
