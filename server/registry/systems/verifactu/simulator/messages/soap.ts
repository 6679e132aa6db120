/** SOAP of the simulated authority: the checks of an envelope before its content is read, and the writing of answers. */
import { trimValue } from '../../record/hashed.ts'
import { NS_SOAP } from '../../wire/namespaces.ts'
import { LARGE_XML_LIMITS, readXml, XmlError } from '../../wire/reader.ts'
import type { XmlElement } from '../../wire/reader.ts'
import { FAULT_MESSAGES } from './fault-messages.ts'
import type { FaultCode } from './fault-messages.ts'

/** A fault of the whole message: answered as a SOAP fault, nothing is registered. */
export class Refusal extends Error {
  readonly code: FaultCode
  readonly detail: string
  constructor(code: FaultCode, detail = '') {
    super(code)
    this.code = code
    this.detail = detail
  }
}

/** Returns the only child of the envelope's body. Throws a Refusal. */
export function contentOf(envelopeXml: string | Uint8Array): XmlElement {
  if (isBlank(envelopeXml)) throw new Refusal('4138')
  let envelope: XmlElement
  try {
    envelope = readXml(envelopeXml, LARGE_XML_LIMITS)
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    throw new Refusal(error.fault === 'not_utf8' ? '4119' : '4103', error.message)
  }
  const body = envelope.children.filter((child) => child.ns === NS_SOAP && child.name === 'Body')
  const content = body[0]?.children[0]
  const shape = envelope.ns === NS_SOAP && envelope.name === 'Envelope' && body.length === 1
  if (!shape || !content || body[0]?.children.length !== 1) throw new Refusal('4102', 'Body')
  return content
}

function isBlank(message: string | Uint8Array): boolean {
  if (typeof message === 'string') return message.trim() === ''
  return message.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d))
}

const OPEN = `<?xml version="1.0" encoding="UTF-8"?>\n<env:Envelope xmlns:env="${NS_SOAP}"><env:Header/><env:Body>`
const CLOSE = '</env:Body></env:Envelope>'

export function envelopeXml(body: string): string {
  return OPEN + body + CLOSE
}

/** Writes a fault with a code of the authority, as `Codigo[NNNN].text`. */
export function refusalXml({ code, detail }: Refusal): string {
  return faultXml('Client', `Codigo[${code}].${FAULT_MESSAGES[code]}${detail === '' ? '' : ` ${detail}`}`)
}

export function faultXml(side: 'Client' | 'Server', text: string): string {
  return envelopeXml(
    `<env:Fault><faultcode>env:${side}</faultcode><faultstring>${escapeText(text)}</faultstring></env:Fault>`,
  )
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }

/**
 * Escapes echoed text: without leading and trailing blanks; a carriage return is received, and sent, only as a
 * character reference.
 */
function escapeText(text: string): string {
  return trimValue(text).replace(/[&<>\r]/g, (sign) => ESCAPES[sign] ?? '')
}

/** Writes an element with text; the answer must have declared `prefix`. */
export function element(prefix: string, name: string, value: string): string {
  return `<${prefix}:${name}>${escapeText(value)}</${prefix}:${name}>`
}

/** Writes a received element, with its children, under another prefix. */
export function echoXml(part: XmlElement, prefix: string, inner: string = prefix): string {
  const content =
    part.children.length > 0
      ? part.children.map((child) => echoXml(child, inner)).join('')
      : escapeText(part.text)
  return `<${prefix}:${part.name}>${content}</${prefix}:${part.name}>`
}
