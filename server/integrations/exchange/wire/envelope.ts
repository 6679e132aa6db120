/**
 * Everything about the platform's web service that its operator has not published, in one file: addresses, names, the
 * envelope, faults and how a query is asked and continued. Client and simulator take all of it from here.
 *
 * What is written here was read from pictures in slides of 10 September 2026, or is an assumption; the list of
 * `documents/e-invoice/exchange/assumptions.ts` has each of them. When the WSDL appears, this file changes, and the assumptions that
 * it settles leave the list.
 */
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import { child, children, textAt } from '../../../domain/formats/xml-reader.ts'
import { xmlDocumentCompact } from '../../../domain/formats/xml-writer.ts'
import type { XmlNode } from '../../../domain/formats/xml-writer.ts'
import type { StatusRole } from '../types.ts'
import { ENVELOPE_XML_LIMITS } from './limits.ts'
import { readRoot, required, Unreadable } from './xml.ts'

/** The tax agency's NIF: the other party of every message. */
export const PLATFORM_NIF = 'Q2826000H'
export const PLATFORM_NAME = 'Agencia Estatal de Administración Tributaria'

const PARTY_TYPE = 'urn:oasis:names:tc:ebcore:partyid-type:iso6523:9920'
/** The answer swaps the parties and keeps the roles. */
const ROLES = { from: 'ebms:initiator', to: 'ebms:responder' }

interface Operation {
  /** Below the address of the service. */
  path: string
  service: string
  action: string
  answer: { service: string; action: string }
}

const same = (service: string, action: string): Pick<Operation, 'service' | 'action' | 'answer'> => ({
  service,
  action,
  answer: { service, action },
})

export const OPERATIONS = {
  send: {
    path: 'ws/SendInvoiceSOAP',
    service: 'urn:cen.eu:en16931:submitinvoice',
    action: 'SubmitInvoice',
    answer: { service: 'urn:cen.eu:en16931:invoice', action: 'SUBMITINVOICE' },
  },
  withdraw: { path: 'ws/CancelInvoiceSOAP', ...same('urn:cen.eu:en16931:cancelinvoice', 'CANCELINVOICE') },
  query_codes: { path: 'ws/GetInvoicesSOAP', ...same('urn:cen.eu:en16931:queryinvoice', 'QUERYBYID') },
  query_period: {
    path: 'ws/GetRegisteredInvoiceSOAP',
    ...same('urn:cen.eu:en16931:queryinvoices', 'QUERYBYFILTER'),
  },
  download_codes: {
    path: 'ws/DownloadInvoicesByIDSOAP',
    ...same('urn:cen.eu:en16931:downloadinvoices', 'DOWNLOADBYID'),
  },
  download: {
    path: 'ws/DownloadInvoicesByLOCSOAP',
    ...same('urn:cen.eu:en16931:downloadinvoices', 'DOWNLOADBYLOC'),
  },
  statuses_recipient: {
    path: 'ws/CustomerInvoiceEventsSOAP',
    ...same('urn:cen.eu:en16931:submitaction', 'AccountingCustomerPartyAction'),
  },
  statuses_issuer: {
    path: 'ws/SupplierInvoiceEventsSOAP',
    ...same('urn:cen.eu:en16931:submitaction', 'AccountingSupplierPartyAction'),
  },
} as const satisfies Record<string, Operation>
export type OperationName = keyof typeof OPERATIONS
export const OPERATION_NAMES = Object.keys(OPERATIONS) as OperationName[]

/** Names of the message properties of a query. */
export const QUERY = {
  role: 'Role',
  company: 'InvoiceCompanyID',
  name: 'InvoiceRegistrationName',
  from: 'RegistrationStartDate',
  to: 'RegistrationEndDate',
  /** The last `cbc:SequenceID` of the page before; absent for the first page. */
  after: 'SequenceID',
} as const

/** Values of the property `Role`. */
export const ROLE_VALUES: Record<StatusRole, string> = {
  issuer: 'AccountingSupplierParty',
  recipient: 'AccountingCustomerParty',
}

/** `cbc:StatusReasonCode` of a page: whether another one follows. */
export const PAGE = { last: 'N', more: 'S' } as const

/** In the answer to a query: response code of the entry of an invoice itself, and name of the instant of a presentation. */
export const FOUND = { invoice: 'REGISTEREDINVOICE', presentedAt: 'RegistrationDate' } as const

/** Names of the properties of a part. */
export const PART = {
  type: 'MimeType',
  statusCode: 'statusCode',
  statusDescription: 'statusDescription',
  id: 'id',
} as const

/** Identifiers of parts with one document. */
export const PART_IDS = { answer: 'status', request: 'request', invoice: 'invoice-' } as const

