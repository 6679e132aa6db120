/**
 * The port to a registry system: everything that differs between the registries of invoices that a Spanish business
 * may be under. Each book has one, fixed when its first record is written (`systemOf` in systems/index.ts). Chain,
 * queue, state, invoices and documents know this file only; what is behind it stands in a folder of systems/.
 */
import type { Credential } from '../company/certificates/index.ts'
import type { AppEnvironment, Book, Ctx, Producer } from '../context.ts'
import type { SubmissionStatus } from '../db/schema.ts'
import type { BusinessDate } from '../domain/dates.ts'
import type { Fault } from '../domain/errors/app-error.ts'
import type { Cents } from '../domain/money.ts'
import type { AuthorityCommand, CommandIo } from '../platform/simulated-authority/index.ts'
import type { NextAction } from './contract.ts'
import type {
  CancellationTurn,
  ChainLink,
  InvoiceKey,
  NewCancellation,
  NewRegistration,
  RegistrationTurn,
  RegistryCancellation,
  RegistryInvoice,
  Software,
} from './facts.ts'
import type { InvoiceDetail } from './invoice-detail.ts'
import type { Answered, Authority } from './queue/authority.ts'

/** A record to be made, with everything that its text is built from. */
export type RecordFacts =
  | {
      kind: 'registration'
      invoice: RegistryInvoice
      /** Null unless the system `needsDetail`. */
      detail: InvoiceDetail | null
      /** Text of the invoice's first record, if this one corrects it and the system `needsDetail`; else null. */
      first: string | null
    }
  | {
      kind: 'cancellation'
      cancellation: RegistryCancellation
      /** As the registration has it. */
      issuerName: string
    }

/** Where a record stands and when it is made. */
export interface RecordPlace {
  /** The record before it in the chain of the installation; null for the first one. */
  previous: Predecessor | null
  software: Software
  /** Time of creation, local time of the mainland with its offset: `2026-11-30T10:00:00+01:00`. */
  generatedAt: string
}

/** The record before another one, as far as the next one may name it. */
export interface Predecessor extends ChainLink {
  /** What `linkOf` returned for it. Only its own system interprets it. */
  link: string
}

/** A record whose text never changes again. */
export interface Sealed {
  /** The record exactly as it is stored and sent. */
  text: string
  /** False for a record that the next one does not follow: the next one follows the last record that is a link. */
  isLink: boolean
  /** What the next record names of this one, stored with it; null when that is its hash. Only its own system interprets it. */
  link: string | null
  /**
   * 64 upper-case hex characters (SHA-256), unique to the record: what the system's own records name, or the digest of
   * the text where they name something else.
   */
  hash: string
}

/** A record read back from its stored text, character by character. */
export interface ReadRecord {
  kind: 'registration' | 'cancellation'
  /** The record's own key and hash. */
  link: ChainLink
  /** False for a record that the next one does not follow. */
  isLink: boolean
  /** What the next record names of it; the hash where the system has nothing else. */
  named: string
  /** The record that it names as the one before it; null when it names none. `hash` is null where it names another thing. */
  previous: (InvoiceKey & { hash: string | null }) | null
  /** Our own reference; null when the record names none. */
  recordId: string | null
  /** Null when the record names none. */
  operationDate: BusinessDate | null
  /** ISO 8601 with offset, as written. */
  generatedAt: string
  /** The texts under the seal by their names in this program, for checks that read no XML. */
  sealed: Record<string, string>
  /** Amounts of a registration as decimal texts; null for a cancellation. */
  amounts: { taxTotal: string; total: string } | null
}

/** What is printed beside an invoice, and written into its structured forms. */
export interface Marks {
  /** Identifier on one line above the QR; null where the registry has none. */
  identifier: string | null
  /** Address in the QR, where anyone can look the invoice up. */
  qr: string
  /** Texts of the law below the QR, in the order of printing. */
  lines: readonly string[]
}

/** Facts of an issued invoice that its marks follow from. */
interface MarkedInvoice {
  issuerNif: string
  number: string
  issueDate: BusinessDate
  /** The registered total: without withholding and disbursements. */
  totalCents: Cents
  /** Its first record's link; see `linkOf`. */
  link: string
  /** The services that the address leads to. Test books have the addresses of tests. */
  environment: 'production' | 'test'
}

