/** The context of a use case: the book it works in, the caller, the clock, the identifiers and the database. */
import type { AnyContract, ContractInput, ContractOutput } from './domain/contract/define-contract.ts'
import type { KeyChangeStep } from './domain/key-change-steps.ts'
import type { Scope } from './domain/contract/scopes.ts'
import type { ErrorCode } from './domain/errors/catalog.ts'
import { AppError } from './domain/errors/app-error.ts'
import type { NewId } from './domain/ids.ts'
import type { Proof } from './domain/proof.ts'
import type { Capability, Colleague, PersonRights } from './domain/people.ts'
import type { IssuedFacts, ReceivedFacts } from './domain/booking-facts.ts'
import { businessDateOf } from './domain/dates.ts'
import type { BusinessDate } from './domain/dates.ts'
import type { BulkReader } from './db/bulk.ts'
import type { Db } from './db/query.ts'
import type { Store, TransactionStart } from './db/store.ts'

export type Mode = 'live' | 'test'

/** One company in one mode. Live and test data never mix: every business row carries its book. */
export interface Book {
  id: number
  publicId: string
  companyId: number
  mode: Mode
  /** The authority's services that a live book uses; ignored in a test book. */
  environment: 'production' | 'preproduction'
  /** Name of the registry that its records belong to (`systemOf`); fixed by the first record. */
  registry: string
  /**
   * Subtracted from row ids for the numbers in the identifiers of events and entries: a company that was moved among
   * others keeps the identifiers that it had. Default: 0.
   */
  numbersFrom?: { events: number; entries: number }
  /** True while the company is archived: it gets no new documents. */
  archived?: true
}

export interface KeyActor {
  kind: 'key'
  rowId: number
  companyId: number
  id: string
  /**
   * The key made by a person from which this one descends (itself if a person made it). Rate limits count requests by
   * it.
   */
  rootId: string
  name: string
  prefix: string
  scopes: readonly Scope[]
  approval: 'always' | 'never'
  assistant: boolean
  expiresAt: number | null
  perDay: number | null
  centsPerDay: number | null
  /** Person of an office whose key it is; null or undefined on a desk, and for a key of the command line. */
  personId?: string | null
  /** What that person may do now: the key never may more. */
  rights?: PersonRights
}

/** A person: the owner of a desk (`user`), or one who signed in to an office. */
export interface UserActor {
  kind: 'user'
  id: string
  name: string
  /** What the person may do; undefined for the owner of a desk and on the command line, who may do all. */
  rights?: PersonRights
}

export type Actor = KeyActor | UserActor | { kind: 'system'; id: 'system'; name: string }

export type Channel = 'ui' | 'rest' | 'mcp' | 'system'

/**
 * Work in the background that a commit can make due: records and mails to send, documents to draw, events to pass on,
 * webhooks to send, syncs with an accounting system, archives to prepare, answers of the agency to ask for, what passes
 * by the platform for invoices or to public bodies, incoming documents to read, mailboxes to look into
 * and what the calendar says.
 */
export type WorkKind =
  | 'sender'
  | 'documents'
  | 'events'
  | 'mail'
  | 'webhooks'
  | 'erp'
  | 'exports'
  | 'filing'
  | 'incoming'
  | 'mailboxes'
  | 'portal'
  | 'bulk'
  | 'exchange'
  | 'calendar'

/**
 * The producer of the software as the registry requires it to be named (build/producer.json); blank until the real
 * producer is filled in.
 */
export interface Producer {
  name: string
  nif: string
  address: string
  systemId: string
  /** Place (town and country) and day (YYYY-MM-DD) of the declaration of conformity for this version. */
  place?: string
  date?: string
  /** Telephone, e-mail or web site for the declaration's annex. */
  contact?: string
  /** Licences of treasuries that register each program themselves, by province; blank until it is registered there. */
  licences?: Readonly<Record<string, string>>
}

