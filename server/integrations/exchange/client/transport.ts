/**
 * Carries messages to the platform over TLS with a client certificate. The address is the one of a simulator on this computer:
 * the platform has published none, and the program contains none.
 */
import { request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Credential } from '../../../company/certificates/index.ts'
import { isLoopback } from '../../../platform/http-client/addresses.ts'
import { openConnection, textOf } from '../../../platform/http-client/mutual-tls.ts'
import type { ConnectionRefusal } from '../../../platform/http-client/mutual-tls.ts'

export interface HttpMessage {
  /** Below the address of the service. */
  path: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  /** The largest answer that is read, in bytes. */
  answerBytes: number
}

export type HttpOutcome =
  /** A complete answer, whatever its status; names of headers in lower case. */
  | { kind: 'answered'; status: number; headers: Readonly<Record<string, string>>; body: Uint8Array }
  /** It is certain that no byte of the message left. */
  | { kind: 'not_sent'; reason: ConnectionRefusal | 'no_address'; detail: string }
  /** The message may have arrived. */
  | { kind: 'no_answer'; detail: string }

/** Never rejects for failures of the network or of the platform. */
export type Transport = (message: HttpMessage) => Promise<HttpOutcome>

interface TransportLimits {
  connectMs: number
  /** Milliseconds after the handshake in which a certificate may still be refused. */
  verdictMs: number
  /** Most milliseconds without a byte in either direction. */
  idleMs: number
  totalMs: number
}

const LIMITS: TransportLimits = { connectMs: 15_000, verdictMs: 1_000, idleMs: 60_000, totalMs: 180_000 }

export interface TlsTransportOptions {
  /** An https address of this computer, and the certificate that vouches for it; null where there is none. */
  endpoint: { url: string; caPem: string } | null
  /** Certificate of the company, or of whoever acts for it; null without one. */
  credential: Pick<Credential, 'keyPem' | 'chainPem' | 'validFrom' | 'validTo'> | null
  now: () => Date
  /** Version of this program. */
  version: string
  /** Ends the messages in flight when the program stops. */
  signal?: AbortSignal | undefined
  limits?: Partial<TransportLimits>
}

/** Dates of certificates have whole seconds, and the last second is included. */
const LAST_SECOND_MS = 1_000
const HTTPS_PORT = 443

/** Creates the transport. It sends each message once over a connection of its own, and follows no redirect. */
export function createTlsTransport(options: TlsTransportOptions): Transport {
  const limits = { ...LIMITS, ...options.limits }
  return async (message) => {
    const { endpoint, credential, signal } = options
    if (!endpoint) return notSent('no_address', 'There is no address of the platform.')
    const address = addressOf(endpoint)
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
    return post(socket, { address, message, limits, options })
  }
}

function notSent(reason: ConnectionRefusal | 'no_address', detail: string): HttpOutcome {
  return { kind: 'not_sent', reason, detail }
}

interface ServiceAddress {
  host: string
  port: number
  /** With a slash at its end. */
  base: string
  caPem: string
}

function addressOf({ url, caPem }: { url: string; caPem: string }): ServiceAddress {
  const { protocol, hostname, port, pathname } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol !== 'https:' || !(host === 'localhost' || isLoopback(host)))
    throw new Error('A simulator of the platform is at an https address of this computer.')
  return { host, port: port === '' ? HTTPS_PORT : Number(port), base: pathname.replace(/\/*$/, '/'), caPem }
}

interface Posted {
  address: ServiceAddress
  message: HttpMessage
  limits: TransportLimits
  options: TlsTransportOptions
}

function post(socket: TLSSocket, { address, message, limits, options }: Posted): Promise<HttpOutcome> {
  return new Promise((resolve) => {
    const settle = (outcome: HttpOutcome): void => {
      clearTimeout(deadline)
      options.signal?.removeEventListener('abort', stop)
      socket.destroy()
      resolve(outcome)
    }
    const lost = (detail: string): void => settle({ kind: 'no_answer', detail })
    const stop = (): void => lost('Stopped while waiting for the answer.')
    const deadline = setTimeout(() => lost(`No whole answer after ${limits.totalMs} ms.`), limits.totalMs)
    options.signal?.addEventListener('abort', stop)
    socket.setTimeout(limits.idleMs, () => lost(`Nothing moved for ${limits.idleMs} ms.`))
    const sending = request({
      // Passing the connection bypasses agents, with their pools and the proxies of the environment.
      createConnection: () => socket,
      host: address.host,
      port: address.port,
      method: 'POST',
      path: address.base + message.path,
      headers: {
        ...message.headers,
        'content-length': message.body.length,
        'user-agent': `Sello/${options.version}`,
        'accept-encoding': 'identity',
        connection: 'close',
      },
      insecureHTTPParser: false,
    })
    sending.on('error', (error) => lost(textOf(error)))
    sending.on('close', () => lost('The connection was closed without an answer.'))
    sending.on('response', (answer) => readAnswer(answer, message.answerBytes, settle))
    sending.end(message.body)
  })
}

function readAnswer(answer: IncomingMessage, most: number, settle: (outcome: HttpOutcome) => void): void {
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
