/** Types of the tables of migrations/0001/ledger.ts. */
import type { Generated } from 'kysely'
import type { Defaulted, Flag, Nullable } from '../columns.ts'

export type AccountKind = 'asset' | 'liability' | 'equity' | 'income' | 'expense'

export interface LedgerAccountsTable {
  id: Generated<number>
  book_id: number
  code: string
  /** Null: the name in the chart of accounts applies. */
  name: Nullable<string>
  kind: AccountKind
  active: Defaulted<Flag>
}

export interface PeriodLocksTable {
  book_id: number
  /** Day as a whole number: 20260131. */
  locked_until: number
  updated_at: number
}

export interface LedgerYearsTable {
  id: Generated<number>
  book_id: number
  year: number
  result_cents: number
  locked_before: Nullable<number>
  closed_at: number
}

export interface JournalEntriesTable {
  id: Generated<number>
  book_id: number
  /** Day as a whole number: 20260131. */
  day: number
  /** Month as a whole number: 202601; 00 opening, 13 regularisation, 14 closing. */
  month: number
  source_type: number
  source_id: Nullable<number>
  text: Nullable<string>
  number: Nullable<number>
  /** 1 while its lines are written; null once sealed. */
  open: Nullable<number>
}

export interface JournalLinesTable {
  entry_id: number
  position: number
  account_id: number
  /** Copied from the entry, so that an account can be read in order of days. */
  day: number
  amount_cents: number
  contact_id: Nullable<number>
}

export interface AccountMonthsTable {
  account_id: number
  month: number
  debit_cents: number
  credit_cents: number
}

export interface LedgerTables {
  ledger_accounts: LedgerAccountsTable
  period_locks: PeriodLocksTable
  ledger_years: LedgerYearsTable
  journal_entries: JournalEntriesTable
  journal_lines: JournalLinesTable
  account_months: AccountMonthsTable
}
