/**
 * Carries messages to a service over TLS with the company's certificate: each once, over a connection of its own, without following
 * a redirect. A real host is trusted by the public roots, a simulator on this computer by its own root certificate only.
 */
import { request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Credential } from '../../../../company/certificates/index.ts'
import { isLoopback } from '../../../../platform/http-client/addresses.ts'
import { openConnection, textOf } from '../../../../platform/http-client/mutual-tls.ts'
import type { ConnectLimits, SecureAddress } from '../../../../platform/http-client/mutual-tls.ts'
import type { WireExchange, WireRequest } from '../wire/outcome.ts'
import { SERVICES } from '../wire/services.ts'

/** Never rejects for failures of the network or of the service. */
export type Transport = (request: WireRequest) => Promise<WireExchange>

interface TransportLimits extends ConnectLimits {
  /** Most milliseconds without a byte in either direction. */
  idleMs: number
  totalMs: number
}

const LIMITS: TransportLimits = { connectMs: 15_000, verdictMs: 1_000, idleMs: 60_000, totalMs: 180_000 }
/** Dates of certificates have whole seconds, and the last second is included. */
const LAST_SECOND_MS = 1_000
const HTTPS_PORT = 443

export interface TransportOptions {
  /** `simulator` with its root certificate: only addresses of this computer. `official`: only the hosts of the three services. */
  reach: { kind: 'simulator'; caPem: string } | { kind: 'official' }
  /** Certificate of the company, or of whoever acts for it; null without one. */
  credential: Pick<Credential, 'keyPem' | 'chainPem' | 'validFrom' | 'validTo'> | null
  now: () => Date
  /** Version of this program. */
  version: string
  /** Ends the messages in flight when the program stops. */
  signal?: AbortSignal | undefined
  limits?: Partial<TransportLimits>
}

const OFFICIAL_HOSTS: ReadonlySet<string> = new Set(
  Object.values(SERVICES)
    .flatMap((environments) => Object.values(environments))
    .flatMap(({ invoice, cancellation, query }) => [invoice, cancellation, query])
    .flatMap((url) => (url === null ? [] : [new URL(url).hostname])),
)

/** Creates the transport. */
export function createTransport(options: TransportOptions): Transport {
  const limits = { ...LIMITS, ...options.limits }
  return async (message) => {
    const { credential, signal } = options
    const address = addressOf(message.url, options.reach)
    if (!address) return notSent('no_address', 'The address is not one of the service.')
    if (!credential) return notSent('no_certificate', 'The company has no certificate.')
    const now = options.now().getTime()
    if (now < credential.validFrom) return notSent('no_certificate', 'The certificate is not valid yet.')
    if (now >= credential.validTo + LAST_SECOND_MS)
      return notSent('no_certificate', 'The certificate has expired.')
    const connection = await openConnection({ address, credential, limits, signal })
    if (connection.kind === 'refused') return notSent(connection.reason, connection.detail)
    const { socket } = connection
    if (signal?.aborted || !socket.writable) {
      socket.destroy()
      return notSent('unreachable', 'The connection ended before anything was sent.')
    }
    return post(socket, address, message, limits, options)
  }
}

function notSent(
  reason: Extract<WireExchange, { kind: 'not_sent' }>['reason'],
  detail: string,
): WireExchange {
  return { kind: 'not_sent', reason, detail }
}

/** Returns where a message goes, or null for an address that this transport does not reach. */
function addressOf(url: string, reach: TransportOptions['reach']): SecureAddress | null {
  if (!URL.canParse(url)) return null
  const { protocol, hostname, port } = new URL(url)
  if (protocol !== 'https:') return null
  const host = hostname.replace(/^\[|\]$/g, '')
  const isHere = host === 'localhost' || isLoopback(host)
  if (reach.kind === 'simulator' ? !isHere : !OFFICIAL_HOSTS.has(host) || port !== '') return null
  return {
    host,
    port: port === '' ? HTTPS_PORT : Number(port),
    caPem: reach.kind === 'simulator' ? reach.caPem : null,
  }
}

function post(
  socket: TLSSocket,
  address: SecureAddress,
  { url, headers, body, answerBytes }: WireRequest,
  limits: TransportLimits,
  { signal, version }: TransportOptions,
): Promise<WireExchange> {
  return new Promise((resolve) => {
    const settle = (exchange: WireExchange): void => {
      clearTimeout(deadline)
      signal?.removeEventListener('abort', stop)
      socket.destroy()
      resolve(exchange)
    }
    const lost = (detail: string): void => settle({ kind: 'no_answer', detail })
    const stop = (): void => lost('Stopped while waiting for the answer.')
    const deadline = setTimeout(() => lost(`No whole answer after ${limits.totalMs} ms.`), limits.totalMs)
    signal?.addEventListener('abort', stop)
    socket.setTimeout(limits.idleMs, () => lost(`Nothing moved for ${limits.idleMs} ms.`))
    const { pathname, search } = new URL(url)
    const sending = request({
      // Passing the connection bypasses agents, with their pools and the proxies of the environment.
      createConnection: () => socket,
      host: address.host,
      port: address.port,
      method: 'POST',
      path: pathname + search,
      headers: {
        ...headers,
        'content-length': body.length,
        'user-agent': `Sello/${version}`,
        connection: 'close',
      },
      insecureHTTPParser: false,
    })
    sending.on('error', (error) => lost(textOf(error)))
    sending.on('close', () => lost('The connection was closed without an answer.'))
    sending.on('response', (answer) => readAnswer(answer, answerBytes, settle))
    sending.end(body)
  })
}

function readAnswer(answer: IncomingMessage, most: number, settle: (exchange: WireExchange) => void): void {
  const parts: Buffer[] = []
  let bytes = 0
  const lost = (detail: string): void => settle({ kind: 'no_answer', detail })
  answer.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > most) lost(`The answer is larger than ${most} bytes.`)
    else parts.push(part)
  })
  answer.on('end', () => {
    if (!answer.complete) return
    const headers = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
    )
    settle({ kind: 'answered', status: answer.statusCode ?? 0, headers, body: Buffer.concat(parts) })
  })
  answer.on('error', (error) => lost(`The answer broke off after ${bytes} bytes. ${textOf(error)}`))
  answer.on('close', () => lost(`The answer broke off after ${bytes} bytes.`))
}
