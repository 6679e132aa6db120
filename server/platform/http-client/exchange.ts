/**
 * The HTTP client for addresses chosen by users. One attempt: to a checked address, over a connection of its own,
 * with limits of time and size. It follows no redirects, uses no proxy and decompresses nothing.
 */
import { lookup as resolveName } from 'node:dns/promises'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { getCACertificates, rootCertificates } from 'node:tls'
import { isLoopback, isOwnNetwork, isPublicAddress } from './addresses.ts'

export interface Limits {
  /** From the first byte sent to the last one received. */
  totalMs: number
  headersMs: number
  /** Until the connection is established, including its handshake; default: no separate limit. */
  connectMs?: number
  bytes: number
}

/**
 * The allowed range of addresses. `public`: the internet, over TLS. `near`: also this computer and its own network,
 * for addresses that a person typed. `here`: this computer only, without any name lookup elsewhere.
 */
export type Reach = 'public' | 'near' | 'here'

export interface Aim {
  base: URL
  reach: Reach
  /** Returns all addresses of a name. */
  resolve: (name: string) => Promise<readonly string[]>
  /** The only trusted CA; undefined to trust the public ones. */
  caPem?: string
}

export interface Attempt {
  method: 'GET' | 'POST'
  /** With the query string. */
  path: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
  limits: Limits
  signal: AbortSignal | undefined
  /** Only the status matters: the body is read up to `limits.bytes`, without decoding, and then discarded. */
  statusOnly?: boolean
  /** Filled as data arrives, so that it is also available for a rejected answer. */
  heard: { status: number | null; headers: Readonly<Record<string, string>>; bytes: number }
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

type RefusalReason =
  | 'not_an_address'
  | 'scheme'
  | 'credentials_in_address'
  | 'query_in_address'
  | 'port'
  | 'plain_http'
  | 'private_address'

/**
 * An attempt without a usable answer. `address`: the address is not allowed, `reason` is a `RefusalReason`.
 * `unavailable`: no answer, or not in time; `reason` is `timeout`, `connection` or a code of Node or OpenSSL.
 * `protocol`: the answer is invalid. Callers map it to their own error codes.
 */
export class HttpClientFault extends Error {
  override readonly name = 'HttpClientFault'
  readonly kind: 'address' | 'unavailable' | 'protocol'
  readonly reason: string
  constructor(kind: HttpClientFault['kind'], reason: string) {
    super(`${kind}: ${reason}`)
    this.kind = kind
    this.reason = reason
  }
}

function addressRefused(reason: RefusalReason): HttpClientFault {
  return new HttpClientFault('address', reason)
}

function unavailable(reason: string): HttpClientFault {
  return new HttpClientFault('unavailable', reason)
}

/** Returns an allowed base address without a trailing slash. Throws an `HttpClientFault` of kind `address`. */
export function checkedBase(text: string, reach: Reach): URL {
  const base = checkedUrl(text, reach)
  if (base.search !== '') throw addressRefused('query_in_address')
  base.pathname = base.pathname.replace(/\/+$/, '')
  return base
}

/** Returns an allowed complete address with its path and query. Throws an `HttpClientFault` of kind `address`. */
export function checkedUrl(text: string, reach: Reach): URL {
  if (!URL.canParse(text)) throw addressRefused('not_an_address')
  const base = new URL(text)
  if (base.protocol !== 'https:' && base.protocol !== 'http:') throw addressRefused('scheme')
  if (base.hostname === '') throw addressRefused('not_an_address')
  if (base.username !== '' || base.password !== '') throw addressRefused('credentials_in_address')
  if (base.hash !== '') throw addressRefused('query_in_address')
  if (base.protocol === 'http:' && reach === 'public') throw addressRefused('plain_http')
  // Ports below 1024 belong to services that were never meant to receive such requests.
  const port = Number(base.port || (base.protocol === 'http:' ? 80 : 443))
  if (port !== 443 && port < 1024 && !(reach !== 'public' && port === 80)) throw addressRefused('port')
  const host = bareHost(base)
  if (isIP(host) !== 0) checkAddress(host, base, reach)
  else if (isNameOfHere(host) ? reach === 'public' : reach === 'here') throw addressRefused('private_address')
  return base
}

/** Returns true for names that always mean this computer (RFC 6761). */
function isNameOfHere(host: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(host)
}

function bareHost(base: URL): string {
  return base.hostname.replace(/^\[|\]$/g, '')
}

/** Throws for an address that is outside the allowed range. */
function checkAddress(ip: string, base: URL, reach: Reach): void {
  // Without TLS the request would be readable in transit: on this computer only.
  if (base.protocol === 'http:' && !isLoopback(ip)) throw addressRefused('plain_http')
  const isAllowed =
    (reach !== 'public' && isLoopback(ip)) ||
    (reach !== 'here' && isPublicAddress(ip)) ||
    (reach === 'near' && isOwnNetwork(ip))
  if (!isAllowed) throw addressRefused('private_address')
}

/** Resolves a name with the system's resolver. */
export async function resolveAll(name: string): Promise<string[]> {
  return (await resolveName(name, { all: true })).map((each) => each.address)
}

/** Checks every address of the name and returns only these, so that a second lookup cannot lead elsewhere. */
async function checkedAddresses(aim: Aim): Promise<readonly string[]> {
  const host = bareHost(aim.base)
  const addresses = isIP(host) === 0 ? await aim.resolve(host) : [host]
  if (addresses.length === 0) throw unavailable('ENOTFOUND')
  for (const address of addresses) checkAddress(address, aim.base, aim.reach)
  return addresses
}

function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, callback) => {
    const [first] = found
    if (options.all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }
}

