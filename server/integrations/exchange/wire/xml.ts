/** Reads the XML of the platform's messages from bytes, and names what UBL documents are made of. */
import { children, readXml, textAt, XmlRefused } from '../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../domain/formats/xml-reader.ts'
import type { XmlNode } from '../../../domain/formats/xml-writer.ts'
import type { InvoiceCode } from '../types.ts'

export const UBL = {
  applicationResponse: 'urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2',
  documentStatus: 'urn:oasis:names:specification:ubl:schema:xsd:DocumentStatus-2',
  cac: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  cbc: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
} as const

/** Returns the namespace declarations of a UBL document. */
export function ublNamespaces(root: string): string {
  return `xmlns="${root}" xmlns:cac="${UBL.cac}" xmlns:cbc="${UBL.cbc}"`
}

/** A document that cannot be read: not well-formed, beyond the limits, or without something that it needs. */
export class Unreadable extends Error {
  constructor(detail: string) {
    super(detail)
    this.name = 'Unreadable'
  }
}

/** Limits of a document; `bytes` is checked before anything is decoded. */
type Limits = Parameters<typeof readXml>[1] & { bytes: number }

/** Returns the text of UTF-8 bytes. Throws `Unreadable`. */
export function utf8Text(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Unreadable('The bytes are not UTF-8.')
  }
}

/** Reads a document and checks the name of its root. Throws `Unreadable`, also for a DOCTYPE. */
export function readRoot(
  source: string | Uint8Array,
  wanted: { ns: string | readonly string[]; name: string },
  limits: Limits,
): XmlElement {
  // A character of a string is at least one byte.
  if (source.length > limits.bytes) throw new Unreadable(`The document has more than ${limits.bytes} bytes.`)
  const text = typeof source === 'string' ? source : utf8Text(source)
  let root: XmlElement
  try {
    root = readXml(text, limits)
  } catch (error) {
    if (error instanceof XmlRefused)
      throw new Unreadable(`Line ${error.line}: ${error.fault}. ${error.message}`.slice(0, 300))
    throw error
  }
  const spaces = typeof wanted.ns === 'string' ? [wanted.ns] : wanted.ns
  if (root.name !== wanted.name || !spaces.includes(root.ns))
    throw new Unreadable(`The document is no ${wanted.name}.`)
  return root
}

/** Returns a text that a document must have. Throws `Unreadable`. */
export function required(text: string | null, what: string): string {
  if (text === null) throw new Unreadable(`${what} is missing.`)
  return text
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Returns a day of the calendar; a time zone after it is dropped. Throws `Unreadable`. */
export function requiredDay(text: string | null, what: string): string {
  const day = required(text, what).replace(/(?:Z|[+-]\d{2}:\d{2})$/, '')
  if (!DAY.test(day) || Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day)
    throw new Unreadable(`${what} is no day.`)
  return day
}

/** Returns the NIF of a party; a VAT number loses its prefix. Null without one. */
export function nifOf(party: XmlElement | null): string | null {
  let vat: string | null = null
  for (const scheme of children(party, 'PartyTaxScheme')) {
    const id = textAt(scheme, 'CompanyID')
    const name = textAt(scheme, 'TaxScheme', 'ID')
    if (name === 'LOC' && id) return id
    if (name === 'VAT' && id) vat ??= id.replace(/^ES/, '')
  }
  return vat
}

/** Returns the element of a party that holds a NIF in the form of Annex I (`LOC`, `FC`). */
export function taxScheme(nif: string): XmlNode {
  return [
    'cac:PartyTaxScheme',
    [
      ['cbc:CompanyID', nif, 'schemeID="FC"'],
      ['cac:TaxScheme', [['cbc:ID', 'LOC']]],
    ],
  ]
}

/** Returns the reference to an invoice by its unique code. */
export function referenceNode(
  { issuerTaxId, number, issueDate }: InvoiceCode,
  { copy, locator, status, text }: { copy?: boolean; locator?: string; status?: string; text?: string } = {},
): XmlNode {
  return [
    'cac:DocumentReference',
    [
      ['cbc:ID', number],
      copy === undefined ? undefined : ['cbc:CopyIndicator', String(copy)],
      ['cbc:IssueDate', issueDate],
      locator === undefined ? undefined : ['cbc:ReferencedDocumentInternalAddress', locator],
      status === undefined ? undefined : ['cbc:DocumentStatusCode', status],
      text === undefined ? undefined : ['cbc:DocumentDescription', text],
      ['cac:IssuerParty', [taxScheme(issuerTaxId)]],
    ],
  ]
}
