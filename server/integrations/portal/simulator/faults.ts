/** Fault switches of the simulated portal. */
import { createFaultQueue } from '../../../platform/simulated-authority/start.ts'
import type { FaultQueue } from '../../../platform/simulated-authority/start.ts'

export type PortalFault =
  /** The connection ends before the message is read. */
  | { kind: 'drop_request' }
  /** The message is processed, and the connection ends without an answer. */
  | { kind: 'drop_reply' }
  | { kind: 'slow'; ms: number }
  /** A page instead of an answer; `processed`: after the message was processed. */
  | { kind: 'error_500'; processed?: boolean }
  | { kind: 'error_503'; retryAfter?: number }
  | { kind: 'html_200'; processed?: boolean }
  /** Half of the answer. */
  | { kind: 'half_body' }
  /** An answer that is processed and not signed, or whose signature does not hold. */
  | { kind: 'unsigned' }
  | { kind: 'forged' }
  /** A SOAP fault of the server; `processed`: after the message was processed. */
  | { kind: 'server_fault'; processed?: boolean }
  /** The service refuses with this code. */
  | { kind: 'refuse'; code: string }

const PORTAL_MESSAGES = ['submit', 'query', 'cancel', 'lists'] as const
export type PortalMessage = (typeof PORTAL_MESSAGES)[number]
export const PORTAL_FAULT_PLACES = [...PORTAL_MESSAGES, 'any'] as const
type PortalFaultPlace = (typeof PORTAL_FAULT_PLACES)[number]

export type PortalFaultControl = FaultQueue<PortalFault, PortalMessage, PortalFaultPlace>

/** Creates the switches; without `on` a fault is for submissions. */
export function createPortalFaultControl(): PortalFaultControl {
  return createFaultQueue((_fault, on = 'submit', message) => on === 'any' || on === message)
}

const SIMPLE = ['drop_request', 'drop_reply', 'half_body', 'unsigned', 'forged'] as const
const PROCESSED = ['error_500', 'html_200', 'server_fault'] as const
const LONGEST_MS = 600_000

/** Returns the fault in an external value, or null. */
export function readPortalFault(value: unknown): PortalFault | null {
  if (typeof value !== 'object' || value === null) return null
  const { kind, ms, processed, code, retryAfter } = value as Record<string, unknown>
  const simple = SIMPLE.find((each) => each === kind)
  if (simple) return { kind: simple }
  const page = PROCESSED.find((each) => each === kind)
  if (page) return { kind: page, ...(processed === true ? { processed: true } : {}) }
  if (kind === 'slow' && Number.isSafeInteger(ms) && Number(ms) >= 0 && Number(ms) <= LONGEST_MS)
    return { kind, ms: Number(ms) }
  if (kind === 'error_503')
    return { kind, ...(Number.isSafeInteger(retryAfter) ? { retryAfter: Number(retryAfter) } : {}) }
  if (kind === 'refuse' && typeof code === 'string' && /^[1-9]\d{0,5}$/.test(code)) return { kind, code }
  return null
}
