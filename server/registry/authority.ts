/** The authority as a port: XML in, XML out. Adapters know how it is reached; everything else is the same for all. */
import type { ChainLink } from './fields.ts'

export interface Authority {
  /** Hands over a submission and answers the reply's body. Throws when nothing is known to have been delivered. */
  submit(envelopeXml: string): Promise<string>
  /** What the authority holds under an invoice's key; null when it holds nothing. */
  holds(key: Omit<ChainLink, 'hash'>): Promise<{ hash: string } | null>
}
