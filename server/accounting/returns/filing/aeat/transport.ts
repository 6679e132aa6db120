/**
 * Carries the messages of filing to the agency's hosts, over TLS and with the company's certificate where the service asks for
 * one. The hosts are fixed: no setting, file or answer can name another.
 */
import { request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Credential } from '../../../../company/certificates/index.ts'
import type { Book } from '../../../../context.ts'
import { openConnection, textOf } from '../../../../platform/http-client/mutual-tls.ts'
import type { SecureAddress } from '../../../../platform/http-client/mutual-tls.ts'
import type { HttpMessage, HttpOutcome, Transport } from '../service.ts'

/** Hosts with and without a certificate. Source: what independent programs use; never tried from here. */
const HOSTS: Record<Book['environment'], { certified: string; open: string }> = {
  production: { certified: 'www1.agenciatributaria.gob.es', open: 'www2.agenciatributaria.gob.es' },
  preproduction: { certified: 'prewww1.aeat.es', open: 'prewww2.aeat.es' },
}
const HTTPS_PORT = 443

interface FilingLimits {
  connectMs: number
  verdictMs: number
  idleMs: number
  totalMs: number
  bytes: number
}

const LIMITS: FilingLimits = {
  connectMs: 15_000,
  verdictMs: 1_000,
  idleMs: 60_000,
  totalMs: 180_000,
  bytes: 20 * 1024 * 1024,
}

interface LiveTransportOptions {
  environment: Book['environment']
  credential: Pick<Credential, 'keyPem' | 'chainPem'> | null
  version: string
  signal?: AbortSignal | undefined
  limits?: Partial<FilingLimits>
  /** An address of this computer instead, for a sandbox. */
  standIn?: { url: string; caPem: string } | null
}

function addressOf({ environment, standIn }: LiveTransportOptions, certificate: boolean): SecureAddress {
  if (standIn) {
    const { hostname, port } = new URL(standIn.url)
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? HTTPS_PORT : Number(port),
      caPem: standIn.caPem,
    }
  }
  const hosts = HOSTS[environment]
  return { host: certificate ? hosts.certified : hosts.open, port: HTTPS_PORT, caPem: null }
}

/** Creates the transport to the agency. It sends each message once and follows no redirect. */
export function createLiveTransport(options: LiveTransportOptions): Transport {
  const limits = { ...LIMITS, ...options.limits }
  return async (message) => {
    if (message.certificate && options.credential === null)
      return { kind: 'not_sent', reason: 'no_certificate', detail: 'The company has no certificate.' }
    const address = addressOf(options, message.certificate)
    const credential = message.certificate ? options.credential : null
    const connection = await openConnection({ address, credential, limits, signal: options.signal })
    if (connection.kind === 'refused')
      return { kind: 'not_sent', reason: connection.reason, detail: connection.detail }
    const { socket } = connection
    if (options.signal?.aborted || !socket.writable) {
      socket.destroy()
      return {
        kind: 'not_sent',
        reason: 'unreachable',
        detail: 'The connection ended before anything was sent.',
      }
    }
    return exchange(socket, { address, message, limits, options })
  }
}

function exchange(
  socket: TLSSocket,
  {
    address,
    message,
    limits,
    options,
  }: { address: SecureAddress; message: HttpMessage; limits: FilingLimits; options: LiveTransportOptions },
): Promise<HttpOutcome> {
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
      method: message.method,
      path: message.path,
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
    sending.on('response', (answer) => readAnswer(answer, limits.bytes, settle))
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
      Object.entries(answer.headers).map(([name, value]) => [
        name,
        // Only cookies come as a list; they contain commas.
        Array.isArray(value) ? value.join('\n') : String(value),
      ]),
    )
    settle({ kind: 'answered', status: answer.statusCode ?? 0, headers, body: Buffer.concat(parts) })
  })
  answer.on('error', (error) => lost(`The answer broke off after ${bytes} bytes. ${textOf(error)}`))
  answer.on('close', () => lost(`The answer broke off after ${bytes} bytes.`))
}
