/**
 * Common steps of REST and MCP for a key's request: count it, report the remainder, and detect that the caller has
 * disconnected.
 */
import type { ServerResponse } from 'node:http'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Family } from '../../domain/contract/rate-limits.ts'
import type { StoreLimits } from './policy.ts'

/**
 * Counts one request of a key and reports the remainder in the `RateLimit` fields of the IETF draft
 * (draft-ietf-httpapi-ratelimit-headers). Throws `rate_limited` if its plan refuses it.
 */
export async function countRequest(
  { counters }: StoreLimits,
  keyId: string,
  family: Family,
  reply: { header(name: string, value: string): unknown },
): Promise<void> {
  const { policy, state, retryAfterSeconds } = await counters.take(keyId, family)
  reply.header('ratelimit-policy', policy)
  reply.header('ratelimit', state)
  if (retryAfterSeconds !== null) throw new AppError('rate_limited', { retryAfterSeconds })
}

/** Returns a signal that is aborted if the caller disconnects before the complete answer. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  // No caller receives this reason.
  const leave = (): void => gone.abort(new AppError('too_busy'))
  if (response.destroyed) leave()
  else
    response.once('close', () => {
      if (!response.writableFinished) leave()
    })
  return gone.signal
}
