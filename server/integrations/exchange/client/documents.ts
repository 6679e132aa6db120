/** Documents of the platform that the client writes and reads: messages, answers, and the codes of invoices. */
import { child, textAt } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import { xmlDocumentCompact } from '../../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../../domain/formats/xml-writer.ts'
import {
  checkAnswer,
  readAnswer as readDocument,
  readInvoiceCode,
} from '../../../documents/e-invoice/index.ts'
import type { InvoiceCode, PlatformAnswer, StatusMessage } from '../types.ts'
import { PLATFORM_NAME } from '../wire/envelope.ts'
import { MESSAGE_XML_LIMITS } from '../wire/limits.ts'
import { nifOf, requiredDay, taxScheme, UBL, ublNamespaces, Unreadable, utf8Text } from '../wire/xml.ts'

/** Writes an ApplicationResponse with its header. */
export function writeRequest(
  { id, senderTaxId, issuedAt }: Pick<StatusMessage, 'id' | 'senderTaxId' | 'issuedAt'>,
  responses: readonly XmlNode[],
): string {
  return xmlDocumentCompact([
    'ApplicationResponse',
    [
      ['cbc:ID', id],
      ['cbc:IssueDate', issuedAt.slice(0, 10)],
      ['cac:SenderParty', [taxScheme(senderTaxId)]],
      ['cac:ReceiverParty', [['cac:PartyLegalEntity', [['cbc:RegistrationName', PLATFORM_NAME]]]]],
      ...responses,
    ],
    ublNamespaces(UBL.applicationResponse),
  ])
}

/** Reads the answer to a message. Throws `Unreadable` for one that is not whole, or contradicts itself. */
export function readAnswer(bytes: Uint8Array): PlatformAnswer {
  if (bytes.length > MESSAGE_XML_LIMITS.bytes) throw new Unreadable('The answer is too long.')
  const xml = utf8Text(bytes)
  const [finding] = checkAnswer(xml)
  if (finding) throw new Unreadable(`${finding.rule} ${finding.path}: ${finding.message}`)
  try {
    return readDocument(xml)
  } catch (error) {
    throw new Unreadable(error instanceof Error ? error.message : String(error))
  }
}

/** Reads the code of a document reference; null if it is not whole. */
export function readReference(element: XmlElement): InvoiceCode | null {
  const issuerTaxId = nifOf(child(element, 'IssuerParty'))
  const number = textAt(element, 'ID')
  const issueDate = textAt(element, 'IssueDate')
  if (issuerTaxId === null || number === null || issueDate === null) return null
  return { issuerTaxId, number, issueDate: requiredDay(issueDate, 'cbc:IssueDate') }
}

/** Returns the unique code of an invoice. Throws `Unreadable` if it has none. */
export function codeOf(xml: string): InvoiceCode {
  try {
    const { issuerTaxId, number, issueDate } = readInvoiceCode(xml)
    return { issuerTaxId, number, issueDate }
  } catch (error) {
    throw new Unreadable(error instanceof Error ? error.message : String(error))
  }
}
