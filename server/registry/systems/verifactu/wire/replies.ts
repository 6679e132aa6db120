/**
 * Common parts of the readers of the authority's answers: the envelope, the faults, and values that are never
 * guessed.
 */
import { isBusinessDate } from '../../../../domain/dates.ts'
import { sanitizeLine } from '../../../../domain/text.ts'
import { trimValue } from '../record/hashed.ts'
import { NS_RECORD, NS_SOAP } from './namespaces.ts'
import { onlyChild, optionalChild, readXml, XmlError } from './reader.ts'
import type { BusinessDate } from '../../../../domain/dates.ts'
import type { InvoiceKey } from '../record/fields.ts'
import type { XmlElement, XmlLimits } from './reader.ts'

/** The authority refused the message as a whole (SOAP fault). */
export interface FaultReply {
  kind: 'fault'
  /** `Client`: nothing was taken and a retry will not help. `Server`: the outcome is unknown. */
  faultCode: string
  /** The code inside `Codigo[NNNN]`. */
  code?: string
  message: string
}

/** The answer is not exactly of a known shape, so nothing is known. */
export interface UnreadableReply {
  kind: 'unreadable'
  why: string
}

/**
 * Reads the envelope around an answer, with any HTTP status, and passes the content of its body to `answerOf`, unless
 * it is a fault. An XmlError, also one of `answerOf`, makes the reply unreadable; nothing else is thrown here.
 */
export function readEnvelope<Answer>(
  xml: string | Uint8Array,
  answerOf: (content: XmlElement) => Answer,
  limits?: XmlLimits,
): Answer | FaultReply | UnreadableReply {
  try {
    const content = contentOf(readXml(xml, limits))
    return content.ns === NS_SOAP && content.name === 'Fault' ? faultOf(content) : answerOf(content)
  } catch (error) {
    if (error instanceof XmlError) return { kind: 'unreadable', why: error.message }
    throw error
  }
}

function contentOf(envelope: XmlElement): XmlElement {
  if (envelope.ns !== NS_SOAP || envelope.name !== 'Envelope') throw unexpected(envelope)
  refuseOthers(envelope, NS_SOAP, ['Header', 'Body'])
  optionalChild(envelope, NS_SOAP, 'Header')
  const body = onlyChild(envelope, NS_SOAP, 'Body')
  const [content, second] = body.children
  if (!content) throw new XmlError('missing_element', 'the content of Body')
  if (second) throw unexpected(second)
  return content
}

function faultOf(fault: XmlElement): FaultReply {
  // SOAP 1.1 leaves these without a namespace; some servers qualify them.
  const part = (name: string) => optionalChild(fault, '', name) ?? onlyChild(fault, NS_SOAP, name)
  const written = trimValue(part('faultcode').text)
  const message = sanitizeLine(part('faultstring').text)
  const faultCode = written.slice(written.indexOf(':') + 1)
  if (faultCode === '') throw new XmlError('missing_element', 'faultcode')
  const code = /^Codigo\[(\d{1,5})\]/.exec(message)?.[1]
  return { kind: 'fault', faultCode, ...(code === undefined ? {} : { code }), message }
}

/** Returns the trimmed text of the only child of that name. */
export function text(parent: XmlElement, ns: string, name: string): string {
  return leafText(onlyChild(parent, ns, name))
}

/** Returns the trimmed text of an optional child; it may be empty. */
export function optionalText(parent: XmlElement, ns: string, name: string): string | undefined {
  const child = optionalChild(parent, ns, name)
  return child && leafText(child)
}

/** Returns text for people, which is shown and also read by assistants. */
export function optionalMessage(parent: XmlElement, ns: string, name: string): string | undefined {
  const written = optionalText(parent, ns, name)
  return written && sanitizeLine(written)
}

function leafText(element: XmlElement): string {
  const [child] = element.children
  if (child) throw unexpected(child)
  return trimValue(element.text)
}

/** Reads the invoice's key below an element of any name. */
export function keyOf(parent: XmlElement): InvoiceKey {
  return {
    issuerNif: text(parent, NS_RECORD, 'IDEmisorFactura'),
    number: text(parent, NS_RECORD, 'NumSerieFactura'),
    issueDate: dateFromRegistry(text(parent, NS_RECORD, 'FechaExpedicionFactura')),
  }
}

/** Reads the authority's code of an error (CodigoErrorRegistro), digits only. */
export function codeOf(parent: XmlElement, ns: string): string | undefined {
  const code = optionalText(parent, ns, 'CodigoErrorRegistro')
  if (code !== undefined && !/^\d{1,5}$/.test(code))
    throw new XmlError('syntax', `CodigoErrorRegistro ${code}`)
  return code
}

/** Converts `DD-MM-YYYY` to a business date. Throws XmlError when it is not a date of the calendar. */
export function dateFromRegistry(written: string): BusinessDate {
  const match = /^(\d\d)-(\d\d)-(\d{4})$/.exec(written)
  const date = match ? `${match[3]}-${match[2]}-${match[1]}` : ''
  if (!isBusinessDate(date)) throw new XmlError('syntax', `${written} is not a day`)
  return date
}

/** Returns a time as it was written, with its offset. Throws XmlError when it is not a time. */
export function instantOf(written: string): string {
  const valid = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(written)
  if (!valid || Number.isNaN(Date.parse(written)))
    throw new XmlError('syntax', `${written} is not an instant`)
  return written
}

/** Returns the value if the list contains it. Otherwise throws XmlError with the element's name. */
export function oneOf<T extends string>(allowed: readonly T[], written: string, name: string): T {
  const found = allowed.find((item) => item === written)
  if (found === undefined) throw new XmlError('syntax', `${name} ${written}`)
  return found
}

/** Throws XmlError when the element has any other child than these. */
export function refuseOthers(parent: XmlElement, ns: string, names: readonly string[]): void {
  for (const child of parent.children)
    if (child.ns !== ns || !names.includes(child.name)) throw unexpected(child)
}

/** Returns the error for an element in the wrong place. */
export function unexpected(element: XmlElement): XmlError {
  return new XmlError('unexpected_element', element.name)
}
