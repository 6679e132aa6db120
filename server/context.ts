/** What a use case may touch: the book it works in, who asks, the clock, the identifiers, and the database. */
import type { AnyContract, ContractInput, ContractOutput } from './domain/contract/define-contract.ts'
import type { KeyChangeStep } from './domain/key-change-steps.ts'
import type { Scope } from './domain/contract/scopes.ts'
import type { ErrorCode } from './domain/errors/catalog.ts'
import { AppError } from './domain/errors/catalog.ts'
import type { NewId } from './domain/ids.ts'
import type { IssuedFacts, ReceivedFacts } from './domain/booking-facts.ts'
import { businessDateOf } from './domain/dates.ts'
import type { BusinessDate } from './domain/dates.ts'
import type { Db } from './db/query.ts'
import { emptyLog } from './db/purge-secret.ts'
import type { Store } from './db/store.ts'

export type Mode = 'live' | 'test'

/** One company in one mode. Live and test never meet: every row of business carries its book. */
export interface Book {
  id: number
  publicId: string
  companyId: number
  mode: Mode
  /** Which of the authority's services a live book talks to; without meaning in a test book. */
  environment: 'production' | 'preproduction'
}

export interface KeyActor {
  kind: 'key'
  rowId: number
  id: string
  /** The key that a person made and this one descends from, itself when a person made it: rates are counted by it. */
  rootId: string
  name: string
  prefix: string
  scopes: readonly Scope[]
  approval: 'always' | 'never'
  assistant: boolean
  expiresAt: number | null
  perDay: number | null
  centsPerDay: number | null
}

export type Actor =
  | KeyActor
  | { kind: 'user'; id: 'user'; name: string }
  | { kind: 'system'; id: 'system'; name: string }

export type Channel = 'ui' | 'rest' | 'mcp' | 'system'

/** The producer of the software as the registry wants it named (build/producer.json); blank until the real one fills it. */
export interface Producer {
  name: string
  nif: string
  address: string
  systemId: string
  /** Town and country, and day (YYYY-MM-DD), of the declaration of conformity for this version. */
  place?: string
  date?: string
  /** Telephone, mail or web site for the declaration's annex. */
  contact?: string
}

/** Draws and signs documents away from the main thread. What a job is, the documents slice says. */
export interface DocumentPort {
  make(job: object): Promise<{
    /** Without what a signature appends. */
    bytes: Uint8Array<ArrayBuffer>
    sha256: string
    signature: { appended: Uint8Array<ArrayBuffer>; sha256: string } | null
    pages: number
    areas: { page: number; x: number; y: number; width: number; height: number; field: string }[]
  }>
}

/** A document whose entry the ledger keeps: the row `id` of its table. */
export interface BookedDocument {
  type: 'invoice' | 'received'
  id: number
}

/**
 * Books facts of sales and purchases in the ledger, in the transaction that makes them true. The ledger implements it, so
 * that an arrow leads from accounting to sales and none back. Booking throws `period_locked` when the day is closed.
 */
