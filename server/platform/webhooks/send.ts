/** One delivery attempt to one endpoint: the request, and the recorded part of the answer. It writes nothing. */
import type { AppEnvironment } from '../../context.ts'
import { checkedUrl, exchange, HttpClientFault, resolveAll, retryAfterOf } from '../http-client/exchange.ts'
import type { Attempt, Limits, Reach } from '../http-client/exchange.ts'
import type { DeliveryRow, WebhookRow } from './rows.ts'
import { secretSealContext } from './rows.ts'
import { signatureHeaders } from './sign.ts'

export interface SendOptions {
  /** Replaces the HTTP client in tests. */
  exchange?: typeof exchange
  /** Replaces the resolver in tests. */
  resolve?: (name: string) => Promise<readonly string[]>
  limits?: Partial<Limits>
  signal?: AbortSignal
}

/** The result of an attempt. */
export interface Outcome {
  /** The address used: the endpoint's address may have changed since. */
  url: string
  at: Date
  ms: number
  status: number | null
  /** Null exactly if the message was accepted. */
  fault: string | null
  answer: string | null
  /** Seconds requested by an overloaded or unavailable receiver. */
  retryAfter: number | null
  /** The receiver answered that the endpoint no longer exists (410). */
  gone: boolean
  /** Sello aborted the attempt: it does not count. */
  interrupted: boolean
}

const LIMITS: Limits = { totalMs: 20_000, headersMs: 20_000, connectMs: 5_000, bytes: 64 * 1024 }
/** Characters of the answer that are stored. */
const ANSWER_KEPT = 256
const FULL_OR_SHUT = [429, 503]

/**
 * Returns the address range for messages of an endpoint: as a person allowed it, and in a sandbox this computer only;
 * null if nothing may be sent.
 */
export function reachOf(sandbox: boolean, allowLocal: boolean): Reach | null {
  if (!allowLocal) return sandbox ? null : 'public'
  return sandbox ? 'here' : 'near'
}

/** Returns the secrets that sign now, the current one first. */
function secretsOf(env: AppEnvironment, row: WebhookRow): string[] {
  const open = (sealed: string): string =>
    env.store.sealer.open(sealed, secretSealContext(row)).toString('utf8')
  const { sealed_secret, sealed_previous, previous_until } = row
  const both = sealed_previous !== null && (previous_until ?? 0) > env.now().getTime()
  return both ? [open(sealed_secret), open(sealed_previous)] : [open(sealed_secret)]
}

/** Returns the beginning of an answer as printable text; null if it is empty or not text. */
function excerptOf(body: Buffer, headers: Readonly<Record<string, string>>): string | null {
  if (!/^(?:identity)?$/.test((headers['content-encoding'] ?? '').trim())) return null
  const text = body
    .subarray(0, ANSWER_KEPT * 4)
    .toString('utf8')
    // Removes invisible characters: control characters, and those that change the direction of text.
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]+/gu, ' ')
    .trim()
  return text === '' ? null : Array.from(text).slice(0, ANSWER_KEPT).join('')
}

/** Sends a message once. Never throws: a failure is an outcome. */
export async function sendOnce(
  env: AppEnvironment,
  webhook: WebhookRow,
  delivery: Pick<DeliveryRow, 'public_id' | 'body'>,
  options: SendOptions = {},
): Promise<Outcome> {
  const { resolve = resolveAll, signal, exchange: reachOut = exchange } = options
  const at = env.now()
  const begun = performance.now()
  const heard: Attempt['heard'] = { status: null, headers: {}, bytes: 0 }
  const outcome = (fault: string | null, answer: string | null = null): Outcome => ({
    url: webhook.url,
    at,
    ms: Math.round(performance.now() - begun),
    status: heard.status,
    fault,
    answer,
    retryAfter: FULL_OR_SHUT.includes(heard.status ?? 0) ? retryAfterOf(heard.headers, env.now()) : null,
    gone: heard.status === 410,
    interrupted: signal?.aborted === true && fault !== null,
  })
  const reach = reachOf(env.sandbox, webhook.allow_local === 1)
  if (reach === null) return outcome('sandbox')
  try {
    const url = checkedUrl(webhook.url, reach)
    const base = new URL(url.origin)
    const answer = await reachOut(
      { base, reach, resolve },
      {
        method: 'POST',
        path: url.pathname + url.search,
        headers: {
          'User-Agent': 'Sello',
          Accept: '*/*',
          'Accept-Encoding': 'identity',
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(delivery.body)),
          ...signatureHeaders({ id: delivery.public_id, at, body: delivery.body }, secretsOf(env, webhook)),
        },
        body: delivery.body,
        limits: { ...LIMITS, ...options.limits },
        signal,
        statusOnly: true,
        heard,
      },
    )
    const taken = answer.status >= 200 && answer.status < 300
    return outcome(taken ? null : `status_${answer.status}`, excerptOf(answer.body, answer.headers))
  } catch (error) {
    if (signal?.aborted) return outcome('interrupted')
    if (error instanceof HttpClientFault)
      return outcome(error.kind === 'address' ? `address_${error.reason}` : error.reason)
    env.report('webhooks', error)
    return outcome('internal')
  }
}
