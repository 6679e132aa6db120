/** Documents of the exchange profile as the simulated platform reads and writes them. */
import { child, textAt } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import * as eInvoice from '../../../documents/e-invoice/index.ts'
import type { InvoiceCode, StatusMessage } from '../types.ts'
import { nifOf, required, requiredDay, Unreadable } from '../wire/xml.ts'

export { checkExchangeInvoice, writeAnswer } from '../../../documents/e-invoice/index.ts'
export type ReadInvoice = ReturnType<typeof eInvoice.readInvoiceCode>

/** Runs a reader of documents, and reports what it throws as unreadable. */
function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Unreadable(error instanceof Error ? error.message : String(error))
  }
}

/** Returns what an invoice is filed by. Throws `Unreadable` if its unique code is not whole. */
export function readInvoiceCode(xml: string): ReadInvoice {
  return reading(() => eInvoice.readInvoiceCode(xml))
}

/** Rules that are checked for each status, not for the message as a whole. */
const LATER = [
  'STATUS-NUMBER',
  'STATUS-DATE',
  'STATUS-INVOICE',
  'STATUS-TWICE',
  'STATUS-DUE',
  'STATUS-REASON',
]

/** Reads a message about statuses; `mixed` for one with statuses of both sides. Throws `Unreadable`. */
export function readStatuses(xml: string): StatusMessage | 'mixed' {
  const findings = eInvoice.checkStatusMessage(xml)
  if (findings.some(({ rule }) => rule === 'STATUS-ROLES')) return 'mixed'
  const broken = findings.find(({ rule }) => !LATER.includes(rule))
  if (broken) throw new Unreadable(`${broken.rule} ${broken.path}: ${broken.message}`)
  return reading(() => eInvoice.readStatusMessage(xml))
}

/** Reads the unique code of a document reference. Throws `Unreadable`. */
export function readCodeReference(reference: XmlElement): InvoiceCode {
  return {
    issuerTaxId: required(nifOf(child(reference, 'IssuerParty')), 'The NIF of cac:IssuerParty'),
    number: required(textAt(reference, 'ID'), 'cbc:ID'),
    issueDate: requiredDay(textAt(reference, 'IssueDate'), 'cbc:IssueDate'),
  }
}

/** Returns the NIF of the sender of an ApplicationResponse. Throws `Unreadable`. */
export function senderOf(root: XmlElement): string {
  return required(nifOf(child(root, 'SenderParty')), 'The NIF of cac:SenderParty')
}
