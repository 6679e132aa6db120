/** Maps Holded's error answers to our errors. Its texts are shown as quoted, never with the key. */
import { addDays, monthPeriod, startOfDay } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Classify, ErpReply } from '../connection/http.ts'
import { isObject, lineOf, scaled } from '../reading/untrusted-values.ts'

export interface FaultCtx {
  secret: string
  today: BusinessDate
  /** Required permission of the list, where the refusal does not name it. */
  scope: string | null
  /** Answers that the caller handles itself. */
  lets?: (reply: ErpReply) => boolean
}

const SAID_MAX = 200
const MINUTE_SECONDS = 60

/**
 * Classifies answers of both API versions. The newer one answers a dead or revoked key with 403 "Access denied."; the
 * older one answers a foreign key with 400 "Invalid key" and an unknown address with 200 and a web page.
 */
export function faultsOf(ctx: FaultCtx): Classify {
  return (reply) => {
    const { status, json } = reply
    const said = saidIn(json, ctx.secret)
    if (status === 401 || isRefusal(status, said))
      return new AppError('erp_key_rejected', { details: { status } })
    if (ctx.lets?.(reply)) return null
    if (status === 402) return new AppError('erp_plan_required', { details: { status, ...words(said) } })
    if (status === 403) return forbidden(said, ctx.scope)
    if (status === 429) return limited(reply, said, ctx.today)
    if (status >= 500) return new AppError('erp_unavailable', { details: { status, ...words(said) } })
    const isAnswer = status === 200 && json !== undefined && !isSoftError(json)
    return isAnswer ? null : new AppError('erp_protocol_error', { details: { status, ...words(said) } })
  }
}

/** Returns true for an error sent with 200: `{ "status": 0, "info": "…" }`. */
export function isSoftError(json: unknown): boolean {
  return isObject(json) && json.status === 0 && !Array.isArray(json.items)
}

function isRefusal(status: number, said: string | null): boolean {
  if (said === null) return false
  return status === 403
    ? /^access denied\b/i.test(said)
    : (status === 400 || status === 200) && /^invalid key\b/i.test(said)
}

function forbidden(said: string | null, scope: string | null): AppError {
  const named = /insufficient permissions?\b:?\s*([a-z][\w-]*:[\w.-]*\w)?/i.exec(said ?? '')
  if (!named) return new AppError('erp_protocol_error', { details: { status: 403, ...words(said) } })
  const missing = named[1] ?? scope
  return new AppError('erp_permission_missing', {
    details: { permissions: { missing: missing === null ? [] : [missing] } },
  })
}

/** Returns the missing permissions that a refusal names; null for another error. */
export function missingPermissions(error: unknown): string[] | null {
  if (!(error instanceof AppError) || error.code !== 'erp_permission_missing') return null
  const permissions = error.details?.permissions
  const missing = isObject(permissions) ? permissions.missing : null
  return Array.isArray(missing) ? missing.filter((scope): scope is string => typeof scope === 'string') : []
}

function limited(reply: ErpReply, said: string | null, today: BusinessDate): AppError {
  const window = reply.headers['x-ratelimit-window']
  const isMonth = window === 'month' || (window === undefined && /\bmonthly\b/i.test(said ?? ''))
  const retryAfterSeconds = secondsIn(reply) ?? (isMonth ? secondsLeftOfMonth(today) : MINUTE_SECONDS)
  return new AppError(isMonth ? 'erp_quota_exhausted' : 'erp_rate_limited', {
    details: words(said),
    retryAfterSeconds,
  })
}

/** Returns the seconds until the limit ends, by the server's own clock; null where it is not stated. */
function secondsIn({ headers }: ErpReply): number | null {
  const after = wholeNumber(headers['retry-after'])
  if (after !== null) return Math.max(1, after)
  const reset = wholeNumber(headers['x-ratelimit-reset'])
  const now = Date.parse(headers.date ?? '')
  return reset === null || Number.isNaN(now) ? null : Math.max(1, reset - Math.floor(now / 1000))
}

function wholeNumber(text: string | undefined): number | null {
  const value = text === undefined ? null : scaled(text, 0)
  return value === null || value < 0n || value > 1n << 40n ? null : Number(value)
}

/** Counts from the beginning of today, so the wait is rather too long than too short. */
function secondsLeftOfMonth(today: BusinessDate): number {
  const { to } = monthPeriod(Number(today.slice(0, 4)), Number(today.slice(5, 7)))
  return (startOfDay(addDays(to, 1)).getTime() - startOfDay(today).getTime()) / 1000
}

/** Returns one line of the server's explanation, without the key. */
function saidIn(json: unknown, secret: string): string | null {
  if (!isObject(json)) return null
  const text = lineOf(json.detail, 10_000) ?? lineOf(json.info, 10_000) ?? lineOf(json.title, 10_000)
  return lineOf(secret === '' ? text : text?.replaceAll(secret, '…'), SAID_MAX)
}

function words(said: string | null): { said?: string } {
  return said === null ? {} : { said }
}
