/**
 * Writes: the transactions of one company run one after another, on every server. Within a process they wait in
 * order and without a connection; between processes the row of the company is the lock. Transactions that wait for
 * the same company share one COMMIT (a batch), each behind a savepoint, as in the embedded engine (ADR 35).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { AppError } from '../../domain/errors/app-error.ts'
import { allOf } from '../query.ts'
import type { Db } from '../query.ts'
import { DATABASE_CLOCK } from './clock.ts'
import type { DatabaseClock } from './clock.ts'
import { createWriter, runOn } from './connection.ts'
import type { StoreObserver } from './observer.ts'
import { giveBack, isConnectionLost, isWorthAnotherTry, refusalOf, send, WAIT_MS } from './pool.ts'
import type { TransactionStart } from '../store.ts'
import { PRESENCE, writeRefusal } from './presence.ts'
import type { Presence } from './presence.ts'
import { sendScope } from './scope.ts'

/** Most transactions per commit: finished ones must not wait indefinitely for later ones. */
const MOST_TOGETHER = 16
/** Runs of the same work, the first included. */
const MOST_RUNS = 3
/** Longest time in which the database may still be deciding about a commit whose answer was lost. */
const DECISION_MS = WAIT_MS

/** Why a batch was not committed. */
class NotCommitted extends Error {
  /** True if nothing of it was written: it may run again. */
  readonly mayRunAgain: boolean
  constructor(cause: unknown, mayRunAgain: boolean) {
    super('The batch was not committed.', { cause })
    this.mayRunAgain = mayRunAgain
  }
}

/** Transactions that one COMMIT makes durable, in the order in which they run. */
interface Batch {
  readonly client: PoolClient
  /** Resolves when the lock is held. Rejects with `NotCommitted` if it cannot be; nothing was written then. */
  readonly locked: Promise<Held>
  /** What is known since then; null before. */
  held: Held | null
  /** Number of transactions that have succeeded so far. */
  succeeded: number
  statements: number
  /** The error that failed all of them, once it is over; null if they are durable. */
  readonly outcome: Promise<NotCommitted | null>
  settle: (failure: NotCommitted | null) => void
}

/** A lock that a transaction holds. */
interface Held {
  /** The server's number of the transaction, by which its outcome can be asked on another connection. */
  readonly transaction: string
  /** The life of the database in which that number is the transaction's. */
  readonly life: string
  /** Since when, in milliseconds of a clock that nobody sets. */
  readonly since: number
}

/** The transactions of one company in this process. */
interface Line {
  readonly companyId: number | null
  readonly waiting: (() => void)[]
  isTaken: boolean
  batch: Batch | null
}

/**
 * Names one life of the database: another one after its start, after the recovery from the crash of one of its
 * processes, and on a replica that took over. A crash loses the last numbers of transactions, and gives them again.
 */
const LIFE = `concat(pg_postmaster_start_time(), '/', pg_stat_get_bgwriter_stat_reset_time())`

/** Locks a row; references to it are not disturbed. The clock is read when the lock is held. */
const lock = (row: string, columns: string): string =>
  `with locked as materialized (select ${columns} from ${row} for no key update)
    select pg_current_xact_id()::text as transaction, ${LIFE} as life, ${DATABASE_CLOCK} as clock, locked.* from locked`
const LOCK_COMPANY = lock('companies where id = $1', PRESENCE)
const LOCK_INSTALLATION = lock('installation', '1 as one')

interface WritingOptions {
  /** Gets a reading with each lock; null: the time is handed in. */
  clock: DatabaseClock | null
  /** Also writes for companies that are being moved. */
  writesAway: boolean
  observer?: StoreObserver | undefined
}

export class Writing {
  private readonly pool: Pool
  private readonly lines = new Map<number | null, Line>()
  /** The batch of the transaction in which code runs. */
  private readonly inside = new AsyncLocalStorage<Batch>()
  private readonly onReached: (error: unknown) => void
  private readonly clock: DatabaseClock | null
  private readonly writesAway: boolean
  private readonly observer: StoreObserver | undefined
  private closed = false

  /** `onReached` is called with null after each commit, and with the error of a connection that failed. */
  constructor(
    pool: Pool,
    onReached: (error: unknown) => void,
    { clock, writesAway, observer }: WritingOptions,
  ) {
    this.pool = pool
    this.onReached = onReached
    this.clock = clock
    this.writesAway = writesAway
    this.observer = observer
  }

