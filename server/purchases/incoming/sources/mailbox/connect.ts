/**
 * Connects to a mailbox over IMAP, encrypted from the start and with a checked certificate, and opens one folder for
 * reading alone (EXAMINE): nothing can be marked, moved or deleted on this connection.
 */
import { getCACertificates, rootCertificates } from 'node:tls'
import type { ImapFlow, ImapFlowError } from 'imapflow'
import type { SourceFault } from '../contract.ts'

export interface MailServer {
  host: string
  port: number
  user: string
  /** A password, or an access token of OAuth 2. */
  login: { password: string } | { accessToken: string }
  /** The only root certificate trusted there; without it, the usual public roots apply. */
  caPem?: string
}

/** A connection that failed, with the reason for people and what the server said. */
export class MailboxFault extends Error {
  readonly why: SourceFault
  readonly detail: string
  /** The folders there are, if the chosen one is missing. */
  mailboxes: string[] = []
  /** The server sent more than this program takes. */
  readonly isTooMuch: boolean
  constructor(why: SourceFault, detail = '', isTooMuch = false) {
    super(`${why}: ${detail}`)
    this.name = 'MailboxFault'
    this.why = why
    this.detail = detail
    this.isTooMuch = isTooMuch
  }
}

/** Largest mail that is read. */
export const MAX_MAIL_BYTES = 40 * 1024 * 1024

export interface MailboxLimits {
  connectMs: number
  /** Longest silence of the server. */
  idleMs: number
}
const LIMITS: MailboxLimits = { connectMs: 20_000, idleMs: 5 * 60_000 }
/** How often a wait for news is renewed: below the silence after which connections are cut on the way. */
const RENEW_IDLE_MS = 4 * 60_000
const WAIT_FOR_NEWS_AFTER_MS = 2_000
const MOST_LISTED = 100
const DETAIL_LENGTH = 300

const CERTIFICATE = /certificate|altname|self.signed|issuer|^CERT_|^UNABLE_TO|^DEPTH_ZERO|ERR_TLS_CERT/i
const NO_SUCH_HOST = ['ENOTFOUND', 'ENODATA']
const UNREACHABLE = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'EADDRNOTAVAIL']
const LATE = ['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT', 'ETIMEDOUT', 'ETIMEOUT']
const TOO_MUCH = ['LineTooLarge', 'LiteralTooLarge', 'ResponseTooLarge', 'TooManyTokens', 'TooManyResponses']
/** Response codes of a server that cannot say now whether the password is right (RFC 5530). */
const LATER = ['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'CONTACTADMIN']

/** Returns what the server said without control characters, and without the secret in case it repeats it. */
function safeDetail(text: string, { login }: MailServer): string {
  const secret = 'password' in login ? login.password : login.accessToken
  let plain = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  for (const form of [secret, Buffer.from(secret).toString('base64')])
    if (form !== '') plain = plain.replaceAll(form, '[secret]')
  return plain.slice(0, DETAIL_LENGTH)
}

/** Returns the reason for an error of the connection. */
export function faultOf(thrown: unknown, server: MailServer): MailboxFault {
  if (thrown instanceof MailboxFault) return thrown
  const error = thrown as ImapFlowError
  const { code = '' } = error
  const said = typeof error.response === 'string' ? error.response : error.responseText
  const detail = safeDetail(said || error.message, server)
  const is = (why: SourceFault): MailboxFault => new MailboxFault(why, detail)
  if (error.mailboxMissing === true) return is('mailbox_missing')
  if (LATER.includes(error.serverResponseCode ?? '') || code === 'ETHROTTLE') return is('try_later')
  if (error.authenticationFailed === true) return is('login_refused')
  if (CERTIFICATE.test(code) || (said === undefined && CERTIFICATE.test(error.message)))
    return is('not_trusted')
  if (/SSL|TLS|EPROTO/.test(code)) return is('no_encryption')
  if (NO_SUCH_HOST.includes(code)) return is('host_unknown')
  if (UNREACHABLE.includes(code)) return is('unreachable')
  if (LATE.includes(code)) return is('timeout')
  return new MailboxFault(
    'connection_lost',
    detail,
    TOO_MUCH.includes(code) || code.startsWith('ParserError'),
  )
}

/** The root certificates of Node and those that this computer trusts in addition, such as a virus scanner's. */
function trusted(): string[] {
  try {
    return [...rootCertificates, ...getCACertificates('system')]
  } catch {
    return [...rootCertificates]
  }
}

export interface OpenMailbox {
  client: ImapFlow
  uidValidity: string
  /** The UID that the next mail will get, or a larger one. */
  uidNext: number
  mails: number
}

/**
 * Connects and opens a folder. `signal` ends the connection. Throws a `MailboxFault`, which lists the folders there are if
 * this one is missing.
 */
export async function openMailbox(
  server: MailServer,
  mailbox: string,
  { signal, limits = LIMITS }: { signal?: AbortSignal; limits?: MailboxLimits } = {},
): Promise<OpenMailbox> {
  signal?.throwIfAborted()
  const { ImapFlow: Client } = await import('imapflow')
  const { login } = server
  const client = new Client({
    host: server.host,
    port: server.port,
    secure: true,
    auth: {
      user: server.user,
      ...('password' in login ? { pass: login.password } : { accessToken: login.accessToken }),
    },
    // The name and version of the program and of the computer are nobody's business.
    clientInfo: { name: 'Sello', version: false, os: false, vendor: false, 'support-url': false },
    logger: false,
    disableAutoEnable: true,
    autoIdleDelay: WAIT_FOR_NEWS_AFTER_MS,
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    socketTimeout: limits.idleMs,
    maxIdleTime: Math.min(RENEW_IDLE_MS, limits.idleMs / 2),
    maxLineLength: 1024 * 1024,
    maxLiteralSize: MAX_MAIL_BYTES + 1024 * 1024,
    maxResponseSize: MAX_MAIL_BYTES + 3 * 1024 * 1024,
    maxResponseTokens: 200_000,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, ca: server.caPem ?? trusted() },
  })
  // An error also fails the command that waits.
  client.on('error', () => {})
  const stop = (): void => client.close()
  signal?.addEventListener('abort', stop, { once: true })
  client.once('close', () => signal?.removeEventListener('abort', stop))
  try {
    await client.connect()
    const { uidValidity, uidNext, exists } = await client.mailboxOpen(mailbox, { readOnly: true })
    return { client, uidValidity: String(uidValidity), uidNext, mails: exists }
  } catch (error) {
    const fault = faultOf(error, server)
    if (fault.why === 'mailbox_missing') fault.mailboxes = await namesOf(client)
    client.close()
    signal?.throwIfAborted()
    throw fault
  }
}

async function namesOf(client: ImapFlow): Promise<string[]> {
  try {
    return (await client.list()).map(({ path }) => path).slice(0, MOST_LISTED)
  } catch {
    return []
  }
}