/** The outcome of one earlier record of an invoice. */
export interface Fate {
  kind: 'registration' | 'cancellation'
  turn: string
  status: SubmissionStatus
  authorityCode: string | null
  heldState: 'active' | 'cancelled' | null
  conflict: boolean
}

/** State of an invoice at the registry, and the records that may follow. */
export interface Standing {
  /** The outcome of the last record is not known yet: no record may follow. */
  open: boolean
  /** State of the invoice's key at the registry, as far as its answers show. */
  registered: 'none' | 'active' | 'cancelled'
  /** Kind of a further registration made now. */
  registrationTurn: RegistrationTurn
  /** Kind of a cancellation made now. */
  cancellationTurn: CancellationTurn
  /** A record of another program is held under the key. */
  conflict: boolean
}

/** Meaning of an authority's code for a person: a theme in terms of the trade, and the one next step. */
export interface CodeMeaning {
  /** Our own code, for programs and for the window's messages (`registryPage.theme`). */
  code: string
  fix: string
  action: NextAction
}

/** The queue's treatment of a message that was refused as a whole. */
export type FaultTreatment =
  /** A failure on their side: send the same bytes again later. */
  | 'retry'
  /** One record of it is invalid: halve the message until the record is found. */
  | 'find_record'
  /** Nothing will be accepted until an outside cause is corrected. */
  | 'hold'
  /** The authority suspended us. */
  | 'stop'

/** What the answer says about one record. */
export interface Outcome {
  /** Our own reference of the record; undefined when the answer tells of none. */
  recordRef: string | undefined
  operation: 'registration' | 'cancellation'
  number: string
  state: 'accepted' | 'accepted_with_errors' | 'rejected'
  /** The authority's own code; null when it gave none. */
  code: string | null
  message: string | null
  /**
   * What a rejection means: `final`; `again`, a failure on their side; `done`, what was asked for is the case already;
   * `cancelled`, the key is held and annulled; `taken`, the key is held, and a query tells by whose record. Where nothing
   * can be asked: `ours`, it is this very record, whose own answer was lost; `foreign`, another record holds the key.
   */
  rejection: 'final' | 'again' | 'done' | 'cancelled' | 'taken' | 'ours' | 'foreign'
}

/** An answer to a submission. Nothing in it is guessed. */
export type Reading =
  | {
      kind: 'answer'
      /** The issuer that the answer names; null when the service names none. */
      issuerNif: string | null
      /** ISO 8601 with offset, by the authority's clock; null when the answer has none. */
      presentedAt: string | null
      /** Seconds to wait before the next message; null: as before. */
      waitSeconds: number | null
      /** The authority's receipt (registration code); null when there is none. */
      receipt: string | null
      outcomes: readonly Outcome[]
    }
  /** Nothing of the message was taken, and the same message again would be refused too, unless `treatment` says otherwise. */
  | {
      kind: 'refused'
      code: string | null
      message: string
      treatment: FaultTreatment
      /** Seconds that the authority asks to wait before the same message comes again; absent where it does not say. */
      retryAfterSeconds?: number
    }
  /** The message may have been taken: its records are asked for. */
  | { kind: 'unknown'; outcome: 'fault' | 'unreadable'; detail: string }

/** The authority's data of one invoice. Values are as it wrote them; null where it states nothing. Stored as JSON. */
export interface HeldRecord {
  key: InvoiceKey
  /** Our own reference, echoed. */
  recordRef: string | null
  /** The hash that the record was sent with: if it equals ours, it is our record. */
  hash: string | null
  /** What a next record would name of it (`Sealed.link`), where the registry has that in place of a hash. */
  link?: string
  /** F1 to R5. */
  kind: string | null
  /** Decimal text with a point, as registered. */
  taxTotal: string | null
  total: string | null
  /** Creation time of the record, by its own system: ISO 8601 with offset. */
  generatedAt: string | null
  state: 'Correcto' | 'AceptadoConErrores' | 'Anulado'
  /** The authority's code, when it accepted the record with errors. */
  code: string | null
  message: string | null
  /** The last change of the held data, by the authority's clock: ISO 8601 with offset. */
  modifiedAt: string
  /** The authority's number of the submission with the record. */
  requestId: string | null
  presentedAt: string | null
  /** The program that made the record: present only when the query requests it. */
  system: { producerId: string; id: string; installation: string } | null
  recipients: { name: string; id: string }[]
  description: string | null
}

