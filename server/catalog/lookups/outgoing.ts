/**
 * Sends one request over TLS to a fixed service: time limits, a maximum size, no redirect, no proxy. It carries no
 * payment and no invoice: after a failure only the answer is unknown.
 */
import { request } from 'node:https'
import { getCACertificates, rootCertificates } from 'node:tls'
import { AppError } from '../../domain/errors/app-error.ts'

/** Address of a service. Tests use a server of their own; the product's are constants of each service. */
export interface ServiceAddress {
  host: string
  port: number
  /** The only root certificate trusted there; when absent, the usual public roots apply. */
  caPem?: string
}

interface Question {
  service: string
  address: ServiceAddress
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
  /** The company's own certificate, for services that identify the caller. */
  credential?: { keyPem: string; chainPem: string }
  limits?: { totalMs: number; bytes: number }
}

interface Reply {
  status: number
  body: string
}

const LIMITS = { totalMs: 15_000, bytes: 2 * 1024 * 1024 }

/** Returns `lookup_unavailable`: no answer, so the result is unknown. */
export function unavailable(service: string, reason: string): AppError {
  return new AppError('lookup_unavailable', { details: { service, reason }, retryAfterSeconds: 30 })
}

/** Returns `lookup_refused`: the service answered, but not with a result. */
export function refused(service: string, reason: string): AppError {
  return new AppError('lookup_refused', { details: { service, reason } })
}

/** OpenSSL's error codes for an unknown issuer of the server's certificate. */
const UNKNOWN_ISSUER = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
])

/** Returns the root certificates included in Node and those that this computer adds; null where it adds none. */
function withSystemRoots(): string[] | null {
  try {
    const further = getCACertificates('system')
    return further.length === 0 ? null : [...rootCertificates, ...further]
  } catch {
    return null
  }
}

/** Sends the request. Throws `lookup_unavailable` when no complete answer comes, `lookup_refused` for a redirect. */
export async function callService(question: Question): Promise<Reply> {
  try {
    return await askOnce(question, question.address.caPem ?? [...rootCertificates])
  } catch (error) {
    const reason = error instanceof AppError ? error.details?.reason : undefined
    if (question.address.caPem !== undefined || !UNKNOWN_ISSUER.has(String(reason))) throw error
    // The handshake failed, so no byte of the request was sent. The system's store is slow to read, so it is tried
    // second.
    const roots = withSystemRoots()
    if (!roots) throw error
    return askOnce(question, roots)
  }
}

function askOnce(question: Question, ca: string | string[]): Promise<Reply> {
  const { service, address, method, path, headers = {}, body, credential, limits = LIMITS } = question
  return new Promise((resolve, reject) => {
    const lost = (reason: string): void => {
      clearTimeout(deadline)
      asking.destroy()
      reject(unavailable(service, reason))
    }
    const asking = request({
      // Without an agent there is no pool, and no proxy of the environment.
      agent: false,
      host: address.host,
      port: address.port,
      servername: /^[\d.:]+$/.test(address.host) ? '' : address.host,
      method,
      path,
      headers: {
        'User-Agent': 'Sello',
        'Accept-Encoding': 'identity',
        Connection: 'close',
        ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
        ...headers,
      },
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      // An explicit list prevents NODE_EXTRA_CA_CERTS from adding more.
      ca,
      ...(credential ? { key: credential.keyPem, cert: credential.chainPem } : {}),
    })
    const deadline = setTimeout(() => lost('timeout'), limits.totalMs)
    asking.on('error', (error: NodeJS.ErrnoException) => lost(error.code ?? 'connection'))
    asking.on('response', (answer) => {
      const parts: Buffer[] = []
      let bytes = 0
      const status = answer.statusCode ?? 0
      answer.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > limits.bytes) lost('too_large')
        else parts.push(part)
      })
      answer.on('error', () => lost('connection'))
      answer.on('close', () => {
        if (!answer.complete) lost('connection')
      })
      answer.on('end', () => {
        clearTimeout(deadline)
        // Following a redirect would send the request to another host.
        if (status >= 300 && status < 400) return reject(refused(service, 'redirect'))
        if (status >= 500 && bytes === 0) return reject(unavailable(service, `status_${status}`))
        resolve({ status, body: Buffer.concat(parts).toString('utf8') })
      })
    })
    asking.end(body)
  })
}
