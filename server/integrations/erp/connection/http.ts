/** Sends one call at a time to an accounting system: bounded, paced, counted, never redirected. */
import { AppError } from '../../../domain/errors/app-error.ts'
import {
  checkedBase,
  exchange,
  isCertificateFault,
  HttpClientFault,
  resolveAll,
  retryAfterOf,
} from '../../../platform/http-client/exchange.ts'
import type { Aim, Answer, Attempt, Limits } from '../../../platform/http-client/exchange.ts'
import { jsonExcess } from '../reading/bounded-json.ts'

export interface ErpRequest {
  method: 'GET' | 'POST'
  /** Path below the base address, with a leading slash. */
  path: string
  query?: Readonly<Record<string, string | number | undefined>>
  /** Includes the credential's own header; never logged. */
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  body?: unknown
  /** Purpose of the call, for the log of calls. */
  resource: string
}

export interface ErpReply {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** The parsed body; undefined where it is not JSON. */
  json: unknown
  /** Beginning of a body that is not JSON: for classification, never for display. */
  text: string
}

/** Log entry of one attempt, reported as soon as it ends. */
export interface CallNote {
  at: Date
  ms: number
  resource: string
  /** Null where no answer came. */
  status: number | null
  bytes: number
  limit: {
    window: 'minute' | 'month' | null
    limit: number | null
    remaining: number | null
    resetAt: Date | null
  }
}

/** Returns the error that an answer means; null for a success. */
export type Classify = (reply: ErpReply) => AppError | null

export interface ErpHttp {
  /**
   * Sends a request, waits for rate limits of a minute, and retries temporary failures. Throws errors of the `erp_`
   * family.
   */
  ask(request: ErpRequest, classify: Classify): Promise<ErpReply>
}

export interface ErpHttpOptions {
  /** Origin and, where there is one, the common path prefix. */
  base: string
  /** Allows addresses of this computer and its private network: only where a person entered the address in the app. */
  allowPrivate: boolean
  /** Minimum milliseconds between the starts of two requests. */
  paceMs?: number
  /** Removed from everything that the external system returns. */
  secret: string
  signal?: AbortSignal
  now: () => Date
  onCall: (note: CallNote) => void
  /** Waits; resolves immediately when the signal aborts. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  limits?: Partial<HttpLimits>
  resolve?: (name: string) => Promise<readonly string[]>
  random?: () => number
  /** The only root certificate trusted; when absent, the usual public roots apply. */
  caPem?: string
}

interface HttpLimits extends Limits {
  /** Maximum depth of the JSON. */
  depth: number
  values: number
}

const LIMITS: HttpLimits = {
  totalMs: 25_000,
  headersMs: 10_000,
  bytes: 16 * 1024 * 1024,
  depth: 40,
  values: 200_000,
}
/** A little more than one second: the smallest plans allow sixty a minute. */
const PACE_MS = 1050
const RETRY_MS = [1000, 2000, 4000]
/** A minute's limit and half of another one; beyond that the caller decides whether to wait. */
const WAIT_AT_MOST_SECONDS = 90
const WAITS_AT_MOST = 3
/** Seconds to wait when the answer states none. */
const A_MINUTE = 60
const TEXT_KEPT = 2000

/** Creates the client for one account. It sends one request at a time, in the order of arrival. */
export function createErpHttp(options: ErpHttpOptions): ErpHttp {
  const { signal, random = Math.random } = options
  const limits = { ...LIMITS, ...options.limits }
  const paceMs = options.paceMs ?? PACE_MS
  let lastStart = Number.NEGATIVE_INFINITY
  let line: Promise<unknown> = Promise.resolve()

  async function wait(ms: number): Promise<void> {
    signal?.throwIfAborted()
    if (ms > 0) await untilAborted((options.sleep ?? sleep)(ms, signal), signal)
  }

  async function attempt(request: ErpRequest): Promise<ErpReply> {
    const reach = options.allowPrivate ? 'near' : 'public'
    const base = checkedBase(options.base, reach)
    await wait(lastStart + paceMs - performance.now())
    signal?.throwIfAborted()
    lastStart = performance.now()
    const at = options.now()
    const heard: Attempt['heard'] = { status: null, headers: {}, bytes: 0 }
    try {
      const aim: Aim = { base, reach, resolve: options.resolve ?? resolveAll }
      const answer = await exchange(options.caPem === undefined ? aim : { ...aim, caPem: options.caPem }, {
        ...attemptOf(request),
        limits,
        signal,
        heard,
      })
      return replyOf(answer, options.secret, limits)
    } finally {
      const { status, headers, bytes } = heard
      const ms = Math.round(performance.now() - lastStart)
      options.onCall({ at, ms, resource: request.resource, status, bytes, limit: limitOf(headers, at) })
    }
  }

  /** Returns the answer, or the error that it means. Throws everything that is not a failure of the external system. */
  async function outcome(request: ErpRequest, classify: Classify): Promise<ErpReply | AppError> {
    try {
      const reply = await attempt(request)
      const fault = classify(reply)
      if (fault?.code !== 'erp_rate_limited' && fault?.code !== 'erp_quota_exhausted') return fault ?? reply
      // Seconds or an HTTP date (RFC 9110, 10.2.3): a date is compared with this computer's clock.
      return limitedFor(fault, retryAfterOf(reply.headers, options.now()))
    } catch (caught) {
      const error = caught instanceof HttpClientFault ? faultOf(caught) : caught
      if (error instanceof AppError && error.code.startsWith('erp_')) return error
      throw error
    }
  }

  async function askOnceInLine(request: ErpRequest, classify: Classify): Promise<ErpReply> {
    let failures = 0
    let waits = 0
    let pages = 0
    for (;;) {
      let isPage = false
      const result = await outcome(request, (reply) => {
        isPage = reply.status === 200 && reply.json === undefined && reply.text.trimStart().startsWith('<')
        return classify(reply)
      })
      signal?.throwIfAborted()
      if (!(result instanceof AppError)) return result
      const retryMs = RETRY_MS[failures]
      if (result.code === 'erp_unavailable' && retryMs !== undefined && isWorthAnother(result)) {
        failures += 1
        await wait(retryMs * (1 + random() / 4))
      } else if (
        result.code === 'erp_rate_limited' &&
        waits < WAITS_AT_MOST &&
        waitSeconds(result) !== null
      ) {
        waits += 1
        await wait((waitSeconds(result) ?? 0) * 1000 + random() * 500)
      } else if (result.code === 'erp_protocol_error' && isPage && pages === 0) {
        // A maintenance or firewall page often disappears within moments.
        pages += 1
        await wait((RETRY_MS[0] ?? 0) * (1 + random() / 4))
      } else {
        throw withoutSecret(result, options.secret)
      }
    }
  }

  return {
    ask(request, classify) {
      const asked = line.then(() => askOnceInLine(request, classify))
      line = asked.catch(() => undefined)
      return asked
    },
  }
}

