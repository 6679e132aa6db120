/** What the engines of the store have in common for queries: how a connection runs them, and for whom they are compiled. */
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

export type EngineName = 'sqlite' | 'pg'

/** Values that can be bound. The drivers get no booleans, dates and objects on purpose. */
export type Bindable = string | number | bigint | Uint8Array | null

export interface RunResult {
  changes: number
}

/** Rows that a statement returned, and how many it changed. */
export interface ReturnedRows extends RunResult {
  rows: unknown[]
}

/** An engine as queries are compiled for it. */
export interface QueryDialect {
  readonly engine: EngineName
  /** Compiles queries only; it has no connection. */
  readonly builder: Kysely<Schema>
}

/** A connection on which prepared queries run. The embedded engine answers at once, the other one later. */
export interface QueryConnection {
  readonly dialect: QueryDialect
  all(sql: string, values: readonly Bindable[]): unknown[] | Promise<unknown[]>
  get(sql: string, values: readonly Bindable[]): unknown
  run(sql: string, values: readonly Bindable[]): RunResult | Promise<RunResult>
  /**
   * Writes at once, or at the latest before the next statement of the transaction; an error may show there, or at the
   * end of the transaction. An engine behind a network sends such writes together.
   */
  later(sql: string, values: readonly Bindable[]): void
  /**
   * Writes like `later`, in a statement of its own, and fails with the error that `otherwise` makes unless exactly one
   * row changes.
   */
  changeOne(sql: string, values: readonly Bindable[], otherwise: () => unknown): void
  /** Runs like `all`, in one message with the writes of `later` before it, which it need not see. */
  together(sql: string, values: readonly Bindable[]): ReturnedRows | Promise<ReturnedRows>
  /** Returns the result of `read`, or its cached result under this name since the last write. */
  cached<T>(name: string, read: () => T): T
}