/** OpenSSL's codes for an unknown issuer. */
const UNKNOWN_ISSUER = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
])

/** Returns true if the certificate of the other side is not valid: a retry changes nothing. */
export function isCertificateFault(reason: string): boolean {
  return /^(?:CERT_|ERR_TLS_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_)/.test(reason)
}

/** Returns the program's CA certificates with those that this computer trusts in addition; null if there are none. */
function withSystemRoots(): string[] | null {
  try {
    const further = getCACertificates('system')
    return further.length === 0 ? null : [...rootCertificates, ...further]
  } catch {
    return null
  }
}

/** Performs one attempt. Throws an `HttpClientFault`, or the reason of the signal. */
export async function exchange(aim: Aim, attempt: Attempt): Promise<Answer> {
  const begun = performance.now()
  const addresses = await namesWithin(aim, attempt)
  const left = { ...attempt, limits: { ...attempt.limits, totalMs: rest(attempt.limits.totalMs, begun) } }
  if (aim.base.protocol === 'http:') return send(aim, addresses, left, [])
  try {
    return await send(aim, addresses, left, aim.caPem === undefined ? [...rootCertificates] : [aim.caPem])
  } catch (error) {
    const reason = error instanceof HttpClientFault ? error.reason : ''
    if (aim.caPem !== undefined || !UNKNOWN_ISSUER.has(reason)) throw error
    // The handshake failed before any byte of the request was sent. The system's certificate store is slow to read,
    // so that it is tried second.
    const roots = withSystemRoots()
    if (!roots) throw error
    return send(aim, addresses, left, roots)
  }
}

function rest(totalMs: number, begun: number): number {
  return Math.max(1, totalMs - (performance.now() - begun))
}

/** Resolves names within the time limit: a silent resolver must not extend the attempt. */
async function namesWithin(aim: Aim, { limits, signal }: Attempt): Promise<readonly string[]> {
  signal?.throwIfAborted()
  const { promise: given, reject } = Promise.withResolvers<never>()
  const deadline = setTimeout(
    () => reject(unavailable('timeout')),
    Math.min(limits.headersMs, limits.connectMs ?? limits.headersMs),
  )
  const stop = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([checkedAddresses(aim), given])
  } catch (error) {
    if (error instanceof HttpClientFault || signal?.aborted) throw error
    throw unavailable(codeOf(error))
  } finally {
    clearTimeout(deadline)
    signal?.removeEventListener('abort', stop)
  }
}

function codeOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code
  return typeof code === 'string' && /^[A-Z][A-Z\d_]{2,60}$/.test(code) ? code : 'connection'
}

