/**
 * Ports of the portal for public bodies. `PortalService` says what its service does for an invoice; `Transport` carries the
 * messages, to the real hosts or to the simulated portal of a test book.
 */

export interface HttpMessage {
  path: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

export type HttpOutcome =
  /** A complete answer, whatever its status. */
  | { kind: 'answered'; status: number; headers: Readonly<Record<string, string>>; body: Uint8Array }
  /** It is certain that no byte of the message left. */
  | { kind: 'not_sent'; reason: string; detail: string }
  /** The message may have arrived. */
  | { kind: 'no_answer'; detail: string }

/** Never throws for failures of the network or of the portal. */
export type Transport = (message: HttpMessage) => Promise<HttpOutcome>

/** A state of a submission, in the portal's own words. */
export interface PortalState {
  code: string
  description: string
  reason: string | null
}

/** Both states of a submission: what the public body does with it, and what became of a cancellation. */
export interface SubmissionStates {
  registryNumber: string
  processing: PortalState
  cancellation: PortalState
}

/** What the portal gave for an invoice that it registered. */
export interface Receipt {
  registryNumber: string
  /** As the portal writes it. */
  receivedAt: string | null
  trackingCode: string | null
}

/** An answer that is not the one that was asked for. */
export type Failure =
  /** Certain: nothing was done, and the same message can be sent again later. `retryAfterSeconds` if the portal said so. */
  | { kind: 'nothing_done'; reason: string; detail: string; retryAfterSeconds?: number }
  /** It may have been done, and only a question can tell. */
  | { kind: 'unknown'; detail: string }

/** Certain: the portal answered that it does not do it. `code` is its own. */
export interface Refusal {
  kind: 'refused'
  code: string
  detail: string
  trackingCode: string | null
}

interface SubmittedFile {
  email: string
  name: string
  bytes: Uint8Array
}

interface Unit {
  managingBody: string
  processingUnit: string
  accountingOffice: string
}

export interface PortalService {
  /** Submits once: it never repeats by itself. */
  submit(file: SubmittedFile): Promise<{ kind: 'registered'; receipt: Receipt } | Refusal | Failure>
  /** Asks for the states of submissions. A number that the portal does not know is left out. */
  states(
    numbers: readonly string[],
  ): Promise<{ kind: 'answered'; states: SubmissionStates[]; refused: Map<string, string> } | Failure>
  /** Asks for a cancellation; the public body answers later, with a state. */
  cancel(number: string, reason: string): Promise<{ kind: 'asked' } | Refusal | Failure>
  /** Returns the meaning of each code of a state. */
  meanings(): Promise<{ kind: 'answered'; states: PortalState[] } | Failure>
  /** Returns the offices that take invoices of one administration, or of all. */
  units(administration?: string): Promise<{ kind: 'answered'; units: Unit[] } | Failure>
  /** Returns the tax numbers by managing body. */
  taxNumbers(
    administration?: string,
  ): Promise<{ kind: 'answered'; bodies: { managingBody: string; nif: string }[] } | Failure>
}
