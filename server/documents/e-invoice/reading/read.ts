/** Reads the documents of the platform. Pure; in the program it runs in a child process only (`read-apart.ts`). */
import { readInvoiceCode } from '../exchange/invoice-code.ts'
import type { NamedInvoice } from '../exchange/invoice-code.ts'
import { readAnswer } from '../status/answer.ts'
import type { PlatformAnswer } from '../status/answer.ts'
import type { StatusMessage } from '../status/kinds.ts'
import { readStatusMessage } from '../status/message.ts'

/** A file of the platform. */
export type PlatformFile =
  | { kind: 'invoice'; invoice: NamedInvoice }
  | { kind: 'statuses'; message: StatusMessage }
  | { kind: 'answer'; answer: PlatformAnswer }

export interface ReadingJob {
  bytes: Uint8Array
  /** An invoice only, instead of any of the three documents. */
  invoiceOnly: boolean
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
function readInvoice(xml: string): NamedInvoice | null {
  return readOrNull(() => readInvoiceCode(xml))
}

/** Returns which of the three documents of the platform some bytes are; null for anything else. */
export function readDocument({ bytes, invoiceOnly }: ReadingJob): PlatformFile | null {
  const xml = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const invoice = readInvoice(xml)
  if (invoice !== null) return { kind: 'invoice', invoice }
  if (invoiceOnly) return null
  const message = readOrNull(() => readStatusMessage(xml))
  if (message !== null) return { kind: 'statuses', message }
  const answer = readOrNull(() => readAnswer(xml))
  return answer === null ? null : { kind: 'answer', answer }
}