/** Renders and signs documents off the main thread. The documents slice defines the jobs. */
export interface DocumentPort {
  make(job: object): Promise<{
    /** The file without the bytes that a signature appends. */
    bytes: Uint8Array<ArrayBuffer>
    sha256: string
    signature: { appended: Uint8Array<ArrayBuffer>; sha256: string } | null
    pages: number
    areas: { page: number; x: number; y: number; width: number; height: number; field: string }[]
  }>
}

/**
 * Compares everything that will say something about an invoice, within the transaction that issues it. The documents
 * slice implements it, so that sales do not depend on documents.
 */
export interface TruthPort {
  /** Loads what `check` needs, before a transaction, so that none waits for it; null if it is loaded. */
  load(): Promise<void> | null
  /** Throws `invoice_contradicts` if two of them differ. `booked` is the invoice as the invoices slice booked it. */
  check(tx: Ctx, booked: object): Promise<void>
}

/** A document with an entry in the ledger: the row `id` of its table. */
interface BookedDocument {
  type: 'invoice' | 'received'
  id: number
}

/**
 * Books sales and purchases in the ledger, within the transaction that records them. The ledger implements this
 * interface, so that accounting depends on sales and not the reverse. Booking throws `period_locked` if the day is
 * closed.
 */
export interface Ledger {
  /** True if entries may use the account: it is in the chart of accounts or in the book. */
  accountExists(ctx: Ctx, code: string): Promise<boolean>
  /** Throws `period_locked` (409), with the first open day, if the day is closed. */
  assertOpenPeriod(ctx: Ctx, date: BusinessDate, field?: string): Promise<void>
  /** Books an issued invoice on its accrual day, or on the first open day after it. */
  bookIssued(
    ctx: Ctx,
    invoiceId: number,
    facts: Omit<IssuedFacts, 'date'>,
    days: { accrual: BusinessDate; issue: BusinessDate },
  ): Promise<void>
  bookReceived(ctx: Ctx, receivedId: number, facts: ReceivedFacts): Promise<void>
  /** Deletes the entry of a document; its day must be open. */
  removeEntry(ctx: Ctx, document: BookedDocument): Promise<void>
  /** Reverses the entry of a document on the first open day from `date`. */
  reverseEntry(ctx: Ctx, document: BookedDocument, date: BusinessDate): Promise<void>
  /** Undoes `reverseEntry`. */
  restoreEntry(ctx: Ctx, document: BookedDocument, date: BusinessDate): Promise<void>
}

/** The action for which somebody must prove to be the owner. */
export type ProtectedAction = 'approve' | 'setting'

/** The operating system's check of the person at the computer, by fingerprint or face. */
export interface PersonCheck {
  /** True if the check is available now: a sensor may be disconnected. */
  available(): boolean
  /** Resolves to false if the person refused, failed or was absent. */
  ask(deed: ProtectedAction): Promise<boolean>
}

/** `empty`: no company has been set up in the books, so that they may be replaced without confirmation. */
export type CloseForRestore = (books: { empty: boolean }) => void

/** What a supplier's document says of itself, by which other parts of the books find what belongs to it. */
export interface DocumentFacts {
  supplierName: string | null
  nif: string | null
  number: string | null
  issueDate: BusinessDate | null
  /** In its own currency. */
  totalCents: number | null
  payableCents: number | null
  currency: string
  iban: string | null
}

/** A record that may belong to a supplier's document. */
export interface RelatedRecord {
  id: string
  label: string
  date: BusinessDate | null
  /** In cents; money that left an account is negative. */
  amountCents: number
  because: readonly ('amount' | 'date' | 'number' | 'name' | 'iban')[]
}

/** Something that is to be reported of an invoice to the public platform by a day. */
export interface AnswerDue {
  id: string
  /** Kind of the report, such as `paid`. */
  kind: string
  /** Number of the invoice. */
  number: string
  /** The other party, by its name or number. */
  partner: string | null
  lastDay: BusinessDate
}

/**
 * Finds records that may belong to a supplier's document in parts of the books that depend on purchases. Those parts
 * implement it, like the ledger.
 */
