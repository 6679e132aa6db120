/**
 * Carries the messages to FACe over TLS. No certificate is shown in the connection: the messages themselves are signed. Each
 * message is sent once, and no redirect is followed.
 */
import { request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { openConnection, textOf } from '../../../platform/http-client/mutual-tls.ts'
import type { HttpOutcome, Transport } from '../service.ts'
import { addressOf } from './addresses.ts'

interface TransportLimits {
  connectMs: number
  verdictMs: number
  idleMs: number
  totalMs: number
  bytes: number
}

const LIMITS: TransportLimits = {
  connectMs: 15_000,
  verdictMs: 100,
  idleMs: 60_000,
  totalMs: 120_000,
  bytes: 16 * 1024 * 1024,
}

interface LiveTransportOptions {
  environment: 'test' | 'production'
  version: string
  signal?: AbortSignal | undefined
  limits?: Partial<TransportLimits>
  /** An address of this computer instead, for a sandbox. */
  standIn?: { url: string; caPem: string } | null
}

/** Creates the transport to the portal. */
export function createLiveTransport(options: LiveTransportOptions): Transport {
  const limits = { ...LIMITS, ...options.limits }
  const { signal } = options
  return async (message) => {
    const address = addressOf(options.environment, options.standIn ?? null)
    const connection = await openConnection({ address, credential: null, limits, signal })
    if (connection.kind === 'refused')
      return { kind: 'not_sent', reason: connection.reason, detail: connection.detail }
    const { socket } = connection
    if (signal?.aborted || !socket.writable) {
      socket.destroy()
      return {
        kind: 'not_sent',
        reason: 'unreachable',
        detail: 'The connection ended before anything was sent.',
      }
    }
    return new Promise<HttpOutcome>((resolve) => {
      const settle = (outcome: HttpOutcome): void => {
        clearTimeout(deadline)
        signal?.removeEventListener('abort', stop)
        socket.destroy()
        resolve(outcome)
      }
      const lost = (detail: string): void => settle({ kind: 'no_answer', detail })
      const stop = (): void => lost('Stopped while waiting for the answer.')
      const deadline = setTimeout(() => lost(`No whole answer after ${limits.totalMs} ms.`), limits.totalMs)
      signal?.addEventListener('abort', stop)
      socket.setTimeout(limits.idleMs, () => lost(`Nothing moved for ${limits.idleMs} ms.`))
      const sending = request({
        // Passing the connection bypasses agents, with their pools and the proxies of the environment.
        createConnection: () => socket,
        host: address.host,
        port: address.port,
        method: 'POST',
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
        Array.isArray(value) ? value.join(', ') : String(value),
      ]),
    )
    settle({ kind: 'answered', status: answer.statusCode ?? 0, headers, body: Buffer.concat(parts) })
  })
  answer.on('error', (error) => lost(`The answer broke off after ${bytes} bytes. ${textOf(error)}`))
  answer.on('close', () => lost(`The answer broke off after ${bytes} bytes.`))
}
