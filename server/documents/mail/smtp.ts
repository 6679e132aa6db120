/**
 * Sends one mail over SMTP to the company's own server: the TLS certificate is verified, nothing is sent before TLS
 * is established, and every wait has a limit. Returns what is known of the outcome and never throws for network or
 * server failures.
 */
import { Readable } from 'node:stream'
import { getCACertificates, rootCertificates } from 'node:tls'
import type { MailReason } from './contract.ts'

export interface SmtpServer {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'plain'
  user: string | null
  password: string | null
  /** The only root certificate trusted there; when absent, the usual public roots apply. */
  caPem?: string
}

interface Envelope {
  from: string
  to: readonly string[]
}

export interface SmtpLimits {
  connectMs: number
  /** Maximum silence of the server. */
  idleMs: number
  totalMs: number
}

const SMTP_LIMITS: SmtpLimits = { connectMs: 20_000, idleMs: 60_000, totalMs: 300_000 }

export type Delivery =
  /** The server accepted the mail and is responsible from then on. `refused`: recipients that it rejected. */
  | { outcome: 'sent'; refused: string[]; detail: string }
  /** It is certain that the server did not accept the mail. */
  | { outcome: 'failed'; reason: MailReason; passing: boolean; detail: string }
  /** The mail was transmitted and no answer came. */
  | { outcome: 'unknown'; reason: MailReason; detail: string }

interface SmtpFailure extends Error {
  code?: string
  originalCode?: string
  response?: string
  responseCode?: number
  command?: string
}

const DETAIL_LENGTH = 300

/** Returns the server's text without control characters, and without the password in case the server repeats it. */
function safeDetail(text: string, password: string | null): string {
  let plain = text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim()
  if (password !== null && password !== '')
    for (const form of [password, Buffer.from(password).toString('base64')])
      plain = plain.replaceAll(form, '[secret]')
  return plain.slice(0, DETAIL_LENGTH)
}

const CERTIFICATE = /certificate|altname|self.signed|issuer|^CERT_|^UNABLE_TO|^DEPTH_ZERO|ERR_TLS_CERT/i

function reasonOf(error: SmtpFailure): { reason: MailReason; passing: boolean } {
  const { code = '', originalCode = '', responseCode, command = '' } = error
  if (code === 'ETLS' || code === 'ESOCKET' || code === 'ECONNECTION') {
    if (CERTIFICATE.test(originalCode) || (responseCode === undefined && CERTIFICATE.test(error.message)))
      return { reason: 'not_trusted', passing: false }
    if (code === 'ETLS' || /SSL|TLS|EPROTO/.test(originalCode))
      return { reason: 'no_encryption', passing: false }
  }
  if (responseCode !== undefined) {
    const passing = responseCode < 500
    if (code === 'EAUTH') return { reason: passing ? 'try_later' : 'login_refused', passing }
    if (passing) return { reason: 'try_later', passing }
    // 552 also means a full mailbox; the enhanced code or the text distinguishes them.
    if (responseCode === 552 && /5\.3\.4|5\.2\.3|size|large|big/i.test(error.response ?? ''))
      return { reason: 'too_large', passing }
    return { reason: command === 'RCPT TO' ? 'recipient_refused' : 'refused', passing }
  }
  if (code === 'EAUTH' || code === 'ENOAUTH') return { reason: 'login_refused', passing: false }
  if (code === 'EMESSAGE') return { reason: 'too_large', passing: false }
  if (code === 'EENVELOPE') return { reason: 'recipient_refused', passing: false }
  if (code === 'ETIMEDOUT') return { reason: 'timeout', passing: true }
  if (code === 'EDNS' || code === 'ESOCKET') return { reason: 'unreachable', passing: true }
  return { reason: 'connection_lost', passing: true }
}

let roots: string[] | null = null

/**
 * Returns the root certificates included in Node and those that this computer trusts in addition, such as a virus
 * scanner's.
 */
function trusted(): string[] {
  if (roots) return roots
  try {
    roots = [...rootCertificates, ...getCACertificates('system')]
  } catch {
    roots = [...rootCertificates]
  }
  return roots
}

/** Sends one mail. `signal` aborts it immediately; if it was in flight by then, its outcome is unknown. */
export async function deliverMessage(
  server: SmtpServer,
  envelope: Envelope,
  message: Uint8Array,
  options: { limits?: SmtpLimits; signal?: AbortSignal } = {},
): Promise<Delivery> {
  const { limits = SMTP_LIMITS, signal } = options
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SMTPConnection({
    host: server.host,
    port: server.port,
    // The name of the computer stays private.
    name: 'localhost.localdomain',
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'plain',
    logger: false,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    socketTimeout: limits.idleMs,
    socketCloseTimeout: 0,
    maxResponseSize: 64 * 1024,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, ca: server.caPem ?? trusted() },
  })

  /** From its first byte on, a mail may have arrived although no answer came. */
  let handedOver = false
  const body = new Readable({
    read() {
      handedOver = true
      this.push(Buffer.from(message.buffer, message.byteOffset, message.byteLength))
      this.push(null)
    },
  })

  return new Promise((resolve) => {
    let settled = false
    const settle = (delivery: Delivery): void => {
      if (settled) return
      settled = true
      clearTimeout(deadline)
      signal?.removeEventListener('abort', stopped)
      if (delivery.outcome === 'sent') connection.quit()
      else connection.close()
      resolve(delivery)
    }
    const fail = (error: SmtpFailure): void => {
      const detail = safeDetail(error.response ?? error.message, server.password)
      if (handedOver && error.responseCode === undefined)
        return settle({ outcome: 'unknown', reason: reasonOf(error).reason, detail })
      settle({ outcome: 'failed', ...reasonOf(error), detail })
    }
    const giveUp = (reason: 'timeout' | 'interrupted', detail: string): void =>
      settle(
        handedOver
          ? { outcome: 'unknown', reason, detail }
          : { outcome: 'failed', reason, passing: true, detail },
      )
    const stopped = (): void => giveUp('interrupted', 'Sello was closed.')
    const deadline = setTimeout(() => giveUp('timeout', 'No end in time.'), limits.totalMs)
    signal?.addEventListener('abort', stopped)
    if (signal?.aborted) return stopped()

    const transmit = (): void =>
      connection.send(
        { from: envelope.from, to: [...envelope.to], size: message.byteLength },
        body,
        (error, info) => {
          if (error) return fail(error)
          settle({
            outcome: 'sent',
            refused: [...(info?.rejected ?? [])],
            detail: safeDetail(info?.response ?? '', server.password),
          })
        },
      )
    connection.on('error', fail)
    // The server closed the connection before it answered.
    connection.once('end', () => fail(Object.assign(new Error('Connection closed'), { code: 'ECONNECTION' })))
    connection.connect((error) => {
      if (error) return fail(error)
      if (server.user === null) return transmit()
      connection.login({ user: server.user, pass: server.password ?? '' }, (refusal) =>
        refusal ? fail(refusal) : transmit(),
      )
    })
  })
}