function notUnderstood(reason: string): AppError {
  return new AppError('erp_protocol_error', { details: { reason } })
}

/** Converts a failed attempt to an error of this module. */
function faultOf({ kind, reason }: HttpClientFault): AppError {
  if (kind === 'address')
    return new AppError('erp_address_refused', { field: 'baseUrl', details: { reason } })
  if (kind === 'protocol') return notUnderstood(reason)
  return new AppError('erp_unavailable', { details: { reason }, retryAfterSeconds: 30 })
}

function isWorthAnother(fault: AppError): boolean {
  return !isCertificateFault(String(fault.details?.reason ?? ''))
}

function limitedFor({ code, details, retryAfterSeconds }: AppError, seconds: number | null): AppError {
  return new AppError(code, {
    ...(details === undefined ? {} : { details }),
    retryAfterSeconds: seconds === null ? (retryAfterSeconds ?? A_MINUTE) : Math.max(1, seconds),
  })
}

/** Returns the seconds to wait for a limit of a minute; null where the wait exceeds the maximum. */
function waitSeconds(fault: AppError): number | null {
  const seconds = fault.retryAfterSeconds ?? A_MINUTE
  return seconds <= WAIT_AT_MOST_SECONDS ? Math.max(0, seconds) : null
}

function attemptOf(request: ErpRequest): Pick<Attempt, 'method' | 'path' | 'headers' | 'body'> {
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(request.query ?? {}))
    if (value !== undefined) asked.set(name, String(value))
  const query = asked.toString()
  const body = request.body === undefined ? undefined : JSON.stringify(request.body)
  return {
    method: request.method,
    path: query === '' ? request.path : `${request.path}?${query}`,
    headers: {
      'User-Agent': 'Sello',
      Accept: 'application/json',
      'Accept-Encoding': 'identity',
      ...(body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
      ...request.headers,
    },
    body,
  }
}

/** Converts an answer. Throws `erp_protocol_error` where the JSON exceeds the limits. */
function replyOf(answer: Answer, secret: string, limits: HttpLimits): ErpReply {
  const text = redacted(answer.body.toString('utf8').replace(/^\ufeff/, ''), secret)
  const { status, headers } = answer
  const begins = text.trimStart().charAt(0)
  if (begins === '' || begins === '<')
    return { status, headers, json: undefined, text: text.slice(0, TEXT_KEPT) }
  const excess = jsonExcess(text, limits)
  if (excess) throw notUnderstood(excess)
  try {
    return { status, headers, json: JSON.parse(text) as unknown, text: '' }
  } catch {
    return { status, headers, json: undefined, text: text.slice(0, TEXT_KEPT) }
  }
}

/** A short secret would match ordinary text; no real key is that short. */
const SECRET_AT_LEAST = 8

function redacted(text: string, secret: string): string {
  return secret.length < SECRET_AT_LEAST ? text : text.replaceAll(secret, '[secret]')
}

/** Returns the same error without the secret. */
function withoutSecret(fault: AppError, secret: string): AppError {
  const said = JSON.stringify(fault.details ?? {})
  if (redacted(said, secret) === said) return fault
  return new AppError(fault.code, {
    ...(fault.field === undefined ? {} : { field: fault.field }),
    details: JSON.parse(redacted(said, secret)) as Record<string, unknown>,
    ...(fault.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: fault.retryAfterSeconds }),
  })
}

function countOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : null
}

/** Reads X-RateLimit-*: the calls left in a window, and its reset in unix seconds. */
export function limitOf(headers: Readonly<Record<string, string>>, at: Date): CallNote['limit'] {
  const name = headers['x-ratelimit-window']?.trim().toLowerCase()
  const reset = countOf(headers['x-ratelimit-reset'])
  // Some servers send the remaining seconds instead.
  const resetMs = reset === null ? null : reset < 1e8 ? at.getTime() + reset * 1000 : reset * 1000
  return {
    window: name === 'minute' || name === 'month' ? name : null,
    limit: countOf(headers['x-ratelimit-limit']),
    remaining: countOf(headers['x-ratelimit-remaining']),
    resetAt: resetMs === null || resetMs > 8.64e15 ? null : new Date(resetMs),
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}

/** Waits for the promise, or rejects with the signal's reason when it aborts. */
async function untilAborted(waiting: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return waiting
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([waiting, promise])
    signal.throwIfAborted()
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
