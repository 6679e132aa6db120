/** Client of the simulated authority's server over real TLS, with the certificates that its tests need. */
import { request } from 'node:https'
import type { RequestOptions } from 'node:https'
import { request as plainRequest } from 'node:http'
import { onTestFinished } from 'vitest'
import {
  issueClientCertificate,
  makeAuthorityCa,
} from '../../../../../../server/platform/simulated-authority/certificates/certificates.ts'
import { startAuthorityServer } from '../../../../../../server/registry/systems/verifactu/simulator/server.ts'
import type {
  AuthorityCa,
  IssuedCertificate,
} from '../../../../../../server/platform/simulated-authority/certificates/certificates.ts'
import type {
  AuthorityServer,
  AuthorityServerOptions,
} from '../../../../../../server/registry/systems/verifactu/simulator/server.ts'
import { ISSUER, NOW } from '../../../samples.ts'

interface Answer {
  status: number
  type: string
  headers: Record<string, string | string[] | undefined>
  body: string
}

interface Call extends Pick<RequestOptions, 'method' | 'maxVersion' | 'minVersion' | 'servername'> {
  url?: string
  body?: string | Uint8Array
  headers?: Record<string, string>
  /** Null for none. */
  identity?: Pick<IssuedCertificate, 'certPem' | 'keyPem'> | null
}

const YEARS = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2036-01-01T00:00:00Z') }

/** Created once, because making keys is the slowest part. */
let authorities: Promise<{ clients: AuthorityCa; own: IssuedCertificate }> | null = null

export function issuersCertificate() {
  authorities ??= (async () => {
    const clients = await makeAuthorityCa({ ...YEARS, name: 'AC DE CLIENTES' })
    const own = await issueClientCertificate({
      ca: clients,
      ...YEARS,
      kind: 'person',
      nif: ISSUER.nif,
      name: 'EMISOR DE EJEMPLO',
    })
    return { clients, own }
  })()
  return authorities
}

export { YEARS }

/** Starts a server with its clock at the records' time, closed when the test ends, and a way to call it as the issuer. */
export async function opened(options: AuthorityServerOptions = {}): Promise<{
  server: AuthorityServer
  call: (call?: Call) => Promise<Answer>
  post: (body: string | Uint8Array, call?: Call) => Promise<Answer>
}> {
  const { own } = await issuersCertificate()
  const server = await startAuthorityServer({ now: () => NOW, ...options })
  onTestFinished(() => server.close())
  const call = (wanted: Call = {}) => asked(server, own, wanted)
  return {
    server,
    call,
    post: (body, wanted = {}) => call({ method: 'POST', body, ...wanted }),
  }
}

function asked(server: AuthorityServer, own: IssuedCertificate, call: Call): Promise<Answer> {
  const { url = server.url, method = 'GET', body, headers = {}, identity = own, ...tls } = call
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method,
        ca: server.caPem,
        agent: false,
        ...tls,
        ...(identity === null ? {} : { key: identity.keyPem, cert: identity.certPem }),
        headers:
          method === 'POST'
            ? { 'content-type': 'text/xml; charset=utf-8', soapaction: '""', ...headers }
            : headers,
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: String(response.headers['content-type']),
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Sends a JSON call to the control port. */
export function control(
  url: string,
  body?: unknown,
  {
    headers = {},
    method = body === undefined ? 'GET' : 'POST',
  }: { headers?: Record<string, string>; method?: string } = {},
): Promise<{ status: number; body: any }> {
  return new Promise((resolve, reject) => {
    const outgoing = plainRequest(
      url,
      {
        method,
        agent: false,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  })
}
