/** Fault switches of a simulated service: for its next messages, or until they are changed. */
import { createFaultQueue } from '../../../../platform/simulated-authority/start.ts'
import type { FaultQueue } from '../../../../platform/simulated-authority/start.ts'

/** `processed` means that the message is taken before the useless answer. */
export type ServiceFault =
  /** The connection is refused before a message can be sent. */
  | { kind: 'down' }
  /** The connection is cut before the message is taken. */
  | { kind: 'drop_request' }
  /** The message is taken, and the connection is cut instead of an answer. */
  | { kind: 'drop_reply' }
  /** The correct answer, late. */
  | { kind: 'slow'; ms: number }
  /** The message is taken, and half of its answer is sent as if it were whole. */
  | { kind: 'half_answer' }
  /** HTTP 500 with a page. */
  | { kind: 'error_500'; processed?: boolean }
  /** HTTP 200 with a page. */
  | { kind: 'html_200'; processed?: boolean }
  /** HTTP 429; the message is not taken. */
  | { kind: 'throttled'; seconds: number }
  /** The service says that it is not available (006, a technical error); the message is not taken. */
  | { kind: 'unavailable' }
  /** The certificate is refused by the service itself (001, N3_0000001). */
  | { kind: 'certificate' }
  /** A record of the message, the first by default, is refused with this code whatever its content. */
  | { kind: 'record_code'; code: string; record?: number }
  /** The message is taken, and the answer leaves out its last record (Bizkaia). */
  | { kind: 'short_answer' }
  /** The answer to a query or message is one to another message. */
  | { kind: 'stray_answer' }

type FaultTrigger = 'connection' | 'change' | 'read'
/** What a fault is set for: messages that change something by default, those that read, or both. */
export const SERVICE_FAULT_PLACES = ['change', 'read', 'any'] as const
type FaultPlace = (typeof SERVICE_FAULT_PLACES)[number]

export type ServiceFaultControl = FaultQueue<ServiceFault, FaultTrigger, FaultPlace>

/** Creates the fault switches. `down` applies to connections, whatever they are for. */
export function createServiceFaultControl(): ServiceFaultControl {
  return createFaultQueue((fault, on = 'change', trigger) =>
    fault.kind === 'down'
      ? trigger === 'connection'
      : trigger !== 'connection' && (on === 'any' || on === trigger),
  )
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

/** Returns the fault in an external value, or null unless it has every field of its kind with the right type. */
export function readServiceFault(value: unknown): ServiceFault | null {
  const written = typeof value === 'string' ? { kind: value } : value
  if (typeof written !== 'object' || written === null) return null
  const { kind, ms, seconds, processed, code, record } = written as Record<string, unknown>
  if (processed !== undefined && typeof processed !== 'boolean') return null
  switch (kind) {
    case 'down':
    case 'drop_request':
    case 'drop_reply':
    case 'half_answer':
    case 'unavailable':
    case 'certificate':
    case 'short_answer':
    case 'stray_answer':
      return { kind }
    case 'error_500':
    case 'html_200':
      return { kind, processed: processed === true }
    case 'slow':
      return isCount(ms) ? { kind, ms } : null
    case 'throttled':
      return isCount(seconds) && seconds <= 86_400 ? { kind, seconds } : null
    case 'record_code':
      if (typeof code !== 'string' || !/^\w{3,20}$/.test(code)) return null
      return record === undefined ? { kind, code } : isCount(record) ? { kind, code, record } : null
    default:
      return null
  }
}
