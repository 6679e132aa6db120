/**
 * Port to the authority: takes a message and returns the response. Adapters know the transport; what a message is and
 * what an answer says is known to the registry's system.
 */
import type { ConnectionRefusal } from '../../platform/http-client/mutual-tls.ts'

/** Reasons for certainty that the message did not reach the authority, each one actionable. */
export type NotSentReason =
  | ConnectionRefusal
  /** This book has no address to send to: a sandbox without a mock endpoint. */
  | 'no_address'

/** A complete response with any HTTP status: the body decides, for some services together with the headers. */
export interface Answered {
  kind: 'answered'
  status: number
  body: Uint8Array
  /** The server's clock (Date header), milliseconds since 1970; null when the answer had none. */
  serverTime: number | null
  /** By their names in lower case, where the service says something in them. */
  headers?: Readonly<Record<string, string>>
}

export type Exchange =
  | Answered
  /** It is certain that no byte of the message reached a server that could act on it. */
  | { kind: 'not_sent'; reason: NotSentReason; detail: string }
  /** The message may have arrived, but no usable answer came (timeout, broken connection, answer too large). */
  | { kind: 'no_answer'; detail: string }

/** `Message`: what the wire of the same system makes; text unless it says otherwise. */
export interface Authority<Message = string> {
  /** Sends a submission. Never throws for network or authority failures. */
  submit(message: Message): Promise<Exchange>
  /** Sends a query about held records. Never throws for network or authority failures. */
  query(message: Message): Promise<Exchange>
}