/** Result of a question about one key, as far as the answer is readable. */
export type KeyAnswer =
  | { kind: 'held'; held: HeldRecord }
  | { kind: 'nothing' }
  /** Readable, and about something else than was asked. */
  | { kind: 'stray'; detail: string }
  | Unanswered

/** Where a page of what is held ends: at a key, or by its number. */
export type PageMark = InvoiceKey | number

/** One page of what the authority holds of a period. */
export type PageAnswer =
  | { kind: 'page'; items: readonly HeldRecord[]; next: PageMark | null }
  | { kind: 'stray'; detail: string }
  | Unanswered

type Unanswered =
  | { kind: 'fault'; code: string | null; message: string; /** The authority suspended us. */ stops: boolean }
  | { kind: 'unreadable'; detail: string }

/** A question with the reader of its answer, as `kept` stores it. */
export interface Question<Message, Answer> {
  message: Message
  read(kept: Uint8Array): Answer
}

/** The company whose records are sent. */
export interface Taxpayer {
  name: string
  nif: string
  /** True for a natural person; absent: unknown to the caller, which no system that needs it accepts. */
  isPerson?: boolean
  /** Code of the person's economic activity, digits only; null or absent where it is not known. */
  activityCode?: string | null
}

/** A queued record, as far as it decides which records fit one message. */
export interface QueuedFacts {
  kind: 'registration' | 'cancellation'
  issueDate: BusinessDate | null
}

/** A record of a message, beside which the answer is read. */
export interface SentRecord {
  recordId: string
  kind: 'registration' | 'cancellation'
  /** As printed. */
  number: string
  text: string
  /** An earlier message with the same bytes may have arrived: nothing proves that it did not. */
  mayHaveArrived: boolean
}

/** A message that an answer belongs to. `records` is empty where the wire reads an answer alone. */
export interface SentMessage {
  issuer: Taxpayer
  records: readonly SentRecord[]
}

/** The key of an invoice with the days that an authority may have filed it under. */
interface RequestedKey extends InvoiceKey {
  /** Of the operation and of the issue, in the order in which to ask; null where there is none. */
  days: readonly (BusinessDate | null)[]
}

/**
 * Messages of a registry and the readers of its answers. `Message` is whatever its own `Authority` takes: the text for
 * the one address of a service, or a request with address, headers and body.
 */
export interface RegistryWire<Message = unknown> {
  /** The largest number of records in one message. */
  readonly maxRecords: number
  /**
   * False where the authority answers no question: what became of a record is learnt by sending the same bytes again, so
   * that the answer is read beside what may have arrived before.
   */
  readonly canAsk: boolean
  /** True if an answer is read beside the records that were sent. */
  readonly readsSent: boolean
  /** Returns how many of the first records one message takes: at least one of any. */
  fitting(records: readonly QueuedFacts[]): number
  /** `records` are stored texts in the order of the chain. `incident`: some of them are late by a failure. */
  submission(issuer: Taxpayer, records: readonly string[], options: { incident: boolean }): Message
  /** Returns the form in which an answer is stored and read: everything that `read` and the questions look at. */
  kept(answer: Answered): Uint8Array
  /** Reads an answer with any HTTP status from its stored form. Never throws. */
  read(kept: string | Uint8Array, sent: SentMessage): Reading
  /** The questions whether a key is held, to be asked in this order until one is not answered with `nothing`. */
  questions(issuer: Taxpayer, key: RequestedKey): readonly Question<Message, KeyAnswer>[]
  /** A question about the head of the chain, asked for the clock in its answer only; null where its answers have none. */
  clockQuestion(issuer: Taxpayer, head: InvoiceKey): Question<Message, KeyAnswer> | null
  /** The periods, as `page` takes them, that may hold invoices issued from `first` to `last`; none if nothing can be asked. */
  periods(first: BusinessDate, last: BusinessDate): readonly string[]
  /** The question for a page of a period. `after`: `next` of the page before. */
  page(issuer: Taxpayer, period: string, after: PageMark | null): Question<Message, PageAnswer>
  /** Reads the record held under a number in a stored answer to one of `questions`; null if it is not there. */
  heldIn(stored: string, number: string): HeldRecord | null
  /** The authority's code for a key that is taken. */
  readonly takenCode: string
}

