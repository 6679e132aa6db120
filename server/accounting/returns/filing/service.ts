/**
 * Ports of filing. `FilingService` says what the agency's services do for a return; `Transport` carries their messages, to
 * the real hosts or to the simulated agency of a test book.
 */
import type { Representation } from '../declaration/representation.ts'

export interface HttpMessage {
  method: 'POST' | 'GET'
  /** With its query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  /** Show the company's certificate. */
  certificate: boolean
}

export type HttpOutcome =
  /** A complete answer, whatever its status. Several cookies are parted by line ends in their header. */
  | { kind: 'answered'; status: number; headers: Readonly<Record<string, string>>; body: Uint8Array }
  /** It is certain that no byte of the message left. */
  | { kind: 'not_sent'; reason: string; detail: string }
  /** The message may have arrived. */
  | { kind: 'no_answer'; detail: string }

/** Never throws for failures of the network or of the agency. */
export type Transport = (message: HttpMessage) => Promise<HttpOutcome>

/** A file with what the services ask beside it. */
export interface FiledText {
  model: string
  year: number
  period: string
  /** The file as text; its characters are those of ISO-8859-1. */
  text: string
}

/** A company or a person, as the services name it. */
export interface Party {
  nif: string
  name: string
}

/** Holder of the certificate with which a return is filed. */
export interface Signer extends Party {
  /** How it represents the filer, as a person stated it; null where it files for itself. */
  representation: Representation | null
}

/** Who files for whom: the number in the file is the filer's, that of the certificate the signer's. */
export interface FiledBy {
  filer: Party
  signer: Party
}

/** Who filed, in which capacity and for whom, as the agency's answer names them; null where it does not. */
export interface Presented {
  presenterNif: string | null
  presenterName: string | null
  /** `TipoRepresentacion`: its values are not published. */
  presenterAs: string | null
  declarantNif: string | null
  declarantName: string | null
}

/** What the agency gave for a return. */
export interface Receipt {
  csv: string
  /** The number on the receipt (Justificante), which a later return of the period names. */
  receipt: string | null
  registerNumber: string | null
  /** As the agency writes it: a day and a time in Spain. Null where the answer names none. */
  presentedAt: string | null
  documentUrl: string | null
  notices: string[]
  /** Null where the answer was lost, and for informative returns, whose answer does not say it. */
  presented: Presented | null
  /** The agency's identifier of the exchange (`IDENVIO`); null for self-assessments, and where it is not known. */
  exchangeId: string | null
}

export type FilingAnswer =
  | { kind: 'accepted'; receipt: Receipt }
  /** Certain: nothing is filed. */
  | { kind: 'refused'; errors: string[] }
  | { kind: 'not_sent'; reason: string; detail: string }
  /** It may be filed, and only a query can tell. `exchangeId` is the agency's identifier of the exchange, if it gave one. */
  | { kind: 'unknown'; detail: string; exchangeId?: string }

export type ValidationAnswer =
  | { kind: 'valid'; notices: string[]; draft: Uint8Array | null }
  | { kind: 'invalid'; errors: string[] }
  | { kind: 'unavailable'; detail: string }

/** A return that the agency has. */
export interface DeclaredReturn {
  csv: string
  receipt: string | null
  registerNumber: string | null
  presentedAt: string
}

export type QueryAnswer =
  /**
   * `presented` names the last sending of an informative return if it is presented, though it may not be among those
   * declared yet: there may be none of them.
   */
  | { kind: 'found'; declared: DeclaredReturn[]; presented?: string }
  | { kind: 'none' }
  | { kind: 'unavailable'; detail: string }

export interface FilingService {
  /**
   * Files nothing. Sends the figures to the agency without a certificate; not those of an informative return, which its
   * own service checks while it is sent.
   */
  validate(file: FiledText): Promise<ValidationAnswer>
  /** Files once: it never repeats by itself. */
  file(file: FiledText, by: FiledBy, paymentReference: string | null): Promise<FilingAnswer>
  /** Asks what is filed of a period; number and name are the filer's. */
  query(of: { nif: string; name: string; model: string; year: number; period: string }): Promise<QueryAnswer>
  /** Returns the receipt number that a file gives itself (informative returns), or null where the agency gives it. */
  ownNumber(file: FiledText): string | null
  /** Returns the document of a receipt; null if it cannot be had now. */
  document(csv: string): Promise<Uint8Array | null>
}
