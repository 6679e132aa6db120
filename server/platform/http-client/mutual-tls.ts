/**
 * Opens a secure connection to a service, with the company's certificate where it asks for one. It writes nothing of a
 * message, so any failure here proves that the message was not sent.
 */
import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction, TcpNetConnectOpts } from 'node:net'
import * as tls from 'node:tls'
import type { ConnectionOptions, SecureContext, TLSSocket } from 'node:tls'
import { isLoopback } from './addresses.ts'

/** Reasons for certainty that nothing reached the service. */
export type ConnectionRefusal =
  /** The name does not resolve, there is no route or nothing listens: the network or the service is down. */
  | 'unreachable'
  /**
   * The server is not proved to be the service: its certificate is not trusted, or no secure connection could be agreed.
   */
  | 'not_trusted'
  /** The certificate cannot be used. */
  | 'no_certificate'
  /** The service refused the certificate during the handshake. */
  | 'certificate_refused'

/** Where a connection goes. */
export interface SecureAddress {
  /** A host name or an IP address, without brackets. */
  host: string
  port: number
  /** The only root certificate trusted at this address; null where the usual public roots apply. */
  caPem: string | null
}

export interface ConnectLimits {
  /** Milliseconds for name resolution, connection and handshake together. */
  connectMs: number
  /** Milliseconds to wait after the handshake for the authority to refuse the certificate, before anything is sent. */
  verdictMs: number
}

interface Dial {
  address: SecureAddress
  /**
   * The company's private key, and its certificate followed by the intermediate ones, in PEM; null for a service that asks
   * for none.
   */
  credential: { keyPem: string; chainPem: string } | null
  limits: ConnectLimits
  signal?: AbortSignal | undefined
}

type Connection =
  | { kind: 'open'; socket: TLSSocket }
  | { kind: 'refused'; reason: ConnectionRefusal; detail: string; code?: string }

/**
 * Opens a connection to the authority: TLS 1.2 or newer, the server's certificate verified, the company's certificate
 * presented.
 *
 * The resolved address is not checked for the real hosts: if the name is redirected to another machine, that machine
 * cannot prove that it is the authority, and no byte of the message is written to it.
 */
export async function openConnection(dial: Dial): Promise<Connection> {
  if (dial.address.caPem !== null) return connectTrusting([dial.address.caPem], dial)
  const known = await connectTrusting(tls.rootCertificates, dial)
  if (known.kind === 'open' || !UNKNOWN_ISSUER.has(known.code ?? '')) return known
  // Reading the system's certificate store blocks the process (50 ms measured), so it is read only when it may help.
  const further = systemRoots()
  return further.length === 0 ? known : connectTrusting([...tls.rootCertificates, ...further], dial)
}

/** OpenSSL's error codes for an unknown issuer of the server's certificate. */
const UNKNOWN_ISSUER = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
])

/**
 * Returns the root certificates that this computer trusts beyond those included in Node; empty when the system cannot
 * list them.
 */
function systemRoots(): readonly string[] {
  try {
    return tls.getCACertificates?.('system') ?? []
  } catch {
    return []
  }
}

function refused(reason: ConnectionRefusal, detail: string): Connection {
  return { kind: 'refused', reason, detail }
}

