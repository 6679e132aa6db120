/**
 * A server that ends TLS by itself, with a certificate that is renewed without a restart: its files are read again, and
 * a pair that does not fit is reported and not used.
 */
import { readFileSync } from 'node:fs'
import type { RequestListener, Server, ServerOptions } from 'node:http'
import { createServer } from 'node:https'
import type { Server as HttpsServer } from 'node:https'
import { createSecureContext } from 'node:tls'

const READ_AGAIN_MS = 60_000
const HANDSHAKE_MS = 10_000

interface Pair {
  cert: Buffer
  key: Buffer
}

/** The files of a certificate, with its chain, and of its key, in PEM. */
export class ServerTls {
  private pair: Pair
  private readonly files: { certificate: string; key: string }
  private readonly report: (error: unknown) => void
  private readonly servers = new Set<HttpsServer>()

  /** Reads both files. Throws if one cannot be read, or if they do not belong together. */
  constructor(files: { certificate: string; key: string }, report: (error: unknown) => void) {
    this.files = files
    this.report = report
    this.pair = this.read()
  }

  private read(): Pair {
    const pair = { cert: readFileSync(this.files.certificate), key: readFileSync(this.files.key) }
    // Throws for a key of another certificate.
    createSecureContext(pair)
    return pair
  }

  /** Reads the files again; new connections use what has changed. */
  renew(): void {
    try {
      const next = this.read()
      if (next.cert.equals(this.pair.cert) && next.key.equals(this.pair.key)) return
      this.pair = next
      for (const server of this.servers) server.setSecureContext(next)
    } catch (error) {
      // One file can be written before the other: the earlier pair stays until both fit.
      this.report(error)
    }
  }

  get current(): Pair {
    return this.pair
  }

  watch(server: HttpsServer): void {
    this.servers.add(server)
    const timer = setInterval(() => this.renew(), READ_AGAIN_MS)
    timer.unref()
    server.once('close', () => {
      clearInterval(timer)
      this.servers.delete(server)
    })
  }
}

/** Creates the server; it opens no port. */
export function tlsServer(
  tls: ServerTls,
  handler: RequestListener,
  { keepAliveTimeout, ...options }: ServerOptions,
): Server {
  const server = createServer(
    {
      ...options,
      ...tls.current,
      minVersion: 'TLSv1.2',
      handshakeTimeout: HANDSHAKE_MS,
      requireHostHeader: false,
      ...(keepAliveTimeout === undefined ? {} : { keepAliveTimeout }),
    },
    handler,
  )
  tls.watch(server)
  return server as unknown as Server
}
