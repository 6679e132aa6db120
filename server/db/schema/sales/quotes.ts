/** Types of the tables of migrations/0001/quotes.ts. */
import type { Generated } from 'kysely'
import type { Defaulted, Flag, Nullable } from '../columns.ts'

export interface QuotesTable {
  id: Generated<number>
  book_id: number
  public_id: string
  kind: 'quote' | 'proforma' | 'delivery_note'
  state: 'draft' | 'sent' | 'accepted' | 'rejected'
  series_id: Nullable<number>
  sequence: Nullable<number>
  number: Nullable<string>
  date: string
  valid_until: Nullable<string>
  contact_id: Nullable<number>
  client_name: string
  client_nif: Nullable<string>
  search: string
  content: string
  hide_prices: Defaulted<Flag>
  currency: Defaulted<string>
  base_cents: number
  tax_cents: number
  total_cents: number
  is_spent: Defaulted<Flag>
  revision: Defaulted<number>
  version: Defaulted<number>
  created_at: number
  updated_at: number
  sent_at: Nullable<number>
  decided_at: Nullable<number>
}

export interface QuoteRevisionsTable {
  quote_id: number
  revision: number
  date: string
  valid_until: Nullable<string>
  content: string
  base_cents: number
  tax_cents: number
  total_cents: number
  replaced_at: number
}

export interface QuoteConversionsTable {
  id: Generated<number>
  quote_id: number
  invoice_id: number
  kind: 'lines' | 'deposit'
  percent_bp: Nullable<number>
  lines: Defaulted<string>
  deposits: Defaulted<string>
  discount_cents: Defaulted<number>
  is_released: Defaulted<Flag>
  created_at: number
}

export interface QuotesTables {
  quotes: QuotesTable
  quote_revisions: QuoteRevisionsTable
  quote_conversions: QuoteConversionsTable
}
