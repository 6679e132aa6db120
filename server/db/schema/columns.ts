/** Column types that the tables share. The first migration documents the conventions (units, instants, flags). */
import type { ColumnType } from 'kysely'

/** 0 or 1: SQLite has no booleans, and PostgreSQL would use smallint. */
export type Flag = number
export type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>
