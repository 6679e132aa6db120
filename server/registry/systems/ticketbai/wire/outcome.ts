/**
 * What an answer proves about the records of a message. A service that keeps signed files answers for each of them; what it does
 * not answer is either certainly not taken, or unknown.
 */
import type { ConnectionRefusal } from '../../../../platform/http-client/mutual-tls.ts'

/** Invoice of a record, as written in it. */
export interface RecordKey {
  issuerNif: string
  /** Empty when the invoice has none. */
  series: string
  number: string
  /** DD-MM-YYYY. */
  issueDate: string
}

/**
 * `invoice` and `cancellation` are signed files. The corrections of Araba and Gipuzkoa (Zuzendu) are unsigned ones that name the
 * signature of the file they correct.
 */
export type RecordKind = 'invoice' | 'cancellation' | 'correction' | 'cancellation_correction'

/** A record as it was sealed. Its bytes never change, so that every attempt sends the same ones. */
export interface SealedFile {
  /** Identifier of the record in the books; returned with its outcome. */
  id: string
  kind: RecordKind
  key: RecordKey
  /** Identifier of TicketBAI, 39 characters; null for what has none, as a cancellation. */
  identifier: string | null
  /** First 100 characters of the value of its signature, or of the signature that an unsigned correction names. */
  signature: string
  xml: Uint8Array
}

/** A code of a service with its text in Spanish, and in Basque where it came. */
export interface ServiceCode {
  code: string
  text: string
  basque?: string
}

/** Reasons for certainty that the service kept nothing of a message. */
export type NotTakenReason =
  /** No connection, or the service says that it is not available: send the same later. */
  | 'down'
  /** Another machine answers in place of the service. */
  | 'not_trusted'
  /** Too many messages; `retryAfter` says how long to wait, where the service does. */
  | 'throttled'
  /** The certificate is missing, out of date or refused, or its holder may not act for the taxpayer. */
  | 'not_allowed'
  /** The taxpayer's number and name do not match the census. */
  | 'taxpayer_unknown'
  /** The message as a whole was refused: sending it again changes nothing. */
  | 'refused'
  /** There is no address to send to. */
  | 'not_configured'

export type RecordOutcome =
  /** The service keeps the record; `warnings` is empty unless it has remarks. */
  | { kind: 'accepted'; warnings: ServiceCode[]; receipt: string | null; receivedAt: string | null }
  /** The service looked at the record and keeps nothing of it. The bytes cannot be sent again with another result. */
  | { kind: 'rejected'; codes: ServiceCode[] }
  /** The service already keeps something under the record's key: these bytes, or others. `resolveHeld` tells which. */
  | { kind: 'held'; codes: ServiceCode[]; heldIdentifier: string | null }
  /** Nothing was taken: the same bytes may be sent again. */
  | { kind: 'not_taken'; reason: NotTakenReason; code: string | null; detail: string; retryAfter?: number }
  /** The service may have taken the record. */
  | { kind: 'unknown'; detail: string }

export interface FileOutcome {
  id: string
  outcome: RecordOutcome
}

/** What a transport reports about one message. Names of headers are in lower case. */
export type WireExchange =
  /** A complete answer, whatever its status. */
  | { kind: 'answered'; status: number; headers: Readonly<Record<string, string>>; body: Uint8Array }
  /** It is certain that no byte of the message left. */
  | { kind: 'not_sent'; reason: ConnectionRefusal | 'no_address'; detail: string }
  /** The message may have arrived. */
  | { kind: 'no_answer'; detail: string }

/** A message, ready to be sent. */
export interface WireRequest {
  url: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  /** The largest answer that is read, in bytes. */
  answerBytes: number
}

/** A service's answer that is not exactly of its form, so that nothing is known. */
export class Unreadable extends Error {
  constructor(detail: string) {
    super(detail)
    this.name = 'Unreadable'
  }
}

const NOT_SENT: Readonly<Record<Extract<WireExchange, { kind: 'not_sent' }>['reason'], NotTakenReason>> = {
  unreachable: 'down',
  not_trusted: 'not_trusted',
  no_certificate: 'not_allowed',
  certificate_refused: 'not_allowed',
  no_address: 'not_configured',
}
const MOST_SECONDS = 86_400

type NotTaken = Extract<RecordOutcome, { kind: 'not_taken' }>

export function notTaken(reason: NotTakenReason, detail: string, code: string | null = null): NotTaken {
  return { kind: 'not_taken', reason, code, detail }
}

type Answered = Extract<WireExchange, { kind: 'answered' }>

/**
 * Returns what an exchange proves without its body, or null when the body decides. A refusal of HTTP counts as proof only where
 * it is one of the message as such; every status of 500 and above leaves the outcome open, unless the body answers.
 */
export function outcomeOfTransport(exchange: Exclude<WireExchange, Answered>): RecordOutcome
export function outcomeOfTransport(exchange: WireExchange): RecordOutcome | null
export function outcomeOfTransport(exchange: WireExchange): RecordOutcome | null {
  if (exchange.kind === 'no_answer') return { kind: 'unknown', detail: exchange.detail }
  if (exchange.kind === 'not_sent') return notTaken(NOT_SENT[exchange.reason], exchange.detail)
  const { status, headers } = exchange
  if (status === 429) {
    const outcome = notTaken('throttled', 'The service asks to wait.')
    const seconds = headers['retry-after'] ?? ''
    if (/^\d{1,6}$/.test(seconds)) outcome.retryAfter = Math.min(Number(seconds), MOST_SECONDS)
    return outcome
  }
  if (status === 401 || status === 403)
    return notTaken('not_allowed', `The service refused access (status ${status}).`)
  // A request that timed out may have been read whole, and 409 could speak of what is there.
  if (status >= 400 && status < 500 && status !== 408 && status !== 409)
    return notTaken('refused', `The service refused the message (status ${status}).`)
  return null
}

/** Text of a code for people: without control characters, at most 300 characters. */
export function plainText(text: string | null): string {
  return (text ?? '')
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 300)
}

export function sameKey(a: RecordKey, b: RecordKey): boolean {
  return (
    a.issuerNif === b.issuerNif &&
    a.series === b.series &&
    a.number === b.number &&
    a.issueDate === b.issueDate
  )
}