export interface RelatedRecords {
  /** Movements of the bank accounts that nothing is matched to. */
  bank(ctx: Ctx, facts: DocumentFacts): Promise<RelatedRecord[]>
  /** Purchases in the accounting system. */
  erp(ctx: Ctx, facts: DocumentFacts): Promise<RelatedRecord[]>
  /** What awaits an answer on the public platform, for the calendar of deadlines. */
  answers(ctx: Ctx, range: { from: BusinessDate; to: BusinessDate }): Promise<AnswerDue[]>
}

/** A change of the database key, as the caller requests it. */
export interface KeyChangeRequest {
  /** The recovery code for the new key. */
  code: string
  /** Delete the backups made with the earlier key once one with the new key exists. */
  deleteBackups: boolean
  actor: Actor
  progress?: (step: KeyChangeStep) => void
}

export interface KeyChanged {
  /** True if a backup with the new key was made. */
  backedUp: boolean
  deletedBackups: number
}

/** What servers tell each other: work to begin, keys that changed, a new plan of limits. */
export type NoticeKind = WorkKind | 'keys' | 'limits' | 'people' | 'presence'

/** Requests counted under a name in a window that begins with the first of them. */
interface SharedCount {
  name: string
  used: number
  /** Milliseconds since the window began. */
  ageMs: number
}

/** What the servers of an office have in common beside the rows of the companies. */
export interface Servers {
  /**
   * Tells the other servers something after the commit, about a company or (null) about any. It can get lost: whoever
   * listens looks from time to time as well.
   */
  tell(kind: NoticeKind, companyId?: number | null): void
  /** Calls `act` when another server tells something, or may have. Returns what ends that. */
  onTold(kind: NoticeKind, act: (companyId: number | null) => void): () => void
  /**
   * Runs `work` while this call alone holds a name among all servers. Returns `ifHeld` at once if another holds it. The
   * name of a server that dies is free again within seconds.
   */
  hold<T>(name: string, work: () => Promise<T>, ifHeld: T): Promise<T>
  /** Adds requests to those that all servers have counted in the last `windowMs`; returns the sums. */
  count(added: readonly { name: string; used: number }[], windowMs: number): Promise<SharedCount[]>
}

/** The people of an office, for parts that show, name or remember them. */
export interface People {
  /** Those who may open a company, by name. */
  colleagues(companyId: number): Promise<readonly Colleague[]>
  /** The companies that somebody may open; with a capability, those in which they have it. */
  companiesOf(personId: string, capability?: Capability): Promise<ReadonlySet<number>>
  /** What somebody needs to run an operation; null if nobody with rights may. */
  capabilityFor(operation: string): Capability | null
  /**
   * Returns normally if the caller alone may take a step. Throws `second_person_asked` if a second person has to confirm
   * it, or `second_person_missing`.
   */
  assertEnoughPeople(ctx: Ctx, operation: string, input: unknown): Promise<void>
  /** What somebody needs to hear of an event; null if nobody with rights does. */
  capabilityForEvent(type: string): Capability | null
  /** The name and the rights of the person to whom a key belongs; null if the person may not open the company any more. */
  rightsOfOwner(personId: string, companyId: number): Promise<{ name: string; rights: PersonRights } | null>
  /** Proves that the history of the directory is whole and that its sealed values open. */
  verify(): Promise<Proof>
  /** A setting of one person; null if it was never saved. */
  readSetting(personId: string, name: string): Promise<unknown>
  /** Saves a setting of the caller, as JSON, within a transaction. */
  saveSetting(tx: Ctx, name: string, value: string): Promise<void>
  /** Called when somebody begins or ends to edit a record of a company (null: of any), on this server or another one. */
  onPresence: (companyId: number | null) => void
}

/** Copies of other installations' books, which an adviser works with here and which never issue. */
interface AdvisedCompanies {
  has(companyId: number): boolean
  /** Runs work that may write them: the changes of the adviser, and what arrives from the client. */
  writing<T>(work: () => Promise<T>): Promise<T>
}

/** Hands companies of an office back to their owner. */
interface HandBack {
  /** Returns a new code for a file, also in groups as it is printed. */
  newCode(): Promise<{ code: string; groups: string[] }>
  /** Returns true if a typed text is a code. */
  isCode(typed: string): Promise<boolean>
  /** Closes a company here and writes all of it into a file that a code opens; returns the file, which the caller removes. */
  write(order: { company: string; code: string }): Promise<string>
  /** Opens a company here again. */
  takeBack(company: string): Promise<void>
}

