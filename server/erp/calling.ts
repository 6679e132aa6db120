/** Where a connection's calls go and what is written down of each. */
import { isLoopback } from '../core/addresses.ts'
import { businessDateOf } from '../core/dates.ts'
import { AppError, validationFailed } from '../core/errors.ts'
import type { AppEnvironment, Ctx } from '../ctx.ts'
import { prepare } from '../store/query.ts'
import { createErpHttp } from './http.ts'
import type { CallNote, ErpHttp } from './http.ts'
import type { Credentials, Provider } from './port.ts'

/** One request in flight and at most one in so many milliseconds: the smallest plans allow sixty a minute. */
const PACE_MS = 1_050

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || isLoopback(host.replace(/^\[|\]$/g, ''))
}

export interface Line {
  http: ErpHttp
  /** Calls not written down yet. */
  calls: CallNote[]
}

/**
 * A line to the account that the credentials open. `allowPrivate`: a person chose an address in the own network. Throws
 * `erp_stand_in_missing` in a sandbox that has none.
 */
export function createLine(
  env: AppEnvironment,
  provider: Provider,
  credentials: Credentials,
  options: { allowPrivate: boolean; signal?: AbortSignal },
): Line {
  const calls: CallNote[] = []
  const fixed = provider.fixedAddress
  const standIn = env.erpStandIn
  if (env.sandbox && !standIn && fixed !== null) throw new AppError('erp_stand_in_missing')
  const base = credentials.baseUrl ?? standIn?.url ?? fixed
  if (base === null) throw new Error('A self-hosted system has an address.')
  if (env.sandbox && !isLoopbackHost(new URL(base).hostname))
    throw new AppError('erp_address_refused', { details: { reason: 'sandbox' } })
  return {
    calls,
    http: createErpHttp({
      base,
      allowPrivate: options.allowPrivate || (credentials.baseUrl === null && standIn !== null),
      paceMs: standIn?.paceMs ?? PACE_MS,
      secret: credentials.secret,
      ...(options.signal ? { signal: options.signal } : {}),
      now: env.now,
      onCall: (note) => calls.push(note),
    }),
  }
}

/** A self-hosted system's address as it is kept: https (http on this computer only), no query, no slash at the end. */
export function tidyAddress(text: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null
  const isHere = url !== null && isLoopbackHost(url.hostname)
  const isPlain = url !== null && !url.username && !url.password && !url.search && !url.hash
  if (!url || !isPlain || !(url.protocol === 'https:' || (url.protocol === 'http:' && isHere)))
    throw validationFailed([
      {
        code: 'erp_address',
        field: 'baseUrl',
        severity: 'error',
        message: 'This is not an https address without user, query and fragment.',
        fix: 'Write it like https://empresa.odoo.com.',
      },
    ])
  return url.origin + url.pathname.replace(/\/+$/, '')
}

const insertCall = prepare(
  (
    db,
    p: {
      connectionId: number
      runId: number | null
      at: number
      month: number
      resource: string
      status: number | null
      ms: number
      bytes: number
      window: string | null
      remaining: number | null
    },
  ) =>
    db.insertInto('erp_calls').values({
      connection_id: p.connectionId,
      run_id: p.runId,
      at: p.at,
      month: p.month,
      resource: p.resource,
      status: p.status,
      ms: p.ms,
      bytes: p.bytes,
      limit_window: p.window,
      limit_remaining: p.remaining,
    }),
)

/** Month in Spain as a number, such as 202611. */
export function monthOf(at: Date): number {
  return Number(businessDateOf(at).slice(0, 7).replace('-', ''))
}

/** Writes the calls down and forgets them. Answers how many they were. */
export async function writeCalls(
  tx: Ctx,
  line: Line,
  of: { connectionId: number; runId: number | null },
): Promise<number> {
  const calls = line.calls.splice(0)
  for (const call of calls)
    await insertCall.run(tx.db, {
      ...of,
      at: call.at.getTime(),
      month: monthOf(call.at),
      resource: call.resource.slice(0, 60),
      status: call.status,
      ms: Math.round(call.ms),
      bytes: call.bytes,
      window: call.limit.window,
      remaining: call.limit.remaining,
    })
  return calls.length
}
