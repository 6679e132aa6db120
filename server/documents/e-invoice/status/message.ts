/**
 * Writes, reads and checks status messages: UBL 2.5 ApplicationResponse in the form of Annex II (Orden HAC/1028/2026). The annex
 * describes the body alone; see the assumptions `message_header`, `rejection_reason` and `withdraw_path`.
 */
import { child, children, textAt } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import { xmlDocumentCompact } from '../../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../../domain/formats/xml-writer.ts'
import { isNif } from '../../../domain/tax/nif.ts'
import { readChecked } from '../exchange/check.ts'
import type { Finding } from '../exchange/finding.ts'
import { partyNumber } from '../exchange/rules/parties.ts'
import { readUblDocument, rootAttributes } from '../exchange/ubl.ts'
import { kindOfCode, MOST_REPORTS, REJECTION_REASONS, STATUS_DATES, STATUSES } from './kinds.ts'
import type { StatusDate, StatusMessage, StatusReport, StatusRole } from './kinds.ts'
import { invoiceOfReference, opt, partyNode } from './nodes.ts'

const AGENCY = 'Agencia Estatal de Administración Tributaria'
const DATES = Object.entries(STATUS_DATES) as [StatusDate, string][]

/** Returns the response of a report, as messages and answers to queries have it. */
export function responseNode(report: StatusReport): XmlNode {
  const { kind, date, reason, note } = report
  return [
    'cac:Response',
    [
      ['cbc:ResponseCode', STATUSES[kind].code],
      opt('cbc:Description', note),
      opt('cbc:EffectiveDate', date),
      reason === undefined
        ? undefined
        : ['cac:Status', [['cbc:StatusReasonCode', REJECTION_REASONS[reason] ?? reason]]],
      ...DATES.map(([name, mark]): XmlNode | undefined => {
        const day = report[name]
        return day === undefined
          ? undefined
          : [
              'cac:Status',
              [
                ['cbc:ReferenceDate', day],
                ['cac:Condition', [['cbc:AttributeID', mark]]],
              ],
            ]
      }),
    ],
  ]
}

/** Returns the message as XML. Throws if it has no report, too many, or one of the other side. */
export function writeStatusMessage(message: StatusMessage): string {
  const { id, role, senderTaxId, senderName, issuedAt, reports } = message
  if (reports.length === 0 || reports.length > MOST_REPORTS)
    throw new Error(`A message has 1 to ${MOST_REPORTS} statuses, not ${reports.length}.`)
  const strange = reports.find(({ kind }) => STATUSES[kind].role !== role)
  if (strange) throw new Error(`The ${role} of an invoice does not report ${strange.kind}.`)
  return xmlDocumentCompact([
    'ApplicationResponse',
    [
      ['cbc:ID', id],
      ['cbc:IssueDate', issuedAt.slice(0, 10)],
      ['cbc:IssueTime', `${issuedAt.slice(11, 19)}Z`],
      partyNode('cac:SenderParty', senderTaxId, senderName),
      partyNode('cac:ReceiverParty', null, AGENCY),
      ...reports.map((report): XmlNode => [
        'cac:DocumentResponse',
        [
          responseNode(report),
          [
            'cac:DocumentReference',
            [
              ['cbc:ID', report.invoice.number],
              ['cbc:IssueDate', report.invoice.issueDate],
              partyNode('cac:IssuerParty', report.invoice.issuerTaxId),
            ],
          ],
        ],
      ]),
    ],
    rootAttributes('ApplicationResponse'),
  ])
}

const REASON_NAMES = new Map(Object.entries(REJECTION_REASONS).map(([name, code]) => [code, name]))

/** Reads the report of a response; null if its code or its invoice is not there. */
export function readReport(response: XmlElement): StatusReport | null {
  const own = child(response, 'Response')
  const kind = kindOfCode(textAt(own, 'ResponseCode') ?? '')
  const date = textAt(own, 'EffectiveDate') ?? ''
  const invoice = invoiceOfReference(child(response, 'DocumentReference'))
  if (kind === undefined || invoice === null) return null
  const report: StatusReport = { kind, invoice, date }
  const note = textAt(own, 'Description')
  if (note !== null) report.note = note
  for (const status of children(own, 'Status')) {
    const reason = textAt(status, 'StatusReasonCode')
    if (reason !== null) report.reason = REASON_NAMES.get(reason) ?? reason
    const mark = textAt(status, 'Condition', 'AttributeID')
    const name = DATES.find(([, each]) => each === mark)?.[0]
    const day = textAt(status, 'ReferenceDate')
    if (name !== undefined && day !== null) report[name] = day
  }
  return report
}

