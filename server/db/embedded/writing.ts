/**
 * The write side of a store: transactions run one after another on one connection, each sees the writes before it,
 * and each is answered when it is durable. Waiting transactions share one COMMIT (a batch), so that the cost of a
 * commit (flushing, and the pages that every invoice changes) is paid once. Within a batch each transaction is a
 * savepoint: one that throws is rolled back alone. If the commit fails, all of them have failed (ADR 35).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../../domain/errors/app-error.ts'
import { failpoint } from '../failpoints.ts'
import type { Connection } from './connection.ts'
import { createKysely } from './dialect.ts'
import { schemaFaults } from './pragmas.ts'
import type { Db } from '../query.ts'
import type { WriteFault } from '../store.ts'

interface WritingParts {
  now: () => Date
  writer: Connection
  /** Reopens the same file for writing. */
  openWriter: () => Connection
  /** Verifies the file; throws an error whose `code` gives the reason. Without it only SQLite's own check applies. */
  prove: (() => Promise<void>) | undefined
  /** Ends the snapshots of reads in progress. */
  beforeCommit: () => void
  /** Invalidates cached reads, which may be out of date. */
  afterCommit: () => void
  /** Called when `fault` is set or cleared. */
  onFault: (fault: WriteFault | null) => void
}

/** Transactions that one COMMIT makes durable, in the order in which they run. */
interface Batch {
  /** Number of transactions that have succeeded so far. */
  succeeded: number
  /** The error that failed all of them, once it is over; null if they are durable. */
  readonly outcome: Promise<{ failure: unknown }>
  settle: (outcome: { failure: unknown }) => void
}

interface Turn {
  /** True for work that runs outside of any batch. */
  alone: boolean
  begin: () => void
}

/** Most transactions per commit: finished ones must not wait indefinitely for later ones. */
const MOST_TOGETHER = 16
/** Size of a row written and deleted to test for free space: large enough not to fit by chance. */
const TRIAL_BYTES = 256 * 1024
const TRIAL = 'write_trial'

const insideTransaction = new AsyncLocalStorage<Writing>()

function isUnknownOutcome(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? ''
  return (
    code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')
  )
}

/** Returns true for faults of the disk; other errors are mistakes of the caller and do not stop other writes. */
function isDiskFault(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return false
  return isUnknownOutcome(error) || code === 'SQLITE_FULL' || code.startsWith('SQLITE_READONLY')
}

function newBatch(): Batch {
  let settle: Batch['settle'] = () => {}
  const outcome = new Promise<{ failure: unknown }>((resolve) => (settle = resolve))
  return { succeeded: 0, outcome, settle }
}

export class Writing {
  fault: WriteFault | null = null
  private readonly parts: WritingParts
  connection: Connection
  private db: Db
  /** After an I/O error the content of the file is unknown: nothing is written until it is verified. */
  private unproved = false
  private readonly waiting: Turn[] = []
  private isTaken = false
  private batch: Batch | null = null
  private closed = false

  constructor(parts: WritingParts) {
    this.parts = parts
    this.connection = parts.writer
    this.db = createKysely(parts.writer)
  }

