/** TLS server for tests of the transport, which handles a request as the test specifies. */
import { once } from 'node:events'
import net from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import tls from 'node:tls'
import type { TlsOptions, TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import { createAeatAuthority } from '../../../../../../server/registry/systems/verifactu/authority/index.ts'
import type {
  AeatOptions,
  ClientCredential,
} from '../../../../../../server/registry/systems/verifactu/authority/index.ts'
import type { Authority } from '../../../../../../server/registry/queue/authority.ts'
import { makeCertificate, makeServerCertificate } from '../../../../../support/files/certificates.ts'
import type { CertificateWish } from '../../../../../support/files/certificates.ts'

export const NOW = new Date('2026-11-21T10:00:00Z')

export interface Peer {
  port: number
  /** Address as a mock endpoint of the authority. */
  url: string
  /** Number of connections, whatever their outcome. */
  connections: number
  /** Data received over each connection after the handshake, in full. */
  received: string[]
  /** The connections after their handshake. */
  sockets: TLSSocket[]
}

/** Called when a whole request with its body has arrived; `raw` is the TCP connection below TLS. */
export type Behaviour = (socket: TLSSocket, request: string, raw: Socket) => void

/**
 * Starts a server with a certificate for `localhost` and 127.0.0.1 that requests the client's certificate and accepts
 * any.
 */
export async function startPeer(behave: Behaviour, options: TlsOptions = {}): Promise<Peer> {
  const { certPem, keyPem } = makeServerCertificate()
  const server = tls.createServer({
    cert: certPem,
    key: keyPem,
    requestCert: true,
    rejectUnauthorized: false,
    ...options,
  })
  const peer = await listen(server)
  const raw = new Map<number | undefined, Socket>()
  server.on('connection', (socket: Socket) => raw.set(socket.remotePort, socket))
  server.on('secureConnection', (socket) => {
    const at = peer.sockets.push(socket) - 1
    peer.received.push('')
    let expected = Infinity
    socket.on('error', () => {})
    socket.setEncoding('latin1')
    socket.on('data', (part: string) => {
      peer.received[at] += part
      const request = peer.received[at] ?? ''
      if (expected === Infinity) expected = lengthOf(request)
      const beneath = raw.get(socket.remotePort)
      if (request.length >= expected && beneath)
        behave(socket, Buffer.from(request, 'latin1').toString('utf8'), beneath)
    })
  })
  return peer
}

/** Returns the length of a request; infinite until its head has arrived. */
function lengthOf(request: string): number {
  const head = request.indexOf('\r\n\r\n')
  const length = /^content-length: (\d+)\r?$/im.exec(request.slice(0, head))?.[1]
  return head < 0 ? Infinity : head + 4 + Number(length)
}

/** Starts a server without TLS: `behave` gets each new connection. */
export async function startRawPeer(behave: (socket: Socket) => void): Promise<Peer> {
  return listen(
    net.createServer((socket) => {
      socket.on('error', () => {})
      behave(socket)
    }),
  )
}

async function listen(server: net.Server): Promise<Peer> {
  const open = new Set<Socket>()
  const peer: Peer = { port: 0, url: '', connections: 0, received: [], sockets: [] }
  const keep = (socket: Socket): void => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  server.on('connection', (socket) => {
    peer.connections += 1
    keep(socket)
  })
  // A TLS connection must be closed through TLS, or the server does not notice.
  server.on('secureConnection', keep)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  peer.port = (server.address() as AddressInfo).port
  peer.url = `https://127.0.0.1:${peer.port}/`
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((done) => server.close(done))
  })
  return peer
}

/** Returns a complete answer. */
export function answer(body: string, head: readonly string[] = [], status = '200 OK'): string {
  const length = Buffer.byteLength(body)
  return [`HTTP/1.1 ${status}`, ...head, `Content-Length: ${length}`, '', body].join('\r\n')
}

/** Returns the company's certificate as the transport gets it; valid at NOW by default. */
export function credentialFor(wish: Partial<CertificateWish> = {}): ClientCredential {
  const { keyPem, chainPem } = makeCertificate(wish)
  return {
    kind: wish.kind ?? 'representative',
    keyPem,
    chainPem,
    validFrom: Date.parse(String(wish.from ?? '2025-01-01T00:00:00Z')),
    validTo: Date.parse(String(wish.to ?? '2028-12-31T23:59:59Z')),
  }
}

/** Returns the sandbox's authority at `url`. */
export function authorityAt(url: string, changes: Partial<AeatOptions> = {}): Authority {
  return createAeatAuthority({
    environment: 'production',
    sandbox: true,
    standIn: { url, caPem: makeServerCertificate().caPem },
    credential: credentialFor(),
    now: () => NOW,
    version: '1.2.3',
    ...changes,
  })
}