function instantOf(root: XmlElement): string {
  const time = /^\d\d:\d\d:\d\d/.exec(textAt(root, 'IssueTime') ?? '')?.[0] ?? '00:00:00'
  return `${textAt(root, 'IssueDate') ?? ''}T${time}Z`
}

/** What takes a report back needs no day of its own. */
const isCancellation = (code: string): boolean => code.startsWith('CANCEL')

const rolesOf = (reports: readonly StatusReport[]): Set<StatusRole> =>
  new Set(reports.map(({ kind }) => STATUSES[kind].role))

/**
 * Reads a message. Throws `XmlRefused`, or an `Error` for one without statuses, of both sides, or with a status that is not known;
 * `checkStatusMessage` says what is wrong with one.
 */
export function readStatusMessage(xml: string): StatusMessage {
  const root = readUblDocument(xml)
  const responses = children(root, 'DocumentResponse')
  const reports = responses.map(readReport).filter((report) => report !== null)
  const [role, ...others] = rolesOf(reports)
  const senderTaxId = partyNumber(child(root, 'SenderParty'))
  const id = textAt(root, 'ID')
  if (root.name !== 'ApplicationResponse' || role === undefined || others.length > 0)
    throw new Error('The document is no status message of one side.')
  if (reports.length < responses.length || senderTaxId === null || id === null)
    throw new Error('The status message is incomplete.')
  const senderName = textAt(root, 'SenderParty', 'PartyLegalEntity', 'RegistrationName')
  return {
    id,
    role,
    senderTaxId,
    ...(senderName === null ? {} : { senderName }),
    issuedAt: instantOf(root),
    reports,
  }
}

/** Returns what is wrong in a status message; empty if nothing. */
export function checkStatusMessage(xml: string): Finding[] {
  const { root, findings } = readChecked(xml, 'ApplicationResponse')
  if (root === null || findings.length > 0) return findings
  const found: Finding[] = []
  const say = (rule: string, path: string, message: string) =>
    void found.push({ rule, path: `ApplicationResponse${path}`, message })
  const responses = children(root, 'DocumentResponse')
  if (responses.length === 0 || responses.length > MOST_REPORTS)
    say('STATUS-NUMBER', '', `A message has 1 to ${MOST_REPORTS} statuses.`)
  if (!isNif(partyNumber(child(root, 'SenderParty')) ?? ''))
    say('SENDER-NIF', '/SenderParty', 'The sender has no valid Spanish tax number.')
  const seen = new Set<string>()
  const reports: StatusReport[] = []
  for (const [index, response] of responses.entries()) {
    const path = `/DocumentResponse${index === 0 ? '' : `[${index + 1}]`}`
    const own = child(response, 'Response')
    const code = textAt(own, 'ResponseCode') ?? ''
    if (kindOfCode(code) === undefined) say('STATUS-CODE', path, `The status ${code} is unknown.`)
    if (!isCancellation(code) && textAt(own, 'EffectiveDate') === null)
      say('STATUS-DATE', path, 'The day of the status is missing.')
    const invoice = invoiceOfReference(child(response, 'DocumentReference'))
    if (invoice === null || !isNif(invoice.issuerTaxId))
      say('STATUS-INVOICE', path, 'The status names no invoice by issuer, number and date.')
    const report = readReport(response)
    if (report === null || invoice === null) continue
    reports.push(report)
    const key = JSON.stringify([code, invoice])
    if (seen.has(key)) say('STATUS-TWICE', path, 'The invoice has the status twice.')
    seen.add(key)
    if (report.kind === 'paid' && report.dueDate === undefined)
      say('STATUS-DUE', path, 'A payment states the end of its term.')
    if (report.kind === 'rejected' && !Object.hasOwn(REJECTION_REASONS, report.reason ?? ''))
      say('STATUS-REASON', path, 'A rejection has the reason 01 or 02.')
  }
  if (rolesOf(reports).size > 1) say('STATUS-ROLES', '', 'The statuses are of both sides of an invoice.')
  return found
}