function send(aim: Aim, addresses: readonly string[], attempt: Attempt, ca: string[]): Promise<Answer> {
  const { base, reach } = aim
  const { method, path, headers, body, limits, signal, statusOnly = false, heard } = attempt
  return new Promise((resolve, reject) => {
    const host = bareHost(base)
    const plain: RequestOptions = {
      // Without an agent there is no pool and no proxy of the environment.
      agent: false,
      host,
      port: Number(base.port || (base.protocol === 'http:' ? 80 : 443)),
      lookup: lookupAmong(addresses),
      method,
      path: base.pathname.replace(/\/$/, '') + path,
      headers: { ...headers, Connection: 'close' },
    }
    const secure = {
      servername: isIP(host) === 0 ? host : '',
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      // With an explicit list NODE_EXTRA_CA_CERTS cannot add others.
      ca,
    } as const
    // A named import would load Node's whole `fetch` at every start.
    const asking =
      base.protocol === 'http:'
        ? process.getBuiltinModule('node:http').request(plain)
        : requestTls({ ...plain, ...secure })

    const end = (): void => {
      clearTimeout(total)
      clearTimeout(first)
      clearTimeout(connecting)
      signal?.removeEventListener('abort', stop)
    }
    const lost = (error: unknown): void => {
      end()
      reject(error)
      asking.destroy()
    }
    const stop = (): void => lost(signal?.reason)
    const total = setTimeout(() => lost(unavailable('timeout')), limits.totalMs)
    const first = setTimeout(() => lost(unavailable('timeout')), Math.min(limits.headersMs, limits.totalMs))
    const connecting =
      limits.connectMs === undefined
        ? undefined
        : setTimeout(() => lost(unavailable('timeout')), Math.min(limits.connectMs, limits.totalMs))
    signal?.addEventListener('abort', stop, { once: true })

    asking.on('socket', (socket) => {
      socket.once(base.protocol === 'http:' ? 'connect' : 'secureConnect', () => clearTimeout(connecting))
      socket.once('connect', () => {
        const reached = socket.remoteAddress ?? ''
        try {
          checkAddress(reached, base, reach)
        } catch (error) {
          lost(error)
        }
      })
    })
    asking.on('error', (error) => lost(unavailable(codeOf(error))))
    asking.on('response', (answer) => {
      clearTimeout(first)
      heard.status = answer.statusCode ?? 0
      heard.headers = headersOf(answer)
      const fault = faultOfHead(answer, statusOnly)
      if (fault) return lost(fault)
      const parts: Buffer[] = []
      const whole = (): void => {
        end()
        resolve({ status: answer.statusCode ?? 0, headers: headersOf(answer), body: Buffer.concat(parts) })
      }
      answer.on('data', (part: Buffer) => {
        heard.bytes += part.length
        if (heard.bytes <= limits.bytes) parts.push(part)
        else if (statusOnly) {
          whole()
          asking.destroy()
        } else lost(new HttpClientFault('protocol', 'too_large'))
      })
      answer.on('error', () => lost(unavailable('connection')))
      answer.on('close', () => {
        if (!answer.complete) lost(unavailable('connection'))
      })
      answer.on('end', () => {
        if (answer.complete) whole()
      })
    })
    asking.end(body)
  })
}

/** Returns the fault of an answer that is rejected by its head, before the body is read. */
function faultOfHead(answer: IncomingMessage, statusOnly: boolean): HttpClientFault | null {
  const status = answer.statusCode ?? 0
  // Following it would send the request to another party.
  if (status >= 300 && status < 400) return new HttpClientFault('protocol', 'redirect')
  if (statusOnly) return null
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  return encoding === 'identity' || encoding === '' ? null : new HttpClientFault('protocol', 'encoding')
}

function headersOf(answer: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}

/** Returns Retry-After in seconds, from a number or a date; null without one (RFC 9110, 10.2.3). */
export function retryAfterOf(headers: Readonly<Record<string, string>>, now: Date): number | null {
  const text = headers['retry-after']?.trim()
  if (text === undefined || text === '') return null
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const until = text.endsWith('GMT') ? Date.parse(text) : Number.NaN
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - now.getTime()) / 1000))
}
