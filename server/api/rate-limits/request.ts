/** What both doors do with a request of a key: count it, tell what is left, and notice when the caller has gone. */
import type { ServerResponse } from 'node:http'
import { AppError } from '../../domain/errors/catalog.ts'
import type { Family } from '../../domain/contract/rate-limits.ts'
import type { StoreLimits } from './policy.ts'

/**
 * Counts one request of a key and tells it what is left, in the `RateLimit` fields of the IETF draft
 * (draft-ietf-httpapi-ratelimit-headers). Throws `rate_limited` when its plan refuses it.
 */
export function countRequest(
  { counters }: StoreLimits,
  keyId: string,
  family: Family,
  reply: { header(name: string, value: string): unknown },
): void {
  const { policy, state, retryAfterSeconds } = counters.take(keyId, family)
  reply.header('ratelimit-policy', policy)
  reply.header('ratelimit', state)
  if (retryAfterSeconds !== null) throw new AppError('rate_limited', { retryAfterSeconds })
}

/** Aborted when the caller goes away before it has its whole answer. */
export function callerGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  // Nobody hears this reason any more.
  const leave = (): void => gone.abort(new AppError('too_busy'))
  if (response.destroyed) leave()
  else
    response.once('close', () => {
      if (!response.writableFinished) leave()
    })
  return gone.signal
}
