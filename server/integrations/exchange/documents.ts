/** The documents of the exchange: invoices, messages of statuses, answers. Heavy: loaded with the first document only. */
import {
  exchangeFault,
  readAnswer,
  readInvoiceCode,
  readStatusMessage,
  ubl25Xml,
  writeAnswer,
  writeStatusMessage,
} from '../../documents/e-invoice/index.ts'
import { eInvoiceOfRow } from '../../documents/rendering/index.ts'
import { businessDateOf } from '../../domain/dates.ts'
import type { InvoiceRow } from '../../sales/invoices/index.ts'
import type { Ctx } from '../../context.ts'
import type { PlatformFile, ReadInvoice } from './formats.ts'
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

/** Returns what a document says, or null if it cannot be read as one. */
function readOrNull<Read>(read: () => Read): Read | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** Returns what the document of an invoice says; null for any other text. */
export function readInvoiceDocument(xml: string): ReadInvoice | null {
  return readOrNull(() => readInvoiceCode(xml))
}

/** Returns which of the three documents of the platform a text is; null for any other one. */
export function readFile(xml: string): PlatformFile | null {
  const invoice = readInvoiceDocument(xml)
  if (invoice !== null) return { kind: 'invoice', invoice }
  const message = readOrNull(() => readStatusMessage(xml))
  if (message !== null) return { kind: 'statuses', message }
  const answer = readOrNull(() => readAnswer(xml))
  return answer === null ? null : { kind: 'answer', answer }
}