  /**
   * Runs `work` in one transaction of a company and resolves once it is durable; rolls back if it throws. Work that
   * crossed with other changes, or whose connection was lost before the commit, runs again from its start.
   */
  async transaction<T>(
    companyId: number | null,
    work: (db: Db) => Promise<T>,
    { readsFirst = false }: TransactionStart = {},
  ): Promise<T> {
    // A nested second transaction would never end: it waits for itself.
    if (this.inside.getStore()) throw new Error('A transaction is already open: use the ctx it was given.')
    for (let run = 1; ; run += 1) {
      try {
        return await this.runOnce(companyId, work, readsFirst)
      } catch (error) {
        const failure = error instanceof NotCommitted ? error.cause : error
        const mayRunAgain = error instanceof NotCommitted ? error.mayRunAgain : isWorthAnotherTry(error)
        if (isConnectionLost(failure)) this.onReached(failure)
        if (!mayRunAgain || run >= MOST_RUNS || this.closed) throw refusalOf(failure)
        this.observer?.ranAgain()
      }
    }
  }

  /** Throws in a transaction whose lock may not be held yet. */
  assertLocked(): void {
    if (this.inside.getStore()?.held === null)
      throw new Error(
        'The clock was read before the lock was held: a transaction that reads first waits for that.',
      )
  }

  private async runOnce<T>(
    companyId: number | null,
    work: (db: Db) => Promise<T>,
    readsFirst: boolean,
  ): Promise<T> {
    const line = this.lineOf(companyId)
    let result: T
    let batch: Batch
    const cameAt = performance.now()
    this.observer?.open(1)
    await takeTurn(line)
    try {
      this.observer?.turnTaken(performance.now() - cameAt)
      if (this.closed) throw closing()
      batch = line.batch ??= await this.begin(companyId)
      const own = batch
      result = await this.inside.run(own, () => this.takePart(line, own, work, readsFirst))
    } finally {
      try {
        if (line.batch && !this.goesOn(line, line.batch)) await this.commit(line, line.batch)
      } finally {
        this.observer?.open(-1)
        this.endTurn(line)
      }
    }
    const failure = await batch.outcome
    if (failure) throw failure
    return result
  }

  private lineOf(companyId: number | null): Line {
    const known = this.lines.get(companyId)
    if (known) return known
    const line: Line = { companyId, waiting: [], isTaken: false, batch: null }
    this.lines.set(companyId, line)
    return line
  }

  private endTurn(line: Line): void {
    const next = line.waiting.shift()
    if (next) return next()
    line.isTaken = false
    this.lines.delete(line.companyId)
  }

  private goesOn({ waiting }: Line, batch: Batch): boolean {
    return waiting.length > 0 && !this.closed && batch.succeeded > 0 && batch.succeeded < MOST_TOGETHER
  }

  /** Begins a transaction and asks for the lock. Throws `NotCommitted` if there is no connection. */
  private async begin(companyId: number | null): Promise<Batch> {
    const client = await this.pool.connect().catch((error: unknown) => {
      throw new NotCommitted(error, false)
    })
    let settle: Batch['settle'] = () => {}
    const outcome = new Promise<NotCommitted | null>((resolve) => (settle = resolve))
    const locked = this.lock(client, companyId).catch((error: unknown) => {
      throw new NotCommitted(error, isConnectionLost(error))
    })
    const batch: Batch = { client, locked, held: null, succeeded: 0, statements: 0, outcome, settle }
    locked.then(
      (held) => (batch.held = held),
      () => {},
    )
    return batch
  }

  /** Takes the lock. Throws the database's errors; nothing was written. */
  private async lock(client: PoolClient, companyId: number | null): Promise<Held> {
    const sentAt = this.clock?.tick ?? 0
    send(client, 'begin')
    sendScope(client, companyId)
    const { rows } = await runOn(
      client,
      companyId === null ? LOCK_INSTALLATION : LOCK_COMPANY,
      companyId === null ? [] : [companyId],
    )
    const [row] = rows as unknown as ({ transaction: string; life: string; clock: number } & Presence)[]
    if (!row) throw new Error('There is no such company to write for.')
    this.clock?.observe(row.clock, sentAt)
    const refusal = companyId === null || this.writesAway ? null : writeRefusal(row)
    if (refusal) throw refusal
    return { transaction: row.transaction, life: row.life, since: performance.now() }
  }

