/**
 * Writes and reads answers of the platform: UBL 2.5 DocumentStatus, with the receipt's secure code, the outcome of the batch, and that
 * of each item. Answers to queries add statuses (assumption `query_answer`).
 */
import type { BusinessDate } from '../../../domain/dates.ts'
import { child, children, textAt } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import { xmlDocumentCompact } from '../../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../../domain/formats/xml-writer.ts'
import { readChecked } from '../exchange/check.ts'
import type { Finding } from '../exchange/finding.ts'
import type { InvoiceCode } from '../exchange/invoice-code.ts'
import { readUblDocument, rootAttributes } from '../exchange/ubl.ts'
import type { StatusReport } from './kinds.ts'
import { readReport, responseNode } from './message.ts'
import { invoiceOfReference, opt, partyNode } from './nodes.ts'

const BATCH_CODES = [200, 206, 400] as const
/** All taken, partly taken, none taken. */
export type BatchCode = (typeof BATCH_CODES)[number]

export interface AnswerItem {
  /** Null if the item named no invoice. */
  invoice: InvoiceCode | null
  /** `200`, or `SPFE-` and a code. */
  code: string
  /** Of a refusal; empty otherwise. */
  text: string
  /** Key for the download. */
  locator: string | null
}

/** A status that an answer to a query states, and the invoice's locator beside it. */
export interface AnsweredStatus {
  report: StatusReport
  locator: string | null
}

export interface PlatformAnswer {
  /** Secure code of the receipt. */
  csv: string
  batch: BatchCode
  items: AnswerItem[]
  /** Of an answer to a query. */
  statuses?: AnsweredStatus[]
  /** Page of a query, and whether another one follows. */
  page?: { sequence: string; hasMore: boolean }
}

/** Identifier of an item that named no invoice: the schema requires one. */
const UNNAMED = '-'

/** Reason codes of the page of a query: nothing follows, or more does. */
const LAST_PAGE = 'N'
const MORE_PAGES = 'S'

/** An answer about nothing: the schema requires a reference. */
const NOTHING: XmlNode = ['cac:DocumentReference', [['cbc:ID', UNNAMED]]]

function referenceNode({ invoice, code, text, locator }: AnswerItem): XmlNode {
  return [
    'cac:DocumentReference',
    [
      ['cbc:ID', invoice?.number ?? UNNAMED],
      opt('cbc:IssueDate', invoice?.issueDate),
      opt('cbc:ReferencedDocumentInternalAddress', locator),
      ['cbc:DocumentStatusCode', code],
      opt('cbc:DocumentDescription', text),
      invoice === null ? undefined : partyNode('cac:IssuerParty', invoice.issuerTaxId),
    ],
  ]
}

/** Returns the answer as XML, with the day on which it is given. */
export function writeAnswer(answer: PlatformAnswer, day: BusinessDate): string {
  const { csv, batch, items, statuses = [], page } = answer
  return xmlDocumentCompact([
    'DocumentStatus',
    [
      ['cbc:ID', csv],
      ['cbc:IssueDate', day],
      [
        'cac:DocumentResponse',
        [
          [
            'cac:Response',
            [
              ['cbc:ResponseCode', String(batch)],
              page
                ? [
                    'cac:Status',
                    [
                      ['cbc:StatusReasonCode', page.hasMore ? MORE_PAGES : LAST_PAGE],
                      ['cbc:SequenceID', page.sequence],
                    ],
                  ]
                : undefined,
            ],
          ],
          ...(items.length === 0 ? [NOTHING] : items.map(referenceNode)),
        ],
      ],
      ...statuses.map(({ report, locator }): XmlNode => [
        'cac:AdditionalDocumentResponse',
        [responseNode(report), referenceNode({ invoice: report.invoice, code: '200', text: '', locator })],
      ]),
    ],
    rootAttributes('DocumentStatus'),
  ])
}

/** An item has a code, or names its invoice. */
const isItem = (reference: XmlElement): boolean =>
  child(reference, 'DocumentStatusCode') !== null || textAt(reference, 'ID') !== UNNAMED

function itemOf(reference: XmlElement): AnswerItem {
  return {
    invoice: invoiceOfReference(reference),
    code: textAt(reference, 'DocumentStatusCode') ?? '',
    text: textAt(reference, 'DocumentDescription') ?? '',
    locator: textAt(reference, 'ReferencedDocumentInternalAddress'),
  }
}

/** Reads an answer. Throws `XmlRefused`, or an `Error` for a document that is none: the caller does not know what was done. */
export function readAnswer(xml: string): PlatformAnswer {
  const root = readUblDocument(xml)
  const response = child(root, 'DocumentResponse')
  const own = child(response, 'Response')
  const batch = BATCH_CODES.find((code) => String(code) === textAt(own, 'ResponseCode'))
  const csv = textAt(root, 'ID')
  if (root.name !== 'DocumentStatus' || batch === undefined || csv === null)
    throw new Error('The document is no answer of the platform.')
  const statuses = children(root, 'AdditionalDocumentResponse').map((each) => {
    const report = readReport(each)
    if (report === null) throw new Error('An answer states an unknown status.')
    return {
      report,
      locator: textAt(each, 'DocumentReference', 'ReferencedDocumentInternalAddress'),
    }
  })
  const status = child(own, 'Status')
  const sequence = textAt(status, 'SequenceID')
  return {
    csv,
    batch,
    items: children(response, 'DocumentReference').filter(isItem).map(itemOf),
    ...(statuses.length === 0 ? {} : { statuses }),
    ...(sequence === null
      ? {}
      : { page: { sequence, hasMore: textAt(status, 'StatusReasonCode') !== LAST_PAGE } }),
  }
}

/** Returns what is wrong in an answer; empty if nothing. */
export function checkAnswer(xml: string): Finding[] {
  const { root, findings } = readChecked(xml, 'DocumentStatus')
  if (root === null || findings.length > 0) return findings
  const response = child(root, 'DocumentResponse')
  const found: Finding[] = []
  const path = 'DocumentStatus/DocumentResponse'
  const batch = textAt(response, 'Response', 'ResponseCode')
  if (!BATCH_CODES.some((code) => String(code) === batch))
    found.push({ rule: 'ANSWER-BATCH', path, message: 'The outcome is none of 200, 206, 400.' })
  const items = children(response, 'DocumentReference').filter(isItem)
  const codes = items.map((each) => textAt(each, 'DocumentStatusCode') ?? '')
  if (codes.some((code) => !/^(?:200|SPFE-[A-Z0-9-]{1,40})$/.test(code)))
    found.push({ rule: 'ANSWER-ITEM', path, message: 'An item has no code.' })
  const taken = codes.filter((code) => code === '200').length
  const expected = taken === codes.length ? '200' : taken === 0 ? '400' : '206'
  if (codes.length > 0 && batch !== expected)
    found.push({ rule: 'ANSWER-BATCH', path, message: `The outcome of the batch should be ${expected}.` })
  return found
}
