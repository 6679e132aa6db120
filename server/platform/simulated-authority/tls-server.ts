/**
 * An HTTPS server of a simulated authority, with mutual TLS, on 127.0.0.1 only. It asks for a client's certificate and
 * leaves to the service what happens without one.
 */
import { constants, X509Certificate } from 'node:crypto'
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { issueServerCertificate, makeAuthorityCa } from './certificates/certificates.ts'
import type { AuthorityCa, KeyedCertificate } from './certificates/certificates.ts'
import { certificateFault, holderNifs } from './certificates/client-certificate.ts'
import type { CertificateFault } from './certificates/client-certificate.ts'

const DAY_MS = 86_400_000
const MOST_PRESENTED = 8

export interface TlsServerOptions {
  now: () => Date
  /** 0 for any free port. */
  port?: number
  /** Roots (PEM) that client certificates must chain to; by default any certificate is accepted. */
  clientCa?: readonly string[]
  /** Way of refusing a client without an accepted certificate; a page by default. */
  refusal?: 'page' | 'handshake'
  /** The server's own certificate; valid by default. */
  serverCertificate?: 'valid' | 'expired' | 'other_name'
  /** Returns false to close a connection before its handshake; every connection is accepted by default. */
  admits?: () => boolean
  /** Certification authority that signs the server's certificate; a new one by default. */
  ca?: AuthorityCa
}

/** Why a client's certificate is refused, with the text for its page. */
export interface PeerFault {
  kind: CertificateFault
  text: string
}

/** The holder of a connection's certificate, and what is wrong with it. */
interface Peer {
  fault: PeerFault | null
  /** Tax numbers of its holder; empty without a certificate. */
  nifs: string[]
}

interface TlsServer {
  port: number
  /** The root certificate that a client must trust. */
  caPem: string
  /** Closes every connection and stops listening. */
  close: () => Promise<void>
}

/** Starts the server. Rejects when the port is in use. A handler that rejects ends the connection without an answer. */
export async function startTlsServer(
  options: TlsServerOptions,
  handle: (request: IncomingMessage, response: ServerResponse, peer: Peer) => Promise<void>,
): Promise<TlsServer> {
  const ca = options.ca ?? (await makeAuthorityCa())
  const identity = await serverIdentity(ca, options.serverCertificate ?? 'valid')
  const byHandshake = options.refusal === 'handshake'
  const roots = byHandshake ? [] : (options.clientCa ?? []).map((pem) => new X509Certificate(pem))

  function peerOf(socket: TLSSocket): Peer {
    const [leaf, ...presented] = presentedBy(socket)
    const kind = certificateFault(leaf, presented, roots, options.now())
    return { fault: kind && { kind, text: REFUSED[kind] }, nifs: leaf ? holderNifs(leaf) : [] }
  }

  const server = createServer(
    {
      key: identity.keyPem,
      cert: identity.certPem,
      minVersion: 'TLSv1.2',
      requestCert: true,
      rejectUnauthorized: byHandshake,
      // A resumed session would not show the certificate again.
      secureOptions: constants.SSL_OP_NO_TICKET,
      // Passed to the TLS library only where it decides: for a client that it trusts, it omits the intermediate
      // certificates.
      ...(byHandshake ? { ca: [...(options.clientCa ?? [])] } : {}),
    },
    (request, response) => {
      // The Date header shows the simulated clock, which the HTTP library does not know.
      response.sendDate = false
      response.setHeader('date', options.now().toUTCString())
      Promise.resolve()
        .then(() => handle(request, response, peerOf(request.socket as TLSSocket)))
        // The client left, or the state failed: neither can be answered.
        .catch(() => request.socket.destroy())
    },
  )
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (options.admits?.() === false) socket.destroy()
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    caPem: ca.certPem,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const REFUSED: Record<CertificateFault, string> = {
  missing: 'Este servicio exige un certificado electrónico.',
  expired: 'El certificado está caducado.',
  not_yet_valid: 'El certificado todavía no es válido.',
  not_trusted: 'El certificado no es de un prestador admitido.',
}

/** Returns the client's certificates as it sent them, its own first. */
function presentedBy(socket: TLSSocket): X509Certificate[] {
  const found: X509Certificate[] = []
  let next = socket.getPeerX509Certificate()
  for (; next && found.length < MOST_PRESENTED; next = next.issuerCertificate) found.push(next)
  return found
}

async function serverIdentity(
  ca: AuthorityCa,
  kind: NonNullable<TlsServerOptions['serverCertificate']>,
): Promise<KeyedCertificate> {
  const names = kind === 'other_name' ? ['autoridad.example'] : ['127.0.0.1', 'localhost']
  // A client uses its own clock, whatever the simulated one shows.
  const yesterday = new Date(Date.now() - DAY_MS)
  return kind === 'expired'
    ? issueServerCertificate({ ca, names, from: new Date(yesterday.getTime() - DAY_MS), to: yesterday })
    : issueServerCertificate({ ca, names })
}