export interface AppEnvironment {
  /** Loads the contracts of all operations, for the code that describes all of them; a slice uses its own contracts. */
  loadContracts: () => Promise<readonly AnyContract[]>
  /** Loads one operation of the table by its name, for a step that was asked for earlier. */
  loadOperation?: (name: string) => Promise<Operation>
  /** Undefined in an office. */
  advised?: AdvisedCompanies
  /** Undefined on a desk. */
  handBack?: HandBack
  /** Reads the rows of a company in bulk, all of them in one state. Undefined on a desk, whose file is read. */
  readRows?: <T>(companyId: number, work: (reader: BulkReader) => Promise<T>) => Promise<T>
  store: Store
  /** Null on a desk, where this process alone has the books. */
  servers: Servers | null
  /** Null on a desk, where one owner signs in to nothing. */
  people: People | null
  version: string
  /** SHA-256 of the list of the files of the build that runs; null if the program runs from its sources. */
  build: string | null
  producer: Producer
  sandbox: boolean
  /** The endpoint that a sandbox uses in place of the authority: its local address and its CA certificate in PEM. */
  mockEndpoint: { url: string; caPem: string } | null
  /** The same for the services of tax returns. */
  returnsMockEndpoint: { url: string; caPem: string } | null
  /** The same for the portal of public bodies. */
  portalMockEndpoint: { url: string; caPem: string } | null
  /** The same for the public platform of invoices between businesses, which has no address of its own yet. */
  platformMockEndpoint: { url: string; caPem: string } | null
  /**
   * The endpoint that replaces the fixed address of an accounting system, and the minimum interval between requests;
   * sandboxes only.
   */
  erpMockEndpoint: { url: string; paceMs: number } | null
  /** The addresses on which this installation listens; null until it does. */
  address: { restUrl: string | null; mcpUrl: string | null }
  /** The operating system's check that the owner is at the computer; null if there is none. */
  person: PersonCheck | null
  /**
   * The number of open window pages that receive events and can ask the person to confirm; zero while the window is
   * closed or locked.
   */
  window: { pages: number }
  /** Closes the books soon for a restore started in the window; null if no window can take over. */
  closeForRestore: CloseForRestore | null
  /** Re-encrypts the books with a new key under a new recovery code; undefined if the host cannot. */
  changeKey?: (request: KeyChangeRequest) => Promise<KeyChanged>
  now: () => Date
  newId: NewId
  documents: DocumentPort
  ledger: Ledger
  truth: TruthPort
  related: RelatedRecords
  /** Logs an internal error in work that nobody waits for. */
  report: (work: string, error: unknown) => void
  /** Called after a commit that queued background work. Without `companyId` it may be of any company. */
  wake: (work: WorkKind, companyId?: number) => void
  /**
   * Notes within a transaction that a company has work in the background, for whichever server takes it; undefined on a
   * desk, where the process that commits does the work itself.
   */
  noteDue?: (db: Db, companyId: number, work: readonly WorkKind[]) => Promise<void>
}

export interface Ctx {
  readonly env: AppEnvironment
  /** The read connection, or the transaction's. */
  readonly db: Db
  readonly inTransaction: boolean
  readonly book: Book
  readonly actor: Actor
  readonly channel: Channel
  readonly requestId: string
  now(): Date
  /** Today in Spain. */
  today(): BusinessDate
  /**
   * True if the caller may: for answers that join several parts of the books. The owner of a desk, the program itself
   * and a key that belongs to nobody may do all, as far as a key's scopes go.
   */
  may(capability: Capability): boolean
  newId: NewId
  /**
   * Runs one transaction; a use case called with a transaction's context joins it. No network, file access or
   * rendering inside. The store may run the work again from its start: what it counts or remembers outside the database
   * is returned by it, or changed in `afterCommit`.
   */
  transaction<T>(work: (ctx: Ctx) => Promise<T>, start?: TransactionStart): Promise<T>
  /** Runs `effect` after the outermost commit, never after a rollback. */
  afterCommit(effect: () => void): void
  /** Runs `effect` if the transaction is rolled back, before it runs again. */
  afterRollback(effect: () => void): void
  /** Says that the open transaction queues background work, which begins after the outermost commit. */
  wake(work: WorkKind): void
}

