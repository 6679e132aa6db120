/**
 * Wire of Araba and Gipuzkoa: one file in a message, answered by a `TicketBaiResponse`. Neither service has a query: a file whose
 * answer was lost is sent again, byte for byte, and the code "already registered" or "already cancelled" answers the question.
 */
import { child, children, readXml, textAt, XmlRefused } from '../../../../domain/formats/xml-reader.ts'
import type { XmlElement } from '../../../../domain/formats/xml-reader.ts'
import { XML_CODES } from './codes.ts'
import { notTaken, outcomeOfTransport, plainText, Unreadable } from './outcome.ts'
import type {
  RecordKind,
  RecordOutcome,
  SealedFile,
  ServiceCode,
  WireExchange,
  WireRequest,
} from './outcome.ts'
import type { ServiceAddresses } from './services.ts'

export const RESPONSE_NAMESPACE = 'urn:ticketbai:emision'
/** Files in a message. */
export const FILES_PER_MESSAGE = 1
/** State of an answer: the file is kept, or it is not. */
export const STATE = { kept: '00', refused: '01' } as const

/** Characters of an identifier, and of its part `TBAI-`, tax number, `-`, day. */
const IDENTIFIER_CHARS = 39
const ISSUER_AND_DAY = 21
const ANSWER_BYTES = 256 * 1024
const LIMITS = { depth: 12, nodes: 4_000, elementChars: 20_000, totalChars: 200_000 }

const ADDRESS_OF: Readonly<
  Record<RecordKind, 'invoice' | 'cancellation' | 'correction' | 'cancellationCorrection'>
> = {
  invoice: 'invoice',
  cancellation: 'cancellation',
  correction: 'correction',
  cancellation_correction: 'cancellationCorrection',
}

/** Returns the message of a file. Throws a RangeError for a kind that the service does not take. */
export function xmlRequest(
  service: ServiceAddresses,
  { kind, xml }: Pick<SealedFile, 'kind' | 'xml'>,
): WireRequest {
  const url = service[ADDRESS_OF[kind]]
  if (url === null) throw new RangeError(`The service takes no ${kind}.`)
  return {
    url,
    headers: { 'content-type': 'application/xml;charset=UTF-8', 'accept-encoding': 'identity' },
    body: xml,
    answerBytes: ANSWER_BYTES,
  }
}

/** An answer as it was read. */
interface XmlResponse {
  identifier: string | null
  /** DD-MM-YYYY hh:mm:ss, by the service's clock. */
  receivedAt: string
  state: (typeof STATE)[keyof typeof STATE]
  description: string
  codes: ServiceCode[]
  /** Secure code of the receipt. */
  receipt: string | null
}

/** Reads the body of an answer. Throws `Unreadable`. */
function readXmlResponse(body: Uint8Array): XmlResponse {
  const root = rootOf(body)
  if (root.name !== 'TicketBaiResponse' || root.ns !== RESPONSE_NAMESPACE)
    throw new Unreadable('The answer is no TicketBaiResponse.')
  const [output, ...others] = root.children
  if (!output || output.name !== 'Salida' || others.length > 0)
    throw new Unreadable('The answer has no Salida.')
  const state = only(output, 'Estado')
  if (state !== STATE.kept && state !== STATE.refused)
    throw new Unreadable(`The state ${plainText(state)} is not known.`)
  const receivedAt = only(output, 'FechaRecepcion')
  if (!/^\d{2}-\d{2}-\d{4} \d{2}:\d{2}:\d{2}$/.test(receivedAt))
    throw new Unreadable('The time of reception has another form.')
  const codes = children(output, 'ResultadosValidacion').map((result): ServiceCode => {
    const code = only(result, 'Codigo')
    if (!/^\d{3}$/.test(code)) throw new Unreadable('A code has another form.')
    const basque = plainText(textAt(result, 'Azalpena'))
    return { code, text: plainText(textAt(result, 'Descripcion')), ...(basque === '' ? {} : { basque }) }
  })
  return {
    identifier: textAt(output, 'IdentificadorTBAI'),
    receivedAt,
    state,
    description: plainText(textAt(output, 'Descripcion')),
    codes,
    receipt: textAt(output, 'CSV'),
  }
}

function rootOf(body: Uint8Array): XmlElement {
  try {
    return readXml(new TextDecoder('utf-8', { fatal: true }).decode(body), LIMITS)
  } catch (error) {
    if (error instanceof XmlRefused) throw new Unreadable(`Line ${error.line}: ${error.fault}.`)
    if (error instanceof TypeError) throw new Unreadable('The answer is not UTF-8.')
    throw error
  }
}

function only(element: XmlElement, name: string): string {
  const found = children(element, name)
  if (found.length !== 1) throw new Unreadable(`${name} is there ${found.length} times.`)
  return child(element, name)?.text.trim() ?? ''
}

/** Returns what an exchange proves about the file that was sent. Never throws. */
export function readXmlExchange(
  file: Pick<SealedFile, 'kind' | 'identifier'>,
  exchange: WireExchange,
): RecordOutcome {
  if (exchange.kind !== 'answered') return outcomeOfTransport(exchange)
  let response: XmlResponse
  try {
    response = readXmlResponse(exchange.body)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return (
      outcomeOfTransport(exchange) ?? {
        kind: 'unknown',
        detail: `Status ${exchange.status}. ${error.message}`,
      }
    )
  }
  return outcomeOfResponse(file, response)
}

function outcomeOfResponse(
  { kind, identifier }: Pick<SealedFile, 'kind' | 'identifier'>,
  response: XmlResponse,
): RecordOutcome {
  const { state, codes } = response
  const other = (chars: number): boolean =>
    identifier !== null &&
    response.identifier !== null &&
    response.identifier.slice(0, chars) !== identifier.slice(0, chars)
  // An answer about another issuer or another day is one to another message.
  if (other(ISSUER_AND_DAY)) return strayAnswer(response)
  const effects = codes.map(({ code }) => XML_CODES[code]?.effect ?? 'unclear')
  if (state === STATE.kept) {
    // An answer about another file proves nothing about this one.
    if (other(IDENTIFIER_CHARS)) return strayAnswer(response)
    if (effects.some((effect) => effect === 'rejects' || effect === 'held' || effect === 'not_taken'))
      return { kind: 'unknown', detail: 'The answer says that it keeps the file, and why it does not.' }
    const { receipt, receivedAt } = response
    return { kind: 'accepted', warnings: codes, receipt, receivedAt }
  }
  const held = HELD_CODE[kind]
  if (codes.some(({ code }) => code === held))
    return { kind: 'held', codes, heldIdentifier: response.identifier }
  const cause = codes.find((_, index) => effects[index] === 'not_taken')
  if (
    cause &&
    effects.every((effect) => effect === 'not_taken' || effect === 'warns' || effect === 'unclear')
  )
    return notTaken(
      XML_CODES[cause.code]?.reason ?? 'refused',
      cause.text || response.description,
      cause.code,
    )
  return {
    kind: 'rejected',
    codes: codes.length > 0 ? codes : [{ code: '', text: response.description }],
  }
}

function strayAnswer({ identifier }: XmlResponse): RecordOutcome {
  return { kind: 'unknown', detail: `The answer is about ${plainText(identifier)}.` }
}

/** The code by which a service says that what the message would do is done. Corrections have none that is known. */
const HELD_CODE: Readonly<Record<RecordKind, string | null>> = {
  invoice: '005',
  cancellation: '019',
  correction: null,
  cancellation_correction: null,
}