/** First words of a locator, before its base64: of an original, and of a copy. */
export const LOCATOR_PREFIX = { original: 'LOCGENV1:O:', copy: 'LOCGENV1:C:' } as const

/** Codes in a SOAP fault that say more than that the message is wrong. */
export const FAULT_NOT_ALLOWED = 'SPFE-SIM-AUTHORITY'

/** SOAP versions: both are read, the client writes `WRITTEN_VERSION`, and an answer has the version of its request. */
const SOAP = {
  '1.1': { ns: 'http://schemas.xmlsoap.org/soap/envelope/', type: 'text/xml' },
  '1.2': { ns: 'http://www.w3.org/2003/05/soap-envelope', type: 'application/soap+xml' },
} as const
export type SoapVersion = keyof typeof SOAP
export const WRITTEN_VERSION: SoapVersion = '1.2'

const EB = 'http://docs.oasis-open.org/ebxml-msg/ebms/v3.0/ns/core/200704/'

export const soapType = (version: SoapVersion): string => SOAP[version].type

/** A part of a message as its header names it. */
export interface PartInfo {
  /** `Content-ID` of the part. */
  id: string
  properties: Readonly<Record<string, string>>
}

export interface Envelope {
  version: SoapVersion
  /** Instant. */
  timestamp: string
  messageId: string
  /** The message that this one answers. */
  refToMessageId: string | null
  /** NIF of the sender and of the receiver. */
  from: string
  to: string
  service: string
  action: string
  conversationId: string
  properties: Readonly<Record<string, string>>
  parts: readonly PartInfo[]
}

/** Writes the envelope of a message: all is in its header, the body is empty. */
export function writeEnvelope(envelope: Envelope): string {
  const { version, timestamp, messageId, refToMessageId, from, to, service, action, conversationId } =
    envelope
  const party = (nif: string, role: string): XmlNode[] => [
    ['eb:PartyId', nif, `type="${PARTY_TYPE}"`],
    ['eb:Role', role],
  ]
  const properties = Object.entries(envelope.properties)
  return xmlDocumentCompact([
    'soap:Envelope',
    [
      [
        'soap:Header',
        [
          [
            'eb:Messaging',
            [
              [
                'eb:UserMessage',
                [
                  [
                    'eb:MessageInfo',
                    [
                      ['eb:Timestamp', timestamp],
                      ['eb:MessageId', messageId],
                      refToMessageId === null ? undefined : ['eb:RefToMessageId', refToMessageId],
                    ],
                  ],
                  [
                    'eb:PartyInfo',
                    [
                      ['eb:From', party(from, ROLES.from)],
                      ['eb:To', party(to, ROLES.to)],
                    ],
                  ],
                  [
                    'eb:CollaborationInfo',
                    [
                      ['eb:Service', service],
                      ['eb:Action', action],
                      ['eb:ConversationId', conversationId],
                    ],
                  ],
                  properties.length === 0 ? undefined : ['eb:MessageProperties', propertyNodes(properties)],
                  envelope.parts.length === 0 ? undefined : ['eb:PayloadInfo', envelope.parts.map(partNode)],
                ],
              ],
            ],
          ],
        ],
      ],
      ['soap:Body', []],
    ],
    `xmlns:soap="${SOAP[version].ns}" xmlns:eb="${EB}"`,
  ])
}

/** Names of properties are ours, or checked by `isName`. */
function propertyNodes(properties: readonly (readonly [string, string])[]): XmlNode[] {
  return properties.map(([name, value]) => {
    if (!isName(name)) throw new RangeError(`${name} is no name of a property.`)
    return ['eb:Property', value, `name="${name}"`]
  })
}

const isName = (text: string): boolean => /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(text)
const isPartId = (text: string): boolean => /^[A-Za-z0-9_.@+-]{1,200}$/.test(text)

function partNode({ id, properties }: PartInfo): XmlNode {
  if (!isPartId(id)) throw new RangeError(`${id} is no identifier of a part.`)
  const all = Object.entries({ [PART.type]: 'application/xml', ...properties })
  return ['eb:PartInfo', [['eb:PartProperties', propertyNodes(all)]], `href="cid:${id}"`]
}

/** A SOAP fault. */
export interface SoapFault {
  version: SoapVersion
  /** Whose fault it is: the message's, or the platform's own. */
  blames: 'sender' | 'receiver'
  /** A code of the platform, where it gave one. */
  code: string | null
  text: string
}

