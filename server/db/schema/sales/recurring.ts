/** Types of the tables of migrations/0001/recurring.ts. */
import type { Generated } from 'kysely'
import type { Defaulted, Nullable } from '../columns.ts'

export interface TemplatesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  name: string
  content: string
  used_at: Nullable<number>
  version: Defaulted<number>
  created_at: number
  updated_at: number
}

export interface RecurrencesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  name: string
  state: 'active' | 'paused'
  contact_id: Nullable<number>
  client_name: string
  search: string
  content: string
  currency: Defaulted<string>
  total_cents: number
  rule: string
  start_date: string
  due_days: Nullable<number>
  price_updates: Defaulted<string>
  next_date: Nullable<string>
  trouble: Nullable<string>
  version: Defaulted<number>
  created_at: number
  updated_at: number
}

export interface RecurrenceDaysTable {
  recurrence_id: number
  date: string
  outcome: 'draft' | 'skipped'
  invoice_id: Nullable<number>
  at: number
}

export interface RecurringTables {
  templates: TemplatesTable
  recurrences: RecurrencesTable
  recurrence_days: RecurrenceDaysTable
}
