/** One SQLite connection with a statement cache: the only place that calls the driver. */
import type Database from 'better-sqlite3'

type Handle = Database.Database
type Statement = Database.Statement

const MAX_STATEMENTS = 500
const MAX_KEPT = 500

/** Values that may be bound. Booleans, dates and objects are refused by the driver, on purpose. */
export type Bindable = string | number | bigint | Uint8Array | null

export interface RunResult {
  changes: number
  insertId: number
}

/** Prepared statements by their SQL, oldest dropped first: preparing costs more than most of our queries. */
export class Connection {
  handle: Handle
  private readonly statements = new Map<string, Statement>()
  private readonly kept = new Map<string, unknown>()
  private keeps = false
  /** Told the database's code when it finds that the file is not what was written; whoever asked gets the error as well. */
  onDamage: (code: string) => void = () => {}

  constructor(handle: Handle) {
    this.handle = handle
  }

  /** From now on `keep` keeps. Only for a connection that is told to `forget` whenever another one has written. */
  startKeeping(): void {
    this.keeps = true
  }

  forget(): void {
    this.kept.clear()
  }

  /** What `read` answers, or what it answered under this name since something was written last. */
  keep<T>(name: string, read: () => T): T {
    if (!this.keeps) return read()
    const known = this.kept.get(name)
    if (known !== undefined) return known as T
    const value = read()
    if (value === undefined) return value
    if (this.kept.size >= MAX_KEPT) this.kept.clear()
    this.kept.set(name, value)
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

  /** The error, after its owner was told of it where it is about the file. */
  noted(error: unknown): unknown {
    const { code } = error as { code?: unknown }
    if (typeof code === 'string' && /^SQLITE_(CORRUPT|NOTADB)/.test(code)) this.onDamage(code)
    return error
  }

  run(sql: string, values: readonly Bindable[]): RunResult {
    const statement = this.statement(sql)
    if (statement.reader) {
      const rows = statement.all(...values)
      return { changes: rows.length, insertId: 0 }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { changes, insertId: Number(lastInsertRowid) }
  }

  close(): void {
    this.statements.clear()
    this.handle.close()
  }

  /** Continues on the file that another connection has opened; what was prepared or kept for the closed one is dropped. */
  continueOn(other: Connection): void {
    this.statements.clear()
    this.kept.clear()
    this.handle = other.handle
  }
}