/** A use case: the one function behind an operation, with the types of its own contract. */
export type UseCase<Of extends AnyContract> = (
  ctx: Ctx,
  input: ContractInput<Of>,
) => Promise<ContractOutput<Of>>

/** An operation: a contract with the function that runs it. The input is parsed by this very contract before it runs. */
export interface Operation<Of extends AnyContract = AnyContract> {
  contract: Of
  run(ctx: Ctx, input: unknown): Promise<unknown>
}

/** Pairs a contract with its function. A function of other types than the contract's does not compile. */
export function operation<Of extends AnyContract>(contract: Of, run: UseCase<Of>): Operation<Of> {
  return { contract, run: run as Operation['run'] }
}

/** Declares the operations that a slice registers, in the order of the reference. */
export function defineOperations<const All extends readonly Operation[]>(operations: All): All {
  return operations
}

export interface CtxParts {
  env: AppEnvironment
  book: Book
  actor: Actor
  channel: Channel
  requestId: string
}

/** What follows the end of a transaction. */
class Effects {
  readonly commit: (() => void)[] = []
  readonly rollback: (() => void)[] = []
  readonly woken = new Set<WorkKind>()
  /** The company whose work it is. */
  companyId: number | null = null

  /** Writes down what has become due, as the last step of the transaction. */
  async note(env: AppEnvironment, db: Db): Promise<void> {
    if (env.noteDue && this.companyId !== null) await env.noteDue(db, this.companyId, [...this.woken])
  }

  committed(env: AppEnvironment): void {
    for (const effect of this.commit) effect()
    for (const work of this.woken) env.wake(work, this.companyId ?? undefined)
  }

  undone(): void {
    for (const effect of this.rollback.splice(0)) effect()
  }
}

class RequestCtx implements Ctx {
  readonly env: AppEnvironment
  readonly db: Db
  readonly inTransaction: boolean
  readonly book: Book
  readonly actor: Actor
  readonly channel: Channel
  readonly requestId: string
  readonly newId: NewId
  private readonly effects: Effects | null

  constructor(parts: CtxParts, db: Db, effects: Effects | null) {
    this.env = parts.env
    this.db = db
    this.inTransaction = effects !== null
    this.book = parts.book
    this.actor = parts.actor
    this.channel = parts.channel
    this.requestId = parts.requestId
    this.newId = parts.env.newId
    this.effects = effects
  }

  now(): Date {
    if (this.inTransaction) this.env.store.assertLocked()
    return this.env.now()
  }

  today(): BusinessDate {
    return businessDateOf(this.now())
  }

  may(capability: Capability): boolean {
    const { actor } = this
    return actor.kind === 'system' || (actor.rights?.capabilities.has(capability) ?? true)
  }

  async transaction<T>(work: (ctx: Ctx) => Promise<T>, start?: TransactionStart): Promise<T> {
    if (this.inTransaction) return work(this)
    let effects = new Effects()
    let result: T
    try {
      const whole = async (db: Db): Promise<T> => {
        // The store may run the work again from its start.
        effects.undone()
        effects = new Effects()
        const done = await work(new RequestCtx(this, db, effects))
        await effects.note(this.env, db)
        return done
      }
      result = await this.env.store.transaction(companyOf(this.book), whole, start)
    } catch (error) {
      effects.undone()
      throw error
    }
    effects.committed(this.env)
    return result
  }

  afterCommit(effect: () => void): void {
    if (!this.effects) throw new Error('afterCommit is for transactions.')
    this.effects.commit.push(effect)
  }

  afterRollback(effect: () => void): void {
    if (!this.effects) throw new Error('afterRollback is for transactions.')
    this.effects.rollback.push(effect)
  }