  /** Runs one transaction of the batch. The first needs no savepoint: nothing before it has to survive its rollback. */
  private async takePart<T>(
    line: Line,
    batch: Batch,
    work: (db: Db) => Promise<T>,
    readsFirst: boolean,
  ): Promise<T> {
    const { client } = batch
    const isFirst = batch.succeeded === 0
    let isOpen = true
    const writer = createWriter((run) => {
      if (!isOpen) return Promise.reject(new Error('This transaction is over.'))
      batch.statements += 1
      const answer = run(client)
      return batch.held ? answer : onceLocked(batch, answer)
    })
    try {
      if (!readsFirst) await batch.locked
      if (!isFirst) send(client, 'set constraints all deferred; savepoint part')
      // The part before may have entered a company.
      if (!isFirst && line.companyId === null) sendScope(client, null)
      const result = await work(writer.db)
      await batch.locked
      const isAlone = isFirst && line.waiting.length === 0 && line.batch === batch
      const flushed = writer.flush()
      if (isAlone && writer.isDecidedByDatabase()) {
        isOpen = false
        batch.succeeded += 1
        await this.commit(
          line,
          batch,
          flushed.then(
            () => null,
            (error: unknown) => error,
          ),
        )
        return result
      }
      // An entry that does not balance fails alone. The commit checks a transaction that is on its own.
      if (isAlone) await flushed
      else await allOf(flushed, client.query('set constraints all immediate'))
      isOpen = false
      if (line.batch !== batch) throw closing()
      batch.succeeded += 1
      return result
    } catch (error) {
      isOpen = false
      await this.undoPart(line, batch, isFirst, error)
      // No COMMIT was sent, so that nothing of it was written.
      throw isConnectionLost(error) ? new NotCommitted(error, true) : error
    }
  }

  private async undoPart(line: Line, batch: Batch, isFirst: boolean, error: unknown): Promise<void> {
    if (line.batch !== batch) return
    let failure = error instanceof NotCommitted ? error.cause : error
    if (!isFirst && !isConnectionLost(failure)) {
      try {
        await batch.client.query('rollback to savepoint part; release savepoint part')
        return
      } catch (undoing) {
        failure = undoing
      }
    }
    line.batch = null
    if (isConnectionLost(failure)) giveBack(batch.client, failure)
    else
      await batch.client.query('rollback').then(
        () => giveBack(batch.client),
        (undoing: unknown) => giveBack(batch.client, undoing),
      )
    batch.settle(new NotCommitted(failure, true))
  }

  /**
   * Makes the successful transactions of the batch durable, or rejects all of them. `flushed`: the error of what was
   * sent just before, once it is answered.
   */
  private async commit(line: Line, batch: Batch, flushed?: Promise<unknown>): Promise<void> {
    line.batch = null
    const { client } = batch
    let failure: NotCommitted | null = null
    try {
      const { command } = await client.query('commit')
      giveBack(client)
      if (command !== 'COMMIT') {
        const cause = (await flushed) ?? new Error('The transaction had failed.')
        throw new NotCommitted(cause, isWorthAnotherTry(cause))
      }
    } catch (error) {
      if (error instanceof NotCommitted) failure = error
      else {
        giveBack(client, error)
        failure = isConnectionLost(error)
          ? await this.outcomeOf(batch, error)
          : new NotCommitted(error, false)
      }
    }
    if (failure === null) {
      this.onReached(null)
      this.observer?.committed({
        ms: performance.now() - (batch.held?.since ?? 0),
        statements: batch.statements,
        transactions: batch.succeeded,
      })
    }
    batch.settle(failure)
  }

  /**
   * Asks on another connection what became of a commit whose answer was lost. After a crash the number may be another
   * transaction's: then its commit says nothing of this one, while its rollback says that this one is gone too.
   */
  private async outcomeOf(batch: Batch, lost: unknown): Promise<NotCommitted | null> {
    const { transaction, life } = await batch.locked
    const until = Date.now() + DECISION_MS
    do {
      try {
        const { rows } = await this.pool.query<{ status: string | null; life: string }>(
          `select pg_xact_status($1::xid8) as status, ${LIFE} as life`,
          [transaction],
        )
        const { status, life: current } = rows[0]!
        if (status === 'aborted') return new NotCommitted(lost, true)
        if (status === 'committed' && current === life) return null
        if (status === 'committed') break
      } catch {
        // The database restarts, or is out of reach.
      }
      await pause(100)
    } while (Date.now() < until && !this.closed)
    const unknown = new AppError('store_readonly', {
      details: { reason: 'outcome_unknown' },
      retryAfterSeconds: 5,
      cause: lost,
    })
    return new NotCommitted(unknown, false)
  }

  /** Transactions that begin from now on are refused; those under way end. */
  close(): void {
    this.closed = true
  }
}

/** Gives an answer once the lock is held. */
async function onceLocked<T>({ locked }: Batch, answer: Promise<T>): Promise<T> {
  // If there is no lock, that is the cause of whatever follows.
  answer.catch(() => {})
  await locked
  return answer
}

async function takeTurn(line: Line): Promise<void> {
  if (line.isTaken) return new Promise((begin) => line.waiting.push(begin))
  line.isTaken = true
}

function closing(): AppError {
  return new AppError('store_readonly', { details: { reason: 'closing' } })
}
