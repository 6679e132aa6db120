/** Fault switches of the simulated authority: for its next messages, or until they are changed. */
import { createFaultQueue } from '../../../../platform/simulated-authority/start.ts'
import type { FaultQueue } from '../../../../platform/simulated-authority/start.ts'
import { isFaultCode } from './messages/fault-messages.ts'
import { isRejection, isWarning } from './messages/record-messages.ts'

/**
 * Faults that can be switched on. Those of the connection (`drop_request` to `half_xml`) exist in the server only;
 * the others also in process. `processed` means that the message is processed before the useless answer.
 */
export type Fault =
  /** The connection is closed before the message is read. */
  | { kind: 'drop_request' }
  /** The message is processed, and the connection is closed instead of an answer. */
  | { kind: 'drop_reply' }
  /** The correct answer, late. */
  | { kind: 'slow'; ms: number }
  /** HTTP 500 with a page instead of XML. */
  | { kind: 'error_500'; processed?: boolean }
  /** HTTP 200 with a page instead of XML. */
  | { kind: 'html_200'; processed?: boolean }
  /** The message is processed, and half of its answer is sent as if it were complete. */
  | { kind: 'half_xml' }
  /** A SOAP fault of the authority itself. */
  | { kind: 'fault_server'; processed?: boolean }
  /** A SOAP fault with a code of the catalogue; nothing is processed. */
  | { kind: 'fault_client'; code: string }
  /** Code 4141: the issuer must stop sending. */
  | { kind: 'suspended' }
  /** The authority's clock is off by this much; ahead when positive. */
  | { kind: 'wrong_clock'; seconds: number }
  /** The first registration of the message has a key that was registered and cancelled before. */
  | { kind: 'annulled_key' }
  /** The first registration of the message has a key that another system holds with other content. */
  | { kind: 'foreign_duplicate' }
  /** The wait between submissions that the answer asks for. */
  | { kind: 'throttle'; seconds: number }
  /** A record of the message (the first by default) gets this code whatever its content. */
  | { kind: 'record_code'; code: string; record?: number }
  /** The check of a QR code answers with this code. */
  | { kind: 'qr_code'; code: '3001' | '3002' }

/** Kind of message that a fault applies to. */
type FaultTrigger = 'submission' | 'query' | 'qr'

/** Kind of message that a fault is set for. */
export const FAULT_PLACES = ['submission', 'query', 'any'] as const
type FaultPlace = (typeof FAULT_PLACES)[number]

export type FaultControl = FaultQueue<Fault, FaultTrigger, FaultPlace>

/** Creates the fault switches; a fault applies to submissions unless another place is given. */
export function createFaultControl(): FaultControl {
  return createFaultQueue((fault, on = 'submission', trigger) =>
    fault.kind === 'qr_code' ? trigger === 'qr' : trigger !== 'qr' && (on === 'any' || on === trigger),
  )
}

const isCount = (value: unknown, least: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= least

/** Returns the fault in an external value, or null unless it has every field of its kind with the right type. */
export function readFault(value: unknown): Fault | null {
  const written = typeof value === 'string' ? { kind: value } : value
  if (typeof written !== 'object' || written === null) return null
  const { kind, ms, seconds, code, record, processed } = written as Record<string, unknown>
  if (processed !== undefined && typeof processed !== 'boolean') return null
  switch (kind) {
    case 'drop_request':
    case 'drop_reply':
    case 'half_xml':
    case 'suspended':
    case 'annulled_key':
    case 'foreign_duplicate':
      return { kind }
    case 'error_500':
    case 'html_200':
    case 'fault_server':
      return { kind, processed: processed === true }
    case 'slow':
      return isCount(ms, 0) ? { kind, ms } : null
    case 'wrong_clock':
      return Number.isSafeInteger(seconds) ? { kind, seconds: Number(seconds) } : null
    case 'throttle':
      return isCount(seconds, 0) && seconds <= 9999 ? { kind, seconds } : null
    case 'fault_client':
      return typeof code === 'string' && isFaultCode(code) ? { kind, code } : null
    case 'record_code': {
      if (typeof code !== 'string' || !(isRejection(code) || isWarning(code))) return null
      return record === undefined ? { kind, code } : isCount(record, 0) ? { kind, code, record } : null
    }
    case 'qr_code':
      return code === '3001' || code === '3002' ? { kind, code } : null
    default:
      return null
  }
}
