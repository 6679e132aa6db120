/**
 * The one way out to addresses that users chose. One attempt: to an address that was looked at, over a connection of its own,
 * within limits of time and size. It follows no redirect, uses no proxy and unpacks nothing.
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
  /** Until the connection stands, its handshake included; no limit of its own when not said. */
  connectMs?: number
  bytes: number
}

/**
 * How far a call may go. `public`: the internet, over TLS. `near`: also this computer and its own network, for addresses that
 * a person typed. `here`: this computer alone, not even asking for a name elsewhere.
 */
export type Reach = 'public' | 'near' | 'here'

export interface Aim {
  base: URL
  reach: Reach
  /** All addresses of a name. */
  resolve: (name: string) => Promise<readonly string[]>
  /** The only authority trusted; absent where those that everybody trusts are. */
  caPem?: string
}

export interface Attempt {
  method: 'GET' | 'POST'
  /** With the query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
  limits: Limits
  signal: AbortSignal | undefined
  /** Only the status counts: what the answer holds, however packed, is read as far as `limits.bytes` and then left. */
  statusOnly?: boolean
  /** Told as it comes, so that it is known of an answer that is refused, too. */
  heard: { status: number | null; headers: Readonly<Record<string, string>>; bytes: number }
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

export type RefusalReason =
  | 'not_an_address'
  | 'scheme'
  | 'credentials_in_address'
  | 'query_in_address'
  | 'port'
  | 'plain_http'
  | 'private_address'

/**
 * What came of an attempt that brought no answer to work with. `address`: it may not be asked, `reason` is a `RefusalReason`.
 * `unavailable`: nobody answered, or not in time; `reason` is `timeout`, `connection` or a code of Node or OpenSSL.
 * `protocol`: what came cannot be taken. Callers give it the name it has with them.
 */
export class HttpClientFault extends Error {
  override readonly name = 'OutwardFault'
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

/** A base address that may be asked, without a slash at its end. Throws an `OutwardFault` of an address. */
export function checkedBase(text: string, reach: Reach): URL {
  const base = checkedUrl(text, reach)
  if (base.search !== '') throw addressRefused('query_in_address')
  base.pathname = base.pathname.replace(/\/+$/, '')
  return base
}

/** A whole address that may be asked, with its path and query. Throws an `OutwardFault` of an address. */
export function checkedUrl(text: string, reach: Reach): URL {
  if (!URL.canParse(text)) throw addressRefused('not_an_address')
  const base = new URL(text)
  if (base.protocol !== 'https:' && base.protocol !== 'http:') throw addressRefused('scheme')
  if (base.hostname === '') throw addressRefused('not_an_address')
  if (base.username !== '' || base.password !== '') throw addressRefused('credentials_in_address')
  if (base.hash !== '') throw addressRefused('query_in_address')
  if (base.protocol === 'http:' && reach === 'public') throw addressRefused('plain_http')
  // Below 1024 live services that were never meant to be spoken to like this.
  const port = Number(base.port || (base.protocol === 'http:' ? 80 : 443))
  if (port !== 443 && port < 1024 && !(reach !== 'public' && port === 80)) throw addressRefused('port')
  const host = bareHost(base)
  if (isIP(host) !== 0) checkAddress(host, base, reach)
  else if (isNameOfHere(host) ? reach === 'public' : reach === 'here') throw addressRefused('private_address')
  return base
}

/** Names that mean this computer wherever they are asked for (RFC 6761). */
function isNameOfHere(host: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(host)
}

function bareHost(base: URL): string {
  return base.hostname.replace(/^\[|\]$/g, '')
}

/** Throws for an address that this aim may not reach. */
function checkAddress(ip: string, base: URL, reach: Reach): void {
  // Without TLS what is sent would travel in the clear: on this computer only.
  if (base.protocol === 'http:' && !isLoopback(ip)) throw addressRefused('plain_http')
  const isAllowed =
    (reach !== 'public' && isLoopback(ip)) ||
    (reach !== 'here' && isPublicAddress(ip)) ||
    (reach === 'near' && isOwnNetwork(ip))
  if (!isAllowed) throw addressRefused('private_address')
}

/** The names of the system's resolver. */
export async function resolveAll(name: string): Promise<string[]> {
  return (await resolveName(name, { all: true })).map((each) => each.address)
}

/** Looks every address of the name over and hands out those alone, so that no second answer can lead elsewhere. */
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

/** What OpenSSL says when it knows nobody who vouches for the other side. */
const UNKNOWN_ISSUER = new Set([
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
])

/** True where the other side could not prove who it is: asking again changes nothing. */
export function isCertificateFault(reason: string): boolean {
  return /^(?:CERT_|ERR_TLS_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_)/.test(reason)
}

/** The authorities that come with the program and those this computer trusts beyond them; null where it adds none. */
function withSystemRoots(): string[] | null {
  try {
    const further = getCACertificates('system')
    return further.length === 0 ? null : [...rootCertificates, ...further]
  } catch {
    return null
  }
}

/** One attempt. Throws an `OutwardFault`, or what the signal was given. */
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
    // Not a byte of the request was sent: the handshake failed. The system's store is slow to read, so it comes second.
    const roots = withSystemRoots()
    if (!roots) throw error
    return send(aim, addresses, left, roots)
  }
}

function rest(totalMs: number, begun: number): number {
  return Math.max(1, totalMs - (performance.now() - begun))
}

/** A resolver that says nothing must not hold the attempt beyond its time. */
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
      // Without an agent there is no pool, and no proxy of the environment.
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
      // An explicit list leaves no room for more of them by NODE_EXTRA_CA_CERTS.
      ca,
    } as const
    // Imported by name it would bring Node's whole `fetch` with it at every start.
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

/** What is refused before a byte of the body is read. */
function faultOfHead(answer: IncomingMessage, statusOnly: boolean): HttpClientFault | null {
  const status = answer.statusCode ?? 0
  // Following it would hand what was sent to somebody else.
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

/** Retry-After in seconds, whether written as a number or as a date; null without one (RFC 9110, 10.2.3). */
export function retryAfterOf(headers: Readonly<Record<string, string>>, now: Date): number | null {
  const text = headers['retry-after']?.trim()
  if (text === undefined || text === '') return null
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const until = text.endsWith('GMT') ? Date.parse(text) : Number.NaN
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - now.getTime()) / 1000))
}
