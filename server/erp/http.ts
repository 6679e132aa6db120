/** One call to an accounting system at a time: bounded, paced, counted, never redirected. */
import type { AppError } from '../core/errors.ts'

export interface ErpRequest {
  method: 'GET' | 'POST'
  /** Below the base address, with a slash in front. */
  path: string
  query?: Readonly<Record<string, string | number | undefined>>
  /** The credential's own header among them; never logged. */
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  body?: unknown
  /** What the call is for, in the log of calls. */
  resource: string
}

export interface ErpReply {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** The body; undefined where it is not JSON. */
  json: unknown
  /** Beginning of a body that is not JSON: to classify by, never to show. */
  text: string
}

/** What one attempt cost, told as soon as it has ended. */
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

/** Turns an answer into the fault it means; null for a good one. */
export type Classify = (reply: ErpReply) => AppError | null

export interface ErpHttp {
  /** Asks, waits out limits of a minute, tries again what is worth it. Throws errors of the `erp_` family. */
  ask(request: ErpRequest, classify: Classify): Promise<ErpReply>
}
