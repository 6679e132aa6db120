/** Fault switches of the simulated filing services: for their next messages, or until they are changed. */
import { createFaultQueue } from '../../../platform/simulated-authority/start.ts'
import type { FaultQueue } from '../../../platform/simulated-authority/start.ts'

/** Faults that can be switched on. `processed` means that the message is processed before the useless answer. */
export type ReturnsFault =
  /** The connection is closed before the message is processed. */
  | { kind: 'drop_request' }
  /** The message is processed, and the connection is closed instead of an answer. */
  | { kind: 'drop_reply' }
  /** The correct answer, late. */
  | { kind: 'slow'; ms: number }
  /** HTTP 500 with a page. */
  | { kind: 'error_500'; processed?: boolean }
  /** HTTP 200 with a page. */
  | { kind: 'html_200'; processed?: boolean }
  /** HTTP 302 to another page; the message is not processed. */
  | { kind: 'redirect_302' }
  /** The message is processed, and half of its answer is sent as if it were complete. */
  | { kind: 'half_body' }
  /** The message is refused with these codes, at most 100 of them; it is not processed. */
  | { kind: 'errors'; codes: readonly string[] }
  /**
   * A return filed by this message does not show in queries for so long; set for queries, what was filed within that time
   * does not show in this answer.
   */
  | { kind: 'hidden'; seconds: number }

/** Kinds of messages: filing, validation, query, document by its code, and the steps of an informative return. */
export type ReturnsMessage = 'file' | 'validate' | 'query' | 'document' | 'informative'

/** Kinds of messages that a fault can be set for. */
export const RETURNS_FAULT_PLACES = ['file', 'validate', 'query', 'document', 'informative', 'any'] as const
type ReturnsFaultPlace = (typeof RETURNS_FAULT_PLACES)[number]

export type ReturnsFaultControl = FaultQueue<ReturnsFault, ReturnsMessage, ReturnsFaultPlace>

/** Creates the fault switches; a fault applies to filings of page models unless another place is given. */
export function createReturnsFaultControl(): ReturnsFaultControl {
  return createFaultQueue((_fault, on = 'file', trigger) => on === 'any' || on === trigger)
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** Returns the fault in an external value, or null unless it has every field of its kind with the right type. */
export function readReturnsFault(value: unknown): ReturnsFault | null {
  const written = typeof value === 'string' ? { kind: value } : value
  if (typeof written !== 'object' || written === null) return null
  const { kind, ms, seconds, codes, processed } = written as Record<string, unknown>
  if (processed !== undefined && typeof processed !== 'boolean') return null
  switch (kind) {
    case 'drop_request':
    case 'drop_reply':
    case 'redirect_302':
    case 'half_body':
      return { kind }
    case 'error_500':
    case 'html_200':
      return { kind, processed: processed === true }
    case 'slow':
      return isCount(ms) ? { kind, ms } : null
    case 'hidden':
      return isCount(seconds) ? { kind, seconds } : null
    case 'errors':
      return Array.isArray(codes) &&
        codes.length > 0 &&
        codes.length <= 500 &&
        codes.every((code) => typeof code === 'string' && /^[0-9A-Z]{1,12}$/.test(code))
        ? { kind, codes: codes as string[] }
        : null
    default:
      return null
  }
}
