/** What the engines of the store have in common for queries: how a connection runs them, and for whom they are compiled. */
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

export type EngineName = 'sqlite' | 'pg'

/** Values that can be bound. The drivers get no booleans, dates and objects on purpose. */
export type Bindable = string | number | bigint | Uint8Array | null

export interface RunResult {
  changes: number
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
  /** Returns the result of `read`, or its cached result under this name since the last write. */
  cached<T>(name: string, read: () => T): T
}