export interface Ledger {
  /** True if entries may name the account: the plan knows it, or the book has it. */
  knowsAccount(ctx: Ctx, code: string): Promise<boolean>
  /** Throws `period_locked` (409) when the day is closed, with the first open day. */
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

/** What somebody is to show that they are the owner for. */
export type ProtectedAction = 'approve' | 'setting'

/** A question of the operating system to whoever sits at the computer: a finger, a face. */
export interface PersonCheck {
  /** Whether it can be asked now: a sensor may be out of reach. */
  available(): boolean
  /** False when they refused, failed or were not there. */
  ask(deed: ProtectedAction): Promise<boolean>
}

/** `empty`: nobody has set up a company in the books, so that others may take their place unasked. */
export type CloseForRestore = (books: { empty: boolean }) => void

/** What is the same for every request of a running Sello. */
export interface KeyChangeRequest {
  /** The recovery code that opens the new key. */
  code: string
  /** Delete the backups of the earlier key once there is one of the new. */
  deleteBackups: boolean
  actor: Actor
  progress?: (step: KeyChangeStep) => void
}

export interface KeyChanged {
  /** Whether a backup with the new key was made. */
  backedUp: boolean
  deletedBackups: number
}

export interface AppEnvironment {
  /** Every operation's contract, for what describes all of them; a slice knows its own. */
  loadContracts: () => Promise<readonly AnyContract[]>
  store: Store
  version: string
  producer: Producer
  sandbox: boolean
  /** What a sandbox takes for the authority: its address on this computer, and who vouches for it, in PEM. */
  mockEndpoint: { url: string; caPem: string } | null
  /** What stands in for the fixed address of an accounting system, and how fast it may be asked; sandboxes only. */
  erpMockEndpoint: { url: string; paceMs: number } | null
  /** Where this installation listens, once it does. */
  address: { restUrl: string | null; mcpUrl: string | null }
  /** The computer's own way to ask whether its owner sits at it; null where it has none. */
  person: PersonCheck | null
  /** The window's pages that hear events and could ask a person something: none while it is shut or locked. */
  window: { pages: number }
  /** Closes the books for a restoring in the window, soon and by itself; null where no window takes over. */
  closeForRestore: CloseForRestore | null
  /** Gives the books another key under a new recovery code; missing where their holder cannot. */
  changeKey?: (request: KeyChangeRequest) => Promise<KeyChanged>
  now: () => Date
  newId: NewId
  documents: DocumentPort
  ledger: Ledger
  /** Tells the log of a fault of ours in work that nobody waits for. */
  report: (work: string, error: unknown) => void
  /** Called after a commit that left work for the background: records and mails to send, documents to draw, events to pass on, webhooks to send. */
  wake: (work: 'sender' | 'documents' | 'events' | 'mail' | 'webhooks') => void
}

export interface Ctx {
  readonly env: AppEnvironment
  /** The reading connection, or the transaction's. */
  readonly db: Db
  readonly inTransaction: boolean
  readonly book: Book
  readonly actor: Actor
  readonly channel: Channel
  readonly requestId: string
  now(): Date
  /** Today in Spain. */
  today(): BusinessDate
  newId: NewId
  /** One transaction; a use case called with a transaction's ctx joins it. No network, file or rendering inside. */
  transaction<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>
  /** Runs after the outermost commit, never when it is rolled back. */
  afterCommit(effect: () => void): void
}

/** A use case: the one function behind an operation, with the types of its own contract. */
export type UseCase<Of extends AnyContract> = (
  ctx: Ctx,
  input: ContractInput<Of>,
) => Promise<ContractOutput<Of>>

export interface CtxParts {
  env: AppEnvironment
  book: Book
  actor: Actor
  channel: Channel
  requestId: string
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
  private readonly effects: (() => void)[] | null

  constructor(parts: CtxParts, db: Db, effects: (() => void)[] | null) {
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
    return this.env.now()
  }

  today(): BusinessDate {
    return businessDateOf(this.env.now())
  }

  async transaction<T>(work: (ctx: Ctx) => Promise<T>): Promise<T> {
    if (this.inTransaction) return work(this)
    const effects: (() => void)[] = []
    const result = await this.env.store.transaction((db) => work(new RequestCtx(this, db, effects)))
    for (const effect of effects) effect()
    return result
  }

  afterCommit(effect: () => void): void {
    if (!this.effects) throw new Error('afterCommit is for transactions.')
    this.effects.push(effect)
  }

  inBook(book: Book): Ctx {
    const { env, actor, channel, requestId } = this
    return new RequestCtx({ env, book, actor, channel, requestId }, this.db, this.effects)
  }
}

/** A ctx over the reading connection. */
export function createCtx(parts: CtxParts): Ctx {
  return new RequestCtx(parts, parts.env.store.reader, null)
}

/** The same request, transaction included, in another book: for what belongs to a company and so to both its books. */
export function inBook(ctx: Ctx, book: Book): Ctx {
  if (!(ctx instanceof RequestCtx)) throw new Error('This ctx was not made by createCtx.')
  return ctx.inBook(book)
}

/**
 * Runs `work`, which takes a secret out of its row, in a transaction, and leaves nothing of it in the files: the log is
 * emptied once it is committed, before answering where it can.
 */
export async function purgeSecret<T>(ctx: Ctx, work: (tx: Ctx) => Promise<T>): Promise<T> {
  const emptied: Promise<void>[] = []
  const result = await ctx.transaction((tx) => {
    tx.afterCommit(() => {
      emptied.push(emptyLog(tx.env.store))
    })
    return work(tx)
  })
  // Within a larger transaction it comes later, at that one's end.
  await Promise.all(emptied)
  return result
}

/** The book of operations that work without one (set-up): using it is a bug, and says so. */
export const NO_BOOK: Book = { id: -1, publicId: '', companyId: -1, mode: 'test', environment: 'production' }

/** `value`, or the error that says it is not there. */
export function orNotFound<T>(
  value: T | undefined | null,
  code: ErrorCode = 'not_found',
  details?: Record<string, unknown>,
): T {
  if (value === undefined || value === null) throw new AppError(code, details ? { details } : {})
  return value
}
