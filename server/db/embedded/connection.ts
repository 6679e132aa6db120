/** One SQLite connection with a statement cache: the only file that calls the driver. */
import type Database from 'better-sqlite3'
import type { Bindable, QueryConnection, ReturnedRows, RunResult } from '../engines.ts'
import { queryDialect } from './compiler.ts'

type Handle = Database.Database
type Statement = Database.Statement

const MAX_STATEMENTS = 500
const MAX_CACHED_RESULTS = 500

/**
 * A connection that caches prepared statements by their SQL and drops the oldest first: preparing costs more than
 * most queries.
 */
export class Connection implements QueryConnection {
  readonly dialect = queryDialect
  handle: Handle
  private readonly statements = new Map<string, Statement>()
  private readonly results = new Map<string, unknown>()
  private cachesResults = false
  /**
   * Called with the database's error code when it finds that the file is damaged; the caller receives the error as
   * well.
   */
  onDamage: (code: string) => void = () => {}

  constructor(handle: Handle) {
    this.handle = handle
  }

  /**
   * Enables the cache of `cached`. Only for a connection whose cache is cleared by `clearResults` after every write of
   * another one.
   */
  enableResultCache(): void {
    this.cachesResults = true
  }

  clearResults(): void {
    this.results.clear()
  }

  /** Returns the result of `read`, or its cached result under this name since the last write. */
  cached<T>(name: string, read: () => T): T {
    if (!this.cachesResults) return read()
    const known = this.results.get(name)
    if (known !== undefined) return known as T
    const value = read()
    if (value === undefined) return value
    if (this.results.size >= MAX_CACHED_RESULTS) this.results.clear()
    this.results.set(name, value)
    return value
  }

  statement(sql: string): Statement {
    let statement = this.statements.get(sql)
    if (statement) return statement
    statement = this.handle.prepare(sql)
    if (this.statements.size >= MAX_STATEMENTS) {
      const oldest = this.statements.keys().next().value
      if (oldest !== undefined) this.statements.delete(oldest)
    }
    this.statements.set(sql, statement)
    return statement
  }

  all(sql: string, values: readonly Bindable[]): unknown[] {
    try {
      return this.statement(sql).all(...values)
    } catch (error) {
      throw this.noted(error)
    }
  }

  get(sql: string, values: readonly Bindable[]): unknown {
    try {
      return this.statement(sql).get(...values)
    } catch (error) {
      throw this.noted(error)
    }
  }

  /** Returns the error, after reporting it to the owner if it concerns the file. */
  noted(error: unknown): unknown {
    const { code } = error as { code?: unknown }
    if (typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB)/.test(code)) this.onDamage(code)
    return error
  }

  run(sql: string, values: readonly Bindable[]): RunResult {
    const statement = this.statement(sql)
    if (statement.reader) return { changes: statement.all(...values).length }
    return { changes: statement.run(...values).changes }
  }

  later(sql: string, values: readonly Bindable[]): void {
    this.run(sql, values)
  }

  changeOne(sql: string, values: readonly Bindable[], otherwise: () => unknown): void {
    if (this.run(sql, values).changes !== 1) throw otherwise()
  }

  together(sql: string, values: readonly Bindable[]): ReturnedRows {
    const statement = this.statement(sql)
    if (!statement.reader) return { rows: [], changes: statement.run(...values).changes }
    const rows = statement.all(...values)
    return { rows, changes: rows.length }
  }

  close(): void {
    this.statements.clear()
    this.handle.close()
  }

  /**
   * Continues on the file that another connection has opened; statements and results cached for the closed one are
   * dropped.
   */
  continueOn(other: Connection): void {
    this.statements.clear()
    this.results.clear()
    this.handle = other.handle
  }
}
