/** The authority as a port: XML in, what came back out. Adapters know how it is reached; everything else is the same for all. */

/** Why nothing is known to have reached the authority, in words a person can act on. */
export type NotSentReason =
  /** No name, no route, nobody listening: the network or the service is down. */
  | 'unreachable'
  /** The authority is not who it should be: its certificate is not trusted, or no secure connection could be agreed on. */
  | 'not_trusted'
  /** The company has no certificate, or one that has expired. */
  | 'no_certificate'
  /** The authority refused the company's certificate during the handshake. */
  | 'certificate_refused'
  /** This book has nowhere to send: a sandbox without a stand-in. */
  | 'no_address'

export type Exchange =
  /** Something came back, whatever the HTTP status was: the body decides. */
  | {
      kind: 'answered'
      status: number
      body: Uint8Array
      /** The answer's own clock (Date header), milliseconds since 1970; null when it gave none. */
      serverTime: number | null
    }
  /** Certain: not a byte of the message reached anybody who could act on it. */
  | { kind: 'not_sent'; reason: NotSentReason; detail: string }
  /** The message may have arrived; nothing usable came back (timeout, broken connection, too large an answer). */
  | { kind: 'no_answer'; detail: string }

export interface Authority {
  /** Hands over a submission. Never throws for what the network or the authority does. */
  submit(envelopeXml: string): Promise<Exchange>
  /** Asks what is held. Never throws for what the network or the authority does. */
  query(envelopeXml: string): Promise<Exchange>
}