  wake(work: WorkKind): void {
    if (!this.effects) throw new Error('Work is queued in a transaction.')
    this.effects.woken.add(work)
    // The company that a transaction of the installation creates.
    this.effects.companyId ??= companyOf(this.book)
  }

  as({ actor, newId }: Stand): Ctx {
    const { book, channel, requestId } = this
    const env = Object.create(this.env, { newId: { value: newId } }) as AppEnvironment
    return new RequestCtx({ env, book, actor, channel, requestId }, this.db, this.effects)
  }

  inBook(book: Book): Ctx {
    // A transaction holds the lock of one company.
    if (this.inTransaction && this.book !== NO_BOOK && book.companyId !== this.book.companyId)
      throw new Error('A transaction writes for one company.')
    const { env, actor, channel, requestId } = this
    const db = this.inTransaction ? this.db : readerFor(env.store, book)
    return new RequestCtx({ env, book, actor, channel, requestId }, db, this.effects)
  }
}

/** Returns the company whose rows a context reads and writes; null if it works for the whole installation. */
function companyOf(book: Book): number | null {
  return book === NO_BOOK ? null : book.companyId
}

function readerFor(store: Store, book: Book): Db {
  const companyId = companyOf(book)
  return companyId === null ? store.reader : store.readerOf(companyId)
}

/** Creates a context that reads committed data. */
export function createCtx(parts: CtxParts): Ctx {
  return new RequestCtx(parts, readerFor(parts.env.store, parts.book), null)
}

/** Returns the context of work that the program starts by itself, without a request of a person or a program. */
export function createSystemCtx(env: AppEnvironment, book: Book, requestId: string = env.newId('req')): Ctx {
  const actor = { kind: 'system', id: 'system', name: 'Sello' } as const
  return createCtx({ env, book, actor, channel: 'system', requestId })
}

/**
 * Returns the context of the same request, transaction included, in another book: for data that belongs to a company
 * and therefore to both its books.
 */
export function inBook(ctx: Ctx, book: Book): Ctx {
  if (!(ctx instanceof RequestCtx)) throw new Error('This ctx was not made by createCtx.')
  return ctx.inBook(book)
}

/** Whose work it is, and how it names what it creates. */
interface Stand {
  actor: Actor
  newId: NewId
}

/** Returns the context of the same transaction as the work of somebody else, whose identifiers are given. */
export function inStandOf(ctx: Ctx, stand: Stand): Ctx {
  if (!(ctx instanceof RequestCtx)) throw new Error('This ctx was not made by createCtx.')
  return ctx.as(stand)
}

/**
 * Runs `work`, which removes a secret from its row, in a transaction, and purges the secret from the files: the
 * write-ahead log is emptied after the commit, before the answer if possible.
 */
export async function purgeSecret<T>(ctx: Ctx, work: (tx: Ctx) => Promise<T>): Promise<T> {
  const emptied: Promise<void>[] = []
  const result = await ctx.transaction((tx) => {
    tx.afterCommit(() => {
      emptied.push(tx.env.store.purgeRemains())
    })
    return work(tx)
  })
  // In an enclosing transaction this happens later, when that one ends.
  await Promise.all(emptied)
  return result
}

/** The book of operations that work without one, such as set-up. */
export const NO_BOOK: Book = {
  id: -1,
  publicId: '',
  companyId: -1,
  mode: 'test',
  environment: 'production',
  registry: '',
}

/**
 * Refuses steps outside the program that cannot be undone and that no approval is asked for, to a key of live books that acts for an
 * assistant or waits for approvals: a person takes them in the window. Throws `step_for_the_owner`.
 */
export function refuseUnattended({ actor, book }: Pick<Ctx, 'actor' | 'book'>): void {
  if (actor.kind === 'key' && book.mode === 'live' && (actor.approval === 'always' || actor.assistant))
    throw new AppError('step_for_the_owner')
}

/** Returns `value`, or throws the error that says it does not exist. */
export function orNotFound<T>(
  value: T | undefined | null,
  code: ErrorCode = 'not_found',
  details?: Record<string, unknown>,
): T {
  if (value === undefined || value === null) throw new AppError(code, details ? { details } : {})
  return value
}