/** What a connection to the real service needs. */
export interface Connection {
  environment: Book['environment']
  /** Null when the company has no certificate. */
  credential: Credential | null
  now: () => Date
  /** Version of this program. */
  version: string
  sandbox: boolean
  /** The server on this computer that a sandbox sends to. */
  standIn: AppEnvironment['mockEndpoint']
  signal?: AbortSignal | undefined
}

/** The program's own data as this build and this book have them. */
export interface Build {
  /** A test book or a sandbox: records name the producer of the authority's examples. */
  isTest: boolean
  environment: Book['environment']
  producer: Producer
  version: string
}

/** Who issues, and where: a person on the machine that has the key, a person elsewhere, or no person. */
export type Attendance = 'local' | 'remote' | 'unattended'

/** What a check knows of the moment and the place of a record. */
export interface CheckContext {
  /** The date in Spain. */
  today: BusinessDate
  now: Date
  environment: Book['environment']
  software: Software
  taxpayer: Taxpayer
  attendance: Attendance
  /** The company's key; in test books one made for tests. Null without one, and unless `needsKeyAtIssue`. */
  key: Credential | null
  /** As in `RecordFacts`. */
  detail: InvoiceDetail | null
  first: string | null
  /** State of the invoice at the registry; `none` before its first record. */
  registered: Standing['registered']
}

/** A registry. `Draft` is its record before the seal; `Read` its record after reading it back. */
export interface RegistrySystem<Draft = unknown, Read extends ReadRecord = ReadRecord, Message = unknown> {
  /** As stored with the book. */
  readonly name: string
  /** True if sealing takes the company's key: nothing is issued without it. False: it is needed to send. */
  readonly needsKeyAtIssue: boolean
  /** True if a registration lists the invoice's lines and addresses, and a correction repeats parts of the first record. */
  readonly needsDetail: boolean
  /** Number of the dictionary of packing.ts that its records are compressed with. */
  readonly dictionary: number
  /** Records in one document of `exported`. */
  readonly recordsPerExport: number

  /** Returns the program as records name it; that of the authority's own examples in test books. */
  programOf(build: Build): Omit<Software, 'installationNumber' | 'severalIssuers'>
  /** Checks a registration before its number is taken; fields in the words of the invoice (systems/field-names.ts). */
  registrationFaults(invoice: NewRegistration, context: CheckContext): Fault[]
  cancellationFaults(cancellation: NewCancellation, context: CheckContext): Fault[]
  /** Checks the program's own data, which every record carries. */
  softwareFaults(software: Software): Fault[]
  /** What a person should know before the first record of a live book; `today` is the date in Spain. */
  entryWarnings(today: BusinessDate): Fault[]

  /** Builds the record. Checks no rules. Throws RangeError when a text cannot be written. */
  build(facts: RecordFacts, place: RecordPlace): Draft
  /**
   * Freezes the record. `key` is null unless `needsKeyAtIssue`; in test books it is one made for tests. Runs in the issue
   * transaction: it may compute, and awaits neither files nor the network.
   */
  seal(draft: Draft, key: Credential | null): Sealed | Promise<Sealed>
  /** Reads a stored text. Throws when it is not a record of this system. */
  read(text: string): Read
  /**
   * Proves the seal of a record and that it follows `previous`, the last link before it (null: it is the first). Returns
   * what is wrong, or null.
   */
  proveLink(record: Read, previous: Predecessor | null): string | null
  marks(invoice: MarkedInvoice): Marks
  /** Derives what may follow from the outcomes so far, oldest first. */
  standing(fates: readonly Fate[]): Standing
  /** Returns the meaning of a code; for an unknown one, a theme that refers to the authority's own text. */
  meaningOf(authorityCode: string): CodeMeaning
  /** Returns stored records as a document for third parties, in the form that the authority itself would take. */
  exported(issuer: Taxpayer, records: readonly string[]): string

  readonly wire: RegistryWire<Message>
  /** The real service. Opens nothing before a message is sent. */
  connect(connection: Connection): Authority<Message>
  /** The simulated authority of a test book, in this process; loaded with the first message. */
  simulator(ctx: Ctx): Promise<Authority<Message>>
  /** Runs the simulated authority as a program of its own until it is stopped; `waitSeconds`: what senders are asked for. */
  serve(command: AuthorityCommand & { waitSeconds?: number }, io: CommandIo): Promise<void>
}