/** Reads an envelope or a fault. Throws `Unreadable` for anything else. */
export function readEnvelope(source: Uint8Array): Envelope | SoapFault {
  const root = readRoot(
    source,
    { ns: [SOAP['1.1'].ns, SOAP['1.2'].ns], name: 'Envelope' },
    ENVELOPE_XML_LIMITS,
  )
  const version: SoapVersion = root.ns === SOAP['1.1'].ns ? '1.1' : '1.2'
  const body = only(root, 'Body', root.ns)
  const fault = child(body, 'Fault')
  if (fault?.ns === root.ns) return readFault(version, fault)
  if (body.children.length > 0) throw new Unreadable('The body of the envelope is not empty.')
  const message = only(only(only(root, 'Header', root.ns), 'Messaging', EB), 'UserMessage', EB)
  const info = only(message, 'MessageInfo', EB)
  const parties = only(message, 'PartyInfo', EB)
  const collaboration = only(message, 'CollaborationInfo', EB)
  const parts = children(child(message, 'PayloadInfo'), 'PartInfo').map(readPart)
  if (new Set(parts.map(({ id }) => id)).size < parts.length)
    throw new Unreadable('The header names a part twice.')
  return {
    version,
    timestamp: required(textAt(info, 'Timestamp'), 'eb:Timestamp'),
    messageId: required(textAt(info, 'MessageId'), 'eb:MessageId'),
    refToMessageId: textAt(info, 'RefToMessageId'),
    from: readParty(only(parties, 'From', EB)),
    to: readParty(only(parties, 'To', EB)),
    service: required(textAt(collaboration, 'Service'), 'eb:Service'),
    action: required(textAt(collaboration, 'Action'), 'eb:Action'),
    conversationId: required(textAt(collaboration, 'ConversationId'), 'eb:ConversationId'),
    properties: readProperties(child(message, 'MessageProperties')),
    parts,
  }
}

export function isFault(read: Envelope | SoapFault): read is SoapFault {
  return 'blames' in read
}

function only(parent: XmlElement, name: string, ns: string): XmlElement {
  const found = parent.children.filter((each) => each.name === name && each.ns === ns)
  const [first] = found
  if (!first || found.length > 1) throw new Unreadable(`There is not exactly one ${name}.`)
  return first
}

function readParty(element: XmlElement): string {
  const id = only(element, 'PartyId', EB)
  if (id.attributes.type !== PARTY_TYPE) throw new Unreadable('The type of a party is another one.')
  return required(id.text.trim() || null, 'eb:PartyId')
}

function readProperties(element: XmlElement | null): Record<string, string> {
  const found: Record<string, string> = {}
  for (const each of children(element, 'Property')) {
    const { name = '' } = each.attributes
    if (!isName(name) || Object.hasOwn(found, name))
      throw new Unreadable('A property has no name of its own.')
    found[name] = each.text.trim()
  }
  return found
}

function readPart(element: XmlElement): PartInfo {
  const id = /^cid:(.+)$/.exec(element.attributes.href ?? '')?.[1] ?? ''
  if (!isPartId(id)) throw new Unreadable('A part has no href of the form cid:NAME.')
  return { id, properties: readProperties(child(element, 'PartProperties')) }
}

/** Writes a fault. */
export function writeFault({ version, blames, code, text }: SoapFault): string {
  const spoken = text.slice(0, 500)
  const detail: XmlNode | undefined =
    code === null ? undefined : [version === '1.1' ? 'detail' : 'soap:Detail', [['code', code]]]
  const fault: XmlNode =
    version === '1.1'
      ? [
          'soap:Fault',
          [
            ['faultcode', blames === 'sender' ? 'soap:Client' : 'soap:Server'],
            ['faultstring', spoken],
            detail,
          ],
        ]
      : [
          'soap:Fault',
          [
            ['soap:Code', [['soap:Value', blames === 'sender' ? 'soap:Sender' : 'soap:Receiver']]],
            ['soap:Reason', [['soap:Text', spoken, 'xml:lang="es"']]],
            detail,
          ],
        ]
  return xmlDocumentCompact(['soap:Envelope', [['soap:Body', [fault]]], `xmlns:soap="${SOAP[version].ns}"`])
}

function readFault(version: SoapVersion, fault: XmlElement): SoapFault {
  const value = version === '1.1' ? textAt(fault, 'faultcode') : textAt(fault, 'Code', 'Value')
  const who = /(?:^|:)(Client|Sender|Server|Receiver)(?:\.|$)/.exec(value ?? '')?.[1]
  return {
    version,
    // A code that is none of these proves nothing.
    blames: who === 'Client' || who === 'Sender' ? 'sender' : 'receiver',
    code: textAt(fault, version === '1.1' ? 'detail' : 'Detail', 'code'),
    text: (
      textAt(fault, version === '1.1' ? 'faultstring' : 'Reason', ...(version === '1.1' ? [] : ['Text'])) ??
      ''
    ).slice(0, 500),
  }
}
