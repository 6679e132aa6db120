/** The documents of queries and downloads: writes what is asked for, and reads what was found. */
import { children, child, textAt } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import type { XmlNode } from '../../../domain/formats/xml-writer.ts'
import { kindOfCode, STATUSES } from '../../../documents/e-invoice/index.ts'
import type { Found } from '../port.ts'
import type { InvoiceCode, StatusKind, StatusReport } from '../types.ts'
import { FOUND, PAGE } from '../wire/envelope.ts'
import { MESSAGE_XML_LIMITS, PLATFORM_LIMITS } from '../wire/limits.ts'
import { DATE_MARKS, reasonOfCode } from '../wire/status-codes.ts'
import { readRoot, referenceNode, required, requiredDay, UBL, Unreadable } from '../wire/xml.ts'
import { readReference, writeRequest } from './documents.ts'

interface RequestHead {
  id: string
  senderTaxId: string
  issuedAt: string
}

/** Writes the document of a query by codes. */
export function writeCodes(head: RequestHead, codes: readonly InvoiceCode[]): string {
  return writeRequest(
    head,
    codes.map((code) => responseOf(referenceNode(code))),
  )
}

/** Writes the document of a download by locators. */
export function writeLocators(head: RequestHead, locators: readonly string[]): string {
  return writeRequest(
    head,
    // A reference must have an identifier; that of the invoice is not known here.
    locators.map((locator) =>
      responseOf([
        'cac:DocumentReference',
        [
          ['cbc:ID', locator],
          ['cbc:ReferencedDocumentInternalAddress', locator],
        ],
      ]),
    ),
  )
}

const responseOf = (reference: XmlNode): XmlNode => [
  'cac:DocumentResponse',
  [['cac:Response', []], reference],
]

interface FoundPage {
  found: Found[]
  /** Where the next page continues; null for the last. */
  after: string | null
}

/** Reads the answer to a query. Throws `Unreadable`. */
export function readFound(xml: Uint8Array): FoundPage {
  const root = readRoot(xml, { ns: UBL.documentStatus, name: 'DocumentStatus' }, MESSAGE_XML_LIMITS)
  const response = child(root, 'DocumentResponse')
  const said = child(response, 'Response')
  if (textAt(said, 'ResponseCode') !== '200') throw new Unreadable('The answer to the query is no list.')
  const page = child(said, 'Status')
  const mark = textAt(page, 'StatusReasonCode')
  const sequence = textAt(page, 'SequenceID')
  if ((mark !== PAGE.last && mark !== PAGE.more) || (mark === PAGE.more && sequence === null))
    throw new Unreadable('The page does not say whether another one follows.')
  const day = requiredDay(textAt(root, 'IssueDate'), 'cbc:IssueDate')
  const found = new Map<string, Found>()
  for (const element of children(response, 'DocumentReference')) {
    // A reference of an empty answer, which UBL asks for, has no code.
    if (textAt(element, 'DocumentStatusCode') !== '200') continue
    const invoice = readReference(element)
    if (!invoice) throw new Unreadable('An invoice has no whole code.')
    const key = keyOf(invoice)
    if (found.has(key)) throw new Unreadable('An invoice is listed twice.')
    found.set(key, {
      invoice,
      locator: textAt(element, 'ReferencedDocumentInternalAddress') ?? '',
      presentedAt: `${day}T00:00:00.000Z`,
      copy: textAt(element, 'CopyIndicator') === 'true',
      withdrawn: false,
      statuses: [],
    })
  }
  for (const element of children(root, 'AdditionalDocumentResponse')) addTo(found, element, day)
  if (found.size > PLATFORM_LIMITS.foundOfPage) throw new Unreadable('The page is too long.')
  for (const { locator } of found.values())
    if (locator === '') throw new Unreadable('An invoice has no locator.')
  return { found: [...found.values()], after: mark === PAGE.more ? sequence : null }
}

const keyOf = ({ issuerTaxId, number, issueDate }: InvoiceCode): string =>
  JSON.stringify([issuerTaxId, number, issueDate])

/** Adds the entry of a presentation or of a status to its invoice. */
function addTo(found: Map<string, Found>, element: XmlElement, day: string): void {
  const reference = child(element, 'DocumentReference')
  const invoice = reference && readReference(reference)
  const entry = invoice && found.get(keyOf(invoice))
  if (!reference || !invoice || !entry) throw new Unreadable('An entry belongs to no invoice of the page.')
  if (entry.locator === '') entry.locator = textAt(reference, 'ReferencedDocumentInternalAddress') ?? ''
  const response = child(element, 'Response')
  const code = required(textAt(response, 'ResponseCode'), 'cbc:ResponseCode')
  const presentedAt = instantOf(response) ?? `${day}T00:00:00.000Z`
  if (code === FOUND.invoice) {
    entry.presentedAt = presentedAt
    return
  }
  const kind = kindOfCode(code)
  // A status that this version does not know is no reason to lose the others.
  if (!kind) return
  entry.statuses.push({ ...reportOf(kind, invoice, response), role: STATUSES[kind].role, presentedAt })
}

function reportOf(kind: StatusKind, invoice: InvoiceCode, response: XmlElement | null): StatusReport {
  const effective = textAt(response, 'EffectiveDate')
  const report: StatusReport = {
    kind,
    invoice,
    date: effective === null ? '' : requiredDay(effective, 'cbc:EffectiveDate'),
  }
  const reason = children(response, 'Status')
    .map((each) => textAt(each, 'StatusReasonCode'))
    .find((each) => each !== null)
  if (reason) report.reason = reasonOfCode(reason)
  const note = textAt(response, 'Description')
  if (note !== null) report.note = note
  for (const [name, mark] of DATE_MARKS) {
    const status = conditionOf(response, mark)
    if (status) report[name] = requiredDay(textAt(status, 'ReferenceDate'), 'cbc:ReferenceDate')
  }
  return report
}

function conditionOf(response: XmlElement | null, name: string): XmlElement | null {
  return (
    children(response, 'Status').find((each) => textAt(each, 'Condition', 'AttributeID') === name) ?? null
  )
}

/** The instant of the presentation that an entry names; null without one. */
function instantOf(response: XmlElement | null): string | null {
  const status = conditionOf(response, FOUND.presentedAt)
  if (!status) return null
  const day = requiredDay(textAt(status, 'ReferenceDate'), 'The day of the presentation')
  const instant = new Date(`${day}T${textAt(status, 'ReferenceTime') ?? '00:00:00Z'}`)
  if (Number.isNaN(instant.getTime())) throw new Unreadable('The time of a presentation cannot be read.')
  return instant.toISOString()
}
