/** Reads from a document of the exchange what identifies its invoice, without its content. */
import type { BusinessDate } from '../../../domain/dates.ts'
import { at, children, textAt } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import { partyNumber } from './rules/parties.ts'
import { readUblDocument } from './ubl.ts'

/** The unique code of an invoice: its issuer's number, its own number, its date (RD 238/2026 art. 7.5). */
export interface InvoiceCode {
  /** NIF without prefix. */
  issuerTaxId: string
  /** Series and number as printed. */
  number: string
  issueDate: BusinessDate
}

/** An invoice as its document names it. */
export interface NamedInvoice extends InvoiceCode {
  /** As the document writes it. */
  issuerName: string | null
  recipientTaxId: string | null
  typeCode: string
  /** A faithful copy of an invoice that took another way. */
  copy: boolean
  /** Total with tax, as written. */
  total: string
  /** Day on which it says that it was paid whole (BT-ES-2), if that frees the customer from reporting it (Order art. 7.4). */
  paidOn: BusinessDate | null
}

/** The payment counts if it was on or before the issue, on the day of the operation, and leaves nothing to pay. */
function paidOnOf(root: XmlElement, issueDate: BusinessDate): BusinessDate | null {
  const operation =
    textAt(root, 'TaxPointDate') ?? textAt(root, 'Delivery', 'ActualDeliveryDate') ?? issueDate
  const days = children(root, 'PrepaidPayment').map((each) => textAt(each, 'PaidDate'))
  const paid = days.find((day) => day !== null) ?? null
  const isWhole = Number(textAt(root, 'LegalMonetaryTotal', 'PayableAmount') ?? NaN) === 0
  return paid !== null && isWhole && paid <= issueDate && paid === operation ? paid : null
}

/** Reads the head of an invoice. Throws `XmlRefused`, or an `Error` if the document names no invoice. */
export function readInvoiceCode(xml: string): NamedInvoice {
  const root = readUblDocument(xml)
  const issuerTaxId = partyNumber(at(root, 'AccountingSupplierParty', 'Party'))
  const number = textAt(root, 'ID')
  const issueDate = textAt(root, 'IssueDate')
  if (root.name !== 'Invoice' || issuerTaxId === null || number === null || issueDate === null)
    throw new Error('The document names no invoice.')
  return {
    issuerTaxId,
    number,
    issueDate,
    issuerName:
      textAt(root, 'AccountingSupplierParty', 'Party', 'PartyLegalEntity', 'RegistrationName') ??
      textAt(root, 'AccountingSupplierParty', 'Party', 'PartyName', 'Name'),
    recipientTaxId: partyNumber(at(root, 'AccountingCustomerParty', 'Party')),
    typeCode: textAt(root, 'InvoiceTypeCode') ?? '',
    copy: /^(?:true|1)$/.test(textAt(root, 'CopyIndicator') ?? ''),
    total: textAt(root, 'LegalMonetaryTotal', 'TaxInclusiveAmount') ?? '',
    paidOn: paidOnOf(root, issueDate),
  }
}