function connectTrusting(ca: readonly string[], dial: Dial): Promise<Connection> {
  const { address, credential, limits, signal } = dial
  let secureContext: SecureContext
  try {
    // An explicit list prevents NODE_EXTRA_CA_CERTS from adding more.
    secureContext = tls.createSecureContext({
      ca: [...ca],
      ...(credential === null ? {} : { key: credential.keyPem, cert: credential.chainPem }),
      minVersion: 'TLSv1.2',
    })
  } catch (error) {
    return Promise.resolve(refused('no_certificate', `The certificate cannot be used. ${textOf(error)}`))
  }
  if (signal?.aborted) return Promise.resolve(refused('unreachable', STOPPED))
  return new Promise((resolve) => {
    const { host, port } = address
    const options: ConnectionOptions & Pick<TcpNetConnectOpts, 'autoSelectFamilyAttemptTimeout'> = {
      host,
      port,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext,
      // Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise disable it.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      // The default of 250 ms gives up an address too early on a slow line.
      autoSelectFamilyAttemptTimeout: 2_500,
      ...(address.caPem === null ? {} : { lookup: lookupOnThisComputer }),
    }
    const socket = tls.connect(options)
    let secure = false
    let ticket = false
    let verdict: NodeJS.Timeout | undefined
    const finish = (connection: Connection): void => {
      clearTimeout(deadline)
      clearTimeout(verdict)
      signal?.removeEventListener('abort', stop)
      if (connection.kind === 'refused') socket.destroy()
      resolve(connection)
    }
    const open = (): void => finish({ kind: 'open', socket })
    const stop = (): void => finish(refused('unreachable', STOPPED))
    const deadline = setTimeout(
      () => finish(refused('unreachable', `No secure connection after ${limits.connectMs} ms.`)),
      limits.connectMs,
    )
    signal?.addEventListener('abort', stop)
    // The listener is never removed: an error between this and the request, or after an answer, must always have a
    // handler.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const { code } = error
      const detail = textOf(error)
      finish({
        kind: 'refused',
        reason: reasonOf(code ?? '', { secure, impostor: Boolean(socket.authorizationError) }),
        detail,
        ...(code ? { code } : {}),
      })
    })
    socket.once('close', () =>
      finish(refused('unreachable', secure ? HUNG_UP : 'The connection was closed.')),
    )
    // Deferred by one turn of the event loop: data written while a ticket is still being read stays in the socket's
    // buffer for ever.
    socket.once('session', () =>
      setImmediate(() => {
        ticket = true
        if (secure) open()
      }),
    )
    socket.once('secureConnect', () => {
      secure = true
      clearTimeout(deadline)
      if (!socket.authorized || (address.caPem !== null && !isLoopback(socket.remoteAddress ?? '')))
        finish(refused('not_trusted', 'The other side is not who it should be.'))
      // In TLS 1.2 the server's last handshake message comes after it has checked our certificate. In TLS 1.3 our
      // message is the last one: the refusal of the certificate arrives later, when the request might already be on
      // its way and nobody could tell whether it was read. So the request waits for one of three signs: the session
      // ticket, sent to accepted clients; the refusal; or, since tickets are optional, a short silence. Source: RFC
      // 8446, sections 2, 4.4.2.4 and 4.6.1.
      else if (socket.getProtocol() !== 'TLSv1.3' || ticket) open()
      else verdict = setTimeout(open, limits.verdictMs)
    })
  })
}

const STOPPED = 'Stopped before anything was sent.'
const HUNG_UP =
  'The connection was closed right after the handshake, as some do that do not accept the certificate.'

/** Alerts about our certificate, as OpenSSL (Node) and BoringSSL (Electron) name them. Source: RFC 8446, section 6.2. */
const CERTIFICATE_REFUSED =
  /ALERT_(?:BAD|NO|UNSUPPORTED)_CERTIFICATE|(?:ALERT|TLSV1)_CERTIFICATE_(?:REVOKED|EXPIRED|UNKNOWN|REQUIRED)|ALERT_UNKNOWN_CA|ALERT_ACCESS_DENIED/
/** An alert of this kind after the handshake also concerns the last thing we sent: the certificate. */
const HANDSHAKE_REFUSED = /ALERT_(?:HANDSHAKE_FAILURE|DECRYPT_ERROR)/

/**
 * Returns the reason for an error code. `secure`: the handshake seemed complete. `impostor`: the server's certificate
 * failed verification, whatever the code.
 */
export function reasonOf(
  code: string,
  { secure, impostor }: { secure: boolean; impostor: boolean },
): ConnectionRefusal {
  if (CERTIFICATE_REFUSED.test(code) || (secure && HANDSHAKE_REFUSED.test(code))) return 'certificate_refused'
  return impostor || /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code) ? 'not_trusted' : 'unreachable'
}

const DETAIL_CHARACTERS = 300

/** Returns an error as one line: its code and its message, without OpenSSL's internal addresses. */
export function textOf(error: unknown): string {
  const { code, reason, message, errors } = error as NodeJS.ErrnoException & {
    reason?: string
    errors?: readonly unknown[]
  }
  const inner = message || errors?.map(textOf).join(' ') || ''
  const said = typeof reason === 'string' && reason !== '' ? reason : inner
  const text = code === undefined || said.startsWith(code) ? said : `${code}: ${said}`
  return text.replace(/\s+/g, ' ').trim().slice(0, DETAIL_CHARACTERS)
}

/**
 * Resolves every name to the loopback address: the hosts file could point `localhost` elsewhere, and a mock endpoint
 * must be on this computer.
 */
const lookupOnThisComputer: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const first = addresses?.[0]
    if (error || !first) return callback(error ?? notHere(hostname), [])
    if (!addresses.every(({ address }) => isLoopback(address))) return callback(notHere(hostname), [])
    if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })

function notHere(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} is not this computer.`), { code: 'ENOTFOUND' })
}
