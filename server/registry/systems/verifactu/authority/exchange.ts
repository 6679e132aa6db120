/**
 * Sends one message over an open connection and reads its answer. From the first byte on, only a complete answer is
 * certain: in every other case the message may have arrived.
 */
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { failpoint } from '../../../../db/failpoints.ts'
import type { Exchange } from '../../../queue/authority.ts'
import type { Address } from './addresses.ts'
import { textOf } from '../../../../platform/http-client/mutual-tls.ts'

export interface ExchangeLimits {
  /** Maximum milliseconds without a byte in either direction. */
  idleMs: number
  /** Maximum milliseconds for message and answer together. */
  totalMs: number
}

interface Message {
  address: Address
  envelopeXml: string
  userAgent: string
  /** The largest accepted answer, in bytes. */
  answerBytes: number
  limits: ExchangeLimits
  signal?: AbortSignal | undefined
}

/**
 * Posts the message. A complete answer counts with any HTTP status, redirects included: following a redirect would
 * hand the message to another host. The connection closes after the exchange: on a connection kept open, the server's
 * close can cross the next message, and nobody would know whether that message was read.
 */
export function post(socket: TLSSocket, message: Message): Promise<Exchange> {
  const { address, limits, signal } = message
  const body = Buffer.from(message.envelopeXml, 'utf8')
  return new Promise((resolve) => {
    const settle = (exchange: Exchange): void => {
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

    const sending = request({
      // Passing the connection bypasses agents, with their pools and the proxies of the environment.
      createConnection: () => socket,
      host: address.host,
      port: address.port,
      method: 'POST',
      path: address.path,
      headers: {
        'Content-Type': 'text/xml; charset=utf-8',
        'Content-Length': body.length,
        SOAPAction: '""',
        'User-Agent': message.userAgent,
        'Accept-Encoding': 'identity',
        Connection: 'close',
      },
      insecureHTTPParser: false,
    })
    sending.on('error', (error) => lost(textOf(error)))
    sending.on('close', () => lost('The connection was closed without an answer.'))
    sending.on('finish', () => failpoint('sending.request_sent'))
    sending.on('response', (answer) => readAnswer(answer, message.answerBytes, settle))
    sending.end(body)
  })
}

function readAnswer(answer: IncomingMessage, limitBytes: number, settle: (exchange: Exchange) => void): void {
  failpoint('sending.answer_begun')
  const parts: Buffer[] = []
  let bytes = 0
  const lost = (detail: string): void => settle({ kind: 'no_answer', detail })
  answer.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > limitBytes) lost(`The answer is larger than ${limitBytes} bytes.`)
    else parts.push(part)
  })
  answer.on('end', () => {
    if (!answer.complete) return
    failpoint('sending.answer_read')
    const serverTime = timeOf(answer.headers.date)
    settle({ kind: 'answered', status: answer.statusCode ?? 0, body: Buffer.concat(parts), serverTime })
  })
  answer.on('error', (error) => lost(`The answer broke off after ${bytes} bytes. ${textOf(error)}`))
  answer.on('close', () => lost(`The answer broke off after ${bytes} bytes.`))
}

/**
 * The only date format that servers send (RFC 9110, section 5.6.7); a date in any other form is not used to check the
 * clock.
 */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

function timeOf(date: string | undefined): number | null {
  const time = date !== undefined && HTTP_DATE.test(date) ? Date.parse(date) : Number.NaN
  return Number.isNaN(time) ? null : time
}
