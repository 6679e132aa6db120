/** A mock service over real TLS on this computer: it records requests and answers as the test specifies. */
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { ServiceAddress } from '../../../../server/catalog/lookups/outgoing.ts'
import { makeServerCertificate } from '../../../support/files/certificates.ts'

interface Asked {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
  /** True if the client showed a certificate. */
  hasCertificate: boolean
}

interface Service {
  address: ServiceAddress
  asked: Asked[]
}

type Behaviour = (asked: Asked, response: ServerResponse) => void

/** Starts a service; `wantsCertificate` requests the client's. */
export async function startService(behave: Behaviour, wantsCertificate = false): Promise<Service> {
  const { certPem, keyPem, caPem } = makeServerCertificate()
  const asked: Asked[] = []
  const server = createServer(
    { cert: certPem, key: keyPem, requestCert: wantsCertificate, rejectUnauthorized: false },
    (request, response) => {
      let body = ''
      request.setEncoding('utf8')
      request.on('data', (part: string) => (body += part))
      request.on('end', () => {
        const socket = request.socket as TLSSocket
        const peer = wantsCertificate ? socket.getPeerCertificate() : {}
        asked.push({
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers,
          body,
          hasCertificate: Object.keys(peer).length > 0,
        })
        behave(asked.at(-1) as Asked, response)
      })
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port, caPem }, asked }
}

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