  /** Runs `work` in one transaction and resolves once it is durable; rolls back if it throws. */
  async transaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    // A nested second transaction would wait for itself for ever.
    if (insideTransaction.getStore() === this)
      throw new Error('A transaction is already open: use the ctx it was given.')
    let result: T
    let batch: Batch
    await this.takeTurn(false)
    try {
      if (this.closed) throw this.closing()
      if (this.unproved) throw this.refusal(this.fault?.reason ?? 'unproved')
      batch = this.batch ??= this.begin()
      result = await insideTransaction.run(this, () => this.takePart(work))
    } finally {
      try {
        if (this.batch && !this.goesOn(this.batch)) this.commit(this.batch)
      } finally {
        this.endTurn()
      }
    }
    await this.untilDurable(batch)
    return result
  }

  private async untilDurable(batch: Batch): Promise<void> {
    const { failure } = await batch.outcome
    if (failure !== null) throw this.refusalOf(failure)
  }

  /** Waits until no other write runs. */
  private async takeTurn(alone: boolean): Promise<void> {
    if (this.isTaken) return new Promise((begin) => this.waiting.push({ alone, begin }))
    this.isTaken = true
    // Lets requests that have already arrived join the same batch.
    if (!alone) await nextTurn()
  }

  private endTurn(): void {
    const next = this.waiting.shift()
    if (next) next.begin()
    else this.isTaken = false
  }

  private goesOn(batch: Batch): boolean {
    const [next] = this.waiting
    return next !== undefined && !next.alone && !this.closed && batch.succeeded < MOST_TOGETHER
  }

  private begin(): Batch {
    try {
      this.connection.run('begin immediate', [])
    } catch (error) {
      this.rollBack()
      this.note(error)
      throw this.refusalOf(error)
    }
    return newBatch()
  }

  /** Runs one transaction of the batch. The first needs no savepoint: nothing before it has to survive its rollback. */
  private async takePart<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const { batch, connection } = this
    const isFirst = batch?.succeeded === 0
    try {
      if (!isFirst) connection.run('savepoint part', [])
      const result = await work(this.db)
      // Only closing the books can end a batch in the meantime.
      if (this.batch !== batch || !batch) throw this.closing()
      if (!isFirst) connection.run('release part', [])
      batch.succeeded += 1
      failpoint('store.part_kept')
      return result
    } catch (error) {
      this.undoPart(batch, isFirst, error)
      this.note(error)
      throw this.refusalOf(error)
    }
  }

  private undoPart(batch: Batch | null, isFirst: boolean, error: unknown): void {
    if (!batch || this.batch !== batch) return
    let failure = error
    // A disk fault ends the transaction by itself, and its result is unknown.
    if (!isFirst && !isUnknownOutcome(error) && this.connection.handle.inTransaction) {
      try {
        this.connection.run('rollback to part', [])
        this.connection.run('release part', [])
        return
      } catch (undoing) {
        failure = undoing
      }
    }
    this.batch = null
    this.rollBack()
    // The error of one request is not passed to the others.
    batch.settle({ failure: isDiskFault(failure) ? failure : new Error('The batch has ended by itself.') })
  }

  /** Makes the successful transactions of the batch durable, or rejects all of them. */
  private commit(batch: Batch): void {
    this.batch = null
    try {
      this.parts.beforeCommit()
      failpoint('store.before_commit')
      this.connection.run('commit', [])
    } catch (error) {
      this.rollBack()
      this.note(error)
      batch.settle({ failure: error })
      return
    } finally {
      this.parts.afterCommit()
    }
    failpoint('store.after_commit')
    // A fault that a read has found in the meantime remains.
    if (!this.unproved) this.setFault(null)
    batch.settle({ failure: null })
  }

  private rollBack(): void {
    try {
      if (this.connection.handle.inTransaction) this.connection.run('rollback', [])
    } catch (error) {
      this.unproved = true
      this.setFault(`rollback failed: ${(error as { code?: string }).code ?? 'unknown'}`)
    }
  }

  private setFault(reason: string | null): void {
    if (reason === (this.fault?.reason ?? null)) return
    this.fault = reason === null ? null : { reason, since: this.fault?.since ?? this.parts.now() }
    this.parts.onFault(this.fault)
  }

  /**
   * Stops writes because the file is damaged: reads continue where possible, and nothing is written until the file is
   * verified.
   */
  stop(code: string): void {
    if (this.closed) return
    this.unproved = true
    this.setFault(code)
  }

  private closing(): AppError {
    return new AppError('store_readonly', { details: { reason: 'closing' } })
  }

  private refusal(reason: string, cause?: unknown): AppError {
    return new AppError('store_readonly', { details: { reason }, retryAfterSeconds: 60, cause })
  }

  /** Records a fault of the disk for later queries of the store's state. */
  private note(error: unknown): void {
    if (isUnknownOutcome(error)) this.unproved = true
    if (isDiskFault(error)) this.setFault((error as { code: string }).code)
  }

  /** Converts a fault of the disk to its answer; returns any other error unchanged. */
  private refusalOf(error: unknown): unknown {
    return isDiskFault(error) ? this.refusal((error as { code: string }).code, error) : error
  }

  /**
   * Tests with a write whether the store can be written again. After an I/O error the file is reopened and verified
   * first, because the result of the failed write is unknown.
   */
  async tryWriting(): Promise<WriteFault | null> {
    await this.takeTurn(true)
    try {
      if (!this.closed) await insideTransaction.run(this, () => this.proveAndWrite())
    } catch (error) {
      // A fault of the disk has been recorded; it is the result.
      if (!(error instanceof AppError)) throw error
    } finally {
      this.endTurn()
    }
    return this.fault
  }

  /** Runs `work` while no other write runs; it must not write through this object either. Throws `store_readonly`. */
  async whileAlone<T>(work: () => Promise<T>): Promise<T> {
    await this.takeTurn(true)
    try {
      if (this.closed) throw this.closing()
      if (this.unproved) throw this.refusal(this.fault?.reason ?? 'unproved')
      return await insideTransaction.run(this, work)
    } finally {
      this.endTurn()
    }
  }

  private async proveAndWrite(): Promise<void> {
    if (this.unproved) await this.reopen()
    await this.runAlone(async (db) => {
      const value = JSON.stringify('x'.repeat(TRIAL_BYTES))
      await db.deleteFrom('settings').where('name', '=', TRIAL).execute()
      await db.insertInto('settings').values({ name: TRIAL, value }).execute()
    })
    await this.runAlone((db) => db.deleteFrom('settings').where('name', '=', TRIAL).execute())
  }

  private async runAlone(work: (db: Db) => Promise<unknown>): Promise<void> {
    const batch = (this.batch = this.begin())
    await this.takePart(work)
    this.commit(batch)
    await this.untilDurable(batch)
  }

  /** Reopens the file, which settles a failed write, and verifies it. Throws `store_readonly`. */
  private async reopen(): Promise<void> {
    let writer: Connection
    try {
      writer = this.parts.openWriter()
    } catch (error) {
      this.note(error)
      if (!(error instanceof AppError)) throw this.refusalOf(error)
      this.setFault(error.code)
      throw this.refusal(error.code, error)
    }
    try {
      await this.prove(writer)
      if (this.closed) throw Object.assign(new Error('closing'), { code: 'closing' })
    } catch (error) {
      writer.close()
      const { code = 'unproved' } = error as { code?: string }
      this.setFault(code)
      throw this.refusal(code, error)
    }
    this.connection.close()
    this.connection = writer
    this.db = createKysely(writer)
    // The failed commit may have been written after all.
    this.parts.afterCommit()
    this.unproved = false
  }

  /** Throws the fault of the file, with its code. */
  private async prove(writer: Connection): Promise<void> {
    if ((await schemaFaults(writer)).length > 0)
      throw Object.assign(new Error('schema'), { code: 'schema_changed' })
    if (this.parts.prove) return this.parts.prove()
    const [first] = writer.handle.pragma('integrity_check(1)') as { integrity_check: string }[]
    if (first?.integrity_check !== 'ok')
      throw Object.assign(new Error('integrity_check'), { code: 'SQLITE_CORRUPT' })
  }

  /** Transactions that are not durable yet fail. */
  close(): void {
    if (this.closed) return
    this.closed = true
    const { batch } = this
    this.batch = null
    if (batch) this.rollBack()
    batch?.settle({ failure: this.closing() })
    try {
      this.connection.handle.pragma('optimize')
    } catch {
      // A full disk must not keep the program from closing.
    }
    this.connection.close()
  }
}
