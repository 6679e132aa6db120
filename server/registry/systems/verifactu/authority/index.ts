/** The real tax authority (AEAT): its VERI*FACTU service, called with SOAP over TLS and the company's certificate. */
import type { Credential } from '../../../../company/certificates/index.ts'
import { failpoint } from '../../../../db/failpoints.ts'
import type { Authority, Exchange, NotSentReason } from '../../../queue/authority.ts'
import { addressOf } from './addresses.ts'
import type { Destination } from './addresses.ts'
import { openConnection } from '../../../../platform/http-client/mutual-tls.ts'
import type { ConnectLimits } from '../../../../platform/http-client/mutual-tls.ts'
import { post } from './exchange.ts'
import type { ExchangeLimits } from './exchange.ts'

/** The parts of the company's certificate that the transport needs. */
export type ClientCredential = Pick<Credential, 'kind' | 'keyPem' | 'chainPem' | 'validFrom' | 'validTo'>

interface AeatLimits extends ConnectLimits, ExchangeLimits {
  /**
   * The largest answer to a submission, in bytes: an answer about 1000 records with the longest messages is well
   * below.
   */
  submissionBytes: number
  /** The largest answer to a query, in bytes: one page has up to 10,000 records. */
  queryBytes: number
}

const LIMITS: AeatLimits = {
  connectMs: 15_000,
  verdictMs: 1_000,
  idleMs: 60_000,
  totalMs: 180_000,
  submissionBytes: 8 * 1024 * 1024,
  queryBytes: 40 * 1024 * 1024,
}

export interface AeatOptions extends Destination {
  /** Null when the company has no certificate. */
  credential: ClientCredential | null
  now: () => Date
  /** Version of this program, sent to the authority with each message. */
  version: string
  /** Aborts the exchanges in flight when the program stops. */
  signal?: AbortSignal | undefined
  limits?: Partial<AeatLimits>
}

/**
 * Creates the authority of live books. A sandbox without a mock endpoint has none: every message stays in the queue,
 * and no socket is opened.
 */
export function createAeatAuthority(options: AeatOptions): Authority {
  const limits = { ...LIMITS, ...options.limits }
  return {
    submit: (envelopeXml) => deliver(options, limits, envelopeXml, limits.submissionBytes),
    query: (envelopeXml) => deliver(options, limits, envelopeXml, limits.queryBytes),
  }
}

/** Certificate dates have whole seconds, and the last second is included. */
const LAST_SECOND_MS = 1_000

async function deliver(
  options: AeatOptions,
  limits: AeatLimits,
  envelopeXml: string,
  answerBytes: number,
): Promise<Exchange> {
  if (options.sandbox && !options.standIn)
    return notSent('no_address', 'A sandbox sends to a stand-in only, and none is named.')
  const { credential } = options
  if (!credential) return notSent('no_certificate', 'The company has no certificate.')
  const now = options.now().getTime()
  if (now < credential.validFrom) return notSent('no_certificate', 'The certificate is not valid yet.')
  if (now >= credential.validTo + LAST_SECOND_MS)
    return notSent('no_certificate', 'The certificate has expired.')
  const address = addressOf(options, credential.kind)
  const { signal } = options
  const connection = await openConnection({ address, credential, limits, signal })
  if (connection.kind === 'refused') return notSent(connection.reason, connection.detail)
  const { socket } = connection
  if (signal?.aborted || !socket.writable) {
    socket.destroy()
    return notSent('unreachable', 'The connection ended before anything was sent.')
  }
  failpoint('sending.connected')
  const userAgent = `Sello/${options.version}`
  return post(socket, { address, envelopeXml, userAgent, answerBytes, limits, signal })
}

function notSent(reason: NotSentReason, detail: string): Exchange {
  return { kind: 'not_sent', reason, detail }
}
